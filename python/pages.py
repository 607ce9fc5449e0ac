#!/usr/bin/env python3
"""pages.py [--check] NOTEBOOK... : run notebooks and write them as plain pages.

docs/notebooks/NAME.ipynb gives docs/notebooks/NAME.md with all outputs; pictures go to docs/notebooks/images/.
With --check the notebooks are run and compared with their pages: words are
equal, numbers agree to 1 % or one unit of their last digit, and a number with a decimal point in the text is one of an output or of the code.
Nothing is written. Notebooks are stored without outputs. They run in a
copy of examples/. Needs nbclient.
"""
import base64
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_CELLS = 40


def execute(path):
    """The notebook with its outputs. A cell that fails raises."""
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    if len(notebook.cells) > MOST_CELLS:
        raise SystemExit(f"{path.name} has {len(notebook.cells)} cells, more than {MOST_CELLS}")
    if any(c.get("outputs") for c in notebook.cells):
        raise SystemExit(f"{path.name} is stored with outputs: clear them")
    with tempfile.TemporaryDirectory() as folder:
        work = shutil.copytree(ROOT / "examples", pathlib.Path(folder, "work"))
        setup = nbformat.v4.new_code_cell("%matplotlib inline\n%config InlineBackend.figure_formats = ['png']\n"
                                          "%config InlineBackend.rc = {'figure.dpi': 70}")
        if "matplotlib" in str([c.source for c in notebook.cells]) or ".plot." in str([c.source for c in notebook.cells]):
            notebook.cells.insert(0, setup)
        nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3",
                                resources={"metadata": {"path": str(work)}}).execute()
        if notebook.cells[0] is setup or notebook.cells[0].source == setup.source:
            del notebook.cells[0]
    return notebook


def shown(text):
    """Output as text: no addresses and temporary folders, which change."""
    data = os.environ.get("ROBERVAL_DATA")
    text = text.replace(data, "$ROBERVAL_DATA") if data else text
    return re.sub(r"/tmp/[\w./-]*/", "", re.sub(r"0x[0-9a-f]{6,}", "0x...", text)).rstrip()


def page(name, notebook, images):
    lines = []
    count = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            lines.append(cell.source + "\n")
            continue
        lines.append(f"```python\n{cell.source}\n```\n")
        for output in cell.outputs:
            data = output.get("data", {})
            if output.output_type == "stream" and output.name == "stdout":
                lines.append(f"```text\n{shown(output.text)}\n```\n")
            elif "image/png" in data or "image/svg+xml" in data:
                kind = "png" if "image/png" in data else "svg"
                count += 1
                file = f"{name}-{count}.{kind}"
                content = data["image/png"] if kind == "png" else data["image/svg+xml"]
                images[file] = base64.b64decode(content) if kind == "png" else content.encode()
                lines.append(f"![{name.replace('_', ' ')}, picture {count}](images/{file})\n")
            elif "text/plain" in data and not data["text/plain"].startswith("<Figure"):
                lines.append(f"```text\n{shown(data['text/plain'])}\n```\n")
    return "\n".join(lines)


def examples():
    """The comparison of scripts/examples."""
    loader = importlib.machinery.SourceFileLoader("examples", str(ROOT / "scripts/examples"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("examples", loader))
    loader.exec_module(module)
    return module


def differences(shown, made):
    """Where a page is not the one that a run makes; times of computations are not compared."""
    compare, out = examples(), []
    a, b = shown.splitlines(), made.splitlines()
    for i, (x, y) in enumerate(zip(a, b)):
        if not compare.same(x, y):
            out.append(f"line {i + 1}:\n  page {x}\n  run  {y}")
    return out + ([f"the page has {len(a)} lines, the run {len(b)}"] if len(a) != len(b) else [])


def unknown_numbers(notebook):
    """Numbers of the text that neither the code nor an output has, as it is, in per cent or in thousandths."""
    compare = examples()
    known = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            texts = [cell.source] + [o.get("text", "") + str(o.get("data", {}).get("text/plain", "")) for o in cell.outputs]
            known += [n for t in texts for n in compare.NUMBER.findall(t)]
    out = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for n in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.]*\w)", re.sub(r"\]\([^)]*\)|`[^`]*`", "", cell.source)):
                if not any(compare.near(n, repr(factor * float(k))) for k in known for factor in (1, 100, 1000, -1)):
                    out.append(f"nothing computes the number {n} of the text")
    return out


def main():
    check = "--check" in sys.argv
    paths = [pathlib.Path(a) for a in sys.argv[1:] if a != "--check"]
    if not paths:
        sys.exit(__doc__.splitlines()[0])
    bad = False
    for path in paths:
        notebook = execute(path)
        images = {}
        text = page(path.stem, notebook, images)
        folder = ROOT / "docs/notebooks"
        head = f"<!-- made by python/pages.py from {path.name}: do not edit -->\n\n"
        if check:
            problems = differences((folder / f"{path.stem}.md").read_text(encoding="utf-8"), head + text) + unknown_numbers(notebook)
            print(path.name, "runs" + ("" if problems else ", its page is the same"))
            print("\n".join(problems))
            bad = bad or bool(problems)
            continue
        (folder / "images").mkdir(parents=True, exist_ok=True)
        for old in (folder / "images").glob(f"{path.stem}-*"):
            old.unlink()
        for file, content in images.items():
            (folder / "images" / file).write_bytes(content)
        (folder / f"{path.stem}.md").write_text(head + text)
        print(f"docs/notebooks/{path.stem}.md")
    sys.exit(bad)


if __name__ == "__main__":
    main()
