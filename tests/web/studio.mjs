// node studio.mjs CHROMIUM TOOL EXAMPLES PICTURES [AXE.js]: the studio in a browser, from dropped files to an export. EXAMPLES is a
// copy of examples/ with robot.urdf and log.csv, a recording of it, and deg.csv, the same in degrees.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Browser } from "./browser.mjs";

const [program, tool, examples, pictures, axe] = process.argv.slice(2);
const work = join(resolve(pictures), "work");
let failures = 0;
function expect(what, good, detail = "") {
  if (!good) failures++;
  console.log(`${good ? "ok  " : "FAIL"} ${what}${good || detail === "" ? "" : ": " + detail}`);
}

async function start(...given) {
  const server = spawn(resolve(tool), ["studio", ...given, "--folder", work], { stdio: ["ignore", "pipe", "ignore"] });
  const url = await new Promise((done) => server.stdout.once("data", (text) => done(String(text).trim())));
  return { url, end: () => new Promise((done) => (server.on("exit", done), server.kill("SIGTERM"))) };
}

async function until(page, what, f, ...args) {
  for (let i = 0; i < 600; i++) {
    if (await page.run(f, ...args)) return expect(what, true);
    await page.pause(100);
  }
  expect(what, false, await page.run(() => document.getElementById("busy").textContent + " | " + document.getElementById("verdict").textContent));
}

// files in the chooser of the page
async function choose(page, ...names) {
  const { root } = await page.send("DOM.getDocument");
  const { nodeId } = await page.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#choose" });
  await page.send("DOM.setFileInputFiles", { nodeId, files: names.map((n) => resolve(join(examples, n))) });
}

const set = (id, value) => {
  const e = document.getElementById(id);
  if (e.type === "checkbox") e.checked = value;
  else e.value = value;
  e.dispatchEvent(new Event("change"));
};
const click = (id) => document.getElementById(id).click();
const idle = () => document.getElementById("busy").textContent === "";

async function takePicture(page, name, height = 2400, width = 1280) {
  await page.size(width, height);
  await page.pause(300);
  writeFileSync(join(pictures, name + ".png"), await page.picture({ x: 0, y: 0, width, height }));
}

async function checkAxe(page, when) {
  if (!axe) return;
  // the policy of the page has no eval: the rules come by the debugger
  const serious = (await page.accessibility(axe)).filter((v) => v.serious);
  expect(`axe finds nothing serious, ${when}`, serious.length === 0, serious.map((v) => `${v.id}: ${v.where}: ${v.why}`).join("; "));
}

async function stories(page) {
  await until(page, "the page waits for files", () => document.getElementById("fit").hidden && document.getElementById("robot").options.length > 0);
  await takePicture(page, "empty", 800);
  await choose(page, "robot.urdf", "log.csv");
  await until(page, "robot and recording give a verdict", () => document.querySelector("#verdict h3") !== null);
  await until(page, "columns are shown", () => document.querySelectorAll("#column-table tr").length > 2);
  await until(page, "findings are shown", () => document.getElementById("cards").childElementCount > 0);
  const curves = await page.run(() => [...document.querySelectorAll("#curves [data-name]")].map((e) => e.dataset.name).join());
  expect("measured, identified and robot file", curves === "measured,identified,robot file", curves);
  const first = await page.run(() => document.querySelector("#curves svg.fig").outerHTML.length);
  await page.run(set, "joint", "1");
  await until(page, "another joint has another curve", (n) => document.querySelector("#curves svg.fig")?.outerHTML.length !== n, first);
  await until(page, "nothing is under way", idle);
  await takePicture(page, "fit");
  await checkAxe(page, "light");

  await page.run(set, "option-friction", "plain");
  await until(page, "an option identifies again", (n) => document.querySelectorAll("#run-table tr[data-name]").length === n, 2);
  await page.run(set, "option-consistent", true);
  await until(page, "and again", (n) => document.querySelectorAll("#run-table tr[data-name]").length === n, 3);
  await until(page, "nothing is under way", idle);
  const listed = await page.run(() => [...document.querySelectorAll("#run-table td code")].map((e) => e.textContent));
  expect("the runs show their options", listed[1]?.includes("--friction plain") && listed[2]?.includes("--consistent"), listed.join(" | "));
  await page.run(() => document.querySelector("#run-table tr[data-name] button").click());
  await until(page, "a click shows a former run", () => document.querySelector("#run-table tr[data-name='0001']").getAttribute("aria-current") === "true");
  await page.run(() => document.querySelector("#run-table tr[data-name='0003'] button").click());
  await until(page, "parameters have sigma and status", () => document.querySelectorAll("#parameter-table tr").length > 10);

  await page.run(click, "export");
  await until(page, "an export can be saved", () => document.querySelector("#made a[download$='.urdf']") !== null);
  await page.run(click, "report");
  await until(page, "the report is shown", () => document.querySelector("#made iframe") !== null);
  await page.pause(1500);
  const frame = await page.run(() => document.querySelector("#made iframe").getAttribute("sandbox"));
  expect("without the rights of the page", !frame.includes("allow-same-origin"), frame);
  await page.run(set, "loaded", "log.csv");
  await page.run(click, "payload");
  await until(page, "a payload has an answer", () => /kg|payload/.test(document.querySelector("#made p").textContent));
  await page.run(set, "acceleration", "20");
  await page.run(click, "design");
  await until(page, "a motion can be saved", () => document.querySelector("#made a[download='motion.csv']") !== null);
  const commands = await page.run(() => document.querySelectorAll("#log li .copy").length);
  expect("every click has a command to copy", commands === 8, String(commands));
  await until(page, "nothing is under way", idle);
  await takePicture(page, "use", 3600);
}

// positions in degrees: the card of the finding corrects them
async function units(page) {
  await choose(page, "deg.csv");
  await until(page, "the recording in degrees is listed", () => [...document.querySelectorAll("#logs input")].some((e) => e.value === "deg.csv"));
  await page.run(() => document.querySelectorAll("#logs input").forEach((e) => (e.checked = e.value === "deg.csv")));
  await page.run(() => document.querySelector("#logs input:checked").dispatchEvent(new Event("change")));
  await until(page, "degrees are found", () => [...document.querySelectorAll("#cards .card")].some((c) => /degree/.test(c.textContent)));
  await until(page, "nothing is under way", idle);
  await takePicture(page, "degrees");
  await page.run(() => [...document.querySelectorAll("#cards .card")].find((c) => /degree/.test(c.textContent)).querySelector("button").click());
  await until(page, "the card writes a map with degrees", () => /map-1\.yaml/.test(document.getElementById("column-table").textContent));
  await until(page, "and the finding is gone", () => document.getElementById("busy").textContent === "" && ![...document.querySelectorAll("#cards .card")].some((c) => /degree/.test(c.textContent)));
  const map = readFileSync(join(work, "map-1.yaml"), "utf8");
  expect("the map has the unit", /unit: deg/.test(map), map);
}

rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });
const browser = new Browser(program);
try {
  let server = await start();
  const page = await browser.page();
  await page.open(server.url, { width: 1280, height: 900 });
  await stories(page);
  await units(page);
  await server.end();
  server = await start();
  await page.open(server.url);
  await until(page, "a new server shows the saved runs", () => document.querySelectorAll("#run-table tr[data-name]").length >= 3);
  await until(page, "and the last result", () => document.querySelector("#verdict h3") !== null);
  await page.scheme("dark");
  await checkAxe(page, "dark");
  await takePicture(page, "phone", 2400, 390);
  const over = await page.run(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect("nothing is wider than a phone", over <= 0, `${over} px`);
  const height = await page.run(() => document.querySelector("#curves svg.fig").getBoundingClientRect().height);
  expect("the curve is readable on a phone", height > 150, `${height} px`);
  await checkAxe(page, "on a phone");
  const own = new URL(server.url).origin;
  const foreign = page.requests.filter((r) => !r.startsWith("http://127.0.0.1:") && !r.startsWith("data:") && !r.startsWith("blob:") && r !== "about:srcdoc");
  expect("no request leaves the machine", foreign.length === 0, foreign.join(", ") + own);
  expect("no console errors", page.messages.length === 0, page.messages.slice(0, 5).join(" | "));
  await server.end();
} catch (error) {
  expect("the browser works", false, error.stack);
} finally {
  await browser.close();
}
console.log(failures === 0 ? "all checks passed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
