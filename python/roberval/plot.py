"""Pictures of a result with matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Union

from . import errors
from ._arrays import numpy_for
from ._library import need
from .recording import RecordingLike

if TYPE_CHECKING:
    from .result import Replay, Result

__all__ = ["Plot"]


def _finish(figure: Any) -> Any:
    """A notebook shows a figure that a cell returns: it must not show it a second time."""
    plt = need("matplotlib.pyplot", "a plot")
    figure.tight_layout()
    if "inline" in need("matplotlib", "a plot").get_backend():
        plt.close(figure)
    return figure


class Plot:
    """Pictures of a result. Every function returns the matplotlib figure."""

    def __init__(self, result: "Result") -> None:
        self._result = result

    def __call__(self, recording: Optional[RecordingLike] = None) -> Any:
        """``result.plot()`` is :meth:`fit`."""
        return self.fit(recording)

    def _axes(self, count: int, height: float = 1.8, **more: Any) -> Any:
        plt = need("matplotlib.pyplot", "a plot")
        figure, axes = plt.subplots(count, 1, figsize=(8, max(2.5, height * count)), squeeze=False, **more)
        return figure, [row[0] for row in axes]

    def _replay(self, recording: Optional[RecordingLike]) -> "Replay":
        if recording is None:
            logs = self._result.json["logs"]
            kept = [k for k in self._result._inputs if hasattr(k, "_file") and hasattr(k, "channel")]
            recording = kept[0] if kept else logs[0]["file"]
        return self._result.predict(recording)

    def _names(self) -> List[str]:
        return self._result._joint_names()

    def fit(self, recording: Optional[RecordingLike] = None) -> Any:
        """Measured and predicted torques over time; default: the first recording of the fit."""
        replay, names = self._replay(recording), self._names()
        figure, axes = self._axes(replay.measured.shape[1], sharex=True)
        for r, axis in enumerate(axes):
            axis.plot(replay.t, replay.measured[:, r], lw=0.6, color="0.6", label="measured")
            axis.plot(replay.t, replay.predicted[:, r], lw=1, color="C0", label="predicted")
            axis.set_ylabel(f"{names[r % len(names)]}\nN m")
        axes[0].legend(loc="upper right", ncol=2, fontsize="small")
        axes[-1].set_xlabel("t [s]")
        return _finish(figure)

    def residuals(self, recording: Optional[RecordingLike] = None) -> Any:
        """Measured minus predicted torques over time."""
        replay, names = self._replay(recording), self._names()
        figure, axes = self._axes(replay.measured.shape[1], sharex=True)
        for r, axis in enumerate(axes):
            axis.plot(replay.t, replay.residual[:, r], lw=0.6, color="C3")
            axis.axhline(0, color="0.3", lw=0.5)
            axis.set_ylabel(f"{names[r % len(names)]}\nN m")
        axes[-1].set_xlabel("t [s]")
        return _finish(figure)

    def friction(self, joints: Optional[Iterable[Union[int, str]]] = None) -> Any:
        """Friction torque over velocity."""
        np = numpy_for("a plot")
        robot = self._result.robot
        names = robot.joint_names
        chosen = list(joints) if joints is not None else list(range(len(names)))
        figure, axes = self._axes(len(chosen), height=2.2)
        for axis, joint in zip(axes, chosen):
            law = self._result.friction(joint)
            top = robot.joints[law.joint].velocity
            v = np.linspace(-1, 1, 801) * (top if np.isfinite(top) else 3.0)
            axis.plot(v, law(v), color="C1")
            axis.set_ylabel(f"{names[law.joint]}\nN m")
        axes[-1].set_xlabel("velocity [rad/s or m/s]")
        return _finish(figure)

    def parameters(self) -> Any:
        """Estimates with two standard deviations, relative to their size."""
        np = numpy_for("a plot")
        plt = need("matplotlib.pyplot", "a plot")
        p = [x for x in self._result.parameters if np.isfinite(x.sigma)]
        if not p:
            raise errors.DataError("no parameter has a finite standard deviation")
        ratio = np.array([2 * x.sigma / max(abs(x.value), 1e-300) for x in p])
        figure, axis = plt.subplots(figsize=(8, max(3, 0.16 * len(p))))
        axis.barh(range(len(p)), np.minimum(100 * ratio, 1000), color=["C2" if r < 0.2 else "C1" if r < 1 else "C3"
                                                                       for r in ratio])
        axis.set_yticks(range(len(p)))
        axis.set_yticklabels([x.name for x in p], fontsize=6)
        axis.invert_yaxis()
        axis.set_xscale("log")
        axis.set_xlabel("2 sigma / |value| [%]")
        return _finish(figure)

    def correlation(self) -> Any:
        """Correlation of the estimates, from the blocks of the data (jackknife)."""
        np = numpy_for("a plot")
        plt = need("matplotlib.pyplot", "a plot")
        covariance = self._result.covariance
        size = np.sqrt(np.diag(covariance))
        size[~(size > 0)] = np.nan
        figure, axis = plt.subplots(figsize=(6.5, 6))
        image = axis.imshow(covariance / np.outer(size, size), vmin=-1, vmax=1, cmap="RdBu")
        names = self._result.parameters.names
        axis.set_xticks(range(len(names)))
        axis.set_yticks(range(len(names)))
        axis.set_xticklabels(names, rotation=90, fontsize=5)
        axis.set_yticklabels(names, fontsize=5)
        figure.colorbar(image, shrink=0.8)
        return _finish(figure)
