#!/usr/bin/env python3
"""prototypes.py INCLUDE: print roberval/_prototypes.py, made from the headers of the stable tier.

The test python.prototypes runs this and compares, so that the file cannot differ from the headers.
"""
import pathlib
import re
import sys

CODES = {
    "void": "v", "int": "i", "rbv_status": "i", "rbv_parameter_status": "i", "rbv_event_kind": "i",
    "rbv_recording_role": "i", "double": "d", "bool": "b",
    "size_t": "n", "ptrdiff_t": "z", "const char *": "s",
}


def code_of(declaration: str, named: bool) -> str:
    """One letter for a type: see _library.TYPES. Every other pointer is an address."""
    text = re.sub(r"\bRBV_\w+\b", "", declaration).strip()
    if named:
        text = re.sub(r"\w+(\[\w*\])?$", lambda m: "*" if m.group(1) else "", text).strip()
    text = re.sub(r"\s+", " ", re.sub(r"\s*\*\s*", " *", text)).strip()
    if text in CODES:
        return CODES[text]
    if "*" in text:
        return "p"
    raise SystemExit(f"prototypes.py: no code for the type '{declaration}'")


def functions(header: str) -> "list[tuple[str, str]]":
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    found = []
    for match in re.finditer(r"^RBV_API\b([^;{]*?)\b(rbv_\w+)\s*\(([^;]*)\)\s*;", text, flags=re.M | re.S):
        returned, name, arguments = match.groups()
        arguments = " ".join(arguments.split())
        codes = "" if arguments in ("void", "") else "".join(code_of(a, True) for a in arguments.split(","))
        found.append((name, code_of(returned, False) + codes))
    return found


def main() -> None:
    folder = pathlib.Path(sys.argv[1]) / "roberval"
    print('"""Functions and status codes of the stable C API. Made by prototypes.py: do not edit."""')
    print("\n#: letter of the result, then one per argument; _library.TYPES has the letters")
    print("FUNCTIONS = {")
    for path in sorted(folder.glob("*.h")):
        for name, codes in functions(path.read_text()):
            print(f'    "{name}": "{codes}",')
    print("}\n\n#: number, and what it means in general")
    print("STATUS = {")
    status = (folder / "status.h").read_text()
    for name, value, text in re.findall(r'X\((RBV_\w+), (-?\d+), "([^"]*)"\)', status):
        print(f'    "{name}": ({value}, "{text}"),')
    version = re.search(r'RBV_VERSION_TEXT "([^"]*)"', status)
    print(f'}}\n\nVERSION = "{version.group(1)}"')


if __name__ == "__main__":
    main()
