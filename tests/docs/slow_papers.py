"""slow_papers.py SOURCE TOOL: the numbers in the status of each row of docs/papers.md are numbers of what its command prints: `reproduce NAME` and
`model ARGUMENTS` are run. Rows with other commands have their numbers from the tests that ELSEWHERE names."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

source, tool = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("examples", str(source / "scripts/examples"))
examples = importlib.util.module_from_spec(importlib.util.spec_from_loader("examples", loader))
loader.exec_module(examples)
data = pathlib.Path(os.environ.get("ROBERVAL_DATA", ""))
problems, printed = [], {}

# rows whose numbers other tests compare, or that are no results
ELSEWHERE = {
    "13": "cli.examples (docs/paper-experiments.md)",
    "14": "the 5 of 5/omega_n",
    "21": "numbers of the paper",
    "40": "cli.examples and identify.slow_noisy_columns",
    "42": "cli.reproduce",
    "46": "a study of 30 runs (docs/theory/least-squares.md), and identify.ml",
    "70": "the largest order, a constant",
    "73": "cli.examples (docs/paper-experiments.md)",
    "83": "cli.slow_piv",
    "90": "cli.reproduce: lwr, errors of the payload's mass",
    "105": "numbers of the printed table",
    "–": "cli.emps, cli.emps_piv",
}
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
NO_RESULT = r"`[^`]*`|\]\([^)]*\)|eq\. *\d+|Table \d+|Fig\. *\d+|row \d+|\d+ seeds?|seeds? \d+( to \d+)?|\d+ % tolerance|\d σ|\(\d+ in the paper[^)]*\)|H_τ|C⁻¹"


def output(command):
    """Numbers that a command prints; None: it needs recordings that are missing."""
    if command not in printed:
        words = command.split()
        if words[0] == "reproduce":
            if words[1] in ("tx40", "emps") and not data.is_dir():
                return None
            words = ["reproduce", words[1], "--json"]
        done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
        if done.returncode not in (0, 1):
            problems.append(f"{command}: exit code {done.returncode}")
        text = done.stdout
        if words[0] == "reproduce":
            text = json.dumps([{k: v for k, v in e.items() if k != "figures"} for e in json.loads(text)["experiments"]])
        printed[command] = {float(n) for n in NUMBER.findall(text)}
    return printed[command]


rows = compared = 0
for line in (source / "docs/papers.md").read_text(encoding="utf-8").splitlines():
    cells = [c.strip() for c in line.split("|")]
    if len(cells) < 7 or cells[1] in ("no.", "---") or set(cells[1]) == {"-"}:
        continue
    numbers = NUMBER.findall(re.sub(NO_RESULT, "", cells[5]))
    if not numbers or cells[1] in ELSEWHERE:
        continue
    rows += 1
    commands = re.findall(r"`(reproduce \w+|model [^`]*)", cells[4] + cells[5])
    if cells[1] == "87":
        commands = [f"model lwr4+ --payload --sensing {s} --base" for s in ("motor", "joint", "both", "difference")]
    outputs = [output(c if c.startswith("reproduce") or "--base" in c else c + " --base") for c in commands]
    if any(o is None for o in outputs):
        continue
    for n in numbers:
        compared += 1
        if not any(examples.near(n, repr(factor * v)) for o in outputs for v in o for factor in ((1, 100) if "." in n else (1,))):
            problems.append(f"row {cells[1]}: nothing prints {n}: {cells[5]}")
if rows < 12:
    problems.append(f"only {rows} rows with numbers were found")
print(f"{rows} rows, {compared} numbers, {len(printed)} commands")
for p in problems:
    print(p)
sys.exit(bool(problems))
