"""Robots and their dynamics."""
from __future__ import annotations

import ctypes
import hashlib
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import errors
from ._arrays import Array, address, double, new_array, numpy_for, output, place, samples, view
from ._library import Handle, Option, Owned, PathLike, check, create, encode, lib, listed, option_texts, text, words

byref = ctypes.byref

__all__ = ["Robot", "Joint", "Base", "builtin_robots"]


class Joint(NamedTuple):
    """A joint and its limits [rad or m, rad/s or m/s, N m or N]; infinite: not known."""

    name: str
    prismatic: bool
    lower: float
    upper: float
    velocity: float
    effort: float


class Base(NamedTuple):
    """Base parameters: the combinations of parameters that torques determine.

    Attributes:
        names: ``"ZZ1R"`` is named after the column ``ZZ1``, into which others are regrouped.
        columns: number of that column in the regressor, one per base parameter.
        matrix: shape (base parameters, columns): base values = ``matrix @ parameters``.
    """

    names: Tuple[str, ...]
    columns: Tuple[int, ...]
    matrix: Array


def builtin_robots() -> List[str]:
    """Names of the robots that are part of the library.

    >>> "tx40" in builtin_robots()
    True
    """
    return listed(lib.rbv_model_builtin)


class Robot(Owned):
    """A robot: joints, geometry, drives, and the columns of its torque equation ``tau = W chi``.

    Args:
        source: path of a robot file (URDF, YAML and the other formats of the tool), the name of a
            built-in robot, or a robot.
        options: how the file is read; see below.

    A robot never changes, so that threads may share it. It can be pickled, with its file.

    >>> robot = Robot("tx40")
    >>> robot.name, len(robot.joints)
    ('tx40', 6)
    >>> import numpy as np
    >>> q = np.zeros((1000, 6))
    >>> robot.inverse_dynamics(q, q, q).shape
    (1000, 6)

    Options:
{options}    """

    _what = "robot"
    _result: Optional[str] = None  # file of the result that it comes from

    def __init__(self, source: Union[PathLike, "Robot"], **options: Option) -> None:
        if isinstance(source, Robot):
            if not options:
                self._share(source)
                return
            options = {**source.options, **options}
            source = source.source
        self.source: str = os.fspath(source) if isinstance(source, (str, os.PathLike)) else source
        self.options: Dict[str, Option] = dict(options)
        pairs = [t for pair in option_texts(options) for t in pair]
        array = (ctypes.c_char_p * (len(pairs) + 1))(*[encode(p, "an option") for p in pairs], None)
        path = encode(source, "the path or the name of a robot")
        self._read(create(lib.rbv_model_free, lib.rbv_model_open_with, path, ctypes.addressof(array)))

    def _read(self, handle: Handle) -> None:
        self._handle = handle
        self.njoint: int = lib.rbv_model_joint_count(handle)
        self.nrow: int = lib.rbv_model_row_count(handle)
        self.ncolumn: int = lib.rbv_model_column_count(handle)
        self._values: Optional[Array] = None
        self._base: Optional[Base] = None

    def _share(self, other: "Robot") -> None:
        handle = other._get()
        self.source, self.options, self._result = other.source, dict(other.options), other._result
        self._read(handle)
        self._values = other._values

    @classmethod
    def _of_result(cls, path: str, source: str = "", options: Optional[Dict[str, Option]] = None) -> "Robot":
        """The robot of a result file, with the identified parameters; source and options load it without them."""
        model, chi = ctypes.c_void_p(), ctypes.c_void_p()
        check(lib.rbv_result_open_robot(ctypes.addressof(model), ctypes.addressof(chi), encode(path)))
        assert model.value and chi.value
        robot = cls.__new__(cls)
        robot.source, robot.options, robot._result = source, dict(options or {}), path
        robot._read(Handle(model.value, lib.rbv_model_free))
        owner = Handle(chi.value, lib.rbv_values_free)
        try:
            robot._values = view(chi.value, (robot.ncolumn,), owner)
        except errors.NotFoundError:
            robot._values = None
        return robot

    # ---- what it is ----

    @property
    def name(self) -> str:
        """Name of the robot."""
        return words(lib.rbv_model_name(self._get()))

    @property
    def joints(self) -> List[Joint]:
        """Joints with a drive of their own, in depth-first order from the base."""
        m = self._get()
        return [
            Joint(words(lib.rbv_model_joint_name(m, j)), lib.rbv_model_joint_is_prismatic(m, j),
                  lib.rbv_model_joint_lower(m, j), lib.rbv_model_joint_upper(m, j),
                  lib.rbv_model_joint_velocity(m, j), lib.rbv_model_joint_effort(m, j)) for j in range(self.njoint)
        ]

    @property
    def joint_names(self) -> List[str]:
        """Names of the joints."""
        return [words(lib.rbv_model_joint_name(self._get(), j)) for j in range(self.njoint)]

    @property
    def bodies(self) -> List[str]:
        """Names of all moving joints in depth-first order, joints that mimic others included.

        Each moves one body. The parameters of body ``i`` end with the number ``i + 1``.
        """
        m = self._get()
        return [words(lib.rbv_model_body_joint(m, i)) for i in range(lib.rbv_model_body_count(m))]

    @property
    def base_moves(self) -> bool:
        """The first six coordinates are the pose of the base (option ``free_base``)."""
        return bool(lib.rbv_model_base_moves(self._get()))

    @property
    def links(self) -> List[Optional[str]]:
        """For each body the name of its link; None: the file names none."""
        m = self._get()
        names = (lib.rbv_model_body_link(m, i) for i in range(lib.rbv_model_body_count(m)))
        return [words(name) if name else None for name in names]

    @property
    def parents(self) -> List[int]:
        """For each body the body that carries it; -1: the base."""
        m = self._get()
        return [lib.rbv_model_parent(m, i) for i in range(lib.rbv_model_body_count(m))]

    @property
    def tips(self) -> List[int]:
        """Bodies that carry no other body."""
        m = self._get()
        return [lib.rbv_model_tip_body(m, i) for i in range(lib.rbv_model_tip_count(m))]

    @property
    def passive(self) -> List[int]:
        """Bodies whose joints are not driven: their positions follow from closed loops."""
        m = self._get()
        return [i for i in range(lib.rbv_model_body_count(m)) if lib.rbv_model_is_passive(m, i)]

    @property
    def joint_bodies(self) -> List[int]:
        """For each joint of :attr:`joints` its place in :attr:`bodies`."""
        return [lib.rbv_model_joint_body(self._get(), j) for j in range(self.njoint)]

    @property
    def free_base(self) -> bool:
        """True if the base is not fixed to the ground in the robot file; it is held at rest."""
        return bool(lib.rbv_model_has_free_base(self._get()))

    @property
    def coordinate_map(self) -> Tuple[Array, Array]:
        """``K`` and ``k0`` of ``q_bodies = K @ q + k0``, shapes (bodies, joints) and (bodies,).

        The identity and zero unless joints mimic others.
        """
        np = numpy_for("the coordinate map")
        m, n = self._get(), lib.rbv_model_body_count(self._get())
        K, k0, offset = np.zeros((n, self.njoint)), np.zeros(n), ctypes.c_double()
        for i in range(n):
            for j in range(self.njoint):
                K[i, j] = lib.rbv_model_map(ctypes.addressof(offset), m, i, j)
            k0[i] = offset.value
        return K, k0

    @property
    def has_payload(self) -> bool:
        """True if the robot was loaded with ``payload=True``."""
        return bool(lib.rbv_model_has_payload(self._get()))

    @property
    def columns(self) -> List[str]:
        """Names of all parameters, in the order of the regressor's columns: ``"ZZ1"``, ``"Fv1"``, ..."""
        m = self._get()
        return [words(lib.rbv_model_column_name(m, c)) for c in range(self.ncolumn)]

    @property
    def units(self) -> List[str]:
        """Units of all parameters."""
        m = self._get()
        return [words(lib.rbv_model_column_unit(m, c)) for c in range(self.ncolumn)]

    def find(self, name: str) -> int:
        """Column of a parameter; ``"ZZ1R"`` (a base parameter) is that of ``ZZ1``. -1: there is none."""
        return int(lib.rbv_model_find(self._get(), encode(name, "a name")))

    @property
    def parameters(self) -> Optional[Array]:
        """Values of all columns, shape (columns,), read-only; ``None``: the robot file gives none."""
        if self._values is None:
            m = self._get()
            where = lib.rbv_model_parameters(m)
            self._values = view(where, (self.ncolumn,), m) if where else None
        return self._values

    @property
    def values(self) -> Dict[str, float]:
        """Values of all parameters by name; empty: the robot file gives none. Needs no NumPy."""
        m = self._get()
        where = lib.rbv_model_parameters(m)
        if self._values is not None:
            return {n: float(v) for n, v in zip(self.columns, self._values)}
        if not where:
            return {}
        return dict(zip(self.columns, (ctypes.c_double * self.ncolumn).from_address(where)))

    @property
    def base(self) -> Base:
        """Base parameters of the structure: valid for every motion."""
        if self._base is None:
            np = numpy_for("base parameters")
            b = create(lib.rbv_base_free, lib.rbv_model_base, self._get())
            n = lib.rbv_base_count(b)
            matrix = np.array([[lib.rbv_base_relation(b, i, c) for c in range(self.ncolumn)] for i in range(n)])
            self._base = Base(tuple(words(lib.rbv_base_name(b, i)) for i in range(n)),
                              tuple(lib.rbv_base_column(b, i) for i in range(n)), matrix)
        return self._base

    # ---- dynamics ----

    def _chi(self, parameters: Any) -> Any:
        """Values of all columns, or None for those of the robot file."""
        if parameters is None:
            if self._values is None and not lib.rbv_model_parameters(self._get()):
                raise errors.ArgumentError("the robot file gives no parameter values: give them as parameters=")
            return self._values
        if isinstance(parameters, dict) or hasattr(parameters, "items"):
            np = numpy_for("parameters")
            chi = np.zeros(self.ncolumn)
            for name, value in parameters.items():
                column = self.find(name)
                if column < 0:
                    raise errors.ArgumentError(f"the robot has no parameter '{name}'")
                chi[column] = getattr(value, "value", value)
            return chi
        return samples(parameters, self.ncolumn, "parameters")

    def _direct(self, function: Any, chi: Tuple[Any, ...], q: Any, dq: Any, x: Any, tail: Tuple[int, ...],
                out: Any) -> Any:
        """The call for arrays that fit as they are; ``None``: they need the checks of _compute.

        This path exists for speed: a buffer of ctypes needs a writable, contiguous array, so that only type and shape
        are left to check. The buffers keep the arrays in place during the call.
        """
        try:
            lead = q.shape
            kind = q.dtype
            if not (kind is dq.dtype is x.dtype is double() and dq.shape == lead == x.shape
                    and lead[-1] == self.njoint):
                return None
            if out is None:
                out = new_array(lead[:-1] + tail)
            elif out.dtype is not kind or out.shape != lead[:-1] + tail:
                return None
            buffers = place(out), place(q), place(dq), place(x)
        except (AttributeError, TypeError, ValueError, IndexError):
            return None
        to, a, b, c = buffers
        status = function(byref(to), self._get(), *chi, q.size // self.njoint, byref(a), byref(b), byref(c))
        if status:
            check(status)
        return out

    def _compute(self, function: Any, shape: Tuple[int, ...], arrays: Sequence[Tuple[str, Any]], parameters: Any,
                 has_parameters: bool, out: Optional[Array]) -> Array:
        numpy_for("dynamics")
        handle, n = self._get(), self.njoint
        given = [samples(array, n, name) for name, array in arrays]
        lead = given[0].shape
        for (name, _), array in zip(arrays, given):
            if array.shape != lead:
                raise errors.DimensionError(f"{name} has the shape {array.shape}, {arrays[0][0]} has {lead}")
        result = output(out, lead[:-1] + shape)
        count = given[0].size // n
        places = [address(a) for a in given]
        if has_parameters:
            chi = self._chi(parameters)
            if chi is not None and chi.shape != (self.ncolumn,):
                raise errors.DimensionError(f"parameters has the shape {chi.shape}, not ({self.ncolumn},)")
            status = function(address(result), handle, None if chi is None else address(chi), count, *places)
        else:
            status = function(address(result), handle, count, *places)
        check(status)
        return result  # type: ignore[no-any-return]

    def inverse_dynamics(self, q: Array, dq: Array, ddq: Array, parameters: Any = None,
                         out: Optional[Array] = None) -> Array:
        """Torques of the drives for a motion.

        Args:
            q, dq, ddq: positions, velocities, accelerations, shape (..., joints) [rad or m, per s, per s^2].
            parameters: values of all columns, or a mapping from names to values; default: those of the
                robot file, or of the result that the robot comes from.
            out: array to write into, of the shape of ``q``.

        Returns:
            Torques, shape (..., joints) [N m or N].

        C-contiguous arrays of float64 are used where they lie, without a copy. Other threads run
        during the computation. NaN in a sample gives NaN in its torques.
        """
        if parameters is None and self._values is None:
            done = self._direct(lib.rbv_model_torques_by_sample, (None,), q, dq, ddq, (self.njoint,), out)
            if done is not None:
                return done  # type: ignore[no-any-return]
        return self._compute(lib.rbv_model_torques_by_sample, (self.njoint,), (("q", q), ("dq", dq), ("ddq", ddq)),
                             parameters, True, out)

    def forward_dynamics(self, q: Array, dq: Array, tau: Array, parameters: Any = None,
                         out: Optional[Array] = None) -> Array:
        """Accelerations that the torques ``tau`` cause, shape (..., joints); see :meth:`inverse_dynamics`.

        A mass matrix that is not positive definite raises :class:`InputError`.
        """
        if parameters is None and self._values is None:
            done = self._direct(lib.rbv_model_accelerations_by_sample, (None,), q, dq, tau, (self.njoint,), out)
            if done is not None:
                return done  # type: ignore[no-any-return]
        return self._compute(lib.rbv_model_accelerations_by_sample, (self.njoint,),
                             (("q", q), ("dq", dq), ("tau", tau)), parameters, True, out)

    def mass_matrix(self, q: Array, parameters: Any = None, out: Optional[Array] = None) -> Array:
        """Mass matrices with rotors, shape (..., joints, joints) [kg m^2, kg m or kg]."""
        return self._compute(lib.rbv_model_mass_matrices, (self.njoint, self.njoint), (("q", q),), parameters, True,
                             out)

    def gravity(self, q: Array, parameters: Any = None, out: Optional[Array] = None) -> Array:
        """Torques that hold the bodies at rest, shape (..., joints) [N m or N]: without friction, offsets and springs."""
        return self._compute(lib.rbv_model_gravity_torques, (self.njoint,), (("q", q),), parameters, True, out)

    def pose(self, q: Array, body: Union[None, int, str] = None) -> Array:
        """Frames of a body in the base, shape (..., 4, 4): rotation and position [m] as homogeneous matrices.

        Args:
            q: positions, shape (..., joints).
            body: number or name from :attr:`bodies`; default: the last one. The frame is that of its joint, and moves with it.
        """
        return self._kinematics("a pose", (4, 4), q, lambda to, n, at: int(lib.rbv_model_poses(
            to, self._get(), self._body(body), n, at)))

    def jacobian(self, q: Array, body: Union[None, int, str] = None, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
        """Jacobians of a point that is fixed in the frame of a body, shape (..., 6, joints).

        Rows: velocity of the point, then angular velocity, in base axes, per joint velocity. See :meth:`pose`.
        """
        place = (ctypes.c_double * 3)(*point)
        return self._kinematics("a Jacobian", (6, self.njoint), q, lambda to, n, at: int(lib.rbv_model_jacobians(
            to, self._get(), self._body(body), ctypes.addressof(place), n, at)))

    def _body(self, body: Union[None, int, str]) -> int:
        names = self.bodies
        if body is None:
            return len(names) - 1
        if isinstance(body, str):
            if body not in names:
                raise errors.ArgumentError(f"the robot has no body '{body}'; its bodies are {', '.join(names)}")
            return names.index(body)
        return int(body)

    def _kinematics(self, what: str, shape: Tuple[int, ...], q: Any, call: Callable[[int, int, int], int]) -> Array:
        np = numpy_for(what)
        positions = samples(q, self.njoint, "q")
        out = np.empty(positions.shape[:-1] + shape)
        check(call(address(out), positions.size // self.njoint, address(positions)))
        return out  # type: ignore[no-any-return]

    def regressor(self, q: Array, dq: Array, ddq: Array, out: Optional[Array] = None) -> Array:
        """Regressors W of ``tau = W @ parameters``, shape (..., torque rows, columns).

        ``W.reshape(-1, robot.ncolumn)`` is the stacked matrix of all samples, without a copy.
        """
        done = self._direct(lib.rbv_model_regressors, (), q, dq, ddq, (self.nrow, self.ncolumn), out)
        if done is not None:
            return done  # type: ignore[no-any-return]
        return self._compute(lib.rbv_model_regressors, (self.nrow, self.ncolumn), (("q", q), ("dq", dq), ("ddq", ddq)),
                             None, False, out)

    # ---- Python ----

    def __roberval_file__(self) -> str:
        return self.source

    def __enter__(self) -> "Robot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<Robot: closed>"
        return f"<Robot {self.name}: {self.njoint} joints, {self.ncolumn} parameters>"

    def _repr_html_(self) -> str:
        from ._display import table

        rows = [(j.name, "prismatic" if j.prismatic else "revolute", j.lower, j.upper, j.velocity, j.effort)
                for j in self.joints]
        return f"<p><b>{self.name}</b>: {self.ncolumn} parameters</p>" + table(
            ("joint", "type", "lower", "upper", "velocity", "effort"), rows)

    def __reduce__(self) -> Tuple[Any, ...]:
        self._get()
        path = pathlib.Path(self._result or self.source)
        content = path.read_bytes() if path.is_file() else None
        return _unpickle, (str(path), content, self.options, self.source if self._result else None)


def _unpickle(file: str, content: Optional[bytes], options: Dict[str, Option], of_result: Optional[str]) -> Robot:
    """The robot of a pickle: from its file if that has the same content, else from the pickled one.

    of_result: the file is a result, and this is the path of its robot.
    """
    path = pathlib.Path(file)
    if content is not None and not (path.is_file() and path.read_bytes() == content):
        folder = pathlib.Path(tempfile.gettempdir()) / ("roberval-" + hashlib.sha256(content).hexdigest()[:16])
        folder.mkdir(exist_ok=True)
        path = folder / path.name
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
        file = str(path)
    if of_result is not None:
        return Robot._of_result(file, of_result, options)
    return Robot(file, **options)


def robot_path(robot: Union[PathLike, Robot]) -> "tuple[str, Dict[str, Option]]":
    """Path or name of a robot, and the options that it was loaded with."""
    if isinstance(robot, Robot):
        robot._get()
        return robot.source, robot.options
    if not isinstance(robot, (str, os.PathLike)):
        raise errors.ArgumentError(f"a robot, its path or its name is needed, not {type(robot).__name__}")
    return os.fspath(robot), {}


def robot_source(robot: Union[PathLike, Robot], options: Mapping[str, Option]) -> Union[str, Robot]:
    """The robot itself where it can be an input, else its path: the options may ask for another reading of its file."""
    path, own = robot_path(robot)
    again = {"tip", "root", "no_snap", "no-snap"} & set(options)
    return path if not isinstance(robot, Robot) or robot._result is not None or again or own.get("payload") else robot


if Robot.__doc__:
    from ._library import options_page

    Robot.__doc__ = Robot.__doc__.replace(
        "{options}", options_page(listed(lib.rbv_model_option_name), listed(lib.rbv_model_option_text)))
