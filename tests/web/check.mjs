// node check.mjs CHROMIUM REPORT.html PICTURES [--static] [--design]: open a report, or the page of a
// designed motion, in a browser and check it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, file, pictures, ...modes] = process.argv.slice(2);
const interactive = !modes.includes("--static");
const design = modes.includes("--design");
const expected = design
  ? {
      sections: ["verdict", "provenance", "arm", "position", "velocity", "acceleration", "torque", "parameters", "downloads"],
      pictures: ["verdict", "provenance", "arm", "position", "torque", "parameters"],
      group: "plan", line: "#figure-position-1", value: /planned.*\d rad/, downloads: 0,
    }
  : {
      sections: [
        "verdict", "provenance", "arm", "fit", "validation", "errors", "residuals", "residuals-in-time", "histogram",
        "autocorrelation", "velocity", "parameters", "correlation", "friction", "consistency", "iterations", "differentiator", "downloads",
      ],
      pictures: ["verdict", "arm", "fit", "errors", "residuals", "parameters", "correlation", "friction", "consistency", "differentiator"],
      group: "fit", line: "#figure-torque-fit-1", value: /measured.*\d N m/, downloads: 2,
    };
let failures = 0;
function expect(what, good, detail = "") {
  if (!good) failures++;
  console.log(`${good ? "ok  " : "FAIL"} ${what}${good || detail === "" ? "" : ": " + detail}`);
}

/* ---- functions that run in the page ---- */

// pairs of labels of a figure that overlap by more than a pixel
function overlaps() {
  const found = [];
  for (const svg of document.querySelectorAll("svg.fig")) {
    const box = [...svg.querySelectorAll("text")].map((t) => ({ text: t.textContent, r: t.getBoundingClientRect() })).filter((b) => b.r.width > 0);
    for (let i = 0; i < box.length; i++)
      for (let j = i + 1; j < box.length; j++) {
        const a = box[i].r, b = box[j].r;
        const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // the box of a text has margins above and below its letters
        if (w > 1 && h > 0.35 * Math.min(a.height, b.height, 14))
          found.push(`${svg.closest("figure").id}: "${box[i].text}" and "${box[j].text}"`);
      }
    // labels outside the figure are cut off
    const whole = svg.getBoundingClientRect();
    for (const { text, r } of box)
      if (r.left < whole.left - 1 || r.right > whole.right + 1 || r.top < whole.top - 1 || r.bottom > whole.bottom + 1)
        found.push(`${svg.closest("figure").id}: "${text}" is cut off`);
  }
  return found;
}

function axesWithoutUnit() {
  const found = [];
  for (const figure of document.querySelectorAll("figure")) {
    for (const scope of [figure.querySelector("svg.fig"), figure.querySelector(".plot-box")]) {
      if (!scope) continue;
      for (const axis of ["x", "y"]) {
        const label = scope.querySelector(`[data-axis=${axis}]`);
        if (!label || !/\[[^\]]+\]$/.test(label.textContent)) found.push(`${figure.id} ${axis}`);
      }
    }
  }
  return found;
}

// static figures are hidden behind the interactive ones: show them to measure them
const showStatic = () => document.querySelectorAll(".enhanced").forEach((e) => e.classList.replace("enhanced", "was-enhanced"));
const hideStatic = () => document.querySelectorAll(".was-enhanced").forEach((e) => e.classList.replace("was-enhanced", "enhanced"));

function wide() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

function boxOf(selector) {
  const e = document.querySelector(selector);
  e.scrollIntoView({ block: "center", behavior: "instant" });
  const r = e.getBoundingClientRect();
  return { x: r.x, y: r.y, width: r.width, height: r.height };
}

const ranges = () => window.roberval.plots.map((p) => [p.figure.dataset.group, p.scales.x.min, p.scales.x.max]);
const cursors = (group) => window.roberval.plots.filter((p) => p.figure.dataset.group === group).map((p) => p.cursor.idx ?? -1);

/* ---- the checks ---- */

async function checkContent(page) {
  const missing = await page.run((ids) => ids.filter((id) => !document.getElementById(id)), expected.sections);
  expect("all sections are there", missing.length === 0, missing.join(", "));
  expect("the verdict comes first", await page.run(() => document.querySelector("main").firstElementChild.id === "verdict"));
  await page.run(showStatic);
  const found = await page.run(overlaps);
  expect("no labels overlap or are cut off", found.length === 0, found.slice(0, 8).join("; ") + ` (${found.length})`);
  await page.run(hideStatic);
  const bare = await page.run(axesWithoutUnit);
  expect("every axis has a unit", bare.length === 0, bare.join(", "));
  const count = await page.run(() => document.querySelectorAll("figure").length);
  expect("there are figures", count > 20, String(count));
  const ways = await page.run(() => [document.querySelectorAll("a[download]").length, document.querySelectorAll("[data-save]").length, document.querySelectorAll("figure").length]);
  expect("downloads are present and every figure can be saved", ways[0] === expected.downloads && ways[1] === ways[2], ways.join(" "));
}

async function checkLines(page) {
  const before = await page.run(ranges);
  expect("every line can be zoomed", before.length > 0 && before.length === (await page.run(() => document.querySelectorAll("[data-lines]").length)));
  const box = await page.run(boxOf, expected.line + " .u-over");
  const y = box.y + box.height / 2;
  await page.mouse("mouseMoved", box.x + 0.4 * box.width, y);
  await page.pause(100);
  const at = await page.run(cursors, expected.group);
  expect("one cursor in all joints", at[0] > 0 && at.every((i) => i === at[0]), at.join(" "));
  const legend = await page.run((line) => document.querySelector(line + " .u-legend").textContent, expected.line);
  expect("values with unit at the cursor", expected.value.test(legend), legend);
  await page.drag(box.x + 0.3 * box.width, y, box.x + 0.5 * box.width, y);
  const zoomed = await page.run(ranges);
  const share = (z, b) => (z[2] - z[1]) / (b[2] - b[1]);
  const together = zoomed.filter((z) => z[0] === expected.group);
  expect("dragging zooms", share(zoomed[0], before[0]) < 0.3, String(share(zoomed[0], before[0])));
  expect("all joints zoom together", together.every((z) => z[1] === together[0][1] && z[2] === together[0][2]));
  await page.doubleClick(box.x + 0.5 * box.width, y);
  const after = await page.run(ranges);
  expect("double-click shows all again", Math.abs(share(after[0], before[0]) - 1) < 1e-6 && after.every((a, i) => a[1] === before[i][1]), JSON.stringify(after[0]));
}

async function checkArm(page) {
  expect("the arm is drawn", await page.run(() => window.roberval.arm !== null));
  const apart = await page.run(() => {
    const { spec, tip } = window.roberval.arm;
    return Math.max(...tip(spec.half).map((x, i) => Math.abs(x - spec.half_p[i])));
  });
  // positions are 32-bit floats, the reference has six digits
  expect("its kinematics agree with the library", apart < 1e-5, `${apart} m`);
  const box = await page.run(boxOf, "#arm .play");
  await page.mouse("mousePressed", box.x + 5, box.y + 5, { button: "left", buttons: 1, clickCount: 1 });
  await page.mouse("mouseReleased", box.x + 5, box.y + 5, { button: "left", clickCount: 1 });
  // a busy machine renders few frames per second
  let time = 0;
  for (let i = 0; i < 40 && !(time > 0.05); i++) {
    await page.pause(500);
    time = await page.run(() => window.roberval.arm.state.time);
  }
  expect("the arm moves", time > 0.05, String(time));
  await page.run(() => document.querySelector("#arm .play").click());
}

async function checkTheme(page) {
  const paper = () => getComputedStyle(document.body).backgroundColor;
  const light = await page.run(paper);
  await page.run(() => document.getElementById("theme").click());
  const dark = await page.run(paper);
  expect("the button changes light to dark", light !== dark, light);
  await page.run(() => document.getElementById("theme").click());
  expect("and back", (await page.run(paper)) === light);
  await page.run(() => delete document.documentElement.dataset.theme);  // back to the setting of the system
}

async function takePictures(page, name) {
  // a sticky bar would appear in the middle of a tall screenshot
  await page.run(() => (document.querySelector("nav").style.position = "static"));
  writeFileSync(join(pictures, name + ".png"), await page.picture({ x: 0, y: 0, width: 1280, height: 1800 }));
  await page.run(() => window.scrollTo(0, 0));
  for (const id of expected.pictures) {
    const clip = await page.run((id) => {
      const r = document.getElementById(id).getBoundingClientRect();
      return { x: Math.max(0, r.x - 16), y: r.y + window.scrollY - 16, width: r.width + 32, height: Math.min(r.height + 32, 2000) };
    }, id);
    writeFileSync(join(pictures, `${name}-${id}.png`), await page.picture(clip));
  }
}

mkdirSync(pictures, { recursive: true });
const url = pathToFileURL(resolve(file)).href;
const browser = new Browser(program);
try {
  const page = await browser.page();
  await page.open(url);
  await checkContent(page);
  if (interactive) {
    await checkLines(page);
    await checkArm(page);
  }
  await checkTheme(page);
  await takePictures(page, "light");
  await page.scheme("dark");
  await page.pause(300);
  await takePictures(page, "dark");
  await page.scheme("light");
  for (const width of [1280, 700, 400]) {
    await page.size(width, 900);
    // figures are resized with a delay
    let over = 1;
    for (let tries = 0; tries < 30 && over > 0; tries++) {
      await page.pause(100);
      over = await page.run(wide);
    }
    expect(`nothing is wider than the page at ${width} px`, over <= 0, `${over} px`);
  }
  const { data } = await page.send("Page.printToPDF", { printBackground: true });
  writeFileSync(join(pictures, "print.pdf"), Buffer.from(data, "base64"));
  const foreign = page.requests.filter((r) => r !== url && !r.startsWith("data:") && !r.startsWith("blob:"));
  expect("no network requests", foreign.length === 0, foreign.join(", "));
  expect("no console errors", page.messages.length === 0, page.messages.slice(0, 5).join(" | "));
} catch (error) {
  expect("the browser works", false, error.stack);
} finally {
  await browser.close();
}
console.log(failures === 0 ? "all checks passed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
