#!/usr/bin/env python3
"""python_calls.py LIBRARY: what a call of the dynamics costs from Python, beside the C function itself.

Prints the time of the regressor of 100,000 samples of a six-axis arm from NumPy, the time of the C batch call alone
(the same arrays, without checks), their ratio, the overhead of a call with one sample, and whether the C function
got the addresses of the caller's arrays. CPU time of the calling thread, which does all the work; shortest of
interleaved rounds: other processes only add time.
"""
import ctypes
import os
import sys
import time

if len(sys.argv) > 1:
    os.environ["ROBERVAL_LIBRARY"] = sys.argv[1]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../python"))
import numpy as np
import roberval
from roberval._library import lib

ROUNDS = 21


def seconds(function, repeat=1):
    start = time.thread_time()
    for _ in range(repeat):
        function()
    return (time.thread_time() - start) / repeat


def both(python, c, repeat=1, rounds=ROUNDS):
    a, b = [], []
    for _ in range(rounds):
        a.append(seconds(python, repeat))
        b.append(seconds(c, repeat))
    return min(a), min(b)


def main():
    robot = roberval.Robot("tx40")
    n = 100000
    q, dq, ddq = np.random.default_rng(1).normal(size=(3, n, 6))
    out = np.empty((n, robot.nrow, robot.ncolumn))
    handle = robot._get()
    places = [a.ctypes.data for a in (out, q, dq, ddq)]
    lib.rbv_model_regressors(places[0], handle, n, *places[1:])
    python, c = both(lambda: robot.regressor(q, dq, ddq, out=out),
                     lambda: lib.rbv_model_regressors(places[0], handle, n, *places[1:]))
    print(f"regressor of {n} samples: {1e3 * python:.1f} ms from NumPy, {1e3 * c:.1f} ms in C: ratio {python / c:.3f}")
    for name, function in (("inverse_dynamics", "rbv_model_torques_by_sample"), ("regressor", "rbv_model_regressors")):
        one = [x[0].copy() for x in (q, dq, ddq)]
        small = np.empty((6,) if name == "inverse_dynamics" else (robot.nrow, robot.ncolumn))
        at = [small.ctypes.data] + [x.ctypes.data for x in one]
        raw, method = getattr(lib, function), getattr(robot, name)
        if name == "inverse_dynamics":
            python, c = both(lambda: method(*one, out=small), lambda: raw(at[0], handle, None, 1, *at[1:]), 50, 400)
        else:
            python, c = both(lambda: method(*one, out=small), lambda: raw(at[0], handle, 1, *at[1:]), 50, 400)
        print(f"{name} of one sample: {1e6 * python:.2f} us, C call {1e6 * c:.2f} us, overhead {1e6 * (python - c):.2f} us")
    seen = []
    original = lib.rbv_model_regressors

    def spy(*arguments):
        seen.append(arguments)
        return original(*arguments)

    lib.rbv_model_regressors = spy
    robot.regressor(q, dq, ddq, out=out)
    lib.rbv_model_regressors = original
    got = [ctypes.addressof(seen[0][i]._obj) for i in (0, 3, 4, 5)]
    print("the C function reads the caller's arrays, without a copy:", got == places)


if __name__ == "__main__":
    main()
