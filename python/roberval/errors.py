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


#: the class of each status; the classes below enter themselves
BY_STATUS: Dict[str, Type["RobervalError"]] = {}


class RobervalError(Exception):
    """A call that failed. ``str(error)`` is the sentence of the library.

    Attributes:
        status: name of the status, for example ``"RBV_EINPUT"``.
        option: name of the option that avoids the failure, or ``None``.
    """

    status: str = ""

    def __init_subclass__(cls, status: str = "", **others: object) -> None:
        super().__init_subclass__(**others)
        if status:
            cls.status = status
            BY_STATUS[status] = cls

    def __init__(self, sentence: str = "", option: Optional[str] = None) -> None:
        super().__init__(sentence)
        self.option = option

    def __str__(self) -> str:
        sentence = str(self.args[0]) if self.args else ""
        return f"{sentence} (see the option '{self.option}')" if self.option else sentence

    def __reduce__(self) -> "tuple[object, ...]":
        return type(self), (self.args[0] if self.args else "", self.option)


class ArgumentError(RobervalError, ValueError, status="RBV_EARG"):
    """An argument is missing or out of range."""


class DimensionError(RobervalError, ValueError, status="RBV_EDIM"):
    """Dimensions do not agree."""


class OutOfMemoryError(RobervalError, MemoryError, status="RBV_EMEM"):
    """Memory ran out."""


class ReadError(RobervalError, OSError, status="RBV_EREAD"):
    """A file cannot be read."""


class InputError(RobervalError, ValueError, status="RBV_EINPUT"):
    """An input is malformed or contradicts itself. The sentence has file, line and column."""


class NumericalError(RobervalError, ArithmeticError, status="RBV_ENUM"):
    """A numerical operation broke down."""


class UnsupportedError(RobervalError, ValueError, status="RBV_EUNSUPPORTED"):
    """An input is valid, but not supported."""


class WriteError(RobervalError, OSError, status="RBV_EWRITE"):
    """An output cannot be written."""


class OptionError(RobervalError, ValueError, status="RBV_EOPTION"):
    """An option is unknown, malformed or contradicts another one."""


class DataError(RobervalError, ValueError, status="RBV_EDATA"):
    """The data do not contain what was asked for."""


class CancelledError(RobervalError, status="RBV_ECANCELLED"):
    """A progress function returned ``False``."""


class ClosedError(ArgumentError):
    """An object was used after ``close()``."""


class NotFoundError(RobervalError, ImportError):
    """The library, the tool or an optional Python package is not there."""
