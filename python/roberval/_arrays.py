"""Arrays in and out of the library without copies."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Optional, Tuple

from . import errors
from ._library import need

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[numpy.float64]
else:
    Array = Any

_numpy: Any = None


def numpy_for(what: str) -> Any:
    global _numpy
    if _numpy is None:
        _numpy = need("numpy", what)
    return _numpy


def address(array: Any) -> int:
    """Where the numbers of an array lie."""
    where: int = array.__array_interface__["data"][0]
    return where


def samples(value: Any, joints: int, name: str) -> Any:
    """An array of shape (..., joints) of doubles, C-contiguous: the given one if it is that already."""
    np = _numpy
    array = value if type(value) is np.ndarray else None
    if array is None or array.dtype is not double() or not array.flags.c_contiguous:
        try:
            array = np.ascontiguousarray(value, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise errors.ArgumentError(f"{name} is no array of numbers: {error}") from None
    if array.ndim == 0 or array.shape[-1] != joints:
        raise errors.DimensionError(f"{name} has the shape {array.shape}, it needs {joints} joints as its last axis")
    return array


_float64: Any = None


def double() -> Any:
    """The type float64 of NumPy."""
    global _float64
    if _float64 is None:
        _float64 = numpy_for("arrays").dtype("float64")
    return _float64


#: A ctypes object over the first number of a writable, C-contiguous array.
place = ctypes.c_double.from_buffer


def new_array(shape: Tuple[int, ...]) -> Any:
    return _numpy.empty(shape)


def output(out: Optional[Any], shape: Tuple[int, ...], name: str = "out") -> Any:
    """The array to write into: a new one, or ``out`` if it fits exactly."""
    np = _numpy
    if out is None:
        return np.empty(shape)
    if type(out) is not np.ndarray or out.dtype != np.float64 or not out.flags.c_contiguous or not out.flags.writeable:
        raise errors.ArgumentError(f"{name} must be a writable, C-contiguous NumPy array of float64")
    if out.shape != shape:
        raise errors.DimensionError(f"{name} has the shape {out.shape}, not {shape}")
    return out


def view(where: Optional[int], shape: Tuple[int, ...], owner: Any) -> Any:
    """A read-only array over memory of the library; it keeps its owner alive."""
    np = numpy_for("an array")
    count = 1
    for n in shape:
        count *= n
    if not where or count == 0:
        return np.empty(shape)
    buffer = (ctypes.c_double * count).from_address(where)
    buffer._owner = owner  # type: ignore[attr-defined]
    array = np.ctypeslib.as_array(buffer).reshape(shape)
    array.flags.writeable = False
    return array
