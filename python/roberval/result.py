"""Results of identifications."""
from __future__ import annotations

import ctypes
import json
import math
import os
import pathlib
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import errors
from ._arrays import Array, numpy_for, view
from ._display import badge, table
from ._files import private_folder
from ._library import Handle, Option, Owned, PathLike, check, create, encode, lib, listed, need, watching, words
from ._task import document, run
from .recording import Recording, RecordingLike, recording_files
from .robot import Robot

if TYPE_CHECKING:
    from .plot import Plot

__all__ = ["Result", "Parameters", "Parameter", "Verdict", "Reason", "Replay", "Svg", "export_formats"]


class Parameter(NamedTuple):
    """A parameter and what is known about it.

    Attributes:
        name: ``"ZZ1R"``.
        value: estimate.
        sigma: standard deviation; infinite: unknown.
        unit: ``"kg m^2"``.
        status: ``"identified"``, ``"combined"``, ``"prior"``, ...
        meaning: combination of standard parameters behind it.
        sigma_white: standard deviation if all residuals were independent; NaN: not known.
        known: standard parameters only: share that the data know, 0 to 1.
    """

    name: str
    value: float
    sigma: float
    unit: str = ""
    status: str = ""
    meaning: str = ""
    sigma_white: float = float("nan")
    known: float = float("nan")


class Parameters(Sequence[Parameter]):
    """A list of parameters, which can also be asked by name.

    ``p["ZZ1R"].value``, ``p[0]``, ``len(p)``, ``for x in p``; ``p.array`` is a structured NumPy
    array, ``p.frame`` a pandas DataFrame, ``dict(p.items())`` a mapping from names to values.
    """

    def __init__(self, items: Sequence[Parameter]) -> None:
        self._items = tuple(items)
        self._index = {p.name: i for i, p in enumerate(self._items)}

    @overload
    def __getitem__(self, key: int) -> Parameter: ...
    @overload
    def __getitem__(self, key: str) -> Parameter: ...
    @overload
    def __getitem__(self, key: slice) -> "Parameters": ...

    def __getitem__(self, key: Union[int, str, slice]) -> Union[Parameter, "Parameters"]:
        if isinstance(key, str):
            if key not in self._index:
                raise KeyError(f"there is no parameter '{key}'")
            return self._items[self._index[key]]
        if isinstance(key, slice):
            return Parameters(self._items[key])
        return self._items[key]

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._index or key in self._items

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self._items == other._items

    def keys(self) -> List[str]:
        """Names."""
        return list(self._index)

    def items(self) -> List[Tuple[str, float]]:
        """Pairs of name and value."""
        return [(p.name, p.value) for p in self._items]

    @property
    def names(self) -> List[str]:
        """Names."""
        return list(self._index)

    @property
    def values(self) -> Array:
        """Estimates, shape (parameters,)."""
        return numpy_for("values").array([p.value for p in self._items])  # type: ignore[no-any-return]

    @property
    def sigmas(self) -> Array:
        """Standard deviations, shape (parameters,)."""
        return numpy_for("sigmas").array([p.sigma for p in self._items])  # type: ignore[no-any-return]

    @property
    def array(self) -> Any:
        """Structured array with the fields name, value, sigma, unit, status, meaning."""
        np = numpy_for("a structured array")
        fields = [("name", "U16"), ("value", "f8"), ("sigma", "f8"), ("unit", "U16"), ("status", "U16"),
                  ("meaning", object)]
        return np.array([p[:6] for p in self._items], dtype=fields)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.array if dtype is None else self.array.astype(dtype)

    @property
    def frame(self) -> Any:
        """pandas DataFrame with the names as its index."""
        pandas = need("pandas", "frame")
        columns = ("value", "sigma", "unit", "status", "meaning")
        return pandas.DataFrame({c: [getattr(p, c) for p in self._items] for c in columns},
                                index=pandas.Index(self.names, name="name"))

    def __repr__(self) -> str:
        lines = [f"{p.name:<8} {p.value:12.5g} +- {p.sigma:<10.3g} {p.unit}" for p in self._items]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return table(("name", "value", "sigma", "unit", "status", "meaning"), [p[:6] for p in self._items])


class Reason(NamedTuple):
    """A reason of a verdict: what it alone would give, the rule, and sentences."""

    answer: str
    rule: str
    text: str


class Verdict(NamedTuple):
    """``"usable"``, ``"with care"`` or ``"do not use"``, and the reasons."""

    answer: str
    reasons: List[Reason]

    def __repr__(self) -> str:
        return "\n".join([self.answer, *(f"  {r.rule}: {r.text}" for r in self.reasons)])

    def _repr_html_(self) -> str:
        return f"<p>{badge(self.answer)}</p>" + table(("verdict", "rule", "reason"), self.reasons)


class Svg(str):
    """A picture as SVG text, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: PathLike) -> None:
        """Write the picture to a file."""
        pathlib.Path(path).write_text(self, encoding="utf-8")


class Replay(NamedTuple):
    """A recording as an identification sees it, and the torques that the result predicts.

    Arrays have the shape (samples, joints) or (samples, torque rows) [rad, N m or m, N].
    """

    t: Array
    q: Array
    dq: Array
    ddq: Array
    measured: Array
    predicted: Array
    valid: Array

    @property
    def residual(self) -> Array:
        """Measured minus predicted torque, shape (samples, torque rows)."""
        return self.measured - self.predicted

    @property
    def error(self) -> float:
        """Relative error of the torque over the valid samples."""
        np = numpy_for("an error")
        y, r = self.measured[self.valid], self.residual[self.valid]
        return float(np.sqrt((r**2).sum() / (y**2).sum()))


class Friction:
    """Friction torque of one joint as a function of its velocity: ``f(dq)`` [N m or N]."""

    def __init__(self, robot: Robot, joint: int, values: Mapping[str, float]) -> None:
        self.robot, self.joint = robot, joint
        self.parameters = dict(values)

    def __call__(self, dq: Any) -> Array:
        np = numpy_for("friction")
        v = np.asarray(dq, dtype=np.float64)
        state = np.zeros((v.size, self.robot.njoint))
        speed = state.copy()
        speed[:, self.joint] = v.ravel()
        W = self.robot.regressor(state, speed, state)[:, self.joint]
        columns = [self.robot.find(n) for n in self.parameters]
        return (W[:, columns] @ np.array(list(self.parameters.values()))).reshape(v.shape)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Friction of {self.robot.joint_names[self.joint]}: {self.parameters}>"


def export_formats() -> List[str]:
    """Names of the formats of :meth:`Result.export`.

    >>> export_formats()
    ['urdf', 'mjcf', 'yaml', 'c', 'bands', 'ranges', 'isaaclab', 'isaaclab-yaml', 'friction']
    """
    return listed(lib.rbv_export_format_at)


class Result(Owned):
    """What an identification found.

    Args:
        source: path of a result file (JSON), or a result.

    Results can be pickled. The text of a result is its JSON file, to the last digit.
    """

    _what = "result"
    _path: Optional[str] = None
    _job: Optional[Handle] = None
    _original: Any = None

    def __init__(self, source: Union[PathLike, "Result"]) -> None:
        self._inputs: List[Any] = []
        self._verdict: Optional[Verdict] = None
        self.notes: List[str] = []
        if isinstance(source, Result):
            self._handle = source._get()
            self._path, self._inputs, self._verdict = source._path, source._inputs, source._verdict
            self._job = source._job
            self._original = source
            return
        self._path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else source
        self._handle = create(lib.rbv_result_free, lib.rbv_result_load, encode(source, "the path of a result"))

    @classmethod
    def _of_text(cls, content: str) -> "Result":
        self = cls.__new__(cls)
        path = os.path.join(private_folder(self), "result.json")
        pathlib.Path(path).write_text(content, encoding="utf-8")
        self.__init__(path)  # type: ignore[misc]
        return self

    def _file(self) -> str:
        """Path of the result file; a result in memory is written first."""
        if self._path is None:
            path = os.path.join(private_folder(self), "result.json")
            self.save(path)
        assert self._path is not None
        return self._path

    def __roberval_file__(self) -> str:
        return self._file()

    # ---- how it was made ----

    @property
    def path(self) -> Optional[str]:
        """Path of its file; ``None``: it was not saved."""
        return self._path

    @property
    def text(self) -> str:
        """The result as JSON (schema roberval.result/1), as the tool writes it."""
        out, size = ctypes.c_void_p(), ctypes.c_size_t()
        check(lib.rbv_result_write(ctypes.addressof(out), ctypes.addressof(size), self._get()))
        assert out.value
        try:
            return ctypes.string_at(out.value, size.value).decode("utf-8")
        finally:
            lib.rbv_text_release(out.value)

    @property
    def json(self) -> Dict[str, Any]:
        """The result as dictionaries and lists: everything that the file contains."""
        return json.loads(self.text)  # type: ignore[no-any-return]

    def get(self, path: str) -> Union[float, str, None]:
        """A field of the file by its path, ``get("fit.per_joint.2.rms_residual_Nm")``: a number (a flag is 0 or 1) or a
        text; ``None``: there is none."""
        where = encode(path, "a path")
        text = lib.rbv_result_text(self._get(), where)
        if text is not None:
            return words(text)
        value = float(lib.rbv_result_value(self._get(), where))
        return None if math.isnan(value) else value

    @property
    def robot_name(self) -> str:
        """Name of the robot."""
        return words(lib.rbv_result_robot(self._get()))

    @property
    def method(self) -> str:
        """Method of the estimate, ``"wls"``."""
        return words(lib.rbv_result_method(self._get()))

    @property
    def converged(self) -> bool:
        """True if the method has converged."""
        return bool(lib.rbv_result_converged(self._get()))

    @property
    def iterations(self) -> int:
        """Number of iterations; 0: not known."""
        return int(lib.rbv_result_iterations(self._get()))

    @property
    def options(self) -> Dict[str, str]:
        """Options that took effect, as text."""
        r = self._get()
        names = listed(lambda i: lib.rbv_result_option_name(r, i))  # type: ignore[no-any-return]
        return {n: words(lib.rbv_result_option_value(r, i)) for i, n in enumerate(names)}

    @property
    def files(self) -> Dict[str, str]:
        """Files that went in and their SHA-256; a built-in robot has ``""``."""
        r = self._get()
        paths = listed(lambda i: lib.rbv_result_file_path(r, i))  # type: ignore[no-any-return]
        return {p: words(lib.rbv_result_file_sha256(r, i)) for i, p in enumerate(paths)}

    # ---- parameters ----

    @property
    def parameters(self) -> Parameters:
        """Base parameters."""
        r = self._get()
        return Parameters([
            Parameter(words(lib.rbv_result_parameter_name(r, i)), lib.rbv_result_parameter_value(r, i),
                      lib.rbv_result_parameter_sigma(r, i), words(lib.rbv_result_parameter_unit(r, i)),
                      words(lib.rbv_parameter_status_name(lib.rbv_result_parameter_status(r, i))),
                      words(lib.rbv_result_parameter_meaning(r, i)), lib.rbv_result_parameter_sigma_white(r, i))
            for i in range(lib.rbv_result_parameter_count(r))
        ])

    def __getitem__(self, name: str) -> Parameter:
        """Base parameter of this name."""
        i = lib.rbv_result_find(self._get(), encode(name, "a name"))
        if i < 0:
            raise KeyError(f"there is no parameter '{name}'")
        return self.parameters[int(i)]

    @property
    def standard(self) -> Optional[Parameters]:
        """Standard parameters of a consistent identification; ``None``: it was not consistent."""
        r = self._get()
        n = lib.rbv_result_standard_count(r)
        if n == 0:
            return None
        return Parameters([
            Parameter(words(lib.rbv_result_standard_name(r, i)), lib.rbv_result_standard_value(r, i),
                      lib.rbv_result_standard_sigma(r, i), words(lib.rbv_result_standard_unit(r, i)),
                      known=lib.rbv_result_standard_known(r, i)) for i in range(n)
        ])

    @property
    def blocks(self) -> Array:
        """Estimates if one block of the data is left out, shape (blocks, parameters)."""
        np = numpy_for("blocks")
        r = self._get()
        n = lib.rbv_result_parameter_count(r)
        return np.array([[lib.rbv_result_block_value(r, b, i) for i in range(n)]  # type: ignore[no-any-return]
                         for b in range(lib.rbv_result_block_count(r))]).reshape(-1, n)

    @property
    def covariance(self) -> Array:
        """Covariance of the base parameters from the blocks (jackknife), shape (parameters, parameters)."""
        np = numpy_for("a covariance")
        values = self.blocks
        count = len(values)
        if count < 2:
            raise errors.DataError("the result has no blocks of data: its covariance is not known")
        d = values - values.mean(axis=0)
        factor = lib.rbv_result_student_factor(self._get())
        return np.asarray(factor**2 * (count - 1) / count * d.T @ d)  # type: ignore[no-any-return]

    # ---- how good it is ----

    @property
    def error(self) -> float:
        """Relative error of the torque up to 5 Hz, in every row, on data that were not used for the
        estimate if there are such data: the error that all outputs name."""
        return float(lib.rbv_result_error(self._get()))

    @property
    def fit_error(self) -> float:
        """Relative error of the torque on the rows of the fit."""
        return float(lib.rbv_result_fit_error(self._get()))

    @property
    def validation_error(self) -> float:
        """The same on recordings or rows that were not used; NaN: there was no validation."""
        return float(lib.rbv_result_validation_error(self._get()))

    @property
    def joint_errors(self) -> Dict[str, float]:
        """Relative error of the fit, per joint."""
        r = self._get()
        return {words(lib.rbv_result_joint_name(r, j)): lib.rbv_result_joint_fit_error(r, j)
                for j in range(lib.rbv_result_joint_count(r))}

    @property
    def joint_validation_errors(self) -> Dict[str, float]:
        """Relative error of the validation, per joint; NaN: there was none."""
        r = self._get()
        return {words(lib.rbv_result_joint_name(r, j)): lib.rbv_result_joint_validation_error(r, j)
                for j in range(lib.rbv_result_joint_count(r))}

    @property
    def condition(self) -> float:
        """Condition number of the weighted system with columns of unit norm."""
        return float(lib.rbv_result_condition(self._get()))

    @property
    def sigma_inflation(self) -> float:
        """How much more uncertain a residual that is not white makes the parameters (median factor)."""
        return float(lib.rbv_result_sigma_inflation(self._get()))

    @property
    def verdict(self) -> Verdict:
        """Is the result usable, and why? The same as on the page of :meth:`report`."""
        if self._verdict is None:
            with watching():
                report = create(lib.rbv_report_free, lib.rbv_report_open, encode(self._file()))
            self._verdict = _verdict_of(report)
        return self._verdict

    @property
    def figures(self) -> Dict[str, Svg]:
        """Pictures of the report by name, for example ``"torque-fit-1.svg"``. They need no package."""
        with watching():
            report = create(lib.rbv_report_free, lib.rbv_report_open, encode(self._file()))
        return {words(lib.rbv_report_figure_name(report, i)): Svg(words(lib.rbv_report_figure_text(report, i)))
                for i in range(lib.rbv_report_figure_count(report))}

    # ---- what can be done with it ----

    def save(self, path: PathLike) -> str:
        """Write the result as JSON, completely or not at all. Returns the path."""
        encoded = encode(path)
        if self._job is not None:
            check(lib.rbv_identification_save(self._job, encoded))
        else:
            check(lib.rbv_result_save(self._get(), encoded))
        self._get()
        self._path = os.fspath(path)
        return self._path

    @property
    def robot(self) -> Robot:
        """The robot with the identified parameters, for predictions: ``result.robot.inverse_dynamics``."""
        known = set(listed(lib.rbv_model_option_name))
        options = {name.replace("-", "_"): text for name, text in self.options.items() if name in known}
        return Robot._of_result(self._file(), self.json["robot"]["file"], options)

    @overload
    def predict(self, q: Array, dq: Array, ddq: Array, *, out: Optional[Array] = None) -> Array: ...
    @overload
    def predict(self, q: RecordingLike, *, loaded: bool = False) -> Replay: ...

    def predict(self, q: Any, dq: Any = None, ddq: Any = None, *, loaded: bool = False,
                out: Optional[Array] = None) -> Union[Array, Replay]:
        """Predict torques.

        ``predict(q, dq, ddq)`` gives the torques of a motion, shape (..., joints) [N m or N].

        ``predict(recording)`` prepares a recording as those of the result were and gives a
        :class:`Replay` with the prepared motion, measured and predicted torques. ``loaded``: it was
        recorded with the payload.
        """
        if (dq is None) != (ddq is None):
            raise errors.ArgumentError("a motion needs q, dq and ddq")
        if dq is not None:
            return self.robot.inverse_dynamics(q, dq, ddq, out=out)
        np = numpy_for("a prediction")
        keep: List[Any] = []
        (path, *more), _ = recording_files(q, self._joint_names(), keep)
        if more:
            raise errors.ArgumentError("predict takes one recording")
        with watching():
            s = create(lib.rbv_replay_free, lib.rbv_replay_new, encode(self._file()), encode(path), loaded)
        n, joints, rows = lib.rbv_replay_samples(s), lib.rbv_replay_joint_count(s), lib.rbv_replay_row_count(s)

        def block(function: Any, columns: int) -> Any:
            return view(function(s, 0), (columns, n), s).T

        valid = np.ctypeslib.as_array((ctypes.c_bool * n).from_address(lib.rbv_replay_valid(s))).copy()
        return Replay(np.arange(n) / lib.rbv_replay_rate(s), block(lib.rbv_replay_q, joints),
                      block(lib.rbv_replay_dq, joints), block(lib.rbv_replay_ddq, joints),
                      block(lib.rbv_replay_measured, rows), block(lib.rbv_replay_predicted, rows), valid)

    def _joint_names(self) -> List[str]:
        r = self._get()
        return [words(lib.rbv_result_joint_name(r, j)) for j in range(lib.rbv_result_joint_count(r))]

    def friction(self, joint: Union[int, str]) -> Friction:
        """Friction of a joint (its name, or its number from 0) as a function of its velocity."""
        robot = self.robot
        names = robot.joint_names
        if isinstance(joint, str):
            if joint not in names:
                raise errors.ArgumentError(f"there is no joint '{joint}'; the joints are {', '.join(names)}")
            joint = names.index(joint)
        if not 0 <= joint < len(names):
            raise errors.ArgumentError(f"there is no joint {joint}; joints are 0 to {len(names) - 1}")
        inertial = {"XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M", "Ia"}
        np = numpy_for("friction")
        q = np.zeros(robot.njoint)
        dq = np.zeros(robot.njoint)
        dq[joint] = 1
        W = robot.regressor(q, dq, q)[joint]
        values = {}
        for p in self.parameters:
            column = robot.find(p.name)
            stem = robot.columns[column].rstrip("0123456789L")
            if W[column] != 0 and stem not in inertial:
                values[robot.columns[column]] = p.value
        return Friction(robot, joint, values)

    @document
    def export(self, format: str, path: PathLike, **options: Option) -> str:
        """Write the robot with its identified parameters in one of :func:`export_formats`.

        The text is read back, and its torques are compared, before anything is written. Returns the
        path. :class:`DataError`: the parameters cannot be written in this format.

        Args:
            format: ``"urdf"``, ``"mjcf"``, ``"c"``, ...
            path: of the file; for ``"c"`` it ends in ``.c``, and the header is written beside it.
            options: see below; those of ``roberval export``, for example ``derivatives=True``.

        Options:
{options}"""
        found, written = run("export", [self._file()], {**options, "format": format, "output": path})
        if not written:
            raise errors.DataError(found["reason"])
        return os.fspath(path)

    def report(self, path: PathLike) -> str:
        """Write the report, one HTML page with verdict, figures and parameters. Returns the path."""
        with watching():
            check(lib.rbv_report_save(encode(self._file()), encode(path)))
        return os.fspath(path)

    @property
    def plot(self) -> "Plot":
        """Pictures with matplotlib: ``result.plot.fit()``, ``residuals()``, ``friction()``, ..."""
        from .plot import Plot

        return Plot(self)

    # ---- Python ----

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory. The object cannot be used afterwards."""
        super().close()
        self._job = None

    def __repr__(self) -> str:
        if self.closed:
            return "<Result: closed>"
        return (f"<Result of {self.robot_name} by {self.method}: {len(self.parameters)} base parameters, "
                f"error {100 * self.fit_error:.2f} %>")

    def _repr_html_(self) -> str:
        facts = [("method", self.method), ("error of the fit", f"{100 * self.fit_error:.2f} %"),
                 ("error of the validation", f"{100 * self.validation_error:.2f} %"
                  if self.validation_error == self.validation_error else "no validation"),
                 ("condition", f"{self.condition:.0f}")]
        head = f"<p><b>{self.robot_name}</b> {badge(self._verdict.answer) if self._verdict else ''}</p>"
        reasons = ""
        if self._verdict:
            reasons = "<ul>" + "".join(f"<li>{r.text}</li>" for r in self._verdict.reasons) + "</ul>"
        return head + reasons + table(("", ""), facts) + self.parameters._repr_html_()

    def __reduce__(self) -> Tuple[Any, ...]:
        return Result._of_text, (self.text,)


def _verdict_of(report: Handle) -> Verdict:
    n = lib.rbv_report_reason_count(report)
    reasons = [Reason(words(lib.rbv_report_reason_answer(report, i)), words(lib.rbv_report_reason_rule(report, i)),
                      words(lib.rbv_report_reason_text(report, i))) for i in range(n)]
    return Verdict(words(lib.rbv_report_answer(report)), reasons)


def result_file(result: Union[PathLike, Result], keep: List[Any]) -> str:
    """Path of a result."""
    if isinstance(result, Result):
        keep.append(result)
        result._get()
        return result._file()
    if not isinstance(result, (str, os.PathLike)):
        raise errors.ArgumentError(f"a result or its path is needed, not {type(result).__name__}")
    return os.fspath(result)
