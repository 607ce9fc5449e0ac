// node picture.mjs CHROMIUM PAGE.html OUT.png [WIDTH HEIGHT]: the first screen of a page.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [program, file, out, width = "1280", height = "800"] = process.argv.slice(2);
const size = { width: Number(width), height: Number(height) };
const browser = new Browser(program);
const page = await browser.page();
await page.open(pathToFileURL(resolve(file)).href, size);
await page.pause(1000);
writeFileSync(out, await page.picture({ x: 0, y: 0, ...size }));
await browser.close();
