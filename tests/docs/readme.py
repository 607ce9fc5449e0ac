"""readme.py SOURCE TOOL: the front page has at most 90 lines, its commands print what it shows, and every number on it is one of
a compared output, of the page of a worked case (docs.slow_cases compares those), or one of the exceptions below."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, tool = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
loader = importlib.machinery.SourceFileLoader("cases", str(source / "scripts/cases"))
cases = importlib.util.module_from_spec(importlib.util.spec_from_loader("cases", loader))
sys.dont_write_bytecode = True
loader.exec_module(cases)

# what is no result: names, and what the text explains
EXCEPTIONS = ["ROS 2", "Debian 12", "C17", "1 always means", "TX40", "LWR4+", "Apache-2.0", "last 30 % of the motion", "Go2", "Z1"]
problems = []
text = (source / "README.md").read_text(encoding="utf-8")
lines = text.splitlines()
if len(lines) > 90:
    problems.append(f"README.md has {len(lines)} lines, more than 90")


def same(shown, printed):
    """Words are equal, numbers agree to 1 % or one unit of the last digit."""
    return cases.differ(shown, printed) is None


def check_block(commands, scratch, environment):
    """One console block: each shown line is in the output of the command above it, in this order."""
    output, at = [], 0
    for line in commands:
        if line.startswith("$ "):
            done = subprocess.run(["sh", "-c", line[2:]], cwd=scratch, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                problems.append(f"{line}: exit code {done.returncode}\n{done.stdout}")
            output, at = done.stdout.splitlines(), 0
        elif line != "...":
            found = next((i for i in range(at, len(output)) if same(line, output[i])), None)
            if found is None:
                problems.append(f"the output has no line\n  {line}\nit is\n  " + "\n  ".join(output))
            else:
                at = found + 1


with tempfile.TemporaryDirectory() as folder:
    scratch = pathlib.Path(folder) / "work"
    shutil.copytree(source / "examples", scratch)
    environment = dict(os.environ, PATH=f"{tool.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8", COLUMNS="100")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
    if not blocks:
        problems.append("README.md has no commands")
    for block in blocks:
        check_block(block.splitlines(), scratch, environment)
    truth = re.search(r"Here ([\d.]+) kg, (\d+) mm", text)
    values = (scratch / "carrying.yaml").read_text()
    mass, height = (float(re.search(rf"\b{name}: ([\d.]+)", values)[1]) for name in ("ML", "MZL"))
    if not truth or float(truth[1]) != mass or abs(float(truth[2]) - 1000 * height / mass) > 1e-9:
        problems.append("the payload of the text is not that of examples/carrying.yaml")

# held-out errors: those of the case pages
rest = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
rows = re.findall(r"^\| \[[^]]*\]\(([^)]*)\) \| (.*?) \| (.*? %) \| (.*? %) \|$", rest, re.M)
if len(rows) < 3:
    problems.append("the table of real robots was not found")
for page, what, before, after in rows:
    wanted = f"robot file {before}, identified {after}"
    if wanted not in (source / page).read_text(encoding="utf-8"):
        problems.append(f"{page} does not say '{wanted}'")
    rest = rest.replace(f"| {before} | {after} |", "")
# without torques: the free runs of the case pages
runs = re.findall(r"\]\(([^)]*)\):\s+robot file ([\d.]+ mrad), identified ([\d.]+ mrad)", rest)
if len(runs) < 2:
    problems.append("the free runs of real robots were not found")
for page, before, after in runs:
    wanted = f"the identified model is off by {after}, the robot file by {before}."
    if wanted not in " ".join((source / page).read_text(encoding="utf-8").split()):
        problems.append(f"{page} does not say '{wanted}'")
    rest = rest.replace(f"robot file {before}, identified {after}", "")
if truth:
    rest = rest.replace(truth[0], "")
for exception in EXCEPTIONS:
    rest = rest.replace(exception, "")
rest = re.sub(r"\]\([^)]*\)", "]", rest)
for number in re.findall(r"[\w+-]*\d[\w.]*", rest):
    problems.append(f"nothing compares the number {number}")

print(f"{len(lines)} lines, {len(blocks)} blocks of commands, {len(rows)} real robots")
for p in problems:
    print(p)
sys.exit(bool(problems))
