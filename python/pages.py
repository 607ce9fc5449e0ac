#!/usr/bin/env python3
"""pages.py [--check] NOTEBOOK... : run notebooks and write them as plain pages.

docs/notebooks/NAME.ipynb gives docs/notebooks/NAME.md with all outputs; pictures go to docs/notebooks/images/.
With --check the notebooks are run and nothing is written. Notebooks are stored without outputs. They run in a
copy of examples/. Needs nbclient.
"""
import base64
import os
import pathlib
import re
import shutil
import sys
import tempfile

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


def main():
    check = "--check" in sys.argv
    paths = [pathlib.Path(a) for a in sys.argv[1:] if a != "--check"]
    if not paths:
        sys.exit(__doc__.splitlines()[0])
    for path in paths:
        notebook = execute(path)
        if check:
            print(path.name, "runs")
            continue
        images = {}
        text = page(path.stem, notebook, images)
        folder = ROOT / "docs/notebooks"
        (folder / "images").mkdir(parents=True, exist_ok=True)
        for old in (folder / "images").glob(f"{path.stem}-*"):
            old.unlink()
        for file, content in images.items():
            (folder / "images" / file).write_bytes(content)
        head = f"<!-- made by python/pages.py from {path.name}: do not edit -->\n\n"
        (folder / f"{path.stem}.md").write_text(head + text)
        print(f"docs/notebooks/{path.stem}.md")


if __name__ == "__main__":
    main()
