"""Options with types, kinematics, recordings as other programs have them."""
import inspect
import subprocess
import textwrap
import typing
import unittest

import numpy as np

import common
import roberval

VERBS = ["identify", "check", "excite", "simulate", "validate", "compare", "payload", "montecarlo", "follow", "record", "play", "sweep",
         "controller", "lint", "fleet", "identify_fleet", "map"]


def mypy(script):
    """Return code and output of mypy --strict for a script of a user."""
    path = common.FOLDER / "script.py"
    path.write_text(textwrap.dedent(script))
    done = subprocess.run(["mypy", "--strict", "--cache-dir", str(common.FOLDER / "mypy"), str(path)], stdout=subprocess.PIPE,
                          encoding="utf-8", env={**common.os.environ, "LD_PRELOAD": "", "MYPYPATH": str(common.SOURCE / "python")})
    return done.returncode, done.stdout


class Typed(unittest.TestCase):

    def test_every_option_is_a_typed_keyword(self):
        for name in VERBS:
            function = getattr(roberval, name)
            parameters = inspect.signature(function).parameters
            hints = typing.get_type_hints(function)
            self.assertEqual(set(hints) - {"return"}, set(parameters))
            own = {o.name for o in roberval.options(name.replace("_", "-"))} - {p.rstrip("_") for p in parameters}
            # what the tool does with files, and a result in Python with methods
            methods = {"identify": {"again", "filter", "plots", "report"}}
            self.assertEqual(own, methods.get(name, set()), name)
        page = inspect.getdoc(roberval.identify) + str(inspect.signature(roberval.identify))
        self.assertIn("cutoff: 'Optional[Text]'", page)
        self.assertIn("Literal['ols'", page)
        self.assertIn("    cutoff: ", page)

    def test_did_you_mean(self):
        for call in (lambda: roberval.identify("arm.yaml", common.log(), metod="wls"),
                     lambda: roberval.validate("no-result.json", "log.csv", max_eror=3)):
            with self.assertRaises(roberval.OptionError) as failed:
                call()
            self.assertIn("did you mean '", str(failed.exception))

    def test_script_of_a_user(self):
        good = """
            import numpy as np
            import roberval

            robot = roberval.Robot("tx40")
            log = roberval.Recording.from_arrays(rate=100.0, q=np.zeros((100, 6)), tau=np.zeros((100, 6)))
            result = roberval.identify(robot, [log, "log.csv"], method="wls", cutoff=20, weights=[1.0, 2.0], holdout=0.25, consistent=True)
            error: float = result.error
            name: str = result.parameters[0].name
            answer: str = result.verdict.answer
            torque: float = robot.gravity(np.zeros(6))[0] + robot.jacobian(np.zeros(6))[0, 0] + robot.pose(np.zeros(6))[0, 3]
            findings = roberval.check(robot, log, map="map.yaml")
            print([f.sentence for f in findings.errors], error, name, answer, torque)
        """
        code, output = mypy(good)
        self.assertEqual(code, 0, output)
        wrong = ('metod="wls"', 'method="wsl"', "consistent=3.5", 'holdout="x"')
        code, output = mypy("import roberval\n" + "".join(f'roberval.identify("tx40", "log.csv", {w})\n' for w in wrong))
        self.assertEqual(code, 1, output)
        for line, text in enumerate(wrong, 2):
            self.assertIn(f"script.py:{line}: error", output, text)

    def test_frame_with_names_of_ros(self):
        import pandas
        log = roberval.Recording(common.log())
        frame = pandas.DataFrame({f"/joint_states/{kind}[{joint}]": log.channel(channel)[:, j]
                                  for j, joint in ((1, "elbow"), (0, "shoulder"))
                                  for kind, channel in (("position", "q"), ("effort", "tau"))}, index=log.t)
        result = roberval.identify("arm.yaml", frame, friction="plain")
        same = roberval.identify("arm.yaml", roberval.Recording.from_arrays(t=log.t, q=log.q, tau=log.tau), friction="plain")
        np.testing.assert_array_equal(result.parameters.values, same.parameters.values)
        np.testing.assert_array_equal(log.frame["q1"].to_numpy(), log["q1"])

    def test_plot(self):
        import matplotlib.pyplot
        figure = roberval.identify("arm.yaml", common.log()).plot()
        self.assertEqual(len(figure.axes), 2)
        self.assertTrue(figure.axes[0].has_data())
        matplotlib.pyplot.close("all")


class Kinematics(unittest.TestCase):

    def test_plane_by_hand(self):
        # two links in a plane: the elbow lies 0.4 m along the turned x axis of the first
        (common.FOLDER / "plane.yaml").write_text("name: plane\njoints:\n  - {name: a, mdh: {}}\n  - {name: b, mdh: {d: 0.4}}\n"
                                                  "parameters: {M1: 2, MX1: 0.3, M2: 1, MX2: 0.2}\n")
        robot = roberval.Robot("plane.yaml")
        q = np.array([0.3, -0.7])
        T = robot.pose(q)
        np.testing.assert_allclose(T[:3, 3], [0.4 * np.cos(0.3), 0.4 * np.sin(0.3), 0], atol=1e-15)
        np.testing.assert_allclose(T[:2, 0], [np.cos(-0.4), np.sin(-0.4)], atol=1e-15)
        np.testing.assert_allclose(robot.jacobian(q), [[-0.4 * np.sin(0.3), 0], [0.4 * np.cos(0.3), 0], [0, 0], [0, 0], [0, 0], [1, 1]], atol=1e-15)
        np.testing.assert_array_equal(robot.pose(q, "a"), robot.pose(q, 0))

    def test_jacobian_is_the_derivative_of_the_pose(self):
        robot = roberval.Robot("tx40")
        q = np.random.default_rng(1).normal(size=(5, 6))
        point, h = np.array([0.1, -0.2, 0.3]), 1e-6
        for body in (0, 3, "joint6"):
            J = robot.jacobian(q, body, point)
            self.assertEqual(J.shape, (5, 6, 6))
            for j in range(6):
                step = h * np.eye(6)[j]
                place = [robot.pose(q + s * step, body)[..., :3, :] @ np.append(point, 1) for s in (-1, 1)]
                # central differences of lengths up to 1 m: h^2 of truncation, eps / h of rounding
                np.testing.assert_allclose(J[:, :3, j], (place[1] - place[0]) / (2 * h), atol=1e-8)

    def test_gravity(self):
        robot = roberval.Robot("tx40")
        q = np.random.default_rng(2).normal(size=(4, 6))
        zero = np.zeros_like(q)
        bodies = {n: v for n, v in robot.values.items() if n[:2] in ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ") or n[0] == "M"}
        np.testing.assert_allclose(robot.gravity(q), robot.inverse_dynamics(q, zero, zero, bodies), atol=1e-12)
        offset = {**robot.values, "off2": 7.0}
        np.testing.assert_array_equal(robot.gravity(q, offset), robot.gravity(q))
        self.assertGreater(abs(robot.gravity(q)[:, 1]).max(), 1)

    def test_refused(self):
        robot = roberval.Robot("tx40")
        for call in (lambda: robot.pose(np.zeros(5)), lambda: robot.pose(np.zeros(6), 6), lambda: robot.jacobian(np.zeros(6), -1),
                     lambda: robot.pose(np.zeros(6), "no such joint")):
            with self.assertRaises(roberval.RobervalError):
                call()


common.main()
