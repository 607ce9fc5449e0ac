"""Ten thousand objects of each kind: the resident memory stays flat."""
import gc
import unittest

import numpy as np

import common
import roberval

CYCLES = 10000


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


class Leaks(unittest.TestCase):

    def flat(self, name, cycle, cycles=CYCLES):
        for _ in range(cycles // 10):  # caches and the heap reach their size
            cycle()
        gc.collect()
        before = resident()
        for _ in range(cycles):
            cycle()
        gc.collect()
        growth = resident() - before
        print(f"{name}: {growth / 1024:+.0f} kB after {cycles} cycles", flush=True)
        # 100 bytes per cycle, or a tenth of a recording
        self.assertLess(growth, 100 * CYCLES, name)

    def test_robot(self):
        q = np.zeros((3, 2))

        def cycle():
            with roberval.Robot("arm.yaml") as robot:
                robot.inverse_dynamics(q, q, q)
                robot.parameters

        self.flat("Robot", cycle)

    def test_recording(self):
        t, q = np.arange(20) / 10, np.zeros((20, 2))

        def cycle():
            recording = roberval.Recording.from_arrays(t=t, q=q)
            recording["q1"]

        self.flat("Recording", cycle)

    def test_result(self):
        path = roberval.identify("arm.yaml", common.log(), output="result.json").path
        self.flat("Result", lambda: roberval.Result(path).parameters["Fv1"])

    def test_identification(self):
        r = roberval.Recording(common.log())
        roberval.Recording.from_arrays(t=r.t[:200], q=r.q[200:400], tau=r.tau[200:400]).save("short.csv")

        def cycle():
            roberval.identify("arm.yaml", "short.csv", decimate=4, mask=0.01, cutoff=20).parameters

        self.flat("identify", cycle, 1000)

    def test_trajectory(self):
        motion = roberval.excite("arm.yaml", period=2, starts=1, budget=0, harmonics=1)
        motion.save("motion.csv")
        self.flat("Trajectory", lambda: roberval.excite("arm.yaml", evaluate="motion.csv").condition)

    def test_failures(self):
        def cycle():
            try:
                roberval.Robot("missing.yaml")
            except roberval.ReadError:
                pass

        self.flat("failure", cycle)


common.main()
