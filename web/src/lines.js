// Lines with zoom; all joints of a group share one cursor.
import uPlot from "uplot";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

export function floats(text) {
  const raw = atob(text);
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

// a line with 16 bits per value; uPlot draws a gap for null
function decode({ low, step, data }) {
  const raw = atob(data);
  return Array.from({ length: raw.length / 2 }, (_, k) => {
    const n = raw.charCodeAt(2 * k) + 256 * raw.charCodeAt(2 * k + 1);
    return n === 65535 ? null : low + step * n;
  });
}

const number = (v) => (v == null ? "–" : Number(v.toPrecision(4)).toString());

// for each kind of figure: its lines, its shaded band, and which lines set the range of y
const kinds = {
  torque: {
    height: 200,
    word: () => "torque",
    data: (row) => ["high", "low", "measured", "predicted"].map((n) => decode(row[n])),
    // the measured line is wider, so that it is visible behind a correct prediction
    series: [{ label: "recorded, largest" }, { label: "recorded, smallest" }, { label: "measured", colour: "c1", width: 4, alpha: "99" }, { label: "predicted", colour: "c2", width: 1.6 }],
    band: [1, 2],
    // the recorded torque can be much noisier than the lines, so it does not set the range
    shown: [3, 4],
  },
  residual: {
    height: 150,
    word: () => "residual",
    data: (row) => [decode(row.residual)],
    series: [{ label: "residual", colour: "c3", width: 1.2 }],
    shown: [1],
  },
  split: {
    height: 200,
    word: () => "torque",
    data: (row) => ["gravity", "inertia", "coriolis", "friction", "residual"].map((n) => decode(row[n])),
    series: [
      { label: "gravity", colour: "c1", width: 1.6 }, { label: "inertia", colour: "c2", width: 1.6 },
      { label: "Coriolis and centrifugal", colour: "c3", width: 1.6 }, { label: "friction", colour: "c5", width: 1.6 },
      { label: "unexplained", colour: "c4", width: 1.2 },
    ],
    shown: [1, 2, 3, 4, 5],
  },
  plan: {
    height: 165,
    word: (row) => row.quantity,
    data: (row) => {
      const value = decode(row.value);
      return [value, value.map(() => row.lower), value.map(() => row.upper)];
    },
    series: [{ label: "planned", colour: "c1", width: 1.6 }, { label: "lower limit", colour: "c2", width: 1.2, dash: [5, 4] }, { label: "upper limit", colour: "c2", width: 1.2, dash: [5, 4] }],
    shown: [1, 2, 3],
    quiet: [2, 3],
  },
};

function seriesOf(kind, unit) {
  const value = (u, v) => (v == null ? "–" : number(v) + " " + unit);
  return kind.series.map(({ label, colour: name, width, dash, alpha = "" }) =>
    name
      ? { label, value, stroke: () => colour(name) + alpha, width, dash, points: { show: false } }
      : { label, value, stroke: "transparent", points: { show: false } });
}

function rangeOf(kind, data) {
  return (u) => {
    let low = Infinity, high = -Infinity;
    const [from, to] = u.series[0].idxs || [0, data[0].length - 1];
    for (const s of kind.shown)
      for (let i = from; i <= to; i++) {
        const v = data[s][i];
        if (v == null) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    if (!(low <= high)) return [-1, 1];
    const more = 0.07 * (high - low) || 1;
    return [low - more, high + more];
  };
}

function frame(figure, word, unit) {
  const box = document.createElement("div");
  box.className = "plot-box";
  box.innerHTML =
    '<p class="plot-axis y" data-axis="y"></p><div class="plot-place"><p class="plot-axis x" data-axis="x">time [s]</p></div>';
  box.querySelector(".y").textContent = `${word} [${unit}]`;
  figure.append(box);
  figure.classList.add("enhanced");
  return box.querySelector(".plot-place");
}

export function drawLines(data) {
  const plots = [];
  const groups = {};
  for (const figure of document.querySelectorAll("[data-lines]")) {
    const { lines, group, row } = figure.dataset;
    const kind = kinds[lines];
    const source = data[group];
    if (!source) continue;
    const entry = source.rows[Number(row)];
    source.time ??= Array.from(floats(source.t));
    const place = frame(figure, kind.word(entry), entry.unit);
    const values = [source.time, ...kind.data(entry)];
    const members = (groups[group] ??= []);
    const sync = uPlot.sync("time-" + group);
    const axis = { stroke: () => colour("muted"), grid: { stroke: () => colour("grid"), width: 1 }, ticks: { stroke: () => colour("rule"), width: 1 }, font: "11px system-ui, sans-serif" };
    const names = ["", ...kind.series.map((s) => s.colour ?? "")];
    const legend = { live: true, markers: { fill: (u, i) => `var(--${names[i]})`, width: 0 } };
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: kind.height,
        legend,
        cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false } },
        scales: { x: { time: false }, y: { range: rangeOf(kind, values) } },
        axes: [{ ...axis, size: 28 }, { ...axis, size: 52, space: 20 }],
        series: [{ label: "time", value: (u, v) => (v == null ? "–" : v.toFixed(3) + " s") }, ...seriesOf(kind, entry.unit)],
        bands: kind.band ? [{ series: kind.band, fill: () => colour("c4") + "33" }] : [],
        hooks: {
          setScale: [
            (u, key) => {
              // all plots of a group zoom together; a plot that follows does not notify the others
              if (key !== "x" || u.following) return;
              const { min, max } = u.scales.x;
              for (const other of members) {
                if (other === u || (other.scales.x.min === min && other.scales.x.max === max)) continue;
                other.following = true;
                other.setScale("x", { min, max });
                other.following = false;
              }
            },
          ],
        },
      },
      values,
      place,
    );
    plot.figure = figure;
    const rows = [...plot.root.querySelectorAll(".u-legend .u-series")];
    (kind.quiet ?? kind.band ?? []).forEach((i) => (rows[i].hidden = true));
    plot.root.querySelector(".u-wrap").after(place.querySelector(".x"));
    members.push(plot);
    plots.push(plot);
  }
  document.addEventListener("theme", () => plots.forEach((p) => p.redraw(false, true)));
  const fit = () =>
    plots.forEach((p) => {
      const width = p.root.parentElement.clientWidth;
      if (width > 0 && width !== p.width) p.setSize({ width, height: p.height });
    });
  window.addEventListener("resize", fit);
  return plots;
}
