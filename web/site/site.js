// The documentation site: search, light and dark, the menu on small screens, copying of commands.
"use strict";

/* ---- search ---- */

// sections that contain every word: [entry, score], best first. A word may be the beginning of a word of the text.
function findSections(index, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_+-]+/gu) ?? [];
  if (words.length === 0) return [];
  const starts = words.map((w) => new RegExp("(^|[^\\p{L}\\p{N}])" + w.replace(/[+-]/g, "\\$&"), "giu"));
  const found = [];
  for (const entry of index) {
    const [address, title, section, text] = entry;
    let score = 0;
    for (const start of starts) {
      const hits = (t) => t.match(start)?.length ?? 0;
      const here = (hits(section) ? 8 : 0) + (hits(title) ? (section ? 3 : 10) : 0) + Math.min(5, hits(text));
      if (here === 0) { score = 0; break; }
      score += here;
    }
    // few readers look for a C declaration or an old change: these pages come after the others
    if (score > 0) found.push([entry, /^(api\/|changelog)/.test(address) ? score / 10 : score]);
  }
  return found.sort((a, b) => b[1] - a[1]).map(([entry]) => entry);
}

// the part of a text around the first of the words
function excerpt(text, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_+-]+/gu) ?? [];
  const low = text.toLowerCase();
  const at = words.map((w) => low.indexOf(w)).filter((i) => i >= 0);
  const from = at.length ? Math.max(0, Math.min(...at) - 50) : 0;
  return (from > 0 ? "… " : "") + text.slice(from, from + 150) + (from + 150 < text.length ? " …" : "");
}

function startSearch() {
  const input = document.getElementById("site-search"), box = document.getElementById("site-found");
  const up = document.body.dataset.up;
  let chosen = -1;
  const links = () => [...box.querySelectorAll("a")];
  function choose(i) {
    const all = links();
    chosen = all.length ? (i + all.length) % all.length : -1;
    all.forEach((a, k) => a.setAttribute("aria-selected", k === chosen));
    if (chosen >= 0) {
      all[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", all[chosen].id);
    }
  }
  function show(open) {
    box.hidden = !open;
    input.setAttribute("aria-expanded", open);
    if (!open) input.removeAttribute("aria-activedescendant");
  }
  // the index is loaded when somebody wants to search
  let loading = null;
  const load = () => (loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = up + "search-index.js";
    script.onload = resolve;
    document.head.append(script);
  }));
  input.addEventListener("focus", load);
  input.addEventListener("input", async () => {
    await load();
    const query = input.value.trim();
    box.replaceChildren();
    if (query === "") return show(false);
    const found = findSections(window.searchIndex, query).slice(0, 20);
    found.forEach(([address, title, section, text], i) => {
      const a = document.createElement("a"), b = document.createElement("b"), small = document.createElement("small");
      a.href = up + address;
      a.id = "site-found-" + i;
      a.setAttribute("role", "option");
      a.tabIndex = -1;
      b.textContent = section || title;
      small.textContent = (section ? title + " · " : "") + excerpt(text, query);
      a.append(b, small);
      box.append(a);
    });
    if (found.length === 0) {
      const p = document.createElement("p");
      p.setAttribute("role", "option");
      p.textContent = "Nothing found. Try fewer or shorter words.";
      box.append(p);
    }
    show(true);
    choose(0);
  });
  input.addEventListener("keydown", (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      choose(chosen + (e.key === "ArrowDown" ? 1 : -1));
    } else if (e.key === "Enter" && chosen >= 0) {
      links()[chosen].click();
      show(false);
    } else if (e.key === "Escape") {
      show(false);
    }
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      e.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (e) => { if (!e.target.closest(".search") || e.target.closest("#site-found")) show(false); });
}

/* ---- the rest ---- */

function startTheme() {
  document.getElementById("site-theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { /* files may have no storage */ }
  });
}

function startMenu() {
  const menu = document.querySelector(".menu"), small = matchMedia("(max-width: 52rem)");
  const set = () => (menu.open = !small.matches);
  small.addEventListener("change", set);
  set();
  const here = menu.querySelector("[aria-current]");
  if (here && !small.matches) menu.scrollTop = Math.max(0, here.offsetTop - menu.clientHeight / 2);
}

// a button that copies the commands of a block, without prompts and output
function startCopy() {
  for (const code of document.querySelectorAll("pre > code")) {
    const text = code.textContent, lines = text.split("\n");
    const console_ = code.className.includes("language-console");
    if (console_)
      code.innerHTML = code.innerHTML.replace(/^\$ /gm, '<span class="prompt">$ </span>');
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const wanted = console_ ? lines.filter((l) => l.startsWith("$ ")).map((l) => l.slice(2)).join("\n") : text;
      await navigator.clipboard.writeText(wanted);
      button.textContent = "Copied";
    });
    code.parentElement.append(button);
  }
}

if (typeof document !== "undefined") {
  startSearch();
  startTheme();
  startMenu();
  startCopy();
} else {
  module.exports = { findSections, excerpt };
}
