// node site.mjs CHROMIUM SITE PICTURES AXE.js: open pages of the documentation site in a browser and check them: search,
// light and dark, width, accessibility.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, site, pictures, axe] = process.argv.slice(2);
const pages = ["index.html", "tutorial.html", "cli/identify.html", "troubleshooting.html", "theory/friction.html", "glossary.html", "cases/tx40.html"];
const widths = [1400, 1000, 700, 360];
let failures = 0;
function expect(what, good, detail = "") {
  if (!good) failures++;
  console.log(`${good ? "ok  " : "FAIL"} ${what}${good || detail === "" ? "" : ": " + detail}`);
}

async function checkAxe(page, when) {
  const serious = (await page.accessibility(axe)).filter((v) => v.serious);
  expect(`axe finds nothing serious, ${when}`, serious.length === 0, serious.map((v) => `${v.id} ${v.where}: ${v.why}`).join("; "));
}

async function checkSearch(page) {
  const type = async (text) => {
    await page.run((text) => {
      const input = document.getElementById("site-search");
      input.focus();
      input.value = text;
      input.dispatchEvent(new Event("input"));
    }, text);
    await page.pause(700);
    return page.run(() => [...document.querySelectorAll("#site-found a")].map((a) => a.getAttribute("href")));
  };
  // a word, the beginning of a word, two words of one section, nothing
  const wanted = [["roberval validate", "cli/validate.html"], ["stribe", "notebooks/friction.html#with-the-stribeck-term"], ["identify holdout", "cli/identify.html#"]];
  for (const [query, address] of wanted) {
    const found = await type(query);
    expect(`"${query}" finds ${address}`, found.slice(0, 8).some((a) => a.endsWith(address) || a.includes(address + "#") || (address.endsWith("#") && a.includes(address))), found.slice(0, 8).join(" "));
  }
  expect("nonsense finds nothing", (await type("zzqqxx")).length === 0);
  await type("roberval validate");
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key: "Enter" });
  await page.pause(800);
  expect("Enter opens the first page", /cli\/validate\.html/.test(await page.run(() => location.href)), await page.run(() => location.href));
}

mkdirSync(pictures, { recursive: true });
const browser = new Browser(program);
try {
  const page = await browser.page();
  for (const name of pages) {
    await page.open(pathToFileURL(resolve(site, name)).href);
    const flat = name.replace(/\W/g, "-");
    await checkAxe(page, `${name}, light`);
    await page.scheme("dark");
    await page.pause(200);
    await checkAxe(page, `${name}, dark`);
    writeFileSync(join(pictures, flat + "-dark.png"), await page.picture({ x: 0, y: 0, width: 1280, height: 1400 }));
    await page.scheme("light");
    for (const width of widths) {
      await page.size(width, 900);
      await page.pause(200);
      const over = await page.run(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(`${name}: nothing is wider than the page at ${width} px`, over <= 0, `${over} px`);
      writeFileSync(join(pictures, `${flat}-${width}.png`), await page.picture({ x: 0, y: 0, width, height: 1400 }));
    }
    await checkAxe(page, `${name}, on a phone`);
  }
  await page.open(pathToFileURL(resolve(site, "index.html")).href);
  await checkSearch(page);
  const foreign = page.requests.filter((r) => !r.startsWith("file:") && !r.startsWith("data:"));
  expect("no network requests", foreign.length === 0, foreign.join(", "));
  expect("no console errors", page.messages.length === 0, page.messages.slice(0, 5).join(" | "));
} catch (error) {
  expect("the browser works", false, error.stack);
} finally {
  await browser.close();
}
console.log(failures === 0 ? "all checks passed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
