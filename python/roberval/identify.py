"""Identification."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Optional, Union

from . import errors
from ._library import (Handle, Option, PathLike, Progress, check, create, encode, lib, listed, listening, option_texts,
                       options_page, watching)
from .recording import Recording, RecordingLike, recording_sources
from .result import Result, _verdict_of
from .robot import Robot, robot_path

__all__ = ["identify", "methods"]


def methods() -> List[str]:
    """Names of the methods of :func:`identify`.

    >>> "wls" in methods()
    True
    """
    return listed(lambda i: lib.rbv_identification_option_choice(b"method", i))  # type: ignore[no-any-return]


def _result_of(job: Handle, keep: List[Any], notes: List[str]) -> Result:
    """The result of a job that has run. It belongs to the job, which therefore lives as long."""
    result = Result.__new__(Result)
    address = lib.rbv_identification_result(job)
    result._job = job
    result._handle = Handle(address, _keep_job(job))
    result._path, result._inputs, result.notes = None, keep, notes
    result._verdict = _verdict_of(create(lib.rbv_report_free, lib.rbv_report_judge, job))
    return result


def _keep_job(job: Handle) -> Any:
    def free(_address: int, _job: Handle = job) -> None:
        """The job frees its result."""

    return free


def identify(robot: Union[PathLike, Robot], recordings: Union[RecordingLike, Iterable[RecordingLike]], *,
             loaded: Union[None, RecordingLike, Iterable[RecordingLike]] = None,
             validate: Union[None, RecordingLike, Iterable[RecordingLike]] = None,
             output: Optional[PathLike] = None, progress: Progress = None, **options: Option) -> Result:
    """Estimate the parameters of a robot from recordings.

    Args:
        robot: path of a robot file, the name of a built-in robot, or a :class:`Robot`.
        recordings: one or several paths, :class:`Recording` objects or DataFrames.
        loaded: recordings with the payload; needs ``payload=True``.
        validate: recordings to validate on.
        output: also save the result here.
        progress: ``True`` for a bar, or a function of stage and finished share; ``False`` from it stops.
        options: options of the method, the filters and the robot; see below. They are those of
            ``roberval identify``, with ``_`` for ``-``.

    Returns:
        The result, also if a method has not converged or parameters are not identifiable: the result
        says so. What the computation tells goes to the logger ``roberval`` and to ``result.notes``.

    Options:
{options}"""
    path, robot_options = robot_path(robot)
    keep: List[Any] = [robot]
    names = robot.joint_names if isinstance(robot, Robot) else _names(path, recordings, loaded, validate, options)
    if isinstance(robot, Robot) and robot._result is None and not {"tip", "root", "no_snap", "no-snap"} & set(options):
        job = create(lib.rbv_identification_free, lib.rbv_identification_of, robot._get())
    else:
        job = create(lib.rbv_identification_free, lib.rbv_identification_new, encode(path, "a robot"))
    everything: Dict[str, Option] = {**robot_options, **options}
    for role, (files, add) in enumerate(((recordings, lib.rbv_identification_add_log),
                                         (loaded, lib.rbv_identification_add_loaded_log),
                                         (validate, lib.rbv_identification_add_validation_log))):
        if files is None:
            continue
        sources, map = recording_sources(files, names, keep)
        for source in sources:
            if isinstance(source, str):
                check(add(job, encode(source)))
            else:
                check(lib.rbv_identification_add_recording(job, source._get(), role))
        if map is not None:
            if everything.setdefault("map", map) != map:
                raise errors.ArgumentError("the recordings and the option map name different column maps")
    keep += [v for v in options.values() if hasattr(v, "__roberval_file__")]
    for name, value in option_texts(everything):
        check(lib.rbv_identification_set(job, encode(name, "an option"), encode(value, "a value")))
    with listening(lib.rbv_identification_on_note, job) as notes, watching(progress):
        check(lib.rbv_identification_run(job))
    result = _result_of(job, keep, notes)
    if output is not None:
        result.save(output)
    return result


def _names(path: str, *sources: Any) -> Optional[List[str]]:
    """Joint names of a robot, if a recording in memory has names to match with."""

    def named(item: Any) -> bool:
        return isinstance(item, Recording) and item.path is None and item.joints is not None

    options = sources[-1]
    for source in sources[:-1]:
        items = source if isinstance(source, (list, tuple)) else [source]
        if any(named(i) for i in items):
            own = set(listed(lib.rbv_model_option_name))
            chosen = {k: v for k, v in options.items() if k.replace("_", "-") in own}
            return Robot(path, **chosen).joint_names
    return None


def again(result: PathLike) -> Result:
    """Repeat the run behind a result file: the same robot, recordings and options.

    :class:`InputError`: an input is missing or has changed.
    """
    job = create(lib.rbv_identification_free, lib.rbv_identification_again, encode(result, "the path of a result"))
    with listening(lib.rbv_identification_on_note, job) as notes, watching():
        check(lib.rbv_identification_run(job))
    return _result_of(job, [], notes)


if identify.__doc__:
    identify.__doc__ = identify.__doc__.replace(
        "{options}",
        options_page(listed(lib.rbv_identification_option_name), listed(lib.rbv_identification_option_text)))
