"""slow_changed.py SOURCE TOOLS LIBRARY: a number that was changed by 5 % in README, tutorial, a notebook or a page of a command is found by the test
that compares it: the same test passes without the change."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, tools, library = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
problems = []
# page, what is before a number of it, the command that compares it
CASES = [
    ("README.md", r"^mass +", ["tests/docs/readme.py", ".", str(tools / "roberval")]),
    ("README.md", r"last 30 % of the motion \| ", ["tests/docs/readme.py", ".", str(tools / "roberval")]),
    ("docs/tutorial.md", r"^Fv1 +", ["scripts/examples", str(tools), "docs/tutorial.md"]),
    ("docs/cli/payload.md", r"^mass +", ["scripts/examples", str(tools), "docs/cli/payload.md"]),
    ("docs/notebooks/first_identification.md", r"^ZZ1R +", ["python/pages.py", "--check", "docs/notebooks/first_identification.ipynb"]),
    ("docs/paper/paper.md", r"Franka Panda, robot file ", ["tests/docs/paper.py", "."]),
]


def run(tree, command):
    environment = dict(os.environ, PYTHONPATH=str(tree / "python"), ROBERVAL_LIBRARY=str(library), ROBERVAL_TOOL=str(tools / "roberval"),
                       PYTHONDONTWRITEBYTECODE="1", OPENBLAS_NUM_THREADS="1")
    return subprocess.run([sys.executable, *command], cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


with tempfile.TemporaryDirectory() as scratch:
    tree = pathlib.Path(scratch) / "tree"
    for folder in ("docs", "examples", "scripts", "tests/docs", "python", "include"):
        shutil.copytree(source / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("README.md", "CITATION.cff"):
        shutil.copy(source / file, tree / file)
    for page, before, command in CASES:
        whole = run(tree, command)
        if whole.returncode != 0:
            problems.append(f"{page}: {command[0]} fails without a change\n{whole.stdout}")
            continue
        text = (tree / page).read_text(encoding="utf-8")
        changed = re.sub(rf"({before})([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * 1.05:.{len(m[2].partition('.')[2])}f}", text, count=1, flags=re.M)
        if changed == text:
            problems.append(f"{page} has no number behind '{before}'")
            continue
        (tree / page).write_text(changed, encoding="utf-8")
        found = run(tree, command)
        (tree / page).write_text(text, encoding="utf-8")
        print(f"{page}, {before}: {'found' if found.returncode else 'NOT FOUND'}")
        if found.returncode == 0:
            problems.append(f"{page}: {command[0]} does not find the changed number")
for p in problems:
    print(p)
sys.exit(bool(problems))
