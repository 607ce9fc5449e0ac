"""Robots and recordings in memory go into an identification as they are."""
import sys
import tempfile
import unittest

import numpy as np

import roberval

SAMPLES = 400_000
forbidden = []


def hook(event, arguments):
    """Note every file that is opened for writing, and every temporary file."""
    if hook.on and (event.startswith("tempfile.") or
                    (event == "open" and (set(str(arguments[1] or "")) & set("wxa+") or (arguments[2] or 0) & 3))):
        forbidden.append((event, arguments))


hook.on = False
sys.addaudithook(hook)


def motion(samples, joints=7, rate=1000.0):
    """Positions that are sums of sines, and torques that depend on them."""
    t = np.arange(samples) / rate
    q, tau = np.zeros((samples, joints)), np.zeros((samples, joints))
    for j in range(joints):
        for k in range(1, 4):
            q[:, j] += 0.3 / k * np.sin(2 * np.pi * (0.11 * k + 0.017 * j) * t + k + j)
        tau[:, j] = 5 * np.sin(q[:, j]) + 0.1 * np.cos(3 * q[:, j - 1])
    return t, q, tau


def numbers(found):
    """Everything that was found, without paths and hashes, which differ between files and memory."""
    if isinstance(found, dict):
        return {k: numbers(v) for k, v in found.items() if k not in ("path", "sha256", "file", "sentence", "line", "lines")}
    return [numbers(v) for v in found] if isinstance(found, list) else found


class Objects(unittest.TestCase):
    def test_arrays_go_in_without_text(self):
        t, q, tau = motion(SAMPLES)
        recording = roberval.Recording.from_arrays(t=t, q=q, tau=tau, name="samples")
        robot = roberval.Robot("lwr4+", sensing="joint")
        hook.on = True
        try:
            result = roberval.identify(robot, recording, decimate=100, mask=0, unchecked=True)
        finally:
            hook.on = False
        self.assertEqual(forbidden, [])
        self.assertGreater(len(result.parameters), 10)

    def test_equals_the_file(self):
        t, q, tau = motion(20_000)
        recording = roberval.Recording.from_arrays(t=t, q=q, tau=tau, name="samples")
        options = dict(decimate=20, mask=0, unchecked=True)
        ours = roberval.identify(roberval.Robot("lwr4+", sensing="joint"), recording, **options)
        with tempfile.TemporaryDirectory() as folder:
            path = recording.save(folder + "/samples.csv")
            theirs = roberval.identify("lwr4+", path, sensing="joint", **options)
        self.assertEqual(ours.parameters.names, theirs.parameters.names)
        np.testing.assert_array_equal(ours.parameters.values, theirs.parameters.values)
        np.testing.assert_array_equal(ours.parameters.sigmas, theirs.parameters.sigmas)

    def test_tasks_write_no_file(self):
        t, q, tau = motion(20_000)
        names = roberval.Robot("lwr4+").joint_names
        order = [6, 0, 1, 2, 3, 4, 5]
        recording = roberval.Recording.from_arrays(t=t, q=q[:, order], tau=tau[:, order], joints=[names[i] for i in order],
                                                   name="samples")
        sorted_ = roberval.Recording.from_arrays(t=t, q=q, tau=tau, name="samples")
        robot = roberval.Robot("lwr4+", sensing="joint")
        tasks = {
            "check": lambda r, s: roberval.check(r, s).json,
            "validate": lambda r, s: roberval.validate(r, s, **({} if r is robot else {"sensing": "joint"})).json,
            "payload": lambda r, s: roberval.payload(r, s, s, decimate=20, **({} if r is robot else {"sensing": "joint"})).json,
        }
        with tempfile.TemporaryDirectory() as folder:
            path = sorted_.save(folder + "/samples.csv")
            for name, task in tasks.items():
                with self.subTest(name):
                    forbidden.clear()
                    hook.on = True
                    try:
                        ours = task(robot, recording)
                    finally:
                        hook.on = False
                    self.assertEqual(forbidden, [])
                    theirs = task(roberval.Robot("lwr4+", sensing="joint") if name == "check" else "lwr4+", path)
                    self.assertEqual(numbers(ours), numbers(theirs))


if __name__ == "__main__":
    unittest.main()
