"""What Python programmers expect: progress, Ctrl-C, logging, threads, pictures, documentation, types."""
import concurrent.futures
import doctest
import logging
import os
import pkgutil
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import common
import roberval


class Behaviour(unittest.TestCase):

    def test_progress_and_notes(self):
        calls = []
        with self.assertLogs("roberval", "INFO") as seen:
            result = roberval.identify("arm.yaml", common.log(), progress=lambda *a: calls.append(a))
        self.assertEqual([r.getMessage() for r in seen.records], result.notes)
        self.assertTrue(any("log.csv" in n for n in result.notes))
        self.assertTrue(calls and all(isinstance(s, str) and (d != d or 0 <= d <= 1) for s, d in calls))
        roberval.identify("arm.yaml", common.log(), progress=True)
        with self.assertRaises(roberval.CancelledError):
            roberval.excite("arm.yaml", budget=60, progress=lambda stage, done: stage != "search")

    def test_interrupt(self):
        # the signal arrives during the search; the handler of the user is back afterwards
        def press():
            time.sleep(0.4)
            os.kill(os.getpid(), signal.SIGINT)

        handler = signal.getsignal(signal.SIGINT)
        for call in (lambda: roberval.excite("tx40", budget=60, starts=10000),
                     lambda: roberval.montecarlo("tx40", runs=10000, methods="wls")):
            thread = threading.Thread(target=press)
            thread.start()
            started = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                call()
            self.assertLess(time.monotonic() - started, 30)
            self.assertIs(signal.getsignal(signal.SIGINT), handler)
            thread.join()

    def test_other_threads_run(self):
        # a thread that counts makes progress while the library computes: the interpreter alone switches to it after an hour only
        count = [0]
        stop = threading.Event()

        def work():
            while not stop.is_set():
                count[0] += 1
                time.sleep(0)

        robot = roberval.Robot("tx40")
        q = np.zeros((20000, 6))
        thread = threading.Thread(target=work)
        interval = sys.getswitchinterval()
        thread.start()
        sys.setswitchinterval(3600)
        before = count[0]
        calls = 0
        while count[0] == before and calls < 500:  # a busy machine may not run the thread during one call
            robot.regressor(q, q, q)
            calls += 1
        after = count[0]
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
        self.assertGreater(after, before)

    def test_eight_threads(self):
        common.log()
        single = roberval.identify("arm.yaml", "log.csv", method="irls").text
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda i: roberval.identify("arm.yaml", "log.csv", method="irls").text, range(16)))
        self.assertEqual(set(texts), {single})
        once = roberval.check("arm.yaml", "log.csv").json
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda i: roberval.check("arm.yaml", "log.csv").json, range(16)))
        self.assertTrue(all(f == once for f in found))

    def test_processes(self):
        common.log()
        robot = roberval.Robot("arm.yaml")
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            futures = [pool.submit(roberval.identify, robot, "log.csv", decimate=d) for d in (2, 3)]
            results = [f.result() for f in futures]
        self.assertEqual(results[0].text, roberval.identify(robot, "log.csv", decimate=2).text)

    def test_pictures(self):
        result = roberval.identify("arm.yaml", common.log())
        for name in ("fit", "residuals", "friction", "parameters", "correlation"):
            figure = getattr(result.plot, name)()
            self.assertTrue(figure.axes and figure.axes[0].has_data() or name == "correlation")
            figure.savefig(f"{name}.png")
            self.assertGreater(os.path.getsize(f"{name}.png"), 5000)
        import matplotlib.pyplot
        matplotlib.pyplot.close("all")

    def test_no_child_process(self):
        # every verb works in an interpreter that can start no process
        script = """
import sys
import roberval
def refuse(event, _):
    if event in ("subprocess.Popen", "os.exec", "os.fork", "os.posix_spawn", "os.system"):
        raise RuntimeError(event)
sys.addaudithook(refuse)
motion = roberval.excite("arm.yaml", period=3, starts=1, budget=0, harmonics=2)
log = roberval.simulate("arm.yaml", motion, torque_noise=0.01, seed=2)
loaded = roberval.simulate("arm.yaml", motion, torque_noise=0.01, payload=True, seed=3)
result = roberval.identify("arm.yaml", log, validate="log.csv")
other = roberval.identify("arm.yaml", "log.csv", consistent=True)
print(len(roberval.check("arm.yaml", log)) >= 0, roberval.validate(result, "log.csv").error < 1)
print(roberval.compare(result, other).disagreeing >= 0, roberval.payload("arm.yaml", log, loaded).mass.value < 100)
study = roberval.montecarlo("arm.yaml", reference="log_motion.csv", runs=2, methods="wls")
print(study.methods, roberval.options("check")[0].name)
other.export("urdf", "arm.urdf"), result.report("report.html"), result.figures
"""
        common.log()
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), ["True True", "True True", "['wls'] map"])

    def test_tasks_tell_and_stop(self):
        # notes go to the logger; a function that returns False stops a study, which can be continued
        common.log()
        # the function is called every 50 ms: the study must take longer
        given = dict(reference="log_motion.csv", runs=100, methods="wls", rate=100, journal="stopped")
        calls = []

        def stop(stage, done):
            calls.append((stage, done))
            return stage != "runs"

        with self.assertRaises(roberval.CancelledError):
            roberval.montecarlo("arm.yaml", progress=stop, **given)
        with self.assertLogs("roberval", "INFO") as seen:
            continued = roberval.montecarlo("arm.yaml", resume=True, **given)
        self.assertTrue(any("earlier run" in r.getMessage() for r in seen.records))
        given.pop("journal")
        whole = roberval.montecarlo("arm.yaml", progress=lambda *a: calls.append(a), **given)
        self.assertEqual(continued.json, whole.json)
        self.assertIn("<td>wls</td>", whole._repr_html_())
        self.assertTrue(all(0 < d <= 1 for s, d in calls if s == "runs"))

    def test_without_optional_packages(self):
        # an interpreter without NumPy, pandas, matplotlib and tqdm identifies, and says what it misses
        script = """
import sys
class Nothing:
    def find_spec(self, name, *_):
        if name.split(".")[0] in ("numpy", "pandas", "matplotlib", "tqdm"):
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
import roberval
r = roberval.identify("arm.yaml", "log.csv", progress=True)
print(r.parameters["Fv1"].value, r.verdict.answer, len(r.figures), r._repr_html_()[:3])
for call in (lambda: r.parameters.array, lambda: r.parameters.frame, lambda: r.plot.fit()):
    try:
        call()
    except roberval.NotFoundError as error:
        print(error)
"""
        common.log()
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("needs the package numpy: pip install numpy", done.stdout)
        self.assertIn("needs the package pandas", done.stdout)
        value = roberval.identify("arm.yaml", "log.csv").parameters["Fv1"].value
        self.assertEqual(done.stdout.split()[0], repr(value))

    def test_library_that_is_missing(self):
        done = subprocess.run([sys.executable, "-c", "import roberval"], stderr=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, "ROBERVAL_LIBRARY": "/nowhere/lib.so"})
        self.assertIn("set ROBERVAL_LIBRARY to its path", done.stderr)

    def test_docstrings(self):
        failed = tried = 0
        for module in pkgutil.iter_modules(roberval.__path__):
            found = doctest.testmod(__import__(f"roberval.{module.name}", fromlist=["x"]))
            failed += found.failed
            tried += found.attempted
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 10)
        for name in roberval.__all__:
            thing = getattr(roberval, name)
            if callable(thing):
                self.assertTrue(thing.__doc__, name)
                self.assertNotIn("{options}", thing.__doc__)
        for verb, option in ((roberval.check, "drop_bad_rows"), (roberval.simulate, "torque_noise"),
                             (roberval.validate, "max_error"), (roberval.compare, "no_logs"),
                             (roberval.payload, "known_mass"), (roberval.montecarlo, "runs"),
                             (roberval.follow, "save_every"), (roberval.sweep, "plants"),
                             (roberval.controller, "max_delay"), (roberval.fleet, "alarm"), (roberval.map, "log_rate")):
            self.assertIn(f"        {option}: ", verb.__doc__)
        for noun in (roberval.Robot, roberval.Recording, roberval.Result, roberval.Trajectory):
            for name in dir(noun):
                if not name.startswith("_"):
                    self.assertTrue(getattr(noun, name).__doc__ or not callable(getattr(noun, name)), name)

    def test_types(self):
        done = subprocess.run(["mypy", "--strict", "--cache-dir", str(common.FOLDER / "mypy"),
                               str(common.SOURCE / "python/roberval")], stdout=subprocess.PIPE, encoding="utf-8",
                              env={**os.environ, "LD_PRELOAD": "", "PYTHONPATH": ""})
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((common.SOURCE / "python/roberval/py.typed").exists())


common.main()
