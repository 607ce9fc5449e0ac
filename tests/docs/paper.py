"""paper.py SOURCE: docs/paper has the form that JOSS wants, its numbers are those of the worked cases (docs.slow_cases compares them with the
program), its figures are made by scripts/cases, and CITATION.cff has the version."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
problems = []
text = (source / "docs/paper/paper.md").read_text(encoding="utf-8")
_, head, body = text.split("---\n", 2)
for key in ("title", "tags", "authors", "affiliations", "date", "bibliography"):
    if not re.search(rf"^{key}:", head, re.M):
        problems.append(f"paper.md has no {key}")
sections = re.findall(r"^# (.*)", body, re.M)
for section in ("Summary", "Statement of need", "References"):
    if section not in sections:
        problems.append(f"paper.md has no section {section}")
words = len(re.sub(r"\W+", " ", body).split())
if not 500 <= words <= 1500:
    problems.append(f"paper.md has {words} words")

known = set(re.findall(r"^@\w+\{(\w+),", (source / "docs/paper/paper.bib").read_text(encoding="utf-8"), re.M))
cited = set(re.findall(r"@(\w+)", body))
problems += [f"paper.bib has no {key}" for key in sorted(cited - known)] + [f"nothing cites {key}" for key in sorted(known - cited)]

cases = "".join(" ".join(p.read_text(encoding="utf-8").split()) for p in sorted((source / "docs/cases").glob("*.md")))
readme = (source / "README.md").read_text(encoding="utf-8")
rows = re.findall(r"robot file ([\d.]+ %),\s+identified ([\d.]+ %)", body)
if len(rows) < 3:
    problems.append("the results were not found")
for before, after in rows:
    if f"robot file {before}, identified {after}" not in cases or f"| {before} | {after} |" not in readme:
        problems.append(f"no worked case and README say 'robot file {before}, identified {after}'")
images = re.findall(r"\]\(([^)]*\.svg)\)", body)
for image in images:
    path = (source / "docs/paper" / image).resolve()
    if not path.exists() or f"as images/{path.name} -->" not in "".join(p.read_text(encoding="utf-8") for p in (source / "docs/cases").glob("*.md")):
        problems.append(f"scripts/cases does not make {image}")
if len(images) < 2:
    problems.append("paper.md has no figures")

# other numbers: names, and what a sentence explains
rest = re.sub(r"robot file [\d.]+ %,\s+identified [\d.]+ %", "", body)
rest = re.sub(r"\[[^]]*@[^]]*\]|\]\([^)]*\)|LWR4\+|TX40|C17", "", rest).replace("up to 5 Hz", "")
problems += [f"nothing compares the number {n}" for n in re.findall(r"[\w+-]*\d[\w.]*", rest)]

version = re.search(r'RBV_VERSION_TEXT "([^"]*)"', (source / "include/roberval/status.h").read_text())[1]
citation = (source / "CITATION.cff").read_text(encoding="utf-8")
for line in ("cff-version: 1.2.0", f"version: {version}", "license: Apache-2.0"):
    if not re.search(f"^{re.escape(line)}$", citation, re.M):
        problems.append(f"CITATION.cff does not have '{line}'")
print(f"{words} words, {len(cited)} references, {len(rows)} results, {len(images)} figures")
for p in problems:
    print(p)
sys.exit(bool(problems))
