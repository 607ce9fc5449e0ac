"""Recordings."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from . import errors
from ._arrays import Array, address, numpy_for, view
from ._files import Holder, is_private, private_folder
from ._library import Handle, Owned, PathLike, check, create, encode, lib, need, words

__all__ = ["Recording"]

#: Channels of a joint, with their units at a revolute joint.
CHANNELS = {
    "q": "rad", "dq": "rad/s", "ddq": "rad/s^2", "tau": "N m", "qm": "rad", "taum": "N m", "tauj": "N m",
    "qr": "rad", "dqr": "rad/s", "ddqr": "rad/s^2", "temp": "degC",
}


class Recording(Owned):
    """Samples of a motion in named columns: ``t`` [s], ``q1``, ``tau1``, ... in SI units.

    Channels of a joint: ``q dq ddq`` (position, velocity, acceleration), ``tau`` (torque of the drive,
    referred to the joint), ``qm taum`` (at the rotor, before the gear), ``tauj`` (joint torque
    sensor), ``qr dqr ddqr`` (reference), ``temp`` (motor temperature).

    Args:
        source: path of a file of any format that the tool reads (CSV, MAT, ...), or a recording. Columns with
            unknown names are kept; they are recognised when the recording is used with a robot.
        map: file with the meaning of the columns (YAML), if they have other names or units.

    Use :meth:`from_arrays` and :meth:`from_frame` for data in memory. A recording never changes,
    so that threads may share it.

    >>> import numpy as np
    >>> t = np.arange(200) / 100
    >>> r = Recording.from_arrays(t=t, q=np.sin(t)[:, None], tau=np.cos(t)[:, None])
    >>> len(r), r.columns, r.q.shape
    (200, ['t', 'q1', 'tau1'], (200, 1))
    """

    _what = "recording"
    path: Optional[str]  #: of its file; ``None``: it is in memory
    map: Optional[str]  #: column map of the file
    joints: Optional[List[str]]  #: names of the joints, where they are known
    _written: Dict[Tuple[str, ...], str]
    _source: Any = None

    def __init__(self, source: Union[PathLike, "Recording"], map: Optional[PathLike] = None) -> None:
        if isinstance(source, Recording):
            if map is not None:
                raise errors.ArgumentError("a recording has its map already: give the map with the path of a file")
            self._handle = source._get()
            self.path, self.map, self.joints = source.path, source.map, source.joints
            self._written = source._written
            self._source = source
            return
        self.path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else source
        self.map = None if map is None else os.fspath(map)
        self._handle = create(lib.rbv_log_free, lib.rbv_log_open, encode(source, "the path of a recording"),
                              None if map is None else encode(map))
        names = [lib.rbv_log_joint_name(self._handle, j) for j in range(self.joint_count)]
        self.joints = [words(n) for n in names] if names and all(names) else None
        self._written = {}

    @classmethod
    def _of_columns(cls, names: Sequence[str], block: Any, joints: Optional[Sequence[str]], name: str) -> "Recording":
        """From an F-ordered block of shape (samples, columns)."""
        self = cls.__new__(cls)
        array = (ctypes.c_char_p * len(names))(*[encode(n, "a column name") for n in names])
        samples, columns = block.shape
        self._handle = create(lib.rbv_log_free, lib.rbv_log_new, encode(name, "a name"), ctypes.addressof(array),
                              columns, address(block), samples, max(samples, 1))
        self.path, self.map = None, None
        self.joints = None if joints is None else [str(j) for j in joints]
        self._written = {}
        return self

    @classmethod
    def from_arrays(cls, *, t: Any = None, rate: Optional[float] = None, joints: Optional[Sequence[str]] = None,
                    name: str = "recording", **channels: Any) -> "Recording":
        """A recording from arrays; they are copied.

        Args:
            t: time stamps, shape (samples,) [s]; or give the rate.
            rate: samples per second, if there are no time stamps.
            joints: names of the joints, in the order of the arrays' columns. They are matched with the
                names of the robot, so that the order need not be the robot's.
            name: used in messages, and as the name of the file in provenance.
            channels: ``q=``, ``tau=``, ..., shape (samples, joints); shape (samples,) for one joint. Other
                names are kept as extra columns.
        """
        np = numpy_for("a recording from arrays")
        if (t is None) == (rate is None):
            raise errors.ArgumentError("give either the time stamps t or the rate")
        if not channels:
            raise errors.ArgumentError("give at least one channel, such as q=")
        arrays = []
        for channel, values in channels.items():
            try:
                array = np.asarray(values, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise errors.ArgumentError(f"{channel} is no array of numbers: {error}") from None
            if array.ndim == 1:
                array = array[:, None]
            if array.ndim != 2:
                raise errors.DimensionError(f"{channel} has the shape {array.shape}, it needs (samples, joints)")
            arrays.append((channel, array))
        samples = arrays[0][1].shape[0]
        if rate is not None:
            if not rate > 0:
                raise errors.ArgumentError(f"the rate must be positive, not {rate}")
            t = np.arange(samples) / rate
        stamps = np.asarray(t, dtype=np.float64)
        if stamps.ndim != 1:
            raise errors.DimensionError(f"t has the shape {stamps.shape}, it needs (samples,)")
        names, columns = ["t"], [stamps]
        for channel, array in arrays:
            if joints is not None and channel in CHANNELS and array.shape[1] != len(joints):
                raise errors.DimensionError(f"{channel} has {array.shape[1]} columns, but there are {len(joints)} names")
            single = channel not in CHANNELS and array.shape[1] == 1
            names += [channel] if single else [f"{channel}{j + 1}" for j in range(array.shape[1])]
            columns += list(array.T)
        for column_name, column in zip(names, columns):
            if column.shape[0] != stamps.shape[0]:
                raise errors.DimensionError(f"{column_name} has {column.shape[0]} samples, t has {stamps.shape[0]}")
        if samples == 0:
            raise errors.DimensionError("a recording needs at least one sample")
        block = np.empty((samples, len(names)), order="F")
        for i, column in enumerate(columns):
            block[:, i] = column
        return cls._of_columns(names, block, joints, name)

    @classmethod
    def from_frame(cls, frame: Any, *, joints: Optional[Sequence[str]] = None, time: str = "t",
                       name: str = "recording") -> "Recording":
        """A recording from a pandas DataFrame.

        Its columns have any names: they are recognised as those of a file when the recording is used with
        a robot. The pairs of a two-level header are joined by a dot. Columns without numbers are left out.
        Time is the column ``time``, a column that is recognised as the time, or else the index, in seconds
        or as time stamps.

        Args:
            frame: the DataFrame.
            joints: names of the joints, in the order of the columns ``q1``, ``q2``, ...; columns such as
                ``q_NAME`` and ``q.NAME`` become columns of these joints.
            time: name of the column of time.
            name: used in messages, and as the name of the file in provenance.
        """
        np = numpy_for("a recording from a DataFrame")
        if not hasattr(frame, "columns") or not hasattr(frame, "index"):
            raise errors.ArgumentError(f"a DataFrame is needed, not {type(frame).__name__}")
        if len(frame) == 0:
            raise errors.DimensionError("a recording needs at least one sample")
        names: List[str] = []
        columns: List[Any] = []
        for i, key in enumerate(frame.columns):
            values = frame.iloc[:, i].to_numpy()
            if values.dtype.kind in "mM":
                values = _seconds(np, values)
            known = _column_of(key, joints)
            if values.dtype.kind not in "fiu":
                try:
                    values = np.asarray(values, dtype=np.float64)
                except (TypeError, ValueError):
                    if known in names or known.rstrip("0123456789") in CHANNELS:
                        raise errors.ArgumentError(f"the column {known} has no numbers") from None
                    continue
            names.append("t" if key == time else known)
            columns.append(values)
        index = frame.index.to_numpy()
        if "t" not in names and type(frame.index).__name__ != "RangeIndex" and index.dtype.kind in "mMfiu":
            names.insert(0, "t")
            columns.insert(0, _seconds(np, index) if index.dtype.kind in "mM" else index)
        if not columns:
            raise errors.ArgumentError("the DataFrame has no columns of numbers")
        block = np.empty((len(frame), len(names)), order="F")
        for i, column in enumerate(columns):
            block[:, i] = column
        return cls._of_columns(names, block, joints, name)

    # ---- what it contains ----

    @property
    def name(self) -> str:
        """Path of its file, or the name that was given."""
        return words(lib.rbv_log_name(self._get()))

    def __len__(self) -> int:
        return int(lib.rbv_log_samples(self._get()))

    @property
    def joint_count(self) -> int:
        """Number of joints that have a column."""
        return int(lib.rbv_log_joint_count(self._get()))

    @property
    def columns(self) -> List[str]:
        """Names of the columns."""
        log = self._get()
        return [words(lib.rbv_log_column_name(log, i)) for i in range(lib.rbv_log_column_count(log))]

    def __contains__(self, column: object) -> bool:
        return isinstance(column, str) and lib.rbv_log_find(self._get(), encode(column)) >= 0

    def __getitem__(self, column: str) -> Array:
        """Values of a column, shape (samples,): a read-only view without a copy."""
        log = self._get()
        i = lib.rbv_log_find(log, encode(column, "a column name"))
        if i < 0:
            raise KeyError(column)
        return view(lib.rbv_log_column_values(log, i), (len(self),), log)  # type: ignore[no-any-return]

    def channel(self, channel: str) -> Array:
        """A channel of all joints, shape (samples, joints): ``channel("tau")``. A copy."""
        np = numpy_for("a channel")
        names: List[str] = []
        while f"{channel}{len(names) + 1}" in self:
            names.append(f"{channel}{len(names) + 1}")
        if not names:
            raise KeyError(channel)
        return np.column_stack([self[n] for n in names])  # type: ignore[no-any-return]

    @property
    def t(self) -> Array:
        """Time stamps, shape (samples,) [s]."""
        return self["t"]

    @property
    def q(self) -> Array:
        """Positions, shape (samples, joints) [rad or m]."""
        return self.channel("q")

    @property
    def dq(self) -> Array:
        """Velocities, shape (samples, joints) [rad/s or m/s]."""
        return self.channel("dq")

    @property
    def ddq(self) -> Array:
        """Accelerations, shape (samples, joints) [rad/s^2 or m/s^2]."""
        return self.channel("ddq")

    @property
    def tau(self) -> Array:
        """Torques of the drives, shape (samples, joints) [N m or N]."""
        return self.channel("tau")

    @property
    def frame(self) -> Any:
        """All columns as a pandas DataFrame."""
        pandas = need("pandas", "frame")
        return pandas.DataFrame({name: self[name] for name in self.columns})

    def save(self, path: PathLike) -> str:
        """Write as CSV with digits that give the same numbers. Returns the path."""
        check(lib.rbv_log_save(self._get(), encode(path)))
        return os.fspath(path)

    # ---- as a file ----

    def _order(self, joint_names: Optional[Sequence[str]]) -> Optional[Tuple[str, ...]]:
        """The robot's order of joints, if it differs from that of the arrays."""
        if self.path is not None or self.joints is None or joint_names is None or list(joint_names) == self.joints:
            return None
        missing = [n for n in joint_names if n not in self.joints]
        if missing:
            raise errors.InputError(f"{self.name}: the recording has no joint '{missing[0]}'; "
                                    f"its joints are {', '.join(self.joints)}")
        return tuple(joint_names)

    def _ordered(self, joint_names: Optional[Sequence[str]]) -> "Recording":
        """The recording with the joints in the robot's order."""
        order = self._order(joint_names)
        return self._reordered(order) if order else self

    def _file(self, joint_names: Optional[Sequence[str]] = None) -> str:
        """Path for the library, with the joints in the robot's order."""
        self._get()
        if self.path is not None:
            return self.path
        order = self._order(joint_names) or ()
        if order not in self._written:
            path = os.path.join(private_folder(self), os.path.basename(self.name or "recording") + ".csv")
            (self._reordered(order) if order else self).save(path)
            self._written[order] = path
        return self._written[order]

    def _reordered(self, order: Sequence[str]) -> "Recording":
        assert self.joints is not None
        places = [self.joints.index(n) for n in order]
        channels: Dict[str, Any] = {}
        for channel in CHANNELS:
            if f"{channel}1" in self:
                channels[channel] = self.channel(channel)[:, places]
        return Recording.from_arrays(t=self["t"], name=self.name, **channels)

    def __roberval_file__(self) -> str:
        return self._file()

    # ---- Python ----

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<Recording: closed>"
        return f"<Recording {self.name}: {len(self)} samples, {self.joint_count} joints>"

    def __reduce__(self) -> Tuple[Any, ...]:
        if self.path is not None and is_private(self.path):  # of a simulation: the file goes with the object
            with open(self.path, "rb") as file:
                return _unpickle, (os.path.basename(self.path), file.read(), self.map)
        if self.path is not None:
            return Recording, (self.path, self.map)
        np = numpy_for("a pickled recording")
        block = np.asfortranarray(np.column_stack([self[n] for n in self.columns]))
        return Recording._of_columns, (self.columns, block, self.joints, self.name)


def _unpickle(name: str, content: bytes, map: Optional[str]) -> Recording:
    """The recording of a pickled file, in a folder that lives as long as the recording."""
    holder = Holder()
    path = os.path.join(private_folder(holder), name)
    with open(path, "wb") as file:
        file.write(content)
    recording = Recording(path, map)
    recording._source = holder
    return recording


def _seconds(np: Any, stamps: Any) -> Any:
    """Time stamps or time differences as seconds after the first one."""
    return (stamps - stamps[0]) / np.timedelta64(1, "ns") * 1e-9


def _column_of(key: Any, joints: Optional[Sequence[str]]) -> str:
    """Name of a column of a DataFrame; q_NAME, q.NAME and (q, NAME) are numbered if NAME is a joint."""
    if isinstance(key, tuple):
        key = ".".join(str(part) for part in key)
    text = str(key)
    for channel in CHANNELS if joints is not None else ():
        for j, joint in enumerate(joints or ()):
            if text in (f"{channel}_{joint}", f"{channel}.{joint}"):
                return f"{channel}{j + 1}"
    return text


RecordingLike = Union[PathLike, Recording, Any]


def recording_sources(recordings: Union[RecordingLike, Iterable[RecordingLike]],
                      joint_names: Optional[Sequence[str]],
                      keep: List[Any]) -> "tuple[List[Union[str, Recording]], Optional[str]]":
    """Paths of recordings, or recordings in memory, and the column map that the files share.

    Objects are added to keep. The joints of recordings in memory are in the robot's order.
    """
    if isinstance(recordings, (str, os.PathLike, Recording)) or hasattr(recordings, "columns"):
        recordings = [recordings]
    sources: List[Union[str, Recording]] = []
    maps = set()
    try:
        items = list(recordings)
    except TypeError:
        raise errors.ArgumentError(
            f"a recording, its path or a list of them is needed, not {type(recordings).__name__}") from None
    for item in items:
        if hasattr(item, "columns") and hasattr(item, "index") and not isinstance(item, Recording):
            item = Recording.from_frame(item, joints=None)
        if isinstance(item, Recording):
            item._get()
            keep.append(item)
            if item.path is None:
                item = item._ordered(joint_names)
                keep.append(item)
            sources.append(item if item.path is None else item.path)
            if item.map is not None:
                maps.add(item.map)
        elif isinstance(item, (str, os.PathLike)):
            sources.append(os.fspath(item))
        else:
            raise errors.ArgumentError(f"a recording or its path is needed, not {type(item).__name__}")
    if len(maps) > 1:
        raise errors.ArgumentError("recordings with different column maps cannot be used together")
    return sources, maps.pop() if maps else None


def recording_files(recordings: Union[RecordingLike, Iterable[RecordingLike]], joint_names: Optional[Sequence[str]],
                    keep: List[Any]) -> "tuple[List[str], Optional[str]]":
    """Paths of recordings, and the column map that they share. Recordings in memory are written to files."""
    sources, map = recording_sources(recordings, joint_names, keep)
    return [s if isinstance(s, str) else s._file() for s in sources], map
