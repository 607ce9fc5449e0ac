// A headless Chromium, controlled over its debugging pipe without a library.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "roberval-web-"));
    const flags = [
      "--headless=new", "--no-first-run", "--remote-debugging-pipe", "--hide-scrollbars", "--disable-extensions",
      "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
      `--user-data-dir=${this.profile}`,
    ];
    if (process.getuid() === 0) flags.push("--no-sandbox");
    this.process = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    this.gone = new Promise((resolve) => this.process.on("exit", resolve));
    this.process.on("error", (e) => this.fail(e));
    this.process.on("exit", (code) => this.fail(new Error(`the browser ended with ${code}`)));
    let rest = "";
    this.process.stdio[4].on("data", (bytes) => {
      const parts = (rest + bytes).split("\0");
      rest = parts.pop();
      for (const part of parts) this.receive(JSON.parse(part));
    });
  }
  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
  receive(message) {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return this.listeners.forEach((l) => l(message));
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
    else waiting.resolve(message.result);
  }
  send(method, params = {}, sessionId) {
    const id = this.next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
  }
  async page() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    return new Page(this, sessionId);
  }
  async close() {
    await this.send("Browser.close").catch(() => {});
    await this.gone;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  constructor(browser, session) {
    this.browser = browser;
    this.session = session;
    this.messages = [];
    this.requests = [];
    browser.listeners.push((m) => m.sessionId === session && this.notice(m));
  }
  notice({ method, params }) {
    if (method === "Runtime.exceptionThrown") this.messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
      this.messages.push(params.args.map((a) => a.value ?? a.description).join(" "));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.messages.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    if (method === "Page.loadEventFired") this.loaded?.();
  }
  send(method, params) {
    return this.browser.send(method, params, this.session);
  }
  async open(url, { width = 1280, height = 900, scheme = "light" } = {}) {
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(domain + ".enable");
    await this.size(width, height);
    await this.scheme(scheme);
    const loaded = new Promise((resolve) => (this.loaded = resolve));
    await this.send("Page.navigate", { url });
    await loaded;
    await this.pause(400);
  }
  size(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }
  scheme(value) {
    return this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
  }
  pause(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }
  // run a function in the page; its result must be JSON
  async run(f, ...args) {
    const expression = `(${f})(${args.map((a) => JSON.stringify(a)).join(",")})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
  mouse(type, x, y, more = {}) {
    return this.send("Input.dispatchMouseEvent", { type, x, y, button: "none", ...more });
  }
  async drag(x0, y0, x1, y1) {
    await this.mouse("mouseMoved", x0, y0);
    await this.mouse("mousePressed", x0, y0, { button: "left", buttons: 1, clickCount: 1 });
    for (let i = 1; i <= 8; i++) await this.mouse("mouseMoved", x0 + ((x1 - x0) * i) / 8, y0 + ((y1 - y0) * i) / 8, { button: "left", buttons: 1 });
    await this.mouse("mouseReleased", x1, y1, { button: "left", clickCount: 1 });
    await this.pause(150);
  }
  async doubleClick(x, y) {
    for (const clickCount of [1, 2]) {
      await this.mouse("mousePressed", x, y, { button: "left", buttons: 1, clickCount });
      await this.mouse("mouseReleased", x, y, { button: "left", clickCount });
    }
    await this.pause(150);
  }
  // findings of axe-core, the usual rules for accessibility; those of the levels serious and critical are errors
  async accessibility(axe) {
    await this.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
    return this.run(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"], preload: false });
      return violations.map((v) => ({
        id: v.id, impact: v.impact, count: v.nodes.length, where: v.nodes[0].target.join(" "), why: v.nodes[0].failureSummary,
        serious: v.impact === "serious" || v.impact === "critical",
      }));
    });
  }
  async picture(clip) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip: clip && { ...clip, scale: 1 } });
    return Buffer.from(data, "base64");
  }
}
