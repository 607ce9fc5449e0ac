#!/usr/bin/env python3
"""bench/fleet.py TOOL [--robot ROBOT] [--seconds S] [--rate HZ] [--distinct N] COUNT...: simulate and identify fleets of COUNT robots.

Every robot has a recording of its own (another seed) of the same designed motion; with --distinct N only N are simulated and the others are links
to them, for large fleets on small machines. Prints processor times, robots per hour of one core, bytes
per robot and peak memory. Times of `identify --fleet` are those of one thread; without load two cores do twice as much.
"""
import argparse
import os
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("tool")
parser.add_argument("--robot", default="tx40")
parser.add_argument("--seconds", type=float, default=10)
parser.add_argument("--rate", type=float, default=100)
parser.add_argument("--distinct", type=int, default=1 << 30)
parser.add_argument("count", type=int, nargs="+")
given = parser.parse_args()
tool = os.path.realpath(given.tool)
robot = os.path.realpath(given.robot) if os.path.exists(given.robot) else given.robot
os.environ["OPENBLAS_NUM_THREADS"] = "1"


def run(*words, answers=(0,)):
    """Processor time of a command, and its peak memory in MB."""
    process = subprocess.Popen([tool, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in answers:
        sys.exit(f"{' '.join(words)}: exit code {process.returncode}: {error}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


print(f"{os.path.basename(robot)}, {given.seconds:g} s at {given.rate:g} Hz")
print(f"{'robots':>7} {'simulate s':>11} {'identify s':>11} {'identified per core hour':>25} {'both per core hour':>19} "
      f"{'log kB':>7} {'result kB':>10} {'memory MB':>10} {'fleet s':>8}")
for count in given.count:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("history")
        run("excite", robot, "--period", str(given.seconds), "--rate", str(given.rate), "--harmonics", "3", "--starts", "1", "--budget", "0", "-q",
            "-o", "motion.csv")
        simulate = 0.0
        with open("fleet.yaml", "w", encoding="utf-8") as manifest:
            manifest.write(f"robot: {robot}\nrobots:\n")
            for i in range(count):
                if i < given.distinct:
                    simulate += run("simulate", robot, "motion.csv", "--seed", str(i + 1), "--torque-noise", "2%", "-q", "-o", f"log{i}.csv")[0]
                else:
                    os.link(f"log{i % given.distinct}.csv", f"log{i}.csv")
                manifest.write(f"  - {{name: r{i}, logs: [log{i}.csv]}}\n")
        identify, memory = run("identify", "--fleet", "fleet.yaml", "-q", "-o", "history/1", answers=(0, 1))
        simulate *= max(1, count / given.distinct)
        log, result = os.path.getsize("log0.csv"), os.path.getsize("history/1/r0.json")
        subprocess.run(["cp", "-r", "history/1", "history/2"], check=True)
        fleet = run("fleet", "history", answers=(0, 1))[0]
        print(f"{count:7} {simulate:11.1f} {identify:11.1f} {3600 * count / identify:25.0f} {3600 * count / (simulate + identify):19.0f} "
              f"{log / 1e3:7.0f} {result / 1e3:10.0f} {memory:10.0f} {fleet:8.1f}", flush=True)
        os.chdir("/")
