#!/usr/bin/env python3
"""api.py OUT.md: the reference of the Python package, from its sources: every public function and class, with types.

Nothing is imported, so that no library is needed. Options of functions are described on the pages of the commands.
"""
import ast
import inspect
import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent / "roberval"


def definitions():
    """Name -> node of every function and class of the package; those of verbs.py are the public ones."""
    found, docs = {}, {}
    for path in sorted(PACKAGE.glob("*.py"), key=lambda p: p.name == "verbs.py"):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                docs.setdefault(node.name, ast.get_docstring(node, clean=False) or "")
                found[node.name] = node
    return found, docs


def public():
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return sorted(ast.literal_eval(node.value), key=str.lower)
    raise SystemExit("api.py: roberval has no __all__")


def text_of(doc):
    """A docstring as Markdown: sections are headings, roles are code."""
    doc = inspect.cleandoc(doc.replace("{options}", ""))
    doc = re.sub(r":(?:class|func|meth|mod|attr):`([^`]*)`", r"`\1`", doc).replace("``", "`")
    lines, code, listed = [], False, False
    for line in doc.splitlines():
        if line.startswith(">>>") and not code:
            lines, code = lines + ["```python"], True
        if code and not line.strip():
            lines, code = lines + ["```"], False
        heading = re.fullmatch(r"(Args|Returns|Attributes|Options):", line)
        item = re.match(r"    ([\w, *]+): (.*)", line)
        if code:
            lines.append(line)
        elif heading:
            listed = True
            if heading[1] != "Options":
                lines += ["", f"{heading[1]}:", ""]
        elif listed and item:
            lines.append(f"- `{item[1]}`: {item[2]}")
        elif listed and line.startswith("    "):
            lines.append("  " + line.strip() if lines and lines[-1].startswith(("-", " ")) else line.strip())
        else:
            listed = listed and not line.strip()
            lines.append(line)
    return "\n".join(lines + (["```"] if code else [])).strip()


def signature(node, name):
    """def name(...) with a parameter per line where they are many."""
    a = node.args
    plain = list(a.posonlyargs) + list(a.args)
    defaults = [None] * (len(plain) - len(a.defaults)) + list(a.defaults)
    parts = [one(p, d) for p, d in zip(plain, defaults) if p.arg not in ("self", "cls")]
    if a.vararg:
        parts.append("*" + one(a.vararg, None))
    elif a.kwonlyargs:
        parts.append("*")
    parts += [one(p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg and a.kwarg.arg != "other":
        parts.append("**" + one(a.kwarg, None))
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    short = f"{name}({', '.join(parts)}){returned}"
    if len(short) <= 100:
        return short
    return f"{name}(\n    " + ",\n    ".join(parts) + f"\n){returned}"


def one(p, default):
    text = p.arg + (f": {ast.unparse(p.annotation)}" if p.annotation else "")
    return text + (f" = {ast.unparse(default)}" if default is not None else "")


def members(node):
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            yield child


def entry(node, doc):
    out = []
    if isinstance(node, ast.FunctionDef):
        return [f"```python\n{signature(node, node.name)}\n```", "", text_of(doc), ""]
    start = next((c for c in node.body if isinstance(c, ast.FunctionDef) and c.name == "__init__"), None)
    out += [f"```python\n{signature(start, node.name) if start else 'class ' + node.name}\n```", "", text_of(doc), ""]
    for child in members(node):
        names = {ast.unparse(d) for d in child.decorator_list}
        if "overload" in names:
            continue
        title = f"{child.name}: {ast.unparse(child.returns)}" if "property" in names and child.returns else signature(child, child.name)
        out += [f"**`{node.name}.{child.name}`**", "", f"```python\n{title}\n```", "", text_of(ast.get_docstring(child, clean=False) or ""), ""]
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    found, docs = definitions()
    names = [n for n in public() if n in found]
    functions = [n for n in names if isinstance(found[n], ast.FunctionDef)]
    errors = [n for n in names if n.endswith("Error")]
    classes = [n for n in names if isinstance(found[n], ast.ClassDef) and n not in errors]
    out = ["# Reference of the Python package", "",
           "Every public name of `roberval`. Options of functions are those of the [commands](../features.md); `help(roberval.identify)`",
           "describes them, too. Arrays are NumPy arrays of doubles, units are SI.", ""]
    for title, group in (("Functions", functions), ("Classes", classes)):
        out += [f"## {title}", ""]
        for name in group:
            out += [f"### {name}", "", *entry(found[name], docs[name])]
    out += ["## Errors", "", "| class | when |", "|---|---|"]
    out += [f"| `{n}` | {docs[n].strip().splitlines()[0]} |" for n in errors]
    pathlib.Path(sys.argv[1]).write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
