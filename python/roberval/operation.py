"""Robots at work: follow, sweep, controller, fleet, map, lint."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import errors
from ._files import Holder, private_folder
from ._library import Option, PathLike, Progress, check, create, encode, lib, log, option_texts, words
from ._task import document, run
from .recording import RecordingLike, recording_files
from .result import Result, result_file
from .robot import Robot, robot_path
from .studies import Recordings, _inputs, _number

__all__ = ["follow", "Follower", "sweep", "controller", "fleet", "identify_fleet", "map", "lint", "Lint", "ColumnMap", "Controller", "Event",
           "Fleet", "Following", "Live", "Sweep", "play", "record"]


def _known(robot: Union[PathLike, Robot], result: Union[PathLike, Result], keep: List[Any]) -> Tuple[str, str]:
    """Paths of a robot and of its result; how the robot is read is an option of the result."""
    path, options = robot_path(robot)
    if options:
        raise errors.ArgumentError("the result has the options of the robot: give the path of the robot")
    return path, result_file(result, keep)


# ---- follow ----


class Event(NamedTuple):
    """Something that happened along a stream.

    Attributes:
        t: time stamp of the row [s].
        kind: "contact", "contact-ended", "payload", "payload-known", "no-payload", "drift" or "bad-stream".
        text: a phrase, as the tool prints it.
    """

    t: float
    kind: str
    text: str


class Following(NamedTuple):
    """What :func:`follow` saw.

    Attributes:
        events: contacts, changes of the payload and drifts; at most 1000.
        contacts: number of contacts.
        mass: of the payload at the end [kg]; NaN: not known.
        ok: False if the option ``alarm`` ended the run.
        json: everything.
    """

    events: List[Event]
    contacts: int
    mass: float
    ok: bool
    json: Dict[str, Any]


@document
def follow(robot: Union[PathLike, Robot], result: Union[PathLike, Result], recording: RecordingLike, *,
           progress: Progress = None, **options: Option) -> Following:
    """Watch a robot at work: contact, payload and drift of friction along a recording or a growing file.

    Args:
        robot: path, name or :class:`Robot`.
        result: path or :class:`Result`.
        recording: a path, a :class:`Recording` or a DataFrame; ``"-"`` is the standard input.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval follow``, with ``_`` for ``-``.

    :class:`Follower` does the same row by row.

    Options:
{options}"""
    keep: List[Any] = []
    path, source = _known(robot, result, keep)
    names = result._joint_names() if isinstance(result, Result) else None
    if isinstance(recording, str) and recording == "-":
        files: List[str] = ["-"]
    else:
        files, columns = recording_files(recording, names, keep)
        if columns is not None:
            options.setdefault("map", columns)
    if len(files) != 1:
        raise errors.ArgumentError("follow takes one recording")
    json, ok = run("follow", [path, source, files[0]], options, progress)
    return Following([Event(_number(e["t"]), e["event"], e["text"]) for e in json["events"]], json["contacts"],
                     _number(json["payload"]["mass_kg"]), ok, json)


class _CEvent(ctypes.Structure):
    """rbv_follow_event"""

    _fields_ = [("kind", ctypes.c_int), ("t", ctypes.c_double), ("row", ctypes.c_longlong), ("joint", ctypes.c_int),
                ("value", ctypes.c_double), ("sigma", ctypes.c_double), ("limit", ctypes.c_double),
                ("text", ctypes.c_char_p)]


_LISTENER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_CEvent))


class Follower:
    """Watch a robot at work row by row.

    Args:
        robot: path, name or :class:`Robot`; ``None``: the robot that the result names.
        result: path or :class:`Result`.
        options: those of ``roberval follow`` that are about the computation, for example ``alarms=0.1, log_rate=500``.

    With ``log_rate`` every row is used at once; otherwise the first 50 rows tell the rate.
    """

    def __init__(self, robot: Union[None, PathLike, Robot], result: Union[PathLike, Result], **options: Option) -> None:
        keep: List[Any] = []
        path, source = (None, result_file(result, keep)) if robot is None else _known(robot, result, keep)
        self._handle = create(lib.rbv_follower_free, lib.rbv_follower_new, None if path is None else encode(path),
                              encode(source))
        self._events: List[Event] = []
        for name, value in option_texts(options):
            check(lib.rbv_follower_set(self._handle, encode(name, "an option"), encode(value, "a value")))
        events = self._events

        def hear(_self: Any, event: Any) -> None:
            e = event.contents
            events.append(Event(e.t, words(lib.rbv_event_name(e.kind)), words(e.text)))

        self._callback = _LISTENER(hear)
        lib.rbv_follower_on_event(self._handle, ctypes.cast(self._callback, ctypes.c_void_p), None)
        self._width = lib.rbv_follower_joint_count(self._handle), lib.rbv_follower_torque_count(self._handle)

    def _take(self) -> List[Event]:
        out = self._events[:]
        self._events.clear()
        return out

    def push(self, t: float, q: Sequence[float], torque: Sequence[float]) -> List[Event]:
        """One row: time stamp [s], positions [rad or m], torques [N m or N]. Events that it makes; bad rows are events."""
        n, rows = self._width
        if len(q) != n or len(torque) != rows:
            raise errors.DimensionError(f"a row has {n} positions and {rows} torques, not {len(q)} and {len(torque)}")
        # the arrays live during the call
        positions, torques = (ctypes.c_double * n)(*q), (ctypes.c_double * rows)(*torque)
        check(lib.rbv_follower_push(self._handle, t, ctypes.addressof(positions), ctypes.addressof(torques)))
        return self._take()

    def end(self) -> List[Event]:
        """The end of a stream, which may have had fewer rows than its start needs."""
        check(lib.rbv_follower_end(self._handle))
        return self._take()

    @property
    def residual(self) -> List[float]:
        """Torque of each joint that the model does not explain [N m or N]."""
        return [lib.rbv_follower_residual(self._handle, j) for j in range(self._width[0])]

    @property
    def limit(self) -> List[float]:
        """Limit of the residual of each joint [N m or N]."""
        return [lib.rbv_follower_limit(self._handle, j) for j in range(self._width[0])]

    @property
    def contact(self) -> Optional[int]:
        """Number of the joint in contact, from 0; ``None``: no contact."""
        joint: int = lib.rbv_follower_contact(self._handle)
        return None if joint < 0 else joint

    @property
    def mass(self) -> Tuple[float, float]:
        """Mass of the payload and its standard deviation [kg]; infinite while it is not known."""
        return lib.rbv_follower_mass(self._handle), lib.rbv_follower_mass_sigma(self._handle)


# ---- sweep ----


class Sweep(NamedTuple):
    """What a controller does to plants that the uncertainty of a result allows.

    Attributes:
        done, diverged, rejected: plants that reached the end, that diverged, that are not physical.
        ok: no plant diverged.
        json: everything: quantiles of tracking errors and torques of each joint, and the worst plants.
    """

    done: int
    diverged: int
    rejected: int
    ok: bool
    json: Dict[str, Any]


@document
def sweep(robot: Union[PathLike, Robot], result: Union[PathLike, Result], *, progress: Progress = None,
          **options: Option) -> Sweep:
    """Simulate a controller over many plants that the uncertainty of a result allows.

    Args:
        robot: path, name or :class:`Robot`.
        result: path or :class:`Result`.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval sweep``, for example ``plants=1000, controller="pid.yaml"``.

    Options:
{options}"""
    keep: List[Any] = []
    path, source = _known(robot, result, keep)
    json, ok = run("sweep", [path, source], options, progress)
    return Sweep(json["done"], json["diverged"], json["rejected"], ok, json)


# ---- topics of a running robot ----


class Live(NamedTuple):
    """What :func:`record` or :func:`play` did with a running robot.

    Attributes:
        ok: the motion is enough; the motion was played to its end, or may be played.
        json: everything: rows, lost ones and the verdict; passes, largest errors, and why it was stopped.
    """

    ok: bool
    json: Dict[str, Any]


@document
def record(robot: Union[PathLike, Robot], topic: str, output: PathLike, *, progress: Progress = None,
           **options: Option) -> Live:
    """Record joint states of a running robot (ROS 2), and say when the motion is enough.

    Args:
        robot: path, name or :class:`Robot`.
        topic: such as ``"/joint_states"``.
        output: the recording, ``.mcap`` or ``.csv``.
        progress: a function of stage and finished share; ``False`` from it ends the recording, which is kept.
        options: see below; those of ``roberval record``, with ``_`` for ``-``.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    json, ok = run("record", [path], {**robot_options, "topic": topic, "output": str(output), **options}, progress)
    return Live(ok, json)


@document
def play(robot: Union[PathLike, Robot], motion: PathLike, *, progress: Progress = None, **options: Option) -> Live:
    """Play a designed motion on a robot. Nothing moves without ``yes_move=True``.

    Args:
        robot: path, name or :class:`Robot`.
        motion: coefficients of a motion that begins and ends at rest (YAML).
        progress: a function of stage and finished share; ``False`` from it stops the robot.
        options: see below; those of ``roberval play``, with ``_`` for ``-``.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    json, ok = run("play", [path, str(motion)], {**robot_options, **options}, progress)
    return Live(ok, json)


# ---- controller ----


class Controller:
    """The control law of every joint. It can be an option: ``identify(..., method="iv", controller=found)``.

    Attributes:
        path: file of the law (YAML); ``None``: a joint has no linear law.
        joints: structure, gains with their standard deviations and fit of each joint.
        ok: every joint has a law.
        json: everything.
    """

    def __init__(self, json: Dict[str, Any], ok: bool, path: str, holder: Holder) -> None:
        self.json, self.ok = json, ok
        self.path = path if ok else None
        self.joints: List[Dict[str, Any]] = json["joints"]
        self._holder = holder

    def __roberval_file__(self) -> str:
        if self.path is None:
            raise errors.DataError("a joint has no linear law: there is no controller")
        return self.path

    def __repr__(self) -> str:
        return "\n".join(f"{j['joint']}: {j['structure']}" for j in self.joints)


@document
def controller(robot: Union[PathLike, Robot], recordings: Recordings, *, output: Optional[PathLike] = None,
               progress: Progress = None, **options: Option) -> Controller:
    """Identify the control law of every joint from recordings with their reference.

    Args:
        robot: path, name or :class:`Robot`.
        recordings: one or several paths, :class:`Recording` objects or DataFrames.
        output: write the law here (YAML).
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval controller``, with ``_`` for ``-``.

    Options:
{options}"""
    keep: List[Any] = []
    source, (found,), everything = _inputs(robot, dict(options), keep, recordings)
    everything.pop("payload", None)
    holder = Holder()
    target = os.fspath(output) if output is not None else os.path.join(private_folder(holder), "controller.yaml")
    json, ok = run("controller", [source, *found], {**everything, "output": target}, progress)
    return Controller(json, ok, target, holder)


# ---- fleets ----


class Fleet(NamedTuple):
    """Robots of one type and what is remarkable about them.

    Attributes:
        robots: their names.
        changes: parameters that changed or that differ from those of the other robots, one mapping each.
        ok: no robot needs attention.
        json: everything.
    """

    robots: List[str]
    changes: List[Dict[str, Any]]
    ok: bool
    json: Dict[str, Any]


@document
def fleet(folder: PathLike, *, progress: Progress = None, **options: Option) -> Fleet:
    """Find robots that changed, in results of a fleet over periods of time.

    Args:
        folder: it has a folder per period, for example per month, each with results ``ROBOT.json``.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval fleet``, for example ``alarm=0.001``.

    Options:
{options}"""
    json, ok = run("fleet", [os.fspath(folder)], options, progress)
    return Fleet(json["robots"], json["changes"], ok, json)


@document
def identify_fleet(manifest: PathLike, *, progress: Progress = None, **options: Option) -> Optional[Fleet]:
    """Identify all robots of a list and find those that differ from the others: ``roberval identify --fleet``.

    Args:
        manifest: list of robots and recordings (YAML).
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; they apply to all robots. ``output`` is a directory for the results.

    With ``shard="I/N"`` only a part is identified: it goes to the file ``output``, and ``None`` is returned.

    Options:
{options}"""
    json, ok = run("identify-fleet", [os.fspath(manifest)], options, progress)
    return Fleet([r["name"] for r in json["robots"]], json["outliers"], ok, json) if json else None


# ---- map ----


class ColumnMap(NamedTuple):
    """What the columns of a recording mean.

    Attributes:
        yaml: the column map; ``None``: no column was recognised, or none is needed.
        standard: the columns have the usual names, no map is needed.
        ambiguous, missing: sentences about what must be decided, and what is missing.
        ok: the recording can be used with this map.
        json: everything.
    """

    yaml: Optional[str]
    standard: bool
    ambiguous: List[str]
    missing: List[str]
    ok: bool
    json: Dict[str, Any]


@document
def map(robot: Union[PathLike, Robot], recording: PathLike, *, output: Optional[PathLike] = None,
        progress: Progress = None, **options: Option) -> ColumnMap:
    """Guess what the columns of a recording mean, as a column map.

    Args:
        robot: path, name or :class:`Robot`.
        recording: path of the recording.
        output: write the map here (YAML), for the option ``map`` of other functions.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval map``, with ``_`` for ``-``.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    json, ok = run("map", [path, os.fspath(recording)], {**robot_options, **options, "output": output}, progress)
    for sentence in json["ambiguous"] + json["missing"]:
        log.warning("%s", sentence)
    return ColumnMap(json["map"], json["standard"], json["ambiguous"], json["missing"], ok, json)


class Lint(NamedTuple):
    """A robot file alone.

    Attributes:
        mass, moving_mass: of all links, and of those behind a joint [kg].
        findings: sentences, each with the link or joint in front.
        ok: there is no finding.
        json: everything.
    """

    mass: float
    moving_mass: float
    findings: List[str]
    ok: bool
    json: Dict[str, Any]


@document
def lint(robot: Union[PathLike, Robot], *, progress: Progress = None, **options: Option) -> Lint:
    """Look at a robot file before anything was recorded: masses, densities, placeholders, copies, mirrored limbs, limits.

    Args:
        robot: path, name or :class:`Robot`.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval model --lint``, with ``_`` for ``-``.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    json, ok = run("lint", [path], {**robot_options, **options}, progress)
    found = [f"{f['where']}: {f['text']}" for f in json["findings"]]
    return Lint(json["mass_kg"], json["moving_mass_kg"], found, ok, json)
