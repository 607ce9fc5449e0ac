// Zoom of lines over time, and their values at a cursor that all figures of a group share. The lines are those that
// the library has drawn: this script moves the window on them, and draws ticks for it.
"use strict";
(function () {
  const MARGIN = 0.06, PER_X = 48, PER_Y = 26;  // as in src/report: share around the lines, pixels per tick
  const plots = [];
  const groups = {};

  const make = (name, attributes, parent) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    parent?.append(e);
    return e;
  };
  const number = (v) => String(Number(v.toPrecision(4)));

  // 1, 2 or 5 times a power of ten, so that the range has at most `most` steps
  function stepOf(range, most) {
    const raw = range / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw)), m = raw / power;
    return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
  }

  // points of a path with the commands M and l; all lines of a figure have ascending x
  function pointsOf(path) {
    const x = [], y = [];
    for (const [, command, list] of path.getAttribute("d").matchAll(/([Ml])([^Ml]*)/g)) {
      const n = list.match(/-?(\d*\.\d+|\d+)/g).map(Number);
      for (let i = 0; i < n.length; i += 2) {
        const on = command === "l" ? x.length - 1 : -1;
        x.push(n[i] + (on < 0 ? 0 : x[on]));
        y.push(n[i + 1] + (on < 0 ? 0 : y[on]));
      }
    }
    return { x, y };
  }

  // index of the first x that is not below `at`
  function from(x, at) {
    let low = 0, high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function nearest(x, at) {
    const k = Math.min(from(x, at), x.length - 1);
    return k > 0 && at - x[k - 1] < x[k] - at ? k - 1 : k;
  }

  class Plot {
    constructor(figure, pane) {
      const svg = pane.ownerSVGElement, box = svg.viewBox.baseVal;
      const whole = pane.viewBox.baseVal;
      Object.assign(this, { figure, svg, pane, full: { x: whole.x, y: whole.y, w: whole.width, h: whole.height } });
      [this.xmin, this.xmax, this.ymin, this.ymax] = pane.dataset.range.split(" ").map(Number);
      this.size = { width: box.width, height: box.height, right: box.width - whole.x - whole.width };
      this.skip = svg.querySelector(".legend") ? whole.y - 12 : 0;  // the names are below, with values
      this.unit = svg.querySelector("[data-axis=y]").textContent.match(/\[(.*)\]$/)?.[1] ?? "";
      this.lines = [...pane.querySelectorAll("[data-name]")].map((path) => ({ name: path.dataset.name, colour: path.getAttribute("class").match(/c\d/)[0], ...pointsOf(path) }));
      this.limits = [...pane.querySelectorAll(".limit")].map((path) => Number(path.getAttribute("d").split(" ")[1].split("h")[0]));
      this.cursor = make("path", { class: "cursor", visibility: "hidden" }, svg);
      this.chosen = make("rect", { class: "chosen", y: whole.y, height: whole.height, width: 0 }, svg);
      this.legend();
      this.range = [this.xmin, this.xmax];
      figure.classList.add("zooms");
      this.listen();
    }

    // names of the lines, with places for their values
    legend() {
      const list = document.createElement("p");
      list.className = "values";
      this.values = [{ name: "time" }, ...this.lines].map(({ name, colour }) => {
        const entry = list.appendChild(document.createElement("span"));
        if (colour) entry.appendChild(document.createElement("i")).style.background = `var(--${colour})`;
        entry.append(name + " ");
        return entry.appendChild(document.createElement("b"));
      });
      this.figure.append(list);
    }

    // from values to the coordinates of the drawn lines, and back
    toX(t) { return this.full.x + ((t - this.xmin) / (this.xmax - this.xmin)) * this.full.w; }
    toTime(x) { return this.xmin + ((x - this.full.x) / this.full.w) * (this.xmax - this.xmin); }
    toValue(y) { return this.ymax - ((y - this.full.y) / this.full.h) * (this.ymax - this.ymin); }

    // the part of the drawn lines that is in the window
    window() {
      const x0 = this.toX(this.range[0]), x1 = this.toX(this.range[1]);
      let low = Math.min(...this.limits), high = Math.max(...this.limits);
      for (const { x, y } of this.lines)
        for (let k = from(x, x0); k < x.length && x[k] <= x1; k++) {
          low = Math.min(low, y[k]);
          high = Math.max(high, y[k]);
        }
      const all = this.range[0] === this.xmin && this.range[1] === this.xmax;
      if (all || !(low < high)) return { x: x0, w: x1 - x0, y: this.full.y, h: this.full.h };
      const more = MARGIN * (high - low);
      return { x: x0, w: x1 - x0, y: low - more, h: high - low + 2 * more };
    }

    draw() {
      const width = this.svg.getBoundingClientRect().width || this.size.width;
      const w = Math.max(60, width - this.full.x - this.size.right), { x, y, h } = this.full;
      this.w = w;
      this.shown = this.window();
      this.svg.setAttribute("viewBox", `0 ${this.skip} ${width} ${this.size.height - this.skip}`);
      this.svg.querySelector(".frame").setAttribute("width", w);
      this.svg.querySelector("[data-axis=x]").setAttribute("x", x + w / 2);
      this.pane.setAttribute("width", w);
      this.pane.setAttribute("viewBox", `${this.shown.x} ${this.shown.y} ${this.shown.w} ${this.shown.h}`);
      const ticks = this.svg.querySelector(".ticks");
      ticks.replaceChildren();
      const each = (low, high, most, put) => {
        const step = stepOf(high - low, most);
        for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9; k++) put(k * step, String(Number((k * step).toPrecision(6))));
      };
      each(...this.range, w / PER_X, (t, text) => {
        const at = x + ((t - this.range[0]) / (this.range[1] - this.range[0])) * w;
        make("path", { class: "grid", d: `M${at} ${y}v${h}` }, ticks);
        make("text", { class: "tick", x: at, y: y + h + 15, "text-anchor": "middle" }, ticks).textContent = text;
      });
      const bottom = this.toValue(this.shown.y + this.shown.h), top = this.toValue(this.shown.y);
      each(bottom, top, h / PER_Y, (v, text) => {
        const at = y + ((top - v) / (top - bottom)) * h;
        make("path", { class: "grid", d: `M${x} ${at}h${w}` }, ticks);
        make("text", { class: "tick", x: x - 6, y: at + 3.5, "text-anchor": "end" }, ticks).textContent = text;
      });
      this.show(null);
    }

    // the cursor and the values at this time; null: none
    show(t) {
      const at = t == null ? -1 : nearest(this.lines[0].x, this.toX(t));
      this.index = at;
      this.cursor.setAttribute("visibility", at < 0 ? "hidden" : "visible");
      if (at < 0) return this.values.forEach((v) => (v.textContent = "–"));
      const time = this.toTime(this.lines[0].x[at]);
      const px = this.full.x + ((time - this.range[0]) / (this.range[1] - this.range[0])) * this.w;
      this.cursor.setAttribute("d", `M${px} ${this.full.y}v${this.full.h}`);
      this.values[0].textContent = time.toFixed(3) + " s";
      this.lines.forEach(({ x, y }, i) => (this.values[i + 1].textContent = number(this.toValue(y[nearest(x, this.lines[0].x[at])])) + " " + this.unit));
    }

    // time under the pointer, within the window
    timeAt(event) {
      const frame = this.svg.querySelector(".frame").getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - frame.left) / frame.width));
      return this.range[0] + share * (this.range[1] - this.range[0]);
    }

    listen() {
      const group = (groups[this.figure.dataset.group] ??= []);
      const zoom = (range) => group.forEach((p) => {
        p.range = range;
        p.draw();
      });
      let start = null;
      const place = (t) => this.full.x + ((t - this.range[0]) / (this.range[1] - this.range[0])) * this.w;
      group.push(this);
      this.svg.addEventListener("pointerdown", (e) => {
        if (e.button !== 0) return;
        start = this.timeAt(e);
        this.svg.setPointerCapture(e.pointerId);
        e.preventDefault();
      });
      this.svg.addEventListener("pointermove", (e) => {
        const t = this.timeAt(e);
        group.forEach((p) => p.show(t));
        if (start == null) return;
        this.chosen.setAttribute("x", place(Math.min(start, t)));
        this.chosen.setAttribute("width", Math.abs(place(t) - place(start)));
      });
      const end = (e) => {
        const t = this.timeAt(e), pixels = Math.abs(place(t) - place(start ?? t));
        this.chosen.setAttribute("width", 0);
        // a smaller movement is a click
        if (e.type === "pointerup" && pixels > 4) zoom([Math.min(start, t), Math.max(start, t)]);
        start = null;
      };
      this.svg.addEventListener("pointerup", end);
      this.svg.addEventListener("pointercancel", end);
      this.svg.addEventListener("pointerleave", () => start == null && group.forEach((p) => p.show(null)));
      this.svg.addEventListener("dblclick", () => zoom([this.xmin, this.xmax]));
    }
  }

  const draw = () => plots.forEach((p) => p.draw());
  // the figures of the page as it is now; those of before are forgotten
  function enhance() {
    plots.length = 0;
    for (const key of Object.keys(groups)) delete groups[key];
    for (const pane of document.querySelectorAll("figure[data-group] svg.window")) plots.push(new Plot(pane.closest("figure"), pane));
    draw();
  }
  window.addEventListener("resize", draw);
  enhance();
  window.roberval = { plots, enhance };
})();
