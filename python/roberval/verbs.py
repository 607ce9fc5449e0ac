"""The verbs, with every option as a typed keyword. Made by python/options.py from the library: do not edit."""
from __future__ import annotations

from typing import Any, Dict, Iterable, Literal, NoReturn, Optional, Union

from . import operation as _operation
from . import studies as _studies
from . import trajectory as _trajectory
from ._library import Count, File, Files, Number, PathLike, Progress, Text
from ._task import options_of_call
from .identify import identify as _identify
from .operation import ColumnMap, Controller, Fleet, Following, Lint, Live, Sweep
from .recording import RecordingLike
from .result import Result
from .robot import Robot
from .studies import Comparison, Findings, Payload, Recordings, Simulation, Study, Validation
from .trajectory import Trajectory

__all__ = ["identify", "check", "excite", "simulate", "validate", "compare", "payload", "montecarlo", "follow",
           "record", "play", "sweep", "controller", "lint", "fleet", "identify_fleet", "map"]


def identify(
        robot: Union[PathLike, Robot], recordings: Union[RecordingLike, Iterable[RecordingLike]], *,
        loaded: Union[None, RecordingLike, Iterable[RecordingLike]] = None,
        validate: Union[None, RecordingLike, Iterable[RecordingLike]] = None, output: Optional[PathLike] = None,
        progress: Progress = None,
        method: Optional[Literal["ols", "wls", "irls", "tls", "ml", "didim", "iv", "piv", "slide", "cloe", "auto"]] = None,
        friction: Optional[Text] = None, weights: Optional[File] = None, prior: Optional[File] = None,
        prior_weight: Optional[Number] = None, essential: Optional[bool] = None, only: Optional[File] = None,
        consistent: Optional[bool] = None, known_total_mass: Optional[Number] = None, bounds: Optional[File] = None,
        holdout: Optional[Number] = None, bootstrap: Optional[Count] = None, known_mass: Optional[Number] = None,
        back_emf: Optional[File] = None, decimate_by: Optional[Literal["cutoff", "durbin-watson"]] = None,
        filter_scan: Optional[Text] = None, scan_against: Optional[File] = None, unchecked: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, decimate: Optional[Count] = None,
        mask: Optional[Number] = None, controller: Optional[File] = None,
        reference: Optional[Literal["recorded", "measured"]] = None, reference_cutoff: Optional[Number] = None,
        start: Optional[File] = None, skip: Optional[Number] = None,
        stop: Optional[Literal["rest", "printed"]] = None, stop_residual: Optional[Number] = None,
        stop_step: Optional[Number] = None, inertia: Optional[File] = None,
        scaling: Optional[Literal["start", "always"]] = None, unknown: Optional[Text] = None,
        joint_stiffness: Optional[File] = None, joint_damping: Optional[File] = None,
        observe: Optional[Literal["positions", "both"]] = None, actuator_delay: Optional[Number] = None,
        known_links: Optional[bool] = None, starts: Optional[Count] = None,
        search: Optional[Literal["local", "global"]] = None, population: Optional[Count] = None,
        generations: Optional[Count] = None, device: Optional[Literal["cpu", "cuda", "auto"]] = None,
        limit_s: Optional[Number] = None, segment: Optional[Number] = None, map: Optional[File] = None,
        differentiate: Optional[Literal["bandpass", "irw", "spline", "fourier", "recorded"]] = None,
        cutoff: Optional[Text] = None, period: Optional[Number] = None, harmonics: Optional[Count] = None,
        spline_variance: Optional[Number] = None, stiffness: Optional[File] = None, memory: Optional[Number] = None,
        gains: Optional[File] = None, delay: Optional[Number] = None, drop_bad_rows: Optional[bool] = None,
        from_: Optional[Text] = None, to: Optional[Text] = None, log_rate: Optional[Number] = None,
        tip: Optional[Text] = None, root: Optional[Text] = None, free_base: Optional[bool] = None,
        contacts: Optional[Text] = None, sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None,
        payload: Optional[bool] = None, gamma: Optional[Number] = None, stribeck: Optional[Number] = None,
        gravity: Optional[Text] = None, mount: Optional[Literal["floor", "wall", "ceiling"]] = None,
        no_snap: Optional[bool] = None, **other: NoReturn
) -> Result:
    """Estimate the parameters of a robot from recordings."""
    return _identify(**options_of_call(locals(), "robot", "recordings", "loaded", "validate", "output", "progress"))


identify.__doc__ = _identify.__doc__


def check(
        robot: Union[PathLike, Robot], recordings: Recordings, *, loaded: Optional[Recordings] = None,
        progress: Progress = None, map: Optional[Text] = None, controller: Optional[File] = None,
        tolerance: Optional[Number] = None, drop_bad_rows: Optional[bool] = None, from_: Optional[Text] = None,
        to: Optional[Text] = None, log_rate: Optional[Number] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Findings:
    """Find errors in recordings, and parameters that their motions cannot identify."""
    return _studies.check(**options_of_call(locals(), "robot", "recordings", "loaded", "progress"))


check.__doc__ = _studies.check.__doc__


def excite(
        robot: Union[PathLike, Robot], *, progress: Progress = None, output: Optional[PathLike] = None,
        coefficients: Optional[PathLike] = None, ros: Optional[PathLike] = None, urscript: Optional[PathLike] = None,
        class_: Optional[Literal["fourier", "sines", "via", "bspline"]] = None,
        criterion: Optional[Literal["cond", "dopt", "det", "coupling", "mixed", "sigma"]] = None,
        search: Optional[Literal["ga", "slsqp"]] = None, period: Optional[Number] = None,
        harmonics: Optional[Count] = None, rate: Optional[Number] = None, budget: Optional[Number] = None,
        for_: Optional[Literal["torques", "positions"]] = None, controller: Optional[Files] = None,
        encoder: Optional[Number] = None, unknown: Optional[Text] = None, known_links: Optional[bool] = None,
        evaluate: Optional[File] = None, noise: Optional[File] = None, prior: Optional[File] = None,
        robust: Optional[Count] = None, uncertainty: Optional[Number] = None, parameter: Optional[Files] = None,
        mean: Optional[bool] = None, lambda_: Optional[Number] = None,
        columns: Optional[Literal["all", "rigid", "inertial"]] = None, with_: Optional[Files] = None,
        trajectories: Optional[Count] = None, periods: Optional[Count] = None, blend: Optional[Number] = None,
        phases: Optional[bool] = None, frequencies: Optional[Text] = None, fly_by: Optional[Number] = None,
        unsynchronised: Optional[bool] = None, trapezoid: Optional[bool] = None, population: Optional[Count] = None,
        generations: Optional[Count] = None, mutation: Optional[Number] = None, crossover: Optional[Number] = None,
        no_polish: Optional[bool] = None, starts: Optional[Count] = None, constraints: Optional[File] = None,
        position: Optional[Text] = None, velocity: Optional[Text] = None, acceleration: Optional[Text] = None,
        jerk: Optional[Text] = None, effort: Optional[Text] = None, center: Optional[Text] = None,
        tool_speed: Optional[Number] = None, link_radius: Optional[Number] = None, floor: Optional[Number] = None,
        no_floor: Optional[bool] = None, unchecked: Optional[bool] = None, slow: Optional[Number] = None,
        report: Optional[PathLike] = None, plots: Optional[PathLike] = None, static: Optional[Count] = None,
        wrist: Optional[bool] = None, journal: Optional[PathLike] = None, shard: Optional[Text] = None,
        resume: Optional[bool] = None, device: Optional[Literal["cpu", "cuda", "auto"]] = None,
        friction: Optional[Text] = None, tip: Optional[Text] = None, root: Optional[Text] = None,
        free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Trajectory:
    """Design a motion that excites the parameters of a robot within its limits."""
    return _trajectory.excite(**options_of_call(locals(), "robot", "progress"))


excite.__doc__ = _trajectory.excite.__doc__


def simulate(
        robot: Union[PathLike, Robot], motion: Any, *, output: Optional[PathLike] = None, progress: Progress = None,
        controller: Optional[File] = None, bandwidth: Optional[Text] = None, integral: Optional[Number] = None,
        roll_off: Optional[Number] = None, rate: Optional[Number] = None, parameters: Optional[File] = None,
        map: Optional[File] = None, integrator: Optional[Literal["auto", "rosenbrock", "rk4", "ros2"]] = None,
        substeps: Optional[Count] = None, encoder: Optional[Number] = None, loop_encoder: Optional[Number] = None,
        loop_noise: Optional[Number] = None, loop_delay: Optional[Count] = None,
        actuator_delay: Optional[Number] = None, encoder_bias: Optional[Text] = None,
        disturbance: Optional[Text] = None, disturbance_hz: Optional[Number] = None,
        torque_noise: Optional[Text] = None, torque_noise_hz: Optional[Number] = None,
        torque_offset: Optional[Text] = None, ripple: Optional[Text] = None, ripple_periods: Optional[Number] = None,
        torque_delay: Optional[Count] = None, jitter: Optional[Number] = None, drop: Optional[Number] = None,
        drift: Optional[Number] = None, drift_time: Optional[Number] = None,
        save_controller: Optional[PathLike] = None, derivatives: Optional[bool] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Simulation:
    """Simulate a robot that follows a motion in its closed loop, with errors of its sensors."""
    return _studies.simulate(**options_of_call(locals(), "robot", "motion", "output", "progress"))


simulate.__doc__ = _studies.simulate.__doc__


def validate(
        result: Union[PathLike, Result, Robot], recordings: Recordings, *, progress: Progress = None,
        max_error: Optional[Text] = None, robot: Optional[Text] = None, map: Optional[Text] = None,
        loaded: Optional[bool] = None, horizon: Optional[Number] = None, controller: Optional[Text] = None,
        output: Optional[PathLike] = None, plots: Optional[PathLike] = None, trace: Optional[PathLike] = None,
        memory: Optional[Number] = None, drop_bad_rows: Optional[bool] = None, from_: Optional[Text] = None,
        to: Optional[Text] = None, log_rate: Optional[Number] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Validation:
    """Measure how well a result predicts the torques of recordings that it was not made from."""
    return _studies.validate(**options_of_call(locals(), "result", "recordings", "progress"))


validate.__doc__ = _studies.validate.__doc__


def compare(
        *results: Union[PathLike, Result], progress: Progress = None, map: Optional[Text] = None,
        max_change: Optional[Text] = None, no_logs: Optional[bool] = None, output: Optional[PathLike] = None,
        report: Optional[PathLike] = None, plots: Optional[PathLike] = None, seed: Optional[Count] = None,
        threads: Optional[Count] = None, **other: NoReturn
) -> Comparison:
    """Compare at least two results of one robot."""
    return _studies.compare(*results, **options_of_call(locals(), "progress", without="results"))


compare.__doc__ = _studies.compare.__doc__


def payload(
        robot: Union[PathLike, Robot, Result], empty: RecordingLike, loaded: Optional[RecordingLike] = None, *,
        progress: Progress = None,
        method: Optional[Literal["ols", "wls", "irls", "tls", "ml", "didim", "iv", "piv", "slide", "cloe", "auto"]] = None,
        frame: Optional[Text] = None, at: Optional[Text] = None, static: Optional[bool] = None,
        wrist: Optional[Text] = None, wrench: Optional[Text] = None, tilted: Optional[bool] = None,
        output: Optional[PathLike] = None, report: Optional[PathLike] = None, known_mass: Optional[Number] = None,
        decimate: Optional[Count] = None, mask: Optional[Number] = None, map: Optional[File] = None,
        differentiate: Optional[Literal["bandpass", "irw", "spline", "fourier", "recorded"]] = None,
        cutoff: Optional[Text] = None, period: Optional[Number] = None, harmonics: Optional[Count] = None,
        spline_variance: Optional[Number] = None, stiffness: Optional[File] = None, memory: Optional[Number] = None,
        gains: Optional[File] = None, delay: Optional[Number] = None, drop_bad_rows: Optional[bool] = None,
        from_: Optional[Text] = None, to: Optional[Text] = None, log_rate: Optional[Number] = None,
        tip: Optional[Text] = None, root: Optional[Text] = None, free_base: Optional[bool] = None,
        contacts: Optional[Text] = None, sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None,
        payload: Optional[bool] = None, gamma: Optional[Number] = None, stribeck: Optional[Number] = None,
        gravity: Optional[Text] = None, mount: Optional[Literal["floor", "wall", "ceiling"]] = None,
        no_snap: Optional[bool] = None, seed: Optional[Count] = None, threads: Optional[Count] = None,
        **other: NoReturn
) -> Union[Payload, Dict[str, float]]:
    """Identify a payload from a recording without it and one with it, or against an identified robot."""
    return _studies.payload(**options_of_call(locals(), "robot", "empty", "loaded", "progress"))


payload.__doc__ = _studies.payload.__doc__


def montecarlo(
        robot: Union[PathLike, Robot], *, progress: Progress = None, output: Optional[PathLike] = None,
        mode: Optional[Text] = None, reference: Optional[Text] = None, methods: Optional[Text] = None,
        unknowns: Optional[Text] = None, runs: Optional[Count] = None, gain_error: Optional[Number] = None,
        plant_stribeck: Optional[Number] = None, plant_stribeck_speed: Optional[Number] = None,
        validate: Optional[Text] = None, no_shift: Optional[bool] = None, differentiate: Optional[Text] = None,
        cutoff: Optional[Number] = None, decimate: Optional[Count] = None, mask: Optional[Number] = None,
        trim: Optional[Count] = None, skip: Optional[Number] = None, shard: Optional[Text] = None,
        journal: Optional[PathLike] = None, resume: Optional[bool] = None,
        device: Optional[Literal["cpu", "cuda", "auto"]] = None, controller: Optional[File] = None,
        bandwidth: Optional[Text] = None, integral: Optional[Number] = None, roll_off: Optional[Number] = None,
        rate: Optional[Number] = None, parameters: Optional[File] = None, map: Optional[File] = None,
        integrator: Optional[Literal["auto", "rosenbrock", "rk4", "ros2"]] = None, substeps: Optional[Count] = None,
        encoder: Optional[Number] = None, loop_encoder: Optional[Number] = None, loop_noise: Optional[Number] = None,
        loop_delay: Optional[Count] = None, actuator_delay: Optional[Number] = None,
        encoder_bias: Optional[Text] = None, disturbance: Optional[Text] = None,
        disturbance_hz: Optional[Number] = None, torque_noise: Optional[Text] = None,
        torque_noise_hz: Optional[Number] = None, torque_offset: Optional[Text] = None, ripple: Optional[Text] = None,
        ripple_periods: Optional[Number] = None, torque_delay: Optional[Count] = None,
        jitter: Optional[Number] = None, drop: Optional[Number] = None, drift: Optional[Number] = None,
        drift_time: Optional[Number] = None, save_controller: Optional[PathLike] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Optional[Study]:
    """Apply methods to many simulated recordings with known parameters."""
    return _studies.montecarlo(**options_of_call(locals(), "robot", "progress", "output"))


montecarlo.__doc__ = _studies.montecarlo.__doc__


def follow(
        robot: Union[PathLike, Robot], result: Union[PathLike, Result], recording: RecordingLike, *,
        progress: Progress = None, output: Optional[PathLike] = None, report: Optional[PathLike] = None,
        every: Optional[Number] = None,
        alarm: Optional[Literal["contact", "payload", "drift", "bad-stream", "any"]] = None,
        until: Optional[Number] = None, wait: Optional[Number] = None, state: Optional[PathLike] = None,
        save_every: Optional[Number] = None, heartbeat: Optional[Number] = None, publish: Optional[Text] = None,
        clean: Optional[Files] = None, map: Optional[Text] = None, log_rate: Optional[Number] = None,
        alarms: Optional[Number] = None, observer: Optional[Number] = None, estimates: Optional[Number] = None,
        no_payload: Optional[bool] = None, mass_and_centre: Optional[bool] = None, loaded: Optional[bool] = None,
        at: Optional[Text] = None, payload_memory: Optional[Number] = None, drift_memory: Optional[Number] = None,
        dead_zone: Optional[Number] = None, reach: Optional[Number] = None, radius: Optional[Number] = None,
        least_mass: Optional[Number] = None, topic: Optional[Text] = None, domain: Optional[Count] = None,
        network: Optional[Text] = None, reliable: Optional[Literal["auto", "yes", "no"]] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Following:
    """Watch a robot at work: contact, payload and drift of friction along a recording or a growing file."""
    return _operation.follow(**options_of_call(locals(), "robot", "result", "recording", "progress"))


follow.__doc__ = _operation.follow.__doc__


def record(
        robot: Union[PathLike, Robot], topic: str, output: PathLike, *, progress: Progress = None,
        until: Optional[Number] = None, wait: Optional[Number] = None, enough: Optional[bool] = None,
        look: Optional[Number] = None, domain: Optional[Count] = None, network: Optional[Text] = None,
        reliable: Optional[Literal["auto", "yes", "no"]] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Live:
    """Record joint states of a running robot (ROS 2), and say when the motion is enough."""
    return _operation.record(**options_of_call(locals(), "robot", "topic", "output", "progress"))


record.__doc__ = _operation.record.__doc__


def play(
        robot: Union[PathLike, Robot], motion: PathLike, *, progress: Progress = None,
        yes_move: Optional[bool] = None, command: Optional[Text] = None, approach: Optional[bool] = None,
        slow: Optional[Number] = None, error: Optional[Number] = None, result: Optional[File] = None,
        silence: Optional[Number] = None, ahead: Optional[Number] = None, wait: Optional[Number] = None,
        topic: Optional[Text] = None, domain: Optional[Count] = None, network: Optional[Text] = None,
        reliable: Optional[Literal["auto", "yes", "no"]] = None, constraints: Optional[File] = None,
        position: Optional[Text] = None, velocity: Optional[Text] = None, acceleration: Optional[Text] = None,
        jerk: Optional[Text] = None, effort: Optional[Text] = None, center: Optional[Text] = None,
        tool_speed: Optional[Number] = None, link_radius: Optional[Number] = None, floor: Optional[Number] = None,
        no_floor: Optional[bool] = None, unchecked: Optional[bool] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Live:
    """Play a designed motion on a robot. Nothing moves without ``yes_move=True``."""
    return _operation.play(**options_of_call(locals(), "robot", "motion", "progress"))


play.__doc__ = _operation.play.__doc__


def sweep(
        robot: Union[PathLike, Robot], result: Union[PathLike, Result], *, progress: Progress = None,
        reference: Optional[Text] = None, plants: Optional[Count] = None, spread: Optional[Number] = None,
        worst: Optional[Count] = None, controller: Optional[File] = None, bandwidth: Optional[Text] = None,
        integral: Optional[Number] = None, roll_off: Optional[Number] = None, rate: Optional[Number] = None,
        map: Optional[File] = None, integrator: Optional[Literal["auto", "rosenbrock", "rk4", "ros2"]] = None,
        substeps: Optional[Count] = None, loop_encoder: Optional[Number] = None, loop_noise: Optional[Number] = None,
        loop_delay: Optional[Count] = None, actuator_delay: Optional[Number] = None,
        disturbance: Optional[Text] = None, disturbance_hz: Optional[Number] = None,
        journal: Optional[PathLike] = None, resume: Optional[bool] = None,
        device: Optional[Literal["cpu", "cuda", "auto"]] = None, output: Optional[PathLike] = None,
        plots: Optional[PathLike] = None, seed: Optional[Count] = None, threads: Optional[Count] = None,
        **other: NoReturn
) -> Sweep:
    """Simulate a controller over many plants that the uncertainty of a result allows."""
    return _operation.sweep(**options_of_call(locals(), "robot", "result", "progress"))


sweep.__doc__ = _operation.sweep.__doc__


def controller(
        robot: Union[PathLike, Robot], recordings: Recordings, *, output: Optional[PathLike] = None,
        progress: Progress = None, method: Optional[Text] = None, order: Optional[Count] = None,
        max_delay: Optional[Count] = None, no_feedforward: Optional[bool] = None, rate: Optional[Number] = None,
        map: Optional[Text] = None, gains: Optional[Text] = None, plots: Optional[PathLike] = None,
        tip: Optional[Text] = None, root: Optional[Text] = None, free_base: Optional[bool] = None,
        contacts: Optional[Text] = None, sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None,
        payload: Optional[bool] = None, gamma: Optional[Number] = None, stribeck: Optional[Number] = None,
        gravity: Optional[Text] = None, mount: Optional[Literal["floor", "wall", "ceiling"]] = None,
        no_snap: Optional[bool] = None, seed: Optional[Count] = None, threads: Optional[Count] = None,
        **other: NoReturn
) -> Controller:
    """Identify the control law of every joint from recordings with their reference."""
    return _operation.controller(**options_of_call(locals(), "robot", "recordings", "output", "progress"))


controller.__doc__ = _operation.controller.__doc__


def lint(
        robot: Union[PathLike, Robot], *, progress: Progress = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> Lint:
    """Look at a robot file before anything was recorded: masses, densities, placeholders, copies, mirrored limbs, limits."""
    return _operation.lint(**options_of_call(locals(), "robot", "progress"))


lint.__doc__ = _operation.lint.__doc__


def fleet(
        folder: PathLike, *, progress: Progress = None, alarm: Optional[Number] = None,
        report: Optional[PathLike] = None, plots: Optional[PathLike] = None, **other: NoReturn
) -> Fleet:
    """Find robots that changed, in results of a fleet over periods of time."""
    return _operation.fleet(**options_of_call(locals(), "folder", "progress"))


fleet.__doc__ = _operation.fleet.__doc__


def identify_fleet(
        manifest: PathLike, *, progress: Progress = None,
        method: Optional[Literal["ols", "wls", "irls", "tls", "ml", "didim", "iv", "piv", "slide", "cloe", "auto"]] = None,
        friction: Optional[Text] = None, weights: Optional[File] = None, prior: Optional[File] = None,
        prior_weight: Optional[Number] = None, essential: Optional[bool] = None, only: Optional[File] = None,
        consistent: Optional[bool] = None, known_total_mass: Optional[Number] = None, bounds: Optional[File] = None,
        holdout: Optional[Number] = None, validate: Optional[Files] = None, bootstrap: Optional[Count] = None,
        loaded: Optional[Files] = None, known_mass: Optional[Number] = None, back_emf: Optional[File] = None,
        decimate_by: Optional[Literal["cutoff", "durbin-watson"]] = None, filter_scan: Optional[Text] = None,
        scan_against: Optional[File] = None, unchecked: Optional[bool] = None, seed: Optional[Count] = None,
        threads: Optional[Count] = None, decimate: Optional[Count] = None, mask: Optional[Number] = None,
        controller: Optional[File] = None, reference: Optional[Literal["recorded", "measured"]] = None,
        reference_cutoff: Optional[Number] = None, start: Optional[File] = None, skip: Optional[Number] = None,
        stop: Optional[Literal["rest", "printed"]] = None, stop_residual: Optional[Number] = None,
        stop_step: Optional[Number] = None, inertia: Optional[File] = None,
        scaling: Optional[Literal["start", "always"]] = None, unknown: Optional[Text] = None,
        joint_stiffness: Optional[File] = None, joint_damping: Optional[File] = None,
        observe: Optional[Literal["positions", "both"]] = None, actuator_delay: Optional[Number] = None,
        known_links: Optional[bool] = None, starts: Optional[Count] = None,
        search: Optional[Literal["local", "global"]] = None, population: Optional[Count] = None,
        generations: Optional[Count] = None, device: Optional[Literal["cpu", "cuda", "auto"]] = None,
        limit_s: Optional[Number] = None, segment: Optional[Number] = None, map: Optional[File] = None,
        differentiate: Optional[Literal["bandpass", "irw", "spline", "fourier", "recorded"]] = None,
        cutoff: Optional[Text] = None, period: Optional[Number] = None, harmonics: Optional[Count] = None,
        spline_variance: Optional[Number] = None, stiffness: Optional[File] = None, memory: Optional[Number] = None,
        gains: Optional[File] = None, delay: Optional[Number] = None, drop_bad_rows: Optional[bool] = None,
        from_: Optional[Text] = None, to: Optional[Text] = None, log_rate: Optional[Number] = None,
        tip: Optional[Text] = None, root: Optional[Text] = None, free_base: Optional[bool] = None,
        contacts: Optional[Text] = None, sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None,
        payload: Optional[bool] = None, gamma: Optional[Number] = None, stribeck: Optional[Number] = None,
        gravity: Optional[Text] = None, mount: Optional[Literal["floor", "wall", "ceiling"]] = None,
        no_snap: Optional[bool] = None, output: Optional[PathLike] = None, shard: Optional[Text] = None,
        journal: Optional[PathLike] = None, resume: Optional[bool] = None, **other: NoReturn
) -> Optional[Fleet]:
    """Identify all robots of a list and find those that differ from the others: ``roberval identify --fleet``."""
    return _operation.identify_fleet(**options_of_call(locals(), "manifest", "progress"))


identify_fleet.__doc__ = _operation.identify_fleet.__doc__


def map(
        robot: Union[PathLike, Robot], recording: PathLike, *, output: Optional[PathLike] = None,
        progress: Progress = None, log_rate: Optional[Number] = None, tip: Optional[Text] = None,
        root: Optional[Text] = None, free_base: Optional[bool] = None, contacts: Optional[Text] = None,
        sensing: Optional[Literal["motor", "joint", "both", "difference"]] = None, payload: Optional[bool] = None,
        gamma: Optional[Number] = None, stribeck: Optional[Number] = None, gravity: Optional[Text] = None,
        mount: Optional[Literal["floor", "wall", "ceiling"]] = None, no_snap: Optional[bool] = None,
        seed: Optional[Count] = None, threads: Optional[Count] = None, **other: NoReturn
) -> ColumnMap:
    """Guess what the columns of a recording mean, as a column map."""
    return _operation.map(**options_of_call(locals(), "robot", "recording", "output", "progress"))


map.__doc__ = _operation.map.__doc__
