"""Check, simulate, validate, compare, payload, montecarlo."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import errors
from ._display import table
from ._files import Holder, private_folder
from ._library import Option, PathLike, Progress, log, need
from ._task import document, run
from .identify import _names
from .recording import Recording, RecordingLike, recording_files, recording_sources
from .result import Result, result_file
from .robot import Robot, robot_path, robot_source

__all__ = ["check", "simulate", "validate", "compare", "payload", "montecarlo", "merge", "Finding", "Findings", "Simulation",
           "Validation", "Comparison", "Payload", "Value", "Study"]

Recordings = Union[RecordingLike, Iterable[RecordingLike]]


def _inputs(robot: Union[PathLike, Robot], options: Dict[str, Option], keep: List[Any],
            *groups: Any) -> "tuple[Union[str, Robot], List[List[Union[str, Recording]]], Dict[str, Option]]":
    """The robot, each group of recordings, as objects or paths, and all options."""
    path, robot_options = robot_path(robot)
    names = robot.joint_names if isinstance(robot, Robot) else _names(path, *groups, options)
    everything = {**robot_options, **options}
    sources = []
    for group in groups:
        found, map = ([], None) if group is None else recording_sources(group, names, keep)
        if map is not None and everything.setdefault("map", map) != map:
            raise errors.ArgumentError("the recordings and the option map name different column maps")
        sources.append(found)
    return robot_source(robot, options), sources, everything


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


# ---- check ----


class Finding(NamedTuple):
    """Something that is wrong with recordings, where, and what to do."""

    code: str
    severity: str
    sentence: str
    joint: Optional[str]
    value: float
    unit: str
    option: Optional[str]
    option_value: Optional[str]
    line: Optional[int]


class Findings(Sequence[Finding]):
    """What :func:`check` found: errors first, then warnings, then notes.

    ``findings.ok`` is True if nothing speaks against an identification; ``findings.json`` is
    everything, with the identifiability of all parameters.
    """

    def __init__(self, json: Dict[str, Any]) -> None:
        self.json = json
        self._items = [
            Finding(f["code"], f["severity"], f["sentence"], f.get("joint_name"), _number(f.get("value")),
                    f.get("value_unit", ""), f.get("option"), f.get("option_value"), f.get("line"))
            for f in json["findings"]
        ]

    @overload
    def __getitem__(self, i: int) -> Finding: ...
    @overload
    def __getitem__(self, i: slice) -> List[Finding]: ...

    def __getitem__(self, i: Union[int, slice]) -> Union[Finding, List[Finding]]:
        return self._items[i]

    def __len__(self) -> int:
        return len(self._items)

    @property
    def ok(self) -> bool:
        """No error: the recordings can be used."""
        return not self.json["unwise"]

    @property
    def verdict(self) -> str:
        """``usable``, ``with care`` or ``do not use``, as an identification says it."""
        return str(self.json["verdict"]["level"])

    @property
    def errors(self) -> List[Finding]:
        """Findings that must be fixed first."""
        return [f for f in self._items if f.severity == "error"]

    @property
    def identifiability(self) -> Dict[str, Any]:
        """Which parameters these motions identify, and how well."""
        return self.json["identifiability"]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return "\n".join(f"{f.severity}: {f.sentence}" for f in self._items) or "no errors were found"

    def _repr_html_(self) -> str:
        return table(("severity", "code", "finding"), [(f.severity, f.code, f.sentence) for f in self._items])


@document
def check(robot: Union[PathLike, Robot], recordings: Recordings, *, loaded: Optional[Recordings] = None,
          progress: Progress = None, **options: Option) -> Findings:
    """Find errors in recordings, and parameters that their motions cannot identify.

    Args:
        robot: path, name or :class:`Robot`.
        recordings: one or several paths, :class:`Recording` objects or DataFrames.
        loaded: recordings with the payload; needs ``payload=True``.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval check``, with ``_`` for ``-``.

    Options:
{options}"""
    keep: List[Any] = []
    source, (without, with_payload), everything = _inputs(robot, dict(options), keep, recordings, loaded)
    if with_payload:
        everything["loaded"] = with_payload
    json, _ = run("check", [source, *without], everything, progress)
    return Findings(json)


# ---- simulate ----


class Simulation(Recording):
    """The recording of a simulated robot in its closed loop.

    Attributes:
        info: what was simulated, as the tool prints it.
        controller: path of the controller (YAML), for methods that simulate: ``identify(...,
            method="iv", controller=recording.controller)``.
    """

    info: Dict[str, Any]
    controller: str


@document
def simulate(robot: Union[PathLike, Robot], motion: Any, *, output: Optional[PathLike] = None,
             progress: Progress = None, **options: Option) -> Simulation:
    """Simulate a robot that follows a motion in its closed loop, with errors of its sensors.

    Args:
        robot: path, name or :class:`Robot`.
        motion: a :class:`Trajectory`, a :class:`Recording` with ``q``, or a path.
        output: write the recording here as well; it is then the file of the recording.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval simulate``, with ``_`` for ``-``.

    A simulation that diverges gives the samples before; ``info["diverged"]`` says so.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    keep: List[Any] = [motion]
    if hasattr(motion, "__roberval_file__"):
        source = motion.__roberval_file__()
    else:
        (source, *_), _map = recording_files(motion, None, keep)
    everything = {**robot_options, **options}
    holder = Holder()
    folder = private_folder(holder)
    target = os.fspath(output) if output is not None else os.path.join(folder, "log.csv")
    controller = everything.setdefault("save_controller", os.path.join(folder, "controller.yaml"))
    json, done = run("simulate", [path, source], {**everything, "output": target}, progress)
    if not done:
        log.warning("%s", json.get("reason", "the simulation diverged"))
    recording = Simulation(target)
    recording.info, recording.controller = json, os.fspath(controller)
    recording._source = holder
    return recording


# ---- validate ----


class Validation(NamedTuple):
    """How well a result predicts recordings.

    Attributes:
        error: relative error of the torque, |Y - W chi| / |Y|, in the rows of the result's filter.
        comparable_error: the same up to 5 Hz and with every row: comparable between results.
        joints: relative error per joint.
        ok: False if an error of the recordings was found, or the option ``max_error`` is exceeded.
        json: everything.
    """

    error: float
    comparable_error: float
    joints: Dict[str, float]
    ok: bool
    json: Dict[str, Any]

    def _repr_html_(self) -> str:
        rows = [("all", f"{100 * self.error:.2f} %")] + [(n, f"{100 * e:.2f} %") for n, e in self.joints.items()]
        return table(("joint", "error"), rows)


@document
def validate(result: Union[PathLike, Result, Robot], recordings: Recordings, *, progress: Progress = None,
             **options: Option) -> Validation:
    """Measure how well a result predicts the torques of recordings that it was not made from.

    Args:
        result: path or :class:`Result`; a robot or its path: the parameters of the robot file.
        recordings: one or several paths, :class:`Recording` objects or DataFrames.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval validate``, for example ``max_error="5%"``.

    Options:
{options}"""
    keep: List[Any] = []
    source = robot_source(result, options) if isinstance(result, Robot) else result_file(result, keep)
    names = result._joint_names() if isinstance(result, Result) else \
        result.joint_names if isinstance(result, Robot) else None
    found, map = recording_sources(recordings, names, keep)
    if map is not None:
        options.setdefault("map", map)
    json, ok = run("validate", [source, *found], options, progress)
    v = json["validation"]
    return Validation(_number(v["relative_error"]), _number(v["comparable_error"]),
                      {r["joint"]: _number(r["relative_error"]) for r in v["per_joint"]}, ok, json)


# ---- compare ----


class Comparison(NamedTuple):
    """Comparison of results.

    Attributes:
        disagreeing: number of parameters that disagree beyond their uncertainty.
        outlier: number of the result that differs from all others, or ``None``.
        best: number of the result that predicts the recordings of the others best, or ``None``.
        json: everything.
    """

    disagreeing: int
    outlier: Optional[int]
    best: Optional[int]
    json: Dict[str, Any]

    @property
    def frame(self) -> Any:
        """pandas DataFrame: a row per parameter, with mean, scatter and the probability of agreement."""
        pandas = need("pandas", "frame")
        rows = self.json["parameters"]
        keys = ("unit", "mean", "mean_sigma", "scatter", "agreement_p")
        return pandas.DataFrame({k: [r[k] for r in rows] for k in keys},
                                index=pandas.Index([r["name"] for r in rows], name="name"))

    def _repr_html_(self) -> str:
        rows = [(p["name"], *p["values"], p["unit"]) for p in self.json["parameters"]]
        count = len(self.json["runs"])
        return table(("name", *(f"result {i}" for i in range(count)), "unit"), rows)


@document
def compare(*results: Union[PathLike, Result], progress: Progress = None, **options: Option) -> Comparison:
    """Compare at least two results of one robot.

    Args:
        results: paths or :class:`Result` objects.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval compare``.

    Options:
{options}"""
    if len(results) < 2:
        raise errors.ArgumentError("compare needs at least two results")
    keep: List[Any] = []
    files = [result_file(r, keep) for r in results]
    json, _ = run("compare", files, options, progress)

    def number(path: Optional[str]) -> Optional[int]:
        return None if path is None else files.index(path)

    return Comparison(json["disagreeing"], number(json["outlier"]), number(json["best"]), json)


# ---- payload ----


class Value(NamedTuple):
    """An estimate, its standard deviation, and why there is none."""

    value: float
    sigma: float
    reason: Optional[str] = None

    def __repr__(self) -> str:
        return f"{self.value:.5g} +- {self.sigma:.3g}" if self.reason is None else f"<{self.reason}>"


class Payload(NamedTuple):
    """A payload in the frame of the last link.

    Attributes:
        mass: [kg].
        centre: centre of mass, three values [m].
        inertia: about the centre, xx xy xz yy yz zz [kg m^2].
        error: relative error of the torque.
        json: everything.
    """

    mass: Value
    centre: Tuple[Value, Value, Value]
    inertia: Dict[str, Value]
    error: float
    json: Dict[str, Any]

    def _rows(self) -> List[Tuple[str, Value, str]]:
        rows = [("mass", self.mass, "kg")]
        rows += [(f"centre {axis}", v, "m") for axis, v in zip("xyz", self.centre)]
        return rows + [(f"inertia {axes}", v, "kg m^2") for axes, v in self.inertia.items()]

    def __repr__(self) -> str:
        return "\n".join(f"{name:<10} {value!r} {unit}" for name, value, unit in self._rows())

    def _repr_html_(self) -> str:
        return table(("", "value", "unit"), self._rows())


@document
def payload(robot: Union[PathLike, Robot, Result], empty: RecordingLike, loaded: Optional[RecordingLike] = None,
            *, progress: Progress = None, **options: Option) -> Union[Payload, Dict[str, float]]:
    """Identify a payload from a recording without it and one with it, or against an identified robot.

    Args:
        robot: path, name or :class:`Robot`; or a :class:`Result`, which replaces the recording without the payload.
        empty, loaded: paths, :class:`Recording` objects or DataFrames. With a result, a wrist sensor (``wrist=LINK``)
            or poses of a robot with known parameters (``static=True``): one recording, that with the payload.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval payload``. With ``known_mass=KG`` the gains of the drives are
            identified instead: a mapping from joints to gains is returned.

    Options:
{options}"""
    keep: List[Any] = []
    given = [empty] if loaded is None else [empty, loaded]
    if isinstance(robot, Result):
        found, map = recording_sources(given, robot._joint_names(), keep)
        source: Union[str, Robot] = result_file(robot, keep)
        groups = [[f] for f in found]
        everything = dict(options) if map is None else {"map": map, **options}
    else:
        source, groups, everything = _inputs(robot, dict(options), keep, *given)
    if any(len(g) != 1 for g in groups):
        raise errors.ArgumentError("payload takes one recording without and one with the payload")
    everything.pop("payload", None)
    json, _ = run("payload", [source, *(g[0] for g in groups)], everything, progress)
    if "drives" in json:
        return {d["joint"]: float(d["gain"]) for d in json["drives"]}

    def value(key: str) -> Value:
        entry = json[key]
        sigma = entry["sigma"]
        return Value(_number(entry["value"]), float("inf") if sigma is None else float(sigma), entry.get("reason"))

    return Payload(value("mass_kg"), (value("centre_x_m"), value("centre_y_m"), value("centre_z_m")),
                   {a: value(f"inertia_{a}_kg_m2") for a in ("xx", "xy", "xz", "yy", "yz", "zz")},
                   _number(json["relative_error"]), json)


# ---- Monte Carlo ----


class Study:
    """Bias, spread and coverage of methods, from simulated recordings with known parameters."""

    def __init__(self, json: Dict[str, Any]) -> None:
        self.json = json

    @property
    def methods(self) -> List[str]:
        """Methods of the study."""
        return [m["method"] for m in self.json["methods"]]

    @property
    def frame(self) -> Any:
        """pandas DataFrame: a row per method and parameter."""
        pandas = need("pandas", "frame")
        rows = [{"method": m["method"], **p} for m in self.json["methods"] for p in m["parameters"]]
        return pandas.DataFrame(rows).set_index(["method", "name"])

    def _repr_html_(self) -> str:
        keys = ("bias_median", "bias_worst", "spread_median", "sigma_median", "coverage", "fit_error")
        rows = [(m["method"], *(_number(m[k]) for k in keys)) for m in self.json["methods"]]
        return f"<p>{self.json['done']} of {self.json['runs']} runs</p>" + table(("method", *keys), rows)

    def __repr__(self) -> str:
        return f"<Study: {self.json['done']} of {self.json['runs']} runs, methods {', '.join(self.methods)}>"


#: variables of job arrays: number of this task, lowest and highest number of the array
_ARRAYS = (("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"),
           ("SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST"))


#: number of a task, and that of the first task
_NUMBERED = (("SLURM_ARRAY_TASK_ID", 1), ("SGE_TASK_ID", 1), ("JOB_COMPLETION_INDEX", 0))


def _numbered_shard(count: str) -> str:
    """The part "I/N" of one of N tasks, by its number alone."""
    for name, first in _NUMBERED:
        if name in os.environ:
            return f"{int(os.environ[name]) - first + 1}/{count}"
    raise errors.OptionError("shard='array/N' needs " + " or ".join(name for name, _ in _NUMBERED))


def _array_shard() -> str:
    """The part "I/N" of this task of a job array."""
    for names in _ARRAYS:
        if names[0] not in os.environ:
            continue
        try:
            task, lowest, highest = (int(os.environ[n]) for n in names)
        except (KeyError, ValueError):
            task, lowest, highest = 1, 0, 0
        if not lowest <= task <= highest:
            raise errors.OptionError(f"shard='array': {names[0]} is set, but not {names[1]} and {names[2]} around it")
        return f"{task - lowest + 1}/{highest - lowest + 1}"
    raise errors.OptionError("shard='array' needs the variables of a job array: " +
                             " or ".join(names[0] for names in _ARRAYS))


def merge(*parts: PathLike) -> Study:
    """Join the files that ``montecarlo(..., shard="I/N", output=FILE)`` wrote: the study as if it was run at once."""
    if not parts:
        raise errors.ArgumentError("merge needs the files of the shards")
    json, _ = run("merge", [os.fspath(p) for p in parts], {})
    return Study(json)


@document
def montecarlo(robot: Union[PathLike, Robot], *, progress: Progress = None, output: Optional[PathLike] = None,
               **options: Option) -> Optional[Study]:
    """Apply methods to many simulated recordings with known parameters.

    Args:
        robot: path, name or :class:`Robot`.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        output: also write the table (``.csv`` or ``.json``).
        options: see below; those of ``roberval montecarlo``: ``runs=100, methods="wls,iv", threads=8, ...``.

    With ``shard="I/N"`` (or ``"array"``, ``"array/N"`` in a job array) only a part is run: it goes to the file ``output``, and
    ``None`` is returned. :func:`merge` joins the parts.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    everything = {**robot_options, **options, "output": output}
    shard = str(everything.get("shard") or "")
    if shard == "array":
        everything["shard"] = _array_shard()
    elif shard.startswith("array/"):
        everything["shard"] = _numbered_shard(shard[6:])
    json, _ = run("montecarlo", [path], everything, progress)
    return Study(json) if json else None
