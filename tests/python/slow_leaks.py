"""Ten thousand objects of each kind: the resident memory stays flat."""
import gc
import os
import time
import unittest

import numpy as np

import common
import roberval

CYCLES = int(os.environ.get("CYCLES", 10000))


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


class Leaks(unittest.TestCase):

    def flat(self, name, cycle, cycles=CYCLES):
        for _ in range(cycles // 10):  # caches and the heap reach their size
            cycle()
        gc.collect()
        before, started = resident(), time.process_time()
        for _ in range(cycles):
            cycle()
        gc.collect()
        growth = resident() - before
        each = 1e3 * (time.process_time() - started) / cycles
        print(f"{name}: {growth / 1024:+.0f} kB after {cycles} cycles of {each:.2f} ms", flush=True)
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

    def short(self):
        """One and a half seconds of the arm, enough for an automatic cut-off."""
        r = roberval.Recording(common.log())
        roberval.Recording.from_arrays(t=r.t[:300], q=r.q[200:500], tau=r.tau[200:500]).save("short.csv")
        return "short.csv"

    def test_identification(self):
        log = self.short()
        self.flat("identify",
                  lambda: roberval.identify("arm.yaml", log, decimate=4, mask=0.01, cutoff=20, unchecked=True).parameters)

    def test_findings(self):
        log = self.short()
        self.flat("check", lambda: roberval.check("arm.yaml", log).ok)

    def tiny(self):
        """A motion of 40 samples."""
        t = np.arange(40) / 100
        q = 0.1 * (1 - np.cos(2 * np.pi * t / 0.39))
        roberval.Recording.from_arrays(t=t, q=np.column_stack([q, -q])).save("tiny.csv")
        return "tiny.csv"

    def test_simulation(self):
        motion = self.tiny()
        common.log()
        self.flat("simulate", lambda: roberval.simulate("arm.yaml", motion, controller="log.yaml").q)

    def test_validation(self):
        log = self.short()
        result = roberval.identify("arm.yaml", common.log(), output="result.json").path
        self.flat("validate", lambda: roberval.validate(result, log).error)

    def test_comparison(self):
        one = roberval.identify("arm.yaml", common.log(), output="one.json").path
        two = roberval.identify("arm.yaml", common.log("other", 2), output="two.json").path
        self.flat("compare", lambda: roberval.compare(one, two, no_logs=True).disagreeing)

    def test_payload(self):
        log = self.short()
        result = roberval.identify("arm.yaml", common.log(), output="result.json").path
        self.flat("payload", lambda: roberval.payload(result, log).mass)

    def test_study(self):
        common.log()
        given = dict(reference=self.tiny(), runs=1, methods="ols", controller="log.yaml", decimate=2, mask=0, cutoff=10, validate="none")
        self.flat("montecarlo", lambda: roberval.montecarlo("arm.yaml", **given).methods)

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
