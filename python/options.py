#!/usr/bin/env python3
"""options.py: print roberval/verbs.py, the functions of the package with every option as a typed keyword.

The options are those of the library, the other arguments those of the functions that do the work. The test python.prototypes
runs this and compares, so that the file cannot differ from the library.
"""
import inspect
import sys
import textwrap

from roberval import operation, studies, trajectory
from roberval._library import lib, listed
from roberval._task import TaskOption, options_of

WIDTH = 118
HEAD = '''"""The verbs, with every option as a typed keyword. Made by python/options.py from the library: do not edit."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Literal, NoReturn, Optional, Union

from . import operation as _operation
from . import studies as _studies
from . import trajectory as _trajectory
from ._library import Count, File, Files, Number, PathLike, Progress, Text
from ._task import options_of_call
from .identify import identify as _identify
from .operation import ColumnMap, Controller, Fleet, Following, Lint, Live, Sweep
from .recording import RecordingLike
from .result import Result
from .robot import Robot
from .studies import Comparison, Findings, Payload, Recordings, Simulation, Study, Validation
from .trajectory import Trajectory
'''
MODULES = {studies: "_studies", operation: "_operation", trajectory: "_trajectory"}
VERBS = [("identify", None), ("check", studies), ("excite", trajectory), ("simulate", studies), ("validate", studies),
         ("compare", studies), ("payload", studies), ("montecarlo", studies), ("follow", operation),
         ("record", operation), ("play", operation), ("sweep", operation), ("controller", operation), ("lint", operation),
         ("fleet", operation), ("identify_fleet", operation), ("map", operation)]
KINDS = {"flag": "bool", "number": "Number", "count": "Count", "seed": "Count", "text": "Text", "file": "File",
         "output": "PathLike", "files": "Files"}
RESERVED = {"with", "for", "class", "lambda", "from", "import"}


def names_of(verb):
    """Options of a verb that the library has: those of jobs may be fewer than those of the task."""
    prefix = {"identify": "identification", "excite": "excitation"}.get(verb)
    if prefix is None:
        return list(options_of(verb.replace("_", "-")))
    return listed(getattr(lib, f"rbv_{prefix}_option_name"))


def annotation(option: TaskOption) -> str:
    kind = KINDS[option.kind]
    if option.choices:
        kind = "Literal[" + ", ".join(f'"{c}"' for c in option.choices) + "]"
    return f"Optional[{kind}]"


def filled(lead: str, items, end: str) -> str:
    # a parameter stays on one line
    text = textwrap.fill(", ".join(i.replace(" ", "\0") for i in items) + end, WIDTH, initial_indent=lead,
                         subsequent_indent=" " * len(lead), break_long_words=False, break_on_hyphens=False)
    return text.replace("\0", " ")


def parameter(p: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*"}.get(p.kind, "")
    default = "" if p.default is inspect.Parameter.empty else f" = {p.default!r}"
    return f"{stars}{p.name}: {p.annotation}{default}"


def verb(name: str, module) -> str:
    work = getattr(module or sys.modules["roberval.identify"], name)
    signature = inspect.signature(work)
    known = {o.name.replace("-", "_"): o for o in options_of(name.replace("_", "-")).values()}
    fixed = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    taken = {p.name for p in fixed}
    lines, star = [], False
    for p in fixed:
        if p.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            if not any(x.kind is inspect.Parameter.VAR_POSITIONAL for x in fixed):
                lines.append("*")
            star = True
        lines.append(parameter(p))
    if not star:
        lines.append("*")
    for option in names_of(name):
        key = option.replace("-", "_")
        key += "_" if key in RESERVED else ""
        if key in taken:
            continue
        row = known.get(option.replace("-", "_"))
        lines.append(f"{key}: {annotation(row) if row else 'Optional[Text]'} = None")
    lines.append("**other: NoReturn")
    body = filled("        ", lines, "")
    target = f"{MODULES[module]}.{name}" if module else "_identify"
    positional = next((p.name for p in fixed if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    given = ["locals()"] + [f'"{p.name}"' for p in fixed if p.name != positional]
    given += [f'without="{positional}"'] if positional else []
    star = f"*{positional}, " if positional else ""
    call = f"    return {target}({star}**options_of_call({', '.join(given)}))"
    first = (work.__doc__ or "").splitlines()[0]
    return (f"def {name}(\n{body}\n) -> {signature.return_annotation}:\n    \"\"\"{first}\"\"\"\n"
            f"{call}\n\n\n"
            f"{name}.__doc__ = {target}.__doc__\n")


def main() -> None:
    print(HEAD)
    exported = ", ".join(f'"{n}"' for n, _ in VERBS)
    print(textwrap.fill(f"__all__ = [{exported}]", WIDTH, subsequent_indent="           "))
    for name, module in VERBS:
        print("\n\n" + verb(name, module), end="")


if __name__ == "__main__":
    main()
