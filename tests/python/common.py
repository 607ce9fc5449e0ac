"""Shared by the tests of the Python package: recordings, the tool, a main function."""
import atexit
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ROBERVAL_SOURCE"])
TOOL = os.environ["ROBERVAL_TOOL"]
SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")

_folder = tempfile.TemporaryDirectory(prefix="roberval-test-")
atexit.register(_folder.cleanup)
FOLDER = pathlib.Path(_folder.name)
os.chdir(FOLDER)

#: an arm with two joints, friction and a rotor
ARM = """name: arm
joints:
  - {name: shoulder, mdh: {alpha: pi/2}, limits: {lower: -2, upper: 2, velocity: 5, acceleration: 40}}
  - {name: elbow, mdh: {d: 0.4}, limits: {lower: -2, upper: 2, velocity: 5, acceleration: 40}}
parameters: {ZZ1: 0.3, MX1: 1.2, M1: 4, Ia1: 0.05, Fv1: 1.1, Fc1: 0.9, M2: 2, MX2: 0.4, MY2: 0.1, ZZ2: 0.12, Ia2: 0.02,
  Fv2: 0.6, Fc2: 0.5}
"""
(FOLDER / "arm.yaml").write_text(ARM)


def tool(*arguments, codes=(0, 1)):
    """Run the tool: its standard output."""
    done = subprocess.run([TOOL, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", env={**os.environ, "LD_PRELOAD": ""})
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.stdout


@functools.lru_cache(maxsize=None)
def log(name="log", seed=1, *options):
    """A recording of the arm in its loop, 5 s at 200 Hz; its controller is NAME.yaml. Returns the path."""
    import math

    rows = ["t,q1,q2"]
    for k in range(1001):
        t = k / 200
        a = sum(math.sin((i + 1) * 1.3 * t + seed + i * i) / (i + 1) for i in range(4))
        b = sum(math.cos((i + 1) * 1.7 * t + 2 * seed + i) / (i + 1) for i in range(4))
        ramp = 0.5 * min(1, t) ** 3 * (10 - 15 * min(1, t) + 6 * min(1, t) ** 2)  # starts at rest
        rows.append(f"{t},{ramp * a},{ramp * b}")
    (FOLDER / f"{name}_motion.csv").write_text("\n".join(rows) + "\n")
    tool("simulate", "arm.yaml", f"{name}_motion.csv", "--torque-noise", "0.02", "--encoder", "65536", "--seed", seed,
         "--bandwidth", "6", "--save-controller", f"{name}.yaml", "-q", "-o", f"{name}.csv", *options)
    return f"{name}.csv"


def main():
    """Run the tests of the script; 77 if all were skipped."""
    program = unittest.main(module="__main__", exit=False, verbosity=1)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun and len(result.skipped) == result.testsRun:
        print("; ".join(reason for _, reason in result.skipped))
        sys.exit(77)
