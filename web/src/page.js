// The script of every report: light and dark, and download of figures.
"use strict";
(function () {
  const root = document.documentElement;
  root.classList.add("js");
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const changed = () => document.dispatchEvent(new CustomEvent("theme"));
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    changed();
  });
  dark.addEventListener("change", changed);

  // a figure as a file, with its current colours on the page
  function fileOf(svg) {
    const copy = svg.cloneNode(true);
    const names = "paper ink muted rule grid c1 c2 c3 c4 c5 h0 h1 h2 h3 h4 h5 h6 h7 h8".split(" ");
    const now = getComputedStyle(root);
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent =
      "svg.fig{" + names.map((n) => "--" + n + ":" + now.getPropertyValue("--" + n)).join(";") + "}" +
      document.getElementById("figure-style").textContent;
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    paper.setAttribute("class", "paper");
    paper.setAttribute("width", "100%");
    paper.setAttribute("height", "100%");
    copy.prepend(style, paper);
    return new XMLSerializer().serializeToString(copy);
  }

  function save(name, text) {
    const link = document.createElement("a");
    link.download = name;
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const saveFigure = (button) =>
    save(button.dataset.save, fileOf(button.closest("figure").querySelector("svg.fig")));
  for (const button of document.querySelectorAll("[data-save]"))
    button.addEventListener("click", () => saveFigure(button));
  document.querySelector("[data-save-all]")?.addEventListener("click", () => {
    // one after another: browsers drop simultaneous downloads
    document.querySelectorAll("[data-save]").forEach((b, i) => setTimeout(() => saveFigure(b), 150 * i));
  });

  // a link opens the section that it leads to, and print shows all
  const unfold = (e) => {
    for (let at = e?.querySelector("details") ?? e; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  const follow = () => location.hash.length > 1 && unfold(document.getElementById(decodeURIComponent(location.hash.slice(1))));
  window.addEventListener("hashchange", follow);
  for (const link of document.querySelectorAll("nav a")) link.addEventListener("click", () => unfold(document.querySelector(link.getAttribute("href"))));
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  follow();

  // regions that scroll can be reached by keyboard
  const reach = () => {
    for (const region of document.querySelectorAll(".scroll, .pan")) {
      const scrolls = region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1;
      if (scrolls) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
    }
  };
  window.addEventListener("resize", reach);
  // what was folded has no size
  document.addEventListener("toggle", () => window.dispatchEvent(new Event("resize")), true);
  reach();
})();
