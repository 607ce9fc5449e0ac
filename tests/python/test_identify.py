"""Results are those of the tool to the last bit; parameters, verdict, predictions, exports, pickles."""
import math
import os
import pickle
import unittest

import numpy as np

import common
import roberval

LOOP = {"didim", "iv", "piv", "slide", "cloe", "auto"}


class Equal(unittest.TestCase):

    def test_every_method(self):
        common.log()
        for method in roberval.methods():
            options = {"method": method}
            if method in LOOP:
                options.update(controller="log.yaml", skip=0.2)
            arguments = [a for k, v in options.items() for a in (f"--{k}", v)]
            common.tool("identify", "arm.yaml", "log.csv", *arguments, "-q", "-o", "tool.json")
            result = roberval.identify("arm.yaml", "log.csv", **options)
            self.assertEqual(result.text, (common.FOLDER / "tool.json").read_text(), method)

    def test_options_and_files(self):
        common.log("other", 2)
        common.tool("identify", "arm.yaml", common.log(), "--consistent", "--validate", "other.csv", "--prior", "robot",
                    "--prior-weight", "0.5", "--cutoff", "20", "-q", "-o", "tool.json")
        result = roberval.identify("arm.yaml", common.log(), consistent=True, validate=["other.csv"], prior="robot",
                                   prior_weight=0.5, cutoff=20, output="python.json")
        self.assertEqual((common.FOLDER / "python.json").read_text(), (common.FOLDER / "tool.json").read_text())
        self.assertEqual(result.path, "python.json")
        for format in set(roberval.export_formats()) - {"bands"}:  # needs a motion
            # in two folders, because C code is named after its file
            for folder in ("tool", "python"):
                os.makedirs(folder, exist_ok=True)
            common.tool("export", "tool.json", "--format", format, "-q", "-o", f"tool/arm.{format}")
            result.export(format, f"python/arm.{format}")
            one, two = ((common.FOLDER / n / f"arm.{format}").read_text() for n in ("tool", "python"))
            self.assertEqual(one, two, format)
        result.report("python.html")
        common.tool("report", "python.json", "-q", "-o", "tool.html")
        self.assertEqual((common.FOLDER / "python.html").read_bytes(), (common.FOLDER / "tool.html").read_bytes())
        self.assertEqual(roberval.again("python.json").text, result.text)

    def test_filter_scan(self):
        common.tool("identify", "arm.yaml", common.log(), "--filter-scan", "ols", "--scan-against", "robot", "--decimate-by",
                    "durbin-watson", "-q", "-o", "tool.json")
        result = roberval.identify("arm.yaml", common.log(), filter_scan="ols", scan_against="robot", decimate_by="durbin-watson")
        self.assertEqual(result.text, (common.FOLDER / "tool.json").read_text())
        self.assertEqual(result.get("filter_scan.methods.0.method"), "ols")

    def test_excite_and_simulate(self):
        options = {"period": 3, "starts": 1, "budget": 0, "harmonics": 3}
        common.tool("excite", "arm.yaml", *[a for k, v in options.items() for a in (f"--{k}", v)], "-q", "-o", "tool.csv")
        motion = roberval.excite("arm.yaml", **options)
        motion.save("python.csv")
        self.assertEqual((common.FOLDER / "tool.csv").read_text(), (common.FOLDER / "python.csv").read_text())
        self.assertEqual(motion.q.shape, (len(motion.t), 2))
        self.assertTrue(all(s > 0 for s in motion.sigmas.values()))
        common.tool("simulate", "arm.yaml", "tool.csv", "--torque-noise", "0.01", "--seed", 5, "-q", "-o", "tool_log.csv")
        made = roberval.simulate("arm.yaml", motion, torque_noise=0.01, seed=5, output="python_log.csv")
        self.assertEqual((common.FOLDER / "tool_log.csv").read_text(), (common.FOLDER / "python_log.csv").read_text())
        self.assertTrue(os.path.exists(made.controller))


class Results(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.result = roberval.identify("arm.yaml", common.log(), consistent=True, holdout=0.25)

    def test_parameters(self):
        p = self.result.parameters
        self.assertEqual(p["Fv1"].unit, "N m s/rad")
        self.assertLess(abs(p["Fv1"].value - 1.1), 6 * p["Fv1"].sigma)
        self.assertEqual(p[0], p[p.names[0]])
        self.assertEqual(self.result["Fv1"], p["Fv1"])
        self.assertEqual(p.array["name"].tolist(), p.names)
        self.assertEqual(np.asarray(p)["value"].tolist(), p.values.tolist())
        self.assertEqual(p.frame.loc["Fv1", "value"], p["Fv1"].value)
        self.assertIn("Fv1", p._repr_html_())
        self.assertIn("+-", repr(p))
        standard = self.result.standard
        self.assertEqual(len(standard), roberval.Robot("arm.yaml").ncolumn)
        self.assertTrue(0 <= standard["M2"].known <= 1)
        self.assertIsNone(roberval.identify("arm.yaml", common.log()).standard)

    def test_quality(self):
        r = self.result
        self.assertTrue(0 < r.fit_error < 0.2 and 0 < r.validation_error < 0.3)
        self.assertEqual(set(r.joint_errors), {"shoulder", "elbow"})
        self.assertEqual(r.json["fit"]["relative_error"], r.fit_error)
        self.assertEqual(r.options["method"], "wls")
        self.assertEqual(len(r.files["log.csv"]), 64)
        self.assertIn(r.verdict.answer, ("usable", "with care", "do not use"))
        self.assertEqual(roberval.Result(r._file()).verdict, r.verdict)
        self.assertIn(r.verdict.answer, r._repr_html_())
        self.assertTrue(r.converged and r.iterations >= 1 and r.condition > 1 and r.sigma_inflation > 0)
        self.assertEqual(r.get("diagnostics.condition_number_scaled"), r.condition)
        self.assertEqual(r.get("estimate.parameters.0.name"), r.parameters[0].name)
        self.assertIsNone(r.get("estimate.parameters.0.nothing"))
        self.assertTrue(r.notes)

    def test_sigma_is_that_of_the_blocks(self):
        r = roberval.identify("arm.yaml", common.log())
        # a sigma is never below that of white residuals
        sigma = np.maximum(np.sqrt(np.diag(r.covariance)), [p.sigma_white for p in r.parameters])
        np.testing.assert_allclose(sigma, r.parameters.sigmas, rtol=1e-6)

    def test_predictions(self):
        replay = self.result.predict(common.log())
        again = self.result.predict(np.ascontiguousarray(replay.q), np.ascontiguousarray(replay.dq),
                                    np.ascontiguousarray(replay.ddq))
        np.testing.assert_array_equal(again, replay.predicted)
        self.assertLess(replay.error, 0.2)
        law = self.result.friction("shoulder")
        self.assertAlmostEqual(law(np.array([2.0]))[0] - law(np.array([1.0]))[0], self.result["Fv1"].value, places=3)
        self.assertIn("Fc1", law.parameters)
        self.assertNotIn("Ia1", law.parameters)

    def test_figures(self):
        figures = self.result.figures
        self.assertIn("<svg", figures["torque-fit-1.svg"]._repr_svg_())

    def test_pickle(self):
        back = pickle.loads(pickle.dumps(self.result))
        self.assertEqual(back.text, self.result.text)
        self.assertEqual(back.parameters, self.result.parameters)

    def test_robot_of_a_result(self):
        robot = self.result.robot
        q = np.ones((3, 2))
        tau = robot.inverse_dynamics(q, q, q)
        self.assertFalse(np.array_equal(tau, roberval.Robot("arm.yaml").inverse_dynamics(q, q, q)))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(robot)).inverse_dynamics(q, q, q), tau)
        # as the robot of an identification it is that of its file
        again = roberval.identify(robot, common.log(), consistent=True, holdout=0.25)
        self.assertEqual(again.parameters, self.result.parameters)

    def test_pickled_simulation(self):
        made = roberval.simulate("arm.yaml", "log_motion.csv", torque_noise=0.02, bandwidth=6)
        back = pickle.loads(pickle.dumps(made))
        self.assertNotEqual(back.path, made.path)
        self.assertEqual(roberval.identify("arm.yaml", back).parameters, roberval.identify("arm.yaml", made).parameters)
        with self.assertRaises(TypeError):
            pickle.dumps(roberval.excite("arm.yaml", evaluate=common.log()))

    def test_payload_by_identify(self):
        common.log("carrying", 3)
        result = roberval.identify("arm.yaml", common.log(), loaded="carrying.csv", payload=True, unchecked=True)
        self.assertIn("ML", " ".join(result.parameters.names))


class Studies(unittest.TestCase):

    def test_check(self):
        findings = roberval.check("arm.yaml", common.log())
        self.assertTrue(findings.ok, findings)
        self.assertTrue(findings.identifiability["known"])
        r = roberval.Recording(common.log())
        bad = roberval.check("arm.yaml", roberval.Recording.from_arrays(t=r.t, q=np.degrees(r.q), tau=r.tau))
        self.assertFalse(bad.ok)
        self.assertEqual(bad.errors[0].code, "degrees")
        self.assertIn("degrees", bad._repr_html_())

    def test_validate_and_compare(self):
        other = common.log("other", 2)
        one, two = (roberval.identify("arm.yaml", x) for x in (common.log(), other))
        v = roberval.validate(one, other)
        self.assertTrue(0 < v.error < 0.3 and set(v.joints) == {"shoulder", "elbow"})
        self.assertEqual(v.json["result"], one.path)
        file = roberval.validate(roberval.Robot("arm.yaml"), "other.csv")
        self.assertEqual(file.json["robot"], "arm.yaml")
        c = roberval.compare(one, two)
        self.assertIsNone(c.outlier)
        self.assertIn("Fv1", c.frame.index)
        self.assertIn("Fv1", c._repr_html_())

    def test_payload(self):
        rng = np.random.default_rng(2)
        robot = roberval.Robot("arm.yaml", payload=True)
        t = np.arange(2000) / 200
        k, phase = np.arange(1, 6)[:, None], rng.uniform(0, 6, (2, 5, 1))
        q, dq, ddq = (np.stack([(f * np.sin(1.2 * k * t + p + d * np.pi / 2)).sum(0) for p in phase], axis=1)
                      for d, f in ((0, 0.5 / k), (1, 0.6 + 0 * k), (2, 0.72 * k)))
        chi = robot.parameters.copy()
        logs = []
        for mass in (0, 1.5):
            chi[robot.find("ML")], chi[robot.find("MXL")] = mass, 0.2 * mass
            tau = robot.inverse_dynamics(q, dq, ddq, chi) + 0.01 * rng.normal(size=q.shape)
            logs.append(roberval.Recording.from_arrays(t=t, q=q, tau=tau))
        p = roberval.payload("arm.yaml", *logs)
        self.assertLess(abs(p.mass.value - 1.5), max(5 * p.mass.sigma, 0.02))
        # a result replaces the recording without the payload
        known = roberval.identify("arm.yaml", logs[0])
        for arm in (known, known.save("known.json")):
            one = roberval.payload(arm, logs[1])
            self.assertLess(abs(one.mass.value - 1.5), max(5 * one.mass.sigma, 0.02))
        self.assertIn("mass", p._repr_html_())

    def test_montecarlo(self):
        common.log()
        options = dict(reference="log_motion.csv", runs=3, methods="wls", seed=2, cutoff=20, decimate=4, mask=0.01,
                       bandwidth=6, validate="none")
        calls = []
        study = roberval.montecarlo("arm.yaml", progress=lambda stage, share: calls.append(share), **options)
        import json
        arguments = [a for k, v in options.items() for a in (f"--{k}", v)]
        self.assertEqual(study.json, json.loads(common.tool("montecarlo", "arm.yaml", *arguments, "--json", "-q")))
        self.assertEqual(study.methods, ["wls"])
        self.assertIn(("wls", "Fv1"), study.frame.index)
        self.assertTrue(calls and calls[-1] == 1, calls)
        for i in (1, 2):
            self.assertIsNone(roberval.montecarlo("arm.yaml", shard=f"{i}/2", output=f"part{i}", **options))
        self.assertEqual(roberval.merge("part2", "part1").json["methods"], study.json["methods"])
        self.assertTrue(any(o.name == "runs" and o.help for o in roberval.options("montecarlo")))


common.main()
