"""Excitation: motions that determine the parameters of a robot."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple, Union

from . import errors
from ._arrays import Array
from ._files import private_folder
from ._library import (Handle, Option, Owned, PathLike, Progress, check, create, encode, lib, listed, listening,
                       option_texts, options_page, watching, words)
from .recording import Recording
from .robot import Robot, robot_path

__all__ = ["Trajectory", "excite", "trajectory_formats"]


def trajectory_formats() -> List[str]:
    """Names of the formats of :meth:`Trajectory.save`.

    >>> "csv" in trajectory_formats()
    True
    """
    return listed(lib.rbv_excitation_format_name)


class Trajectory(Owned):
    """One motion, or several, that excite the parameters of a robot; made by :func:`excite`.

    It can be used as the motion of :func:`simulate`.
    """

    _what = "trajectory"

    def __init__(self, job: Handle, notes: List[str], robot: str) -> None:
        self._handle = job
        self.notes = notes
        self.robot = robot
        self._samples: Dict[int, Recording] = {}
        self._folder: Optional[str] = None

    def __len__(self) -> int:
        """Number of motions."""
        return int(lib.rbv_excitation_count(self._get()))

    @property
    def condition(self) -> float:
        """Condition number of the regressor with columns of unit norm."""
        return float(lib.rbv_excitation_condition(self._get()))

    @property
    def sigmas(self) -> Dict[str, float]:
        """Standard deviation to expect of each base parameter; infinite: the motion does not excite it."""
        e = self._get()
        return {words(lib.rbv_excitation_parameter_name(e, i)): lib.rbv_excitation_parameter_sigma(e, i)
                for i in range(lib.rbv_excitation_parameter_count(e))}

    def motion(self, i: int = 0) -> Recording:
        """Motion i as samples: ``.t``, ``.q``, ``.dq``, ``.ddq``."""
        if i not in self._samples:
            self._samples[i] = Recording(self._file(i))
        return self._samples[i]

    def _file(self, i: int = 0) -> str:
        if self._folder is None:
            self._folder = private_folder(self)
        path = os.path.join(self._folder, f"motion{i + 1}.csv" if i else "motion.csv")
        if not os.path.exists(path):
            self.save(path, motion=i)
        return path

    def __roberval_file__(self) -> str:
        return self._file()

    @property
    def t(self) -> Array:
        """Time of the first motion, shape (samples,) [s]."""
        return self.motion().t

    @property
    def q(self) -> Array:
        """Positions of the first motion, shape (samples, joints) [rad or m]."""
        return self.motion().q

    @property
    def dq(self) -> Array:
        """Velocities of the first motion, shape (samples, joints) [rad/s or m/s]."""
        return self.motion().dq

    @property
    def ddq(self) -> Array:
        """Accelerations of the first motion, shape (samples, joints) [rad/s^2 or m/s^2]."""
        return self.motion().ddq

    def save(self, path: PathLike, format: str = "csv", motion: int = 0) -> str:
        """Write a motion in a format of :func:`trajectory_formats`. Returns the path.

        Formats that a robot controller runs need all checks, or the option ``unchecked=True``.
        """
        check(lib.rbv_excitation_save(self._get(), motion, encode(format, "a format"), encode(path)))
        return os.fspath(path)

    def __enter__(self) -> "Trajectory":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<Trajectory: closed>"
        return f"<Trajectory of {self.robot}: {len(self)} motion(s), condition {self.condition:.0f}>"

    def _repr_html_(self) -> str:
        from ._display import table

        return f"<p>{len(self)} motion(s), condition {self.condition:.0f}</p>" + table(
            ("parameter", "sigma"), list(self.sigmas.items()))


def excite(robot: Union[PathLike, Robot], *, progress: Progress = None, **options: Option) -> Trajectory:
    """Design a motion that excites the parameters of a robot within its limits.

    Args:
        robot: path of a robot file, the name of a built-in robot, or a :class:`Robot`.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: see below; those of ``roberval excite``, with ``_`` for ``-``.

    :class:`DataError`: no motion keeps the constraints; the sentence says why.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    job = create(lib.rbv_excitation_free, lib.rbv_excitation_new, encode(path, "a robot"))
    values: List[Tuple[str, str]] = []
    for key, value in {**robot_options, **options}.items():
        # options that may be given several times
        repeated = isinstance(value, (list, tuple)) and key in ("parameter", "with_")
        for single in (value if repeated else [value]):
            values += option_texts({key: single})
    for name, typed in values:
        check(lib.rbv_excitation_set(job, encode(name, "an option"), encode(typed, "a value")))
    with listening(lib.rbv_excitation_on_note, job) as notes, watching(progress):
        check(lib.rbv_excitation_run(job))
    reason = lib.rbv_excitation_reason(job)
    if lib.rbv_excitation_count(job) == 0:
        raise errors.DataError("no motion was found: " + words(reason))
    return Trajectory(job, notes, path)


if excite.__doc__:
    excite.__doc__ = excite.__doc__.replace(
        "{options}", options_page(listed(lib.rbv_excitation_option_name), listed(lib.rbv_excitation_option_text)))
