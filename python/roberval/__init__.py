"""Roberval: dynamic parameters of robot arms from recordings of their motion.

    import roberval
    result = roberval.identify("tx40", "log.csv")
    result.parameters

Nouns: :class:`Robot`, :class:`Recording`, :class:`Result`, :class:`Trajectory`. Verbs:
:func:`identify`, :func:`check`, :func:`excite`, :func:`simulate`, :func:`validate`, :func:`compare`,
:func:`payload`, :func:`montecarlo`, :func:`follow`, :func:`record`, :func:`play`, :func:`sweep`, :func:`controller`, :func:`fleet`, :func:`map`. Paths, names and objects are accepted everywhere; units are SI.

What a computation tells goes to the logger ``roberval`` (level INFO). Failures are exceptions with
the sentence of the library, see :mod:`roberval.errors`.
"""
from __future__ import annotations

from . import errors
from ._prototypes import VERSION as __version__
from ._task import TaskOption, options
from .errors import (ArgumentError, CancelledError, ClosedError, DataError, DimensionError, InputError, NotFoundError,
                     NumericalError, OptionError, OutOfMemoryError, ReadError, RobervalError, UnsupportedError,
                     WriteError)
from .identify import again, methods
from .operation import ColumnMap, Controller, Event, Fleet, Follower, Following, Lint, Live, Sweep
from .recording import Recording
from .result import Friction, Parameter, Parameters, Reason, Replay, Result, Svg, Verdict, export_formats
from .robot import Base, Joint, Robot, builtin_robots
from .studies import Comparison, Finding, Findings, Payload, Simulation, Study, Validation, Value, merge
from .trajectory import Trajectory, trajectory_formats
from .verbs import (check, compare, controller, excite, fleet, follow, identify, identify_fleet, lint, map, montecarlo, payload,
                    play, record, simulate, sweep, validate)

__all__ = [
    "ArgumentError", "Base", "CancelledError", "ClosedError", "ColumnMap", "Comparison", "Controller", "DataError",
    "DimensionError", "Event", "Finding", "Findings", "Fleet", "Follower", "Following", "Friction", "InputError",
    "Joint", "Lint", "Live", "NotFoundError", "NumericalError", "OptionError", "OutOfMemoryError", "Parameter", "Parameters",
    "Payload", "ReadError", "Reason", "Recording", "Replay", "Result", "RobervalError", "Robot", "Simulation",
    "Study", "Svg", "Sweep", "TaskOption", "Trajectory", "UnsupportedError", "Validation", "Value", "Verdict",
    "WriteError", "__version__", "again", "builtin_robots", "check", "compare", "controller", "errors", "excite",
    "export_formats", "fleet", "follow", "identify", "identify_fleet", "lint", "map", "merge", "methods", "montecarlo",
    "options", "payload", "play", "record", "simulate", "sweep", "trajectory_formats", "validate",
]
