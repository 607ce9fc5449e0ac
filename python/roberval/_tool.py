"""Studies that the command-line tool runs: a process of its own, JSON back.

The tool is part of the package. It uses the same library, so that its numbers are those of a shell.
"""
from __future__ import annotations

import functools
import json
import os
import re
import signal
import subprocess
import threading
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import errors
from ._library import Option, Progress, _shower, close_bar, log, option_name, option_value, tool_path

_NOT_OPTIONS = {"json", "quiet", "verbose", "help", "output"}


class ToolOption(NamedTuple):
    """An option of a command: its name in Python, its kind, what it does, the words it accepts."""

    name: str
    kind: str
    help: str
    choices: Tuple[str, ...]


@functools.lru_cache(maxsize=None)
def options_of(command: str) -> Dict[str, ToolOption]:
    """Options of a command by their names in the tool."""
    found = subprocess.run([tool_path(), "help", command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           check=False, encoding="utf-8")
    if found.returncode != 0:
        raise errors.OptionError(_sentence(found.stderr))
    rows = json.loads(found.stdout)["commands"][0]["options"]
    return {r["name"]: ToolOption(r["name"].replace("-", "_"), r["kind"], r["help"], tuple(r.get("choices", ())))
            for r in rows if r["name"] not in _NOT_OPTIONS}


def options(command: str) -> List[ToolOption]:
    """Options that a function such as ``montecarlo`` accepts.

    >>> "runs" in [o.name for o in options("montecarlo")]
    True
    """
    return list(options_of(command).values())


def _arguments(command: str, given: Mapping[str, Option]) -> List[str]:
    known = options_of(command)
    out: List[str] = []
    for key, value in given.items():
        name = option_name(key)
        if name not in known:
            raise errors.OptionError(f"{command} has no option '{key}'")
        kind = known[name].kind
        if kind == "files" and value is not None and not isinstance(value, (str, os.PathLike)):
            values: Sequence[Any] = list(value)
        else:
            values = [value]
        for single in values:
            text = option_value(single)
            if text is None:
                continue
            if kind == "flag":
                if text not in ("true", "false"):
                    raise errors.OptionError(f"the option '{key}' is a flag: use True or False, not {text!r}")
                out += [f"--{name}"] if text == "true" else []
            else:
                out.append(f"--{name}={text}")
    return out


def _sentence(stderr: str) -> str:
    """The last error of the tool, without its name and the hint for shells."""
    lines = [line for line in stderr.splitlines() if line.startswith("roberval")]
    line = lines[-1] if lines else (stderr.strip().splitlines() or ["the tool failed without a message"])[-1]
    line = re.sub(r"^roberval[^:]*: ", "", line)
    line = re.sub(r"; see roberval [a-z]+ --help$", "", line)
    # "--prior-weight" of a shell is prior_weight here
    return re.sub(r"--([a-z][a-z-]*)", lambda m: m[1].replace("-", "_"), line)


def _failure(code: int, stderr: str, files: Sequence[str]) -> errors.RobervalError:
    sentence = _sentence(stderr)
    if code == 2:
        return errors.OptionError(sentence)
    if code == 3:
        missing = any(os.sep in f or "." in f for f in files if not os.path.exists(f))
        return errors.ReadError(sentence) if missing else errors.InputError(sentence)
    if code == 4:
        return errors.NumericalError(sentence)
    if code == 130:
        return errors.CancelledError("the computation was cancelled")
    return errors.RobervalError(f"the tool ended with the code {code}: {sentence}")


def run(command: str, files: Sequence[str], given: Mapping[str, Option], progress: Progress = None,
        extra: Sequence[str] = ()) -> "tuple[Dict[str, Any], bool]":
    """Run a command: the object that it prints, and whether its answer is yes (exit code 0)."""
    show = _shower(progress)
    plain = ["./" + f if f.startswith("-") else f for f in files]
    line = [tool_path(), command, *plain, *_arguments(command, given), *extra, "--json"]
    line += ["--verbose"] if show is not None else []
    # a group of its own: Ctrl-C reaches it once, from here
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               encoding="utf-8", errors="replace", start_new_session=True)
    told: List[str] = []
    stopped = threading.Event()
    raised: List[BaseException] = []

    def listen() -> None:
        assert process.stderr
        for text in process.stderr:
            told.append(text)
            share = re.search(r"(\d+) of (\d+)", text)
            try:
                if show is not None and share and show(command, int(share[1]) / max(1, int(share[2]))) is False:
                    stopped.set()
                    process.send_signal(signal.SIGINT)
            except BaseException as error:
                raised.append(error)
                stopped.set()
                process.send_signal(signal.SIGINT)
            log.info("%s", text.rstrip())

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    assert process.stdout
    try:
        printed = process.stdout.read()
        code = process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    finally:
        listener.join(5)
        process.stdout.close()
        if process.stderr:
            process.stderr.close()
        close_bar(show)
    if raised:
        raise raised[0]
    if stopped.is_set():
        raise errors.CancelledError("the computation was cancelled")
    if code not in (0, 1) or (code == 1 and not printed.strip()):
        raise _failure(code, "".join(told), files)
    return json.loads(printed) if printed.strip() else {}, code == 0


def main() -> None:
    """The command ``roberval``."""
    import sys

    path = tool_path()
    os.execv(path, [path, *sys.argv[1:]])
