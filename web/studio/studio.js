// The page of the studio: it runs commands of the tool and draws their JSON.
"use strict";
(function () {
  const token = document.body.dataset.token;
  const $ = (id) => document.getElementById(id);
  const link = (path) => "/file/" + path.split("/").map(encodeURIComponent).join("/") + "?token=" + token;
  const isRobot = (name) => /\.(urdf|xml|mjcf|ya?ml)$/i.test(name) && !/^map.*\.yaml$/.test(name);
  const percent = (x) => (x == null ? "–" : Number((100 * x).toPrecision(3)) + " %");
  let state = { files: [], runs: [], given: [], builtin: [] }, shown = null, map = {}, turn = 0;

  function make(name, attributes = {}, ...inside) {
    const e = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
      else if (value !== false) e.setAttribute(key, value === true ? "" : value);
    }
    e.append(...inside.map((x) => (x instanceof Node ? x : String(x ?? ""))));
    return e;
  }
  const fill = (e, ...inside) => e.replaceChildren(...inside);

  /* ---- the server ---- */

  async function ask(path, options = {}) {
    const answer = await fetch(path, { ...options, headers: { "X-Roberval-Token": token } });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  }
  const load = async (path) => (await ask(link(path).split("?")[0])).json();

  const copyButton = (text) => make("button", { type: "button", class: "copy", onclick: (e) => {
    navigator.clipboard.writeText("cd '" + state.folder.replaceAll("'", "'\\''") + "' && " + text);
    e.target.textContent = "Copied";
    setTimeout(() => (e.target.textContent = "Copy the command"), 1500);
  } }, "Copy the command");

  // run a command; its line is listed, and its JSON and messages are the answer
  async function run(...words) {
    const answer = await (await ask("/run", { method: "POST", body: words.map(String).join("\n") })).json();
    $("log").append(make("li", {}, make("code", {}, answer.command), " (exit code " + answer.exit + ") ", copyButton(answer.command)));
    try {
      answer.json = JSON.parse(answer.output);
    } catch {
      answer.json = null;
    }
    return answer;
  }
  const nextRun = () => "runs/" + String(1 + Math.max(0, ...state.runs.map((r) => parseInt(r.name, 10) || 0))).padStart(4, "0");

  async function busy(what, work) {
    $("busy").textContent = what + " …";
    try {
      await work();
      $("busy").textContent = "";
    } catch (e) {
      $("busy").textContent = e.message;
    }
  }

  /* ---- robot and recordings ---- */

  const robot = () => $("robot").value;
  const chosen = () => [...document.querySelectorAll("#logs input:checked")].map((e) => e.value);
  const short = (path) => path.split("/").pop();

  function select(e, values, value) {
    fill(e, ...values.map((v) => make("option", { value: v, selected: v === value }, short(v))));
  }

  async function refresh() {
    state = await (await ask("/state")).json();
    $("folder").textContent = state.folder;
    const names = state.files.map((f) => f.name);
    const robots = [...state.given.slice(0, 1), ...names.filter(isRobot), ...state.builtin].filter((x, i, all) => all.indexOf(x) === i);
    const logs = [...state.given.slice(1), ...names.filter((n) => !isRobot(n) && !/^map.*\.yaml$/.test(n))];
    const before = chosen(), known = [...document.querySelectorAll("#logs input")].map((e) => e.value);
    select($("robot"), robots, robots.includes(robot()) && $("robot").dataset.own ? robot() : robots[0]);
    select($("loaded"), logs, $("loaded").value);
    fill($("logs"), make("legend", {}, "recordings"), ...logs.map((l) => make("label", {}, make("input", { type: "checkbox", value: l, checked: known.includes(l) ? before.includes(l) : logs.length === 1 || state.given.includes(l), onchange: examine }), " " + short(l))));
    await listRuns();
  }

  async function upload(files) {
    for (const file of files) {
      const name = file.name.replace(/^[.-]+/, "");
      await busy("copying " + name, async () => {
        await ask("/file/" + encodeURIComponent(name), { method: "PUT", body: file });
        if (isRobot(name)) delete $("robot").dataset.own;
      });
    }
    await refresh();
    for (const e of document.querySelectorAll("#logs input")) if ([...files].some((f) => f.name === e.value)) e.checked = true;
    const own = [...files].find((f) => isRobot(f.name));
    if (own) $("robot").value = own.name;
    await examine();
  }

  // columns, findings and the first fit, as soon as there are a robot and a recording
  async function examine() {
    const logs = chosen(), mine = ++turn;
    const ready = robot() && logs.length > 0;
    for (const id of ["columns", "findings", "fit", "use"]) $(id).hidden = !ready;
    if (!ready) return;
    await busy("reading", async () => {
      await refit();
      const [columns, findings] = await Promise.all([run("map", robot(), logs[0], "--json"), run("check", robot(), ...logs, ...mapWords(), ...partWords(), "--json")]);
      if (mine === turn) {
        showColumns(columns);
        showFindings(findings);
      }
    });
  }

  /* ---- columns ---- */

  const units = { t: ["s", "ms", "us", "ns", "min"], q: ["rad", "deg", "turn", "m", "mm"], dq: ["rad", "deg", "turn", "m", "mm"], tau: ["Nm", "mNm", "kNm", "N"] };
  const mapWords = () => (map.file ? ["--map", map.file] : []);

  function showColumns({ json, messages }) {
    if (!json) return fill($("column-table"), make("p", {}, messages));
    map.text = json.map;
    const rows = json.channels.map((c) => {
      const choice = units[c.channel] && make("select", { "data-channel": c.channel, "aria-label": "unit of " + c.channel }, make("option", { value: "" }, "as recognised"), ...units[c.channel].map((u) => make("option", {}, u)));
      return make("tr", {}, make("th", { scope: "row" }, c.channel), make("td", {}, c.columns), make("td", {}, c.reason), make("td", {}, choice ?? ""));
    });
    fill($("column-table"), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns" }, make("table", {}, make("tr", {}, ...["quantity", "columns", "recognised by", "unit"].map((h) => make("th", {}, h))), ...rows)),
      ...json.missing.concat(json.ambiguous).map((s) => make("p", { class: "card warning" }, s)),
      make("p", {}, json.standard ? "The columns have the usual names. " : "", make("button", { type: "button", onclick: saveMap }, "Use these units"), map.file ? " in force: " + map.file : ""));
  }

  // the units of the table in the guessed map
  async function saveMap() {
    let text = map.text;
    for (const e of document.querySelectorAll("#column-table select")) {
      if (!e.value) continue;
      const key = e.dataset.channel === "t" ? "time" : e.dataset.channel;
      text = text.replace(new RegExp("^(\\s*)" + key + ": *(.*)$", "gm"), (_, space, value) => {
        const inside = value.startsWith("{") ? value.replace(/^\{|\}$/g, "").replace(/, *unit: *[^,}]*/, "") : "column: " + value;
        return `${space}${key}: {${inside}, unit: ${e.value}}`;
      });
    }
    await busy("saving the map", async () => {
      map.file = "map-" + (1 + state.files.filter((f) => /^map-\d+\.yaml$/.test(f.name)).length) + ".yaml";
      await ask("/file/" + map.file, { method: "PUT", body: text });
      await refresh();
    });
    await examine();
  }

  /* ---- findings ---- */

  function showFindings({ json, messages }) {
    if (!json) return fill($("cards"), make("p", { class: "card error" }, messages));
    const cards = json.findings.map((f) => make("div", { class: "card " + f.severity }, make("strong", {}, f.severity + ": "), f.sentence + " ", fixOf(f) ?? ""));
    fill($("cards"), ...(cards.length ? cards : [make("p", {}, "The checks found nothing.")]));
  }

  // what the finding says that helps: a toggle, or the table of columns
  function fixOf(f) {
    const field = f.option && $("option-" + f.option);
    if (f.option === "map" || /^unit|degrees/.test(f.code)) return make("button", { type: "button", onclick: () => fixUnits(f) }, "Fix: units");
    if (!field) return null;
    return make("button", { type: "button", onclick: () => {
      if (field.type === "checkbox") field.checked = true;
      else if (f.option === "friction") field.value = "auto";
      field.focus();
      busy("identifying", refit);
    } }, "Fix: " + f.option);
  }

  function fixUnits(f) {
    const q = document.querySelector("#column-table select[data-channel=q]");
    if (q && /degrees/.test(f.code + f.sentence)) {
      q.value = "deg";
      return saveMap();
    }
    (q ?? $("columns")).focus();
    $("columns").scrollIntoView();
  }

  /* ---- the fit ---- */

  const toggles = [
    ["friction", ["", "plain", "auto"]], ["consistent", null], ["sensing", ["", "motor", "joint"]], ["method", ["", "wls", "irls", "ols", "tls"]],
    ["cutoff", "Hz"], ["holdout", "share"], ["to", "s"], ["drop-bad-rows", null], ["unchecked", null],
  ];
  function makeToggles() {
    fill($("options"), ...toggles.map(([name, values]) => {
      const id = "option-" + name, changed = ({ target }) => {
        target.dataset.own = "yes";
        $("large").hidden = $("large").hidden || name === "to";
        return busy("identifying", refit);
      };
      const field = values === null ? make("input", { type: "checkbox", id, onchange: changed })
        : Array.isArray(values) ? make("select", { id, onchange: changed }, ...values.map((v) => make("option", { value: v }, v || "default")))
        : make("input", { id, size: 6, placeholder: values, onchange: changed });
      return make("label", {}, name + " ", field);
    }));
  }
  function optionWords() {
    return toggles.flatMap(([name, values]) => {
      const e = $("option-" + name);
      return values === null ? (e.checked ? ["--" + name] : []) : e.value.trim() ? ["--" + name, e.value.trim()] : [];
    });
  }

  // of large recordings the first minute is used, until the field "to" is changed: the first curves come at once
  const LARGE = 2e8, FIRST = "60";
  const size = (name) => state.files.find((f) => f.name === name)?.bytes ?? state.given_bytes[state.given.indexOf(name)] ?? 0;
  function limitLarge() {
    const field = $("option-to"), large = chosen().some((l) => size(l) > LARGE);
    if (field.dataset.own) return;
    field.value = large ? FIRST : "";
    $("large").hidden = !large;
  }
  const partWords = () => ($("option-to").value.trim() ? ["--to", $("option-to").value.trim()] : []);

  async function refit() {
    const folder = nextRun(), logs = chosen();
    if (!logs.length) return;
    limitLarge();
    state.runs.push({ name: short(folder), command: "", files: [] });
    const answer = await run("identify", robot(), ...logs, ...mapWords(), ...optionWords(), "--output", folder + "/result.json", "--report", folder + "/report.html", "--plots", folder + "/figures");
    state = await (await ask("/state")).json();
    await listRuns();
    const own = state.runs.find((r) => r.name === short(folder));
    if (own?.files.includes("result.json")) await show(own.name);
    else fill($("verdict"), make("div", { class: "verdict bad" }, make("h3", {}, "No result"), make("p", {}, answer.messages)));
  }

  function showVerdict(result) {
    const level = result.verdict.level, kind = level === "usable" ? "good" : level === "with care" ? "care" : "bad";
    const word = { usable: "Usable", "with care": "Use with care" }[level] ?? "Do not use";
    const rank = { "do not use": 0, "with care": 1, usable: 2 };
    const reasons = [...result.verdict.reasons].sort((a, b) => rank[a.level] - rank[b.level]).slice(0, 3);
    const number = (text, x) => make("span", {}, make("b", {}, percent(x)), " " + text);
    fill($("verdict"), make("div", { class: "verdict " + kind }, make("h3", {}, word),
      make("p", { class: "numbers" }, number("robot file", result.error.robot_file), number("identified, " + result.error.data, result.error.identified), number("uncertainty on other motions", result.diagnostics.predicted_error)),
      make("ul", {}, ...reasons.map((r) => make("li", {}, r.sentence ?? r.text)))));
  }

  async function showCurve() {
    if (!shown) return;
    const figures = shown.figures.filter((f) => f.startsWith("torque-"));
    const key = figures.some((f) => f.startsWith("torque-validation")) ? "validation" : "fit";
    const name = `torque-${key}-${Number($("joint").value) + 1}.svg`;
    const text = await (await ask(link(`runs/${shown.name}/figures/${name}`).split("?")[0])).text();
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (svg.nodeName !== "svg") return;
    for (const size of ["width", "height"]) svg.removeAttribute(size);
    svg.querySelectorAll("script, style, rect.paper").forEach((e) => e.remove());
    fill($("curves"), make("figure", { "data-group": "studio" }, make("figcaption", {}, "torque: measured, identified and robot file"), document.importNode(svg, true)));
    window.roberval.enhance();
  }

  async function show(name) {
    const result = await load(`runs/${name}/result.json`);
    shown = { name, result, figures: ["torque-fit-1.svg"] };
    if (result.validation?.per_joint?.length) shown.figures.push("torque-validation-1.svg");
    const joints = result.robot.joints.map((j, i) => [String(i), j.name ?? j]);
    const now = $("joint").value;
    fill($("joint"), ...joints.map(([i, text]) => make("option", { value: i, selected: i === now }, text)));
    showVerdict(result);
    showParameters(result);
    for (const id of ["fit", "use", "parameters"]) $(id).hidden = false;
    for (const row of document.querySelectorAll("#run-table tr")) row.setAttribute("aria-current", String(row.dataset.name === name));
    await showCurve();
  }

  function showParameters(result) {
    const number = (x) => make("td", { class: "n" }, x == null ? "–" : Number(x.toPrecision(5)));
    const head = make("tr", {}, ...["name", "value", "σ", "unit", "status"].map((h) => make("th", { class: h === "value" || h === "σ" ? "n" : false }, h)));
    const bodies = (result.standard?.bodies ?? []).map((b) => make("tr", {}, make("th", { scope: "row" }, "mass of " + b.name), number(b.mass), number(b.mass_sigma), make("td", {}, "kg"), make("td", {}, "the data know " + percent(b.mass_known))));
    fill($("parameter-table"), head, ...bodies, ...result.estimate.parameters.map((p) => make("tr", {}, make("th", { scope: "row" }, p.name), number(p.value), number(p.sigma), make("td", {}, p.unit), make("td", {}, p.status))));
  }

  /* ---- runs ---- */

  const results = new Map();
  async function listRuns() {
    const rows = [];
    for (const r of state.runs.filter((x) => x.files.includes("result.json"))) {
      if (!results.has(r.name)) results.set(r.name, await load(`runs/${r.name}/result.json`));
      const e = results.get(r.name);
      const own = r.command.replace(/^roberval identify /, "").replace(/ --output .*$/, "");
      rows.push(make("tr", { "data-name": r.name, "aria-current": String(shown?.name === r.name) },
        make("th", { scope: "row" }, make("button", { type: "button", onclick: () => show(r.name) }, r.name)), make("td", {}, e.verdict.level), make("td", { class: "n" }, percent(e.error.identified)), make("td", {}, e.error.data),
        make("td", {}, make("code", {}, own)), make("td", {}, copyButton(r.command))));
    }
    $("runs").hidden = rows.length === 0;
    fill($("run-table"), make("tr", {}, ...["run", "verdict", "error", "data", "arguments", ""].map((h) => make("th", {}, h))), ...rows);
  }

  /* ---- use ---- */

  const made = (...inside) => $("made").prepend(make("div", {}, ...inside));
  const framed = (path) => make("iframe", { src: link(path), sandbox: "allow-scripts allow-downloads", title: "report" });

  async function exportIt() {
    const folder = nextRun(), format = $("format").value, file = folder + "/identified." + { urdf: "urdf", mjcf: "xml", yaml: "yaml", c: "c" }[format];
    const answer = await run("export", `runs/${shown.name}/result.json`, "--format", format, "--output", file);
    made(make("p", {}, answer.exit === 0 ? make("a", { href: link(file), download: short(file) }, "Save " + short(file)) : "", " " + answer.messages));
    await refresh();
  }
  async function weigh() {
    const answer = await run("payload", `runs/${shown.name}/result.json`, $("loaded").value, ...mapWords(), "--json");
    const m = answer.json?.mass_kg;
    made(make("p", {}, m ? make("strong", {}, `${Number(m.value.toPrecision(5))} ± ${Number((m.sigma ?? NaN).toPrecision(2))} kg `) : "", answer.messages));
  }
  async function design() {
    const folder = nextRun();
    const answer = await run("excite", robot(), "--period", $("period").value, "--acceleration", $("acceleration").value, "--output", folder + "/motion.csv", "--report", folder + "/motion.html");
    made(make("p", {}, answer.exit === 0 ? make("a", { href: link(folder + "/motion.csv"), download: "motion.csv" }, "Save motion.csv") : "", " " + answer.messages));
    if (answer.exit === 0) made(framed(folder + "/motion.html"));
    await refresh();
  }

  /* ---- start ---- */

  $("choose").addEventListener("change", (e) => upload(e.target.files));
  for (const type of ["dragover", "dragleave", "drop"])
    $("drop").addEventListener(type, (e) => {
      e.preventDefault();
      $("drop").classList.toggle("over", type === "dragover");
      if (type === "drop") upload(e.dataTransfer.files);
    });
  $("robot").addEventListener("change", () => {
    $("robot").dataset.own = "1";
    examine();
  });
  $("joint").addEventListener("change", () => busy("drawing", showCurve));
  $("refit").addEventListener("click", () => busy("identifying", refit));
  $("export").addEventListener("click", () => busy("exporting", exportIt));
  $("payload").addEventListener("click", () => busy("weighing", weigh));
  $("design").addEventListener("click", () => busy("designing", design));
  $("report").addEventListener("click", () => made(make("p", {}, make("a", { href: link(`runs/${shown.name}/report.html`), download: "report.html" }, "Save report.html")), framed(`runs/${shown.name}/report.html`)));
  $("options").addEventListener("submit", (e) => e.preventDefault());
  $("theme").addEventListener("click", () => {
    const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  makeToggles();
  busy("opening", async () => {
    await refresh();
    const last = state.runs.filter((r) => r.files.includes("result.json")).pop();
    if (last) await show(last.name);
    else await examine();
  });
})();
