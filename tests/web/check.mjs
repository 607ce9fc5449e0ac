// node check.mjs CHROMIUM PAGE.html PICTURES [--static] [--design | --compare | --fleet | --reproduce] [--axe AXE.js]: open a
// report, or another page, in a browser and check it.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, file, pictures, ...modes] = process.argv.slice(2);
const axe = modes.includes("--axe") ? modes[modes.indexOf("--axe") + 1] : null;
// what each kind of page has: its sections, the pictures to take, whether it has lines that can be zoomed and the arm
const kinds = {
  report: {
    sections: [
      "verdict", "numbers", "torque", "findings", "gain", "arm", "fit", "validation", "split", "errors", "horizon", "residuals", "residuals-in-time", "histogram",
      "autocorrelation", "velocity", "spectrum", "coverage", "parameters", "links", "consistency", "friction", "correlation", "iterations",
      "differentiator", "provenance", "downloads",
    ],
    pictures: [
      "verdict", "gain", "arm", "fit", "split", "errors", "horizon", "residuals", "coverage", "parameters", "links", "consistency", "friction",
      "correlation", "differentiator",
    ],
    lines: true, figures: 20, group: "fit", line: "#figure-torque-fit-1", value: /measured.*\d N m/, downloads: 2,
  },
  design: {
    sections: ["verdict", "provenance", "arm", "position", "velocity", "acceleration", "torque", "parameters", "downloads"],
    pictures: ["verdict", "provenance", "arm", "position", "torque", "parameters"],
    lines: true, figures: 20, group: "plan", line: "#figure-position-1", value: /planned.*\d rad/, downloads: 0,
  },
  compare: { sections: ["overview", "errors", "cross", "parameters", "options", "downloads"], pictures: ["overview", "errors", "parameters"], figures: 2, downloads: 0 },
  reproduce: { sections: ["a460"], pictures: ["a460"], figures: 2, downloads: 0, plain: true },
  fleet: { sections: ["attention", "maps", "trends", "common", "downloads"], pictures: ["attention", "maps", "trends"], figures: 2, downloads: 0 },
};
const expected = kinds[Object.keys(kinds).find((kind) => modes.includes("--" + kind)) ?? "report"];
const moves = !modes.includes("--static") && expected.lines;  // the arm
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
    for (const axis of ["x", "y"]) {
      const label = figure.querySelector(`svg.fig [data-axis=${axis}]`);
      // names, and numbers without a unit
      const bare = /^(joint|joint and channel|parameter|result|robot|period|iteration|number of the singular value|singular value|margin|autocorrelation|correlation|coupling|relative residual|residual over its sigma)$/;
      if (!label || !(/\[[^\]]+\]$/.test(label.textContent) || bare.test(label.textContent))) found.push(`${figure.id} ${axis}: ${label?.textContent}`);
    }
  }
  return found;
}

// the picture of the arm is hidden behind the arm in motion: show it to measure it
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

const ranges = () => window.roberval.plots.map((p) => [p.figure.dataset.group, ...p.range]);
const cursors = (group) => window.roberval.plots.filter((p) => p.figure.dataset.group === group).map((p) => p.index);

/* ---- the checks ---- */

// what is on the first screen, before anything is unfolded
function firstScreen() {
  const within = (selector) => {
    const r = document.querySelector(selector)?.getBoundingClientRect();
    return r !== undefined && r.height > 0 && r.top >= 0 && r.bottom <= window.innerHeight + 1;
  };
  return {
    outside: [".headline", "#verdict h2", "#numbers", "#arm figure", "#torque figure"].filter((s) => !within(s)),
    figures: [...document.querySelectorAll("figure")].filter((f) => f.checkVisibility()).length,
    lines: [...document.querySelectorAll("#verdict li.first")].length,
    curves: document.querySelectorAll("#torque [data-name]").length,
  };
}

async function checkFirstScreen(page) {
  await page.size(1280, 800);
  await page.pause(500);
  const first = await page.run(firstScreen);
  expect("headline, verdict, numbers, arm and a torque are on the first screen", first.outside.length === 0, first.outside.join(", "));
  expect("at most 8 figures before unfolding", first.figures <= 8, String(first.figures));
  expect("at most three lines in the verdict", first.lines <= 3, String(first.lines));
  expect("measured, robot file and identified", first.curves === 3, String(first.curves));
  writeFileSync(join(pictures, "first.png"), await page.picture({ x: 0, y: 0, width: 1280, height: 800 }));
  await page.size(1280, 900);
}

// everything else is checked unfolded
const unfoldAll = () => document.querySelectorAll("details").forEach((d) => (d.open = true));

async function checkContent(page) {
  const missing = await page.run((ids) => ids.filter((id) => !document.getElementById(id)), expected.sections);
  expect("all sections are there", missing.length === 0, missing.join(", "));
  const first = await page.run(() => document.querySelector("main").firstElementChild.id);
  if (!expected.plain) expect(`${expected.sections[0]} comes first`, first === expected.sections[0], first);
  await page.run(showStatic);
  const found = await page.run(overlaps);
  expect("no labels overlap or are cut off", found.length === 0, found.slice(0, 8).join("; ") + ` (${found.length})`);
  await page.run(hideStatic);
  const bare = await page.run(axesWithoutUnit);
  expect("every axis has a unit, or names without one", bare.length === 0, bare.join(", "));
  const count = await page.run(() => document.querySelectorAll("figure").length);
  expect("there are figures", count >= expected.figures, String(count));
  const ways = await page.run(() => [document.querySelectorAll("a[download]").length, document.querySelectorAll("[data-save]").length, document.querySelectorAll("figure").length]);
  if (!expected.plain) expect("downloads are present and every figure can be saved", ways[0] === expected.downloads && ways[1] === ways[2], ways.join(" "));
}

async function checkAxe(page, when) {
  if (!axe) return;
  const found = await page.accessibility(axe);
  for (const v of found) console.log(`     axe: ${v.impact} ${v.id} (${v.count}), ${v.where}`);
  const serious = found.filter((v) => v.serious);
  expect(`axe finds nothing serious, ${when}`, serious.length === 0, serious.map((v) => `${v.id}: ${v.why}`).join("; "));
}

// the smallest letters of figures on this screen [px]
function smallestLetters() {
  let least = { size: Infinity, where: "" };
  for (const svg of document.querySelectorAll("svg.fig")) {
    const width = svg.getBoundingClientRect().width;
    if (!(width > 0)) continue;
    const scale = width / svg.viewBox.baseVal.width;
    for (const text of svg.querySelectorAll("text")) {
      const size = scale * parseFloat(getComputedStyle(text).fontSize);
      if (size < least.size) least = { size, where: svg.closest("figure").id };
    }
  }
  return least;
}

// the links as ellipsoids, if the page has bodies
async function checkEllipsoids(page) {
  const found = await page.run(() => {
    const choice = document.querySelector(".link-choice"), arm = window.roberval.arm.arm;
    const expected = Object.keys(arm.links).map((which) => window.roberval.arm.spec.bodies?.filter((b) => b[which]).length ?? 0);
    const visible = () => Object.values(arm.links).map((list) => list.filter((l) => l.mesh.visible).length);
    if (!choice) return { expected, off: visible(), on: [0, 0] };
    const off = visible();
    choice.value = choice.options[choice.options.length - 1].value;
    choice.dispatchEvent(new Event("change"));
    return { expected, off, on: visible() };
  });
  expect("the links can be shown as ellipsoids", found.off.every((n) => n === 0) && found.on.join() === found.expected.join(), JSON.stringify(found));
}

async function checkLines(page) {
  const before = await page.run(ranges);
  const own = before.findIndex((b) => b[0] === expected.group);
  expect("every line can be zoomed", before.length > 0 && before.length === (await page.run(() => document.querySelectorAll("svg.window").length)));
  const drawn = await page.run((line) => document.querySelector(line + " [data-name]").getAttribute("d"), expected.line);
  const box = await page.run(boxOf, expected.line + " .frame");
  const y = box.y + box.height / 2;
  await page.mouse("mouseMoved", box.x + 0.4 * box.width, y);
  await page.pause(100);
  const at = await page.run(cursors, expected.group);
  expect("one cursor in all joints", at[0] > 0 && at.every((i) => i === at[0]), at.join(" "));
  const legend = await page.run((line) => document.querySelector(line + " .values").textContent, expected.line);
  expect("values with unit at the cursor", expected.value.test(legend), legend);
  await page.drag(box.x + 0.3 * box.width, y, box.x + 0.5 * box.width, y);
  const zoomed = await page.run(ranges);
  const share = (z, b) => (z[2] - z[1]) / (b[2] - b[1]);
  const together = zoomed.filter((z) => z[0] === expected.group);
  expect("dragging zooms", share(zoomed[own], before[own]) < 0.3, String(share(zoomed[own], before[own])));
  const part = await page.run((line) => document.querySelector(line + " svg.window").getAttribute("viewBox"), expected.line);
  const ticks = await page.run((line) => [...document.querySelectorAll(line + " .ticks text[text-anchor=middle]")].map((t) => Number(t.textContent)), expected.line);
  expect("ticks are within the window", ticks.length > 1 && ticks.every((t) => t >= zoomed[own][1] - 1e-6 && t <= zoomed[own][2] + 1e-6), ticks.join(" "));
  expect("all joints zoom together", together.every((z) => z[1] === together[0][1] && z[2] === together[0][2]));
  await page.doubleClick(box.x + 0.5 * box.width, y);
  const after = await page.run(ranges);
  const again = await page.run((line) => [document.querySelector(line + " svg.window").getAttribute("viewBox"), document.querySelector(line + " [data-name]").getAttribute("d")], expected.line);
  expect("the script moves the window, not the lines", again[0] !== part && again[1] === drawn, again[0]);
  expect("double-click shows all again", Math.abs(share(after[own], before[own]) - 1) < 1e-6 && after.every((a, i) => a[1] === before[i][1]), JSON.stringify(after[0]));
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
  for (let i = 0; i < 120 && !(time > 0.05); i++) {
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
  await page.run(() => document.querySelector("nav")?.style.setProperty("position", "static"));
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
expect("the page has less than 1.5 MB", statSync(file).size < 1.5e6, String(statSync(file).size));
const browser = new Browser(program);
try {
  const page = await browser.page();
  await page.open(url);
  if (modes.every((m) => !kinds[m.slice(2)])) await checkFirstScreen(page);
  await page.run(unfoldAll);
  await page.pause(500);
  await checkContent(page);
  if (expected.lines) await checkLines(page);
  if (moves) {
    await checkArm(page);
    await checkEllipsoids(page);
  }
  await checkAxe(page, "light");
  if (!expected.plain) await checkTheme(page);
  await takePictures(page, "light");
  await page.scheme("dark");
  await page.pause(300);
  await takePictures(page, "dark");
  await checkAxe(page, "dark");
  await page.scheme("light");
  for (const width of [1280, 700, 400, 360]) {
    await page.size(width, 900);
    // figures are resized with a delay
    let over = 1;
    for (let tries = 0; tries < 120 && over > 0; tries++) {
      await page.pause(100);
      over = await page.run(wide);
    }
    expect(`nothing is wider than the page at ${width} px`, over <= 0, `${over} px`);
  }
  await page.run(showStatic);
  // they are drawn again after a change of size
  let least = { size: 0 };
  for (let tries = 0; tries < 60 && !(least.size >= 6.5); tries++) {
    await page.pause(100);
    least = await page.run(smallestLetters);
  }
  expect("figures are readable at 360 px", least.size >= 6.5, `${least.size} px in ${least.where}`);
  await page.run(hideStatic);
  writeFileSync(join(pictures, "phone.png"), await page.picture({ x: 0, y: 0, width: 360, height: 2400 }));
  await checkAxe(page, "on a phone");
  await page.size(1280, 900);
  await page.send("Emulation.setEmulatedMedia", { media: "print", features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await page.pause(300);
  await checkAxe(page, "in print");
  const sheet = await page.run(() => getComputedStyle(document.body).backgroundColor);
  expect("a dark page is printed on white", sheet === "rgb(255, 255, 255)", sheet);
  writeFileSync(join(pictures, "print.png"), await page.picture({ x: 0, y: 0, width: 1280, height: 1800 }));
  await page.send("Emulation.setEmulatedMedia", { media: "", features: [] });
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
