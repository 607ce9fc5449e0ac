"""The C library: loading, prototypes, errors, options, notes, progress."""
from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import math
import os
import pathlib
import signal
import sys
import threading
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Protocol, Sequence, SupportsFloat,
                    SupportsIndex, Tuple, Union)

from . import errors
from ._prototypes import FUNCTIONS, STATUS, VERSION

log = logging.getLogger("roberval")

PathLike = Union[str, os.PathLike[str]]
#: What an option accepts: a text, a number, a flag, a list of numbers, a path, an object with a file.
Option = Any


class HasFile(Protocol):
    """An object with a file: a result, a controller, a column map."""

    def __roberval_file__(self) -> str: ...


#: What options of each kind accept, for type checkers and editors.
Number = SupportsFloat
Count = SupportsIndex
#: a file, or its values: one number, or one per joint
File = Union[PathLike, HasFile, SupportsFloat, Iterable[SupportsFloat]]
Files = Union[PathLike, HasFile, Iterable[Union[PathLike, HasFile]]]
Text = Union[str, SupportsFloat, PathLike, HasFile, Iterable[str], Iterable[SupportsFloat]]
#: ``f(stage, done)``: what is computed, and its finished share (NaN: not known). ``False`` stops.
ProgressFunction = Callable[[str, float], Optional[bool]]
Progress = Union[None, bool, ProgressFunction]

TYPES: Dict[str, Any] = {
    "v": None, "i": ctypes.c_int, "d": ctypes.c_double, "b": ctypes.c_bool, "n": ctypes.c_size_t,
    "z": ctypes.c_ssize_t, "s": ctypes.c_char_p, "p": ctypes.c_void_p,
}
NOTE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
WATCHER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double)

_STATUS_NAME = {value: name for name, (value, _) in STATUS.items()}
_INSIDE = pathlib.Path(__file__).resolve().parent / "_lib"


# ---- loading ----


def _candidates() -> Iterator[str]:
    """Where the library may be: a variable, inside the package (wheel), the system (Debian)."""
    given = os.environ.get("ROBERVAL_LIBRARY")
    if given:
        yield given
        return
    for path in sorted(_INSIDE.glob("libroberval-*.so*")):
        yield str(path)
    yield "libroberval.so." + ".".join(VERSION.split(".")[:2])


def _load() -> ctypes.CDLL:
    reasons = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            reasons.append(str(error))
            continue
        library.rbv_version_number.restype = ctypes.c_int
        major, minor = (int(x) for x in VERSION.split(".")[:2])
        if library.rbv_version_number() // 100 != 100 * major + minor:
            raise errors.NotFoundError(f"{name} is of another version than this package ({VERSION})")
        for function, codes in FUNCTIONS.items():
            try:
                prototype = getattr(library, function)
            except AttributeError:
                raise errors.NotFoundError(
                    f"{name} does not have {function}: it is another version than {VERSION}") from None
            prototype.restype = TYPES[codes[0]]
            prototype.argtypes = [TYPES[c] for c in codes[1:]]
        return library
    raise errors.NotFoundError("the library libroberval was not found; set ROBERVAL_LIBRARY to its path (" +
                               "; ".join(reasons) + ")")


lib = _load()


def tool_path() -> str:
    """Path of the command-line tool ``roberval``: a variable, inside the package, the search path."""
    import shutil

    given = os.environ.get("ROBERVAL_TOOL")
    inside = _INSIDE / "roberval"
    path = given or (str(inside) if inside.exists() else shutil.which("roberval"))
    if not path:
        raise errors.NotFoundError("the tool roberval was not found; set ROBERVAL_TOOL to its path")
    return path


# ---- errors ----


def failure(status: int) -> errors.RobervalError:
    """The exception for a status, with the sentence of this thread's last failure."""
    name = _STATUS_NAME.get(status, "RBV_?")
    kind = errors.BY_STATUS.get(name, errors.RobervalError)
    sentence = text(lib.rbv_message()) or (STATUS[name][1] if name in STATUS else "unknown status")
    return kind(sentence, text(lib.rbv_message_option()))


def check(status: int) -> None:
    if status != 0:
        raise failure(status)


def text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def words(value: Optional[bytes]) -> str:
    return "" if value is None else value.decode("utf-8", "replace")


def encode(value: PathLike, what: str = "a path") -> bytes:
    """A path or a text for the library."""
    try:
        path = os.fspath(value)
    except TypeError:
        raise errors.ArgumentError(f"{what} is needed, not {type(value).__name__}") from None
    if not isinstance(path, str):
        raise errors.ArgumentError(f"{what} is needed as text, not as bytes")
    if "\0" in path:
        raise errors.ArgumentError(f"{what} may not contain a zero character")
    return os.fsencode(path)


def listed(name: Callable[[int], Optional[bytes]]) -> List[str]:
    """All texts of a function that returns NULL past the last."""
    out: List[str] = []
    while True:
        item = name(len(out))
        if item is None:
            return out
        out.append(words(item))


# ---- objects of the library ----


class Handle:
    """Address of an object of the library. The object is freed when the last user of it is gone.

    ctypes takes a handle for an address and keeps it alive during the call.
    """

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, address: int, free: Callable[[int], None]) -> None:
        self._as_parameter_ = address
        self._free = free

    def __del__(self) -> None:
        self._free(self._as_parameter_)

    def __reduce__(self) -> "tuple[object, ...]":
        # a copy would free the object twice
        raise TypeError("this object cannot be copied or pickled")


class Owned:
    """An object of the library. It is freed when nobody needs it; ``close()`` and ``with`` free it early."""

    _what = "object"
    _handle: Optional[Handle] = None

    def _get(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise errors.ClosedError(f"this {self._what} is closed")
        return handle

    def close(self) -> None:
        """Free the memory as soon as no array refers to it. The object cannot be used afterwards."""
        self._handle = None

    @property
    def closed(self) -> bool:
        """True after :meth:`close`."""
        return self._handle is None


def create(free: Callable[[int], None], function: Callable[..., int], *arguments: Any) -> Handle:
    """Call a function that creates an object."""
    out = ctypes.c_void_p()
    check(function(ctypes.addressof(out), *arguments))
    assert out.value
    return Handle(out.value, free)


# ---- options ----


def option_name(name: str) -> str:
    """``prior_weight`` is ``prior-weight`` in the library."""
    return name.rstrip("_").replace("_", "-")


def option_value(value: Option) -> Optional[str]:
    """A value as it would be typed; ``None``: not given."""
    if value is None:
        return None
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()  # a number of NumPy
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "__roberval_file__"):
        return str(value.__roberval_file__())
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, (int, float)):
        return repr(value)
    if hasattr(value, "__iter__"):
        parts = [option_value(v) for v in value]
        if any(p is None for p in parts):
            raise errors.OptionError("a list may not contain None")
        return ",".join(p for p in parts if p is not None)
    raise errors.OptionError(f"an option cannot be of the type {type(value).__name__}")


def option_texts(options: Mapping[str, Option]) -> List[Tuple[str, str]]:
    out = []
    for name, value in options.items():
        typed = option_value(value)
        if typed is not None:
            out.append((option_name(name), typed))
    return out


def options_page(names: Sequence[str], texts: Sequence[str]) -> str:
    """Lines for a docstring."""
    return "".join(f"        {name.replace('-', '_')}: {text}\n" for name, text in zip(names, texts))


# ---- notes, progress, Ctrl-C ----


@contextlib.contextmanager
def listening(set_listener: Callable[..., None], job: Handle) -> Iterator[List[str]]:
    """Notes of a job go to the logger ``roberval`` and into the list."""
    notes: List[str] = []

    def note(_self: Any, sentence: Optional[bytes], option: Optional[bytes]) -> None:
        try:
            told = words(sentence)
            if option:
                told += f" (see the option '{words(option)}')"
            notes.append(told)
            log.info("%s", told)
        except BaseException:  # a handler of the user failed: the computation goes on
            sys.excepthook(*sys.exc_info())

    callback = NOTE(note)
    set_listener(job, ctypes.cast(callback, ctypes.c_void_p), None)
    try:
        yield notes
    finally:
        set_listener(job, None, None)


class _Bar:
    """A line on stderr, where tqdm is not installed."""

    def __init__(self) -> None:
        self.width = 0

    def __call__(self, stage: str, done: float) -> None:
        line = stage if math.isnan(done) else f"{stage} {100 * done:3.0f} %"
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = max(self.width, len(line))

    def close(self) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")


class _Tqdm:
    """A bar of tqdm per stage; in a notebook it is a widget."""

    def __init__(self, bar: Any) -> None:
        self.make = bar
        self.bar: Any = None
        self.stage = ""

    def __call__(self, stage: str, done: float) -> None:
        if stage != self.stage:
            self.close()
            self.bar = self.make(total=100, desc=stage, unit="%", leave=False)
            self.stage = stage
        if not math.isnan(done):
            self.bar.n = round(100 * done)
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _shower(progress: Progress) -> Optional[Any]:
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise errors.ArgumentError("progress needs True, False or a function of stage and share")
        return progress
    try:
        return _Tqdm(importlib.import_module("tqdm.auto").tqdm)
    except ImportError:
        return _Bar()


def close_bar(show: Optional[Any]) -> None:
    if isinstance(show, (_Bar, _Tqdm)):
        show.close()


@contextlib.contextmanager
def watching(progress: Progress = None) -> Iterator[None]:
    """Show the progress of a long call of this thread, and stop it at Ctrl-C.

    Python's own handler of SIGINT would raise inside of the callback, where exceptions are lost. It
    is therefore replaced during the call, and gets the signal afterwards.
    """
    show = _shower(progress)
    raised: List[BaseException] = []
    signals: List[Tuple[int, Any]] = []

    def watcher(_self: Any, stage: Optional[bytes], done: float) -> bool:
        try:
            if signals:
                return False
            return show is None or show(words(stage), done) is not False
        except BaseException as error:
            raised.append(error)
            return False

    handler: Any = None
    replaced = False
    if threading.current_thread() is threading.main_thread():
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            signal.signal(signal.SIGINT, lambda number, frame: signals.append((number, frame)))
            replaced = True
    callback = WATCHER(watcher)
    lib.rbv_watch(ctypes.cast(callback, ctypes.c_void_p), None)
    try:
        yield
    except errors.CancelledError:
        if not raised and not signals:
            raise
    finally:
        lib.rbv_watch(None, None)
        if replaced:
            signal.signal(signal.SIGINT, handler)
        close_bar(show)
        if signals:
            handler(*signals[0])
        if raised:
            raise raised[0]


# ---- optional packages ----


def need(package: str, what: str) -> Any:
    """Import an optional package, or say which one is missing."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.split(".")[0]
        raise errors.NotFoundError(f"{what} needs the package {name}: pip install {name}") from None
