"""Recordings from files, arrays and DataFrames; joints by name; views; pickles."""
import gc
import pickle
import unittest

import numpy as np
import pandas

import common
import roberval


class Recordings(unittest.TestCase):

    def setUp(self):
        self.file = roberval.Recording(common.log())

    def arrays(self):
        return {k: self.file.channel(k) for k in ("q", "tau")}

    def test_file(self):
        self.assertEqual(len(self.file), 1001)
        self.assertEqual(self.file.joint_count, 2)
        self.assertEqual(self.file.q.shape, (1001, 2))
        self.assertIn("tau2", self.file)
        self.assertNotIn("tau3", self.file)
        with self.assertRaises(KeyError):
            self.file["tau3"]

    def test_formats(self):
        # the same columns as CSV, packed CSV, NumPy and MATLAB files give the same numbers
        import gzip
        import importlib.util

        names = self.file.columns
        columns = {n: np.array(self.file[n]) for n in names}
        self.file.save("plain.csv")
        with gzip.open("packed.csv.gz", "wb") as packed:
            packed.write((common.FOLDER / "plain.csv").read_bytes())
        np.savez("log.npz", **columns)
        paths = ["plain.csv", "packed.csv.gz", "log.npz"]
        if importlib.util.find_spec("scipy"):
            import scipy.io

            scipy.io.savemat("log.mat", columns)
            paths.append("log.mat")
        for path in paths:
            with self.subTest(path):
                read = roberval.Recording(path)
                self.assertEqual(sorted(read.columns), sorted(names))
                for name in names:
                    np.testing.assert_array_equal(read[name], columns[name])

    def test_views_outlive_the_recording(self):
        recording = roberval.Recording(common.log())
        before = recording["q1"].copy()
        column = recording["q1"]
        recording.close()
        del recording
        gc.collect()
        np.testing.assert_array_equal(column, before)
        self.assertFalse(column.flags.writeable)

    def test_memory_gives_the_numbers_of_the_file(self):
        memory = roberval.Recording.from_arrays(t=self.file.t, name="copy", **self.arrays())
        frame = roberval.Recording.from_frame(pandas.DataFrame(
            {n: self.file[n] for n in ("t", "q1", "q2", "tau1", "tau2")}))
        path = memory.save("saved.csv")
        results = [roberval.identify("arm.yaml", source) for source in (path, memory, frame)]
        for other in results[1:]:
            self.assertEqual(results[0].parameters, other.parameters)
        # and through the tool, from the saved file
        common.tool("identify", "arm.yaml", "saved.csv", "-q", "-o", "tool.json")
        self.assertEqual(results[0].text, (common.FOLDER / "tool.json").read_text())

    def test_rate_and_one_joint(self):
        r = roberval.Recording.from_arrays(rate=100, q=np.zeros(50), current=np.ones(50))
        self.assertEqual(r.columns, ["t", "q1", "current"])
        self.assertEqual(r.t[-1], 0.49)

    def test_joints_by_name(self):
        plain = roberval.identify("arm.yaml", roberval.Recording.from_arrays(t=self.file.t, **self.arrays()))
        swapped = {k: v[:, ::-1] for k, v in self.arrays().items()}
        named = roberval.Recording.from_arrays(t=self.file.t, joints=["elbow", "shoulder"], **swapped)
        for robot in ("arm.yaml", roberval.Robot("arm.yaml")):
            self.assertEqual(roberval.identify(robot, named).parameters, plain.parameters)
        frame = pandas.DataFrame({f"{k}_{j}": v[:, i] for k, v in swapped.items()
                                  for i, j in enumerate(("elbow", "shoulder"))}, index=self.file.t)
        by_frame = roberval.Recording.from_frame(frame, joints=["elbow", "shoulder"])
        self.assertEqual(roberval.identify("arm.yaml", by_frame).parameters, plain.parameters)
        levels = frame.copy()
        levels.columns = pandas.MultiIndex.from_tuples([tuple(c.split("_")) for c in frame.columns])
        by_levels = roberval.Recording.from_frame(levels, joints=["elbow", "shoulder"])
        np.testing.assert_array_equal(by_levels.tau, by_frame.tau)

    def test_any_names(self):
        columns = {"time": self.file.t}
        for i, joint in reversed(list(enumerate(("shoulder", "elbow")))):
            columns[f"/joint_states/position[{joint}]"] = self.file.q[:, i]
            columns[f"/joint_states/effort[{joint}]"] = self.file.tau[:, i]
        frame = pandas.DataFrame(columns)
        frame.to_csv("ros.csv", index=False)
        unknown = roberval.Recording("ros.csv")
        self.assertEqual(unknown.columns, list(columns))
        same = roberval.Recording.from_arrays(t=self.file.t, q=self.file.q, tau=self.file.tau)
        plain = dict(roberval.identify("arm.yaml", same).parameters.items())
        by_index = frame.set_index("time")
        for source in ("ros.csv", unknown, frame, by_index, roberval.Recording.from_frame(frame)):
            for name, value in roberval.identify("arm.yaml", source).parameters.items():
                self.assertAlmostEqual(value, plain[name], delta=1e-9)
        with self.assertRaisesRegex(roberval.InputError, "the columns are not recognised"):
            roberval.identify("arm.yaml", pandas.DataFrame({"x": np.zeros(300), "y": np.ones(300)}))

    def test_map(self):
        with open("degrees.csv", "w") as f:
            f.write("ms,a,b,x,y\n")
            for k in range(len(self.file)):
                q, tau = self.file.q[k], self.file.tau[k]
                f.write(f"{1000 * self.file.t[k]!r},{np.degrees(q[0])!r},{np.degrees(q[1])!r},{tau[0]!r},{tau[1]!r}\n")
        (common.FOLDER / "map.yaml").write_text(
            "time: {column: ms, unit: ms}\njoints:\n"
            "  - {q: {column: a, unit: deg}, tau: {column: x}}\n  - {q: {column: b, unit: deg}, tau: {column: y}}\n")
        mapped = roberval.Recording("degrees.csv", map="map.yaml")
        np.testing.assert_allclose(mapped.q, self.file.q, atol=1e-12)
        one = roberval.identify("arm.yaml", mapped)
        two = roberval.identify("arm.yaml", "degrees.csv", map="map.yaml")
        self.assertEqual(one.text, two.text)

    def test_time_stamps_of_pandas(self):
        index = pandas.to_timedelta(np.arange(100) * 10, unit="ms")
        r = roberval.Recording.from_frame(pandas.DataFrame({"q1": np.zeros(100)}, index=index))
        np.testing.assert_allclose(r.t, np.arange(100) * 0.01, atol=1e-12)

    def test_pickle(self):
        memory = roberval.Recording.from_arrays(t=self.file.t, joints=["a", "b"], **self.arrays())
        back = pickle.loads(pickle.dumps(memory))
        self.assertEqual((back.columns, back.joints), (memory.columns, memory.joints))
        np.testing.assert_array_equal(back.q, memory.q)
        self.assertEqual(pickle.loads(pickle.dumps(self.file)).path, self.file.path)

    def test_dataframe(self):
        frame = self.file.frame
        self.assertEqual(list(frame.columns), self.file.columns)


common.main()
