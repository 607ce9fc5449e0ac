"""Tasks of the library: inputs and options by name go in, one JSON object comes out."""
from __future__ import annotations

import functools
import json
import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Tuple, TypeVar, Union

from . import errors
from ._library import (Option, Progress, check, create, encode, lib, listed, listening, option_name, option_value,
                       options_page, tool_path, watching, words)
from .recording import Recording
from .robot import Robot


class TaskOption(NamedTuple):
    """An option of a function: its name in Python, its kind, what it does, the words it accepts."""

    name: str
    kind: str
    help: str
    choices: Tuple[str, ...]


@functools.lru_cache(maxsize=None)
def options_of(kind: str) -> Dict[str, TaskOption]:
    """Options of a kind of tasks by their names in the library."""
    known = listed(lib.rbv_task_name)
    if kind not in known:
        raise errors.OptionError(f"there are no options of '{kind}'; there are those of {', '.join(known)}")
    k, of = kind.encode(), functools.partial
    names = listed(of(lib.rbv_task_option_name, k))
    texts, kinds = listed(of(lib.rbv_task_option_text, k)), listed(of(lib.rbv_task_option_kind, k))
    choices = [tuple(listed(of(lib.rbv_task_option_choice, k, n.encode()))) for n in names]
    return {n: TaskOption(n.replace("-", "_"), kinds[i], texts[i], choices[i]) for i, n in enumerate(names)}


def options(kind: str) -> List[TaskOption]:
    """Options that a function such as ``montecarlo`` accepts.

    >>> "runs" in [o.name for o in options("montecarlo")]
    True
    """
    return list(options_of(kind).values())


def options_of_call(given: Dict[str, Any], *fixed: str, without: str = "") -> Dict[str, Any]:
    """The arguments of a verb (verbs.py): options that are not given are left out, unknown ones are refused by the library."""
    other = given.pop("other")
    out = {k: v for k, v in given.items() if k != without and (v is not None or k in fixed)}
    return {**out, **other}


F = TypeVar("F", bound=Callable[..., Any])


def document(function: F) -> F:
    """Put the options of a task into the docstring of its function."""
    if function.__doc__:
        rows = options_of(function.__name__.replace("_", "-"))
        function.__doc__ = function.__doc__.replace(
            "{options}", options_page(list(rows), [r.help for r in rows.values()]))
    return function


def _settings(kind: str, given: Mapping[str, Option]) -> List[Tuple[str, str]]:
    """Name and value of each option; an option that is a list of files is set once per file."""
    known = options_of(kind)
    out: List[Tuple[str, str]] = []
    for key, value in given.items():
        name = option_name(key)
        # the library refuses a name that it does not know, and says which one is near
        several = name in known and known[name].kind == "files" and value is not None and not isinstance(value, (str, os.PathLike))
        for single in (list(value) if several else [value]):
            text = option_value(single)
            if text is not None:
                out.append((name, text))
    return out


def run(kind: str, inputs: Sequence[Union[str, Robot, Recording]], given: Mapping[str, Option],
        progress: Progress = None) -> "tuple[Dict[str, Any], bool]":
    """Run a task: what it found (empty: it was written to a file), and whether the answer is yes."""
    task = create(lib.rbv_task_free, lib.rbv_task_new, kind.encode())
    for source in inputs:
        if isinstance(source, Robot):
            check(lib.rbv_task_add_robot(task, source._get()))
        elif isinstance(source, Recording):
            check(lib.rbv_task_add_recording(task, source._get()))
        else:
            check(lib.rbv_task_add(task, encode(source)))
    for name, value in _settings(kind, given):
        check(lib.rbv_task_set(task, encode(name, "an option"), encode(value, "a value")))
    with listening(lib.rbv_task_on_note, task), watching(progress):
        check(lib.rbv_task_run(task))
    text = lib.rbv_task_text(task)
    return json.loads(words(text)) if text else {}, bool(lib.rbv_task_answer(task))


def main() -> None:
    """The command ``roberval``."""
    import sys

    path = tool_path()
    os.execv(path, [path, *sys.argv[1:]])
