// Lines that can be zoomed, with one cursor for all joints of a group.
import uPlot from "uplot";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

export function floats(text) {
  const raw = atob(text);
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

// uPlot leaves a gap where a value is null
const gaps = (values) => Array.from(values, (v) => (Number.isNaN(v) ? null : v));

const number = (v) => (v == null ? "–" : Number(v.toPrecision(4)).toString());

function seriesOf(kind, unit) {
  const value = (u, v) => (v == null ? "–" : number(v) + " " + unit);
  const line = (label, name, width, alpha = "") => ({ label, value, stroke: () => colour(name) + alpha, width, points: { show: false } });
  if (kind === "residual") return [line("residual", "c3", 1.2)];
  const edge = { stroke: "transparent", points: { show: false }, value };
  return [
    { ...edge, label: "recorded, largest" },
    { ...edge, label: "recorded, smallest" },
    line("measured", "c1", 4, "99"),  // seen on both sides of a prediction that is right
    line("predicted", "c2", 1.4),
  ];
}

function dataOf(kind, row) {
  const names = kind === "residual" ? ["residual"] : ["high", "low", "measured", "predicted"];
  return names.map((n) => gaps(floats(row[n])));
}

// the lines decide what is shown, with room for what was recorded, which may be far noisier
function rangeOf(kind, data) {
  const extremes = (series, from, to) => {
    let low = Infinity, high = -Infinity;
    for (const s of series)
      for (let i = from; i <= to; i++) {
        const v = data[s][i];
        if (v == null) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    return [low, high];
  };
  return (u) => {
    const [from, to] = u.series[0].idxs || [0, data[0].length - 1];
    const [low, high] = extremes(kind === "residual" ? [1] : [3, 4], from, to);
    if (!(low <= high)) return [-1, 1];
    const more = 0.07 * (high - low) || 1;
    if (kind === "residual") return [low - more, high + more];
    const [least, most] = extremes([1, 2], from, to), room = 5 * more;
    return [Math.min(low - more, Math.max(low - room, least)), Math.max(high + more, Math.min(high + room, most))];
  };
}

function frame(figure, unit, kind) {
  const box = document.createElement("div");
  box.className = "plot-box";
  box.innerHTML =
    '<p class="plot-axis y" data-axis="y"></p><div class="plot-place"><p class="plot-axis x" data-axis="x">time [s]</p></div>';
  box.querySelector(".y").textContent = (kind === "residual" ? "residual [" : "torque [") + unit + "]";
  figure.append(box);
  figure.classList.add("enhanced");
  return box.querySelector(".plot-place");
}

export function drawLines(data) {
  const plots = [];
  const groups = {};
  for (const figure of document.querySelectorAll("[data-lines]")) {
    const { lines: kind, group, row } = figure.dataset;
    const source = data[group];
    if (!source) continue;
    const entry = source.rows[Number(row)];
    source.time ??= Array.from(floats(source.t));
    const place = frame(figure, entry.unit, kind);
    const values = [source.time, ...dataOf(kind, entry)];
    const members = (groups[group] ??= []);
    const sync = uPlot.sync("time-" + group);
    const axis = { stroke: () => colour("muted"), grid: { stroke: () => colour("grid"), width: 1 }, ticks: { stroke: () => colour("rule"), width: 1 }, font: "11px system-ui, sans-serif" };
    const names = kind === "residual" ? ["", "c3"] : ["", "", "", "c1", "c2"];
    const legend = { live: true, markers: { fill: (u, i) => `var(--${names[i]})`, width: 0 } };
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: kind === "residual" ? 150 : 200,
        legend,
        cursor: { sync: { key: sync.key, setSeries: false }, drag: { x: true, y: false } },
        scales: { x: { time: false }, y: { range: rangeOf(kind, values) } },
        axes: [{ ...axis, size: 28 }, { ...axis, size: 52 }],
        series: [{ label: "time", value: (u, v) => (v == null ? "–" : v.toFixed(3) + " s") }, ...seriesOf(kind, entry.unit)],
        bands: kind === "residual" ? [] : [{ series: [1, 2], fill: () => colour("c4") + "33" }],
        hooks: {
          setScale: [
            (u, key) => {
              // one zoom for all; only who was zoomed by hand tells the others
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
    if (kind === "torque") rows.slice(1, 3).forEach((r) => (r.hidden = true));
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
