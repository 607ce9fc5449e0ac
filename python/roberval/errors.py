"""Exceptions: one class per status of the library.

Every class derives from :class:`RobervalError` and from the built-in exception that fits, so that
``except FileNotFoundError`` style code (``except OSError``, ``except ValueError``) works, too.
"""
from __future__ import annotations

from typing import Dict, Optional, Type

__all__ = [
    "RobervalError", "ArgumentError", "DimensionError", "OutOfMemoryError", "ReadError", "InputError",
    "NumericalError", "UnsupportedError", "WriteError", "OptionError", "DataError", "CancelledError",
    "ClosedError", "NotFoundError",
]


class RobervalError(Exception):
    """A call that failed. ``str(error)`` is the sentence of the library.

    Attributes:
        status: name of the status, for example ``"RBV_EINPUT"``.
        option: name of the option that avoids the failure, or ``None``.
    """

    status: str = ""

    def __init__(self, sentence: str = "", option: Optional[str] = None) -> None:
        super().__init__(sentence)
        self.option = option

    def __str__(self) -> str:
        sentence = str(self.args[0]) if self.args else ""
        return f"{sentence} (see the option '{self.option}')" if self.option else sentence

    def __reduce__(self) -> "tuple[object, ...]":
        return type(self), (self.args[0] if self.args else "", self.option)


class ArgumentError(RobervalError, ValueError):
    """An argument is missing or out of range."""

    status = "RBV_EARG"


class DimensionError(RobervalError, ValueError):
    """Dimensions do not agree."""

    status = "RBV_EDIM"


class OutOfMemoryError(RobervalError, MemoryError):
    """Memory ran out."""

    status = "RBV_EMEM"


class ReadError(RobervalError, OSError):
    """A file cannot be read."""

    status = "RBV_EREAD"


class InputError(RobervalError, ValueError):
    """An input is malformed or contradicts itself. The sentence has file, line and column."""

    status = "RBV_EINPUT"


class NumericalError(RobervalError, ArithmeticError):
    """A numerical operation broke down."""

    status = "RBV_ENUM"


class UnsupportedError(RobervalError, ValueError):
    """An input is valid, but not supported."""

    status = "RBV_EUNSUPPORTED"


class WriteError(RobervalError, OSError):
    """An output cannot be written."""

    status = "RBV_EWRITE"


class OptionError(RobervalError, ValueError):
    """An option is unknown, malformed or contradicts another one."""

    status = "RBV_EOPTION"


class DataError(RobervalError, ValueError):
    """The data do not contain what was asked for."""

    status = "RBV_EDATA"


class CancelledError(RobervalError):
    """A progress function returned ``False``."""

    status = "RBV_ECANCELLED"


class ClosedError(ArgumentError):
    """An object was used after ``close()``."""


class NotFoundError(RobervalError, ImportError):
    """The library, the tool or an optional Python package is not there."""


BY_STATUS: Dict[str, Type[RobervalError]] = {
    c.status: c
    for c in (ArgumentError, DimensionError, OutOfMemoryError, ReadError, InputError, NumericalError,
              UnsupportedError, WriteError, OptionError, DataError, CancelledError)
}
