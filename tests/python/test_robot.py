"""Robots: facts, vectorised dynamics without copies, base parameters, pickles."""
import pathlib
import pickle
import unittest

import numpy as np

import common
import roberval


TREE = """
name: tree
joints:
- {name: a, origin: {xyz: [0, 0, 1]}, parameters: {ZZ: 2, M: 3, Ia: 0.3}}
- {name: b, origin: {xyz: [0, 0.2, 0]}, axis: [0, 1, 0], mimic: {joint: d, multiplier: -2, offset: 0.5},
   parameters: {XX: 0.2, YY: 0.2, ZZ: 0.1, MX: 0.1, M: 1}}
- {name: c, parent: a, origin: {xyz: [0, -0.2, 0]}, axis: [0, 1, 0],
   parameters: {XX: 0.3, YY: 0.2, ZZ: 0.2, MX: 0.2, M: 2}}
- {name: d, type: prismatic, origin: {xyz: [0.3, 0, 0]}, axis: [1, 0, 0], parameters: {XX: 0.1, YY: 0.1, ZZ: 0.1, M: 1}}
"""

# a parallelogram: the crank is driven
FOUR_BARS = """
urdf: bars.urdf
loops:
- between:
  - {frame: coupler, xyz: [0.5, 0, 0]}
  - {frame: rocker, xyz: [0.3, 0, 0]}
driven: [a]
reference: {a: 1.2, b: -1.2, c: 1.2}
"""
BARS = "<robot name='bars'><link name='base'/>" + "".join(
    f"<link name='{link}'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    f"<joint name='{joint}' type='continuous'><parent link='{parent}'/><child link='{link}'/><origin xyz='{x} 0 0'/><axis xyz='0 0 1'/></joint>"
    for joint, link, parent, x in [("a", "crank", "base", 0), ("b", "coupler", "crank", 0.3), ("c", "rocker", "base", 0.5)]) + "</robot>"


class Facts(unittest.TestCase):

    def test_builtin(self):
        robot = roberval.Robot("tx40")
        self.assertEqual((robot.name, robot.njoint, robot.nrow, robot.ncolumn), ("tx40", 6, 6, 86))
        self.assertEqual(robot.joints[0].name, "joint1")
        self.assertAlmostEqual(robot.joints[0].velocity, 5.009, places=3)
        self.assertEqual(robot.units[robot.find("ZZ1R")], "kg m^2")
        self.assertEqual(robot.parameters[robot.columns.index("Fv1")], 7.61)
        self.assertIn("tx40", roberval.builtin_robots())
        self.assertIn("<table>", robot._repr_html_())

    def test_options(self):
        self.assertTrue(roberval.Robot("arm.yaml", payload=True).has_payload)
        self.assertIn("Fs1", roberval.Robot("arm.yaml", stribeck=0.1).columns)
        again = roberval.Robot(roberval.Robot("arm.yaml", payload=True), stribeck=0.1)
        self.assertTrue(again.has_payload and "Fs2" in again.columns)

    def test_closed_loop(self):
        pathlib.Path("bars.urdf").write_text(BARS)
        pathlib.Path("bars.yaml").write_text(FOUR_BARS)
        robot = roberval.Robot("bars.yaml")
        self.assertEqual((robot.joint_names, [robot.bodies[i] for i in robot.passive]), (["a"], ["b", "c"]))

    def test_tree(self):
        pathlib.Path("tree.yaml").write_text(TREE)
        robot = roberval.Robot("tree.yaml")
        self.assertEqual((robot.links, robot.base_moves), ([None] * 4, False))  # YAML names joints
        self.assertEqual((robot.bodies, robot.parents, robot.tips), (["a", "b", "c", "d"], [-1, 0, 0, 2], [1, 3]))
        self.assertEqual(robot.passive, [])
        self.assertEqual((robot.joint_names, robot.joint_bodies, robot.free_base), (["a", "c", "d"], [0, 2, 3], False))
        K, k0 = robot.coordinate_map
        np.testing.assert_array_equal(K, [[1, 0, 0], [0, 0, -2], [0, 1, 0], [0, 0, 1]])
        np.testing.assert_array_equal(k0, [0, 0.5, 0, 0])
        q, dq, ddq = np.random.default_rng(2).normal(size=(3, 10, 3))
        tau = robot.inverse_dynamics(q, dq, ddq)
        # the same torque by the regressor, by the mass matrix, and back to the accelerations
        np.testing.assert_allclose(robot.regressor(q, dq, ddq) @ robot.parameters, tau, atol=1e-12)
        rest = robot.inverse_dynamics(q, dq, 0 * ddq)
        np.testing.assert_allclose(np.einsum("kij,kj->ki", robot.mass_matrix(q), ddq), tau - rest, atol=1e-12)
        np.testing.assert_allclose(robot.forward_dynamics(q, dq, tau), ddq, atol=1e-10)
        W = robot.regressor(*np.random.default_rng(3).normal(size=(3, 200, 3))).reshape(-1, robot.ncolumn)
        self.assertEqual(len(robot.base.names), np.linalg.matrix_rank(W, tol=1e-9 * np.linalg.norm(W, 2)))

    def test_help_lists_the_options(self):
        self.assertIn("stribeck:", roberval.Robot.__doc__)
        self.assertIn("prior_weight:", roberval.identify.__doc__)
        self.assertIn("harmonics:", roberval.excite.__doc__)


class Dynamics(unittest.TestCase):

    def setUp(self):
        self.robot = roberval.Robot("tx40")
        self.q, self.dq, self.ddq = np.random.default_rng(1).normal(size=(3, 130, 6))

    def test_torques_equal_those_of_the_tool(self):
        common.log()
        header = ",".join(["t"] + [f"{s}{j}" for s in ("q", "dq", "ddq") for j in range(1, 7)])
        table = np.hstack([np.arange(130)[:, None] / 100, self.q, self.dq, self.ddq])
        np.savetxt("motion.csv", table, delimiter=",", header=header, comments="", fmt="%.17g")
        printed = common.tool("dynamics", "tx40", "motion.csv", "-q").splitlines()
        columns = printed[0].split(",")
        rows = np.array([[float(x) for x in line.split(",")] for line in printed[1:]])
        tau = rows[:, [columns.index(f"tau{j}") for j in range(1, 7)]]
        # the command computes one sample at a time, the batch several in a vector, with fused products
        np.testing.assert_allclose(self.robot.inverse_dynamics(self.q, self.dq, self.ddq), tau, rtol=1e-13, atol=1e-13)

    def test_files(self):
        # one arm as YAML, URDF and MJCF: the same torques
        result = roberval.identify("arm.yaml", common.log(), consistent=True)
        q, dq, ddq = np.random.default_rng(3).normal(size=(3, 20, 2))
        chi = {p.name: p.value for p in result.standard}
        torques = []
        for format, path in (("yaml", "same.yaml"), ("urdf", "same.urdf"), ("mjcf", "same.xml")):
            result.export(format, path)
            robot = roberval.Robot(path)
            self.assertEqual(robot.joint_names, ["shoulder", "elbow"])
            rigid = robot.parameters.copy()
            for i, column in enumerate(robot.columns):
                if column[:2] in ("Fv", "Fc", "of", "Ks"):  # a URDF has no friction; constant torques are springs of an MJCF
                    rigid[i] = 0
                if column[:2] == "Ia":
                    rigid[i] = chi[column]
            torques.append(robot.inverse_dynamics(q, dq, ddq, rigid))
        # frames of URDF and MJCF are written with 17 digits: rounding of a change of frames
        np.testing.assert_allclose(torques[1], torques[0], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(torques[2], torques[0], rtol=1e-9, atol=1e-9)

    def test_identities(self):
        tau = self.robot.inverse_dynamics(self.q, self.dq, self.ddq)
        np.testing.assert_allclose(self.robot.forward_dynamics(self.q, self.dq, tau), self.ddq, rtol=1e-9, atol=1e-9)
        W = self.robot.regressor(self.q, self.dq, self.ddq)
        self.assertEqual(W.shape, (130, 6, 86))
        np.testing.assert_allclose(W @ self.robot.parameters, tau, rtol=1e-10, atol=1e-10)
        M = self.robot.mass_matrix(self.q)
        rest = self.robot.inverse_dynamics(self.q, self.dq, 0 * self.ddq)
        np.testing.assert_allclose(np.einsum("kij,kj->ki", M, self.ddq) + rest, tau, rtol=1e-9, atol=1e-9)
        base = self.robot.base
        reduced = np.zeros(86)
        reduced[list(base.columns)] = base.matrix @ self.robot.parameters
        np.testing.assert_allclose(self.robot.inverse_dynamics(self.q, self.dq, self.ddq, reduced), tau, rtol=1e-9,
                                   atol=1e-9)

    def test_shapes(self):
        one = self.robot.inverse_dynamics(self.q[0], self.dq[0], self.ddq[0])
        self.assertEqual(one.shape, (6,))
        grid = [x.reshape(10, 13, 6) for x in (self.q, self.dq, self.ddq)]
        self.assertEqual(self.robot.mass_matrix(grid[0]).shape, (10, 13, 6, 6))
        flat = self.robot.inverse_dynamics(self.q, self.dq, self.ddq)
        np.testing.assert_array_equal(self.robot.inverse_dynamics(*grid).reshape(130, 6), flat)
        # other layouts and types give the same numbers
        other = self.robot.inverse_dynamics(np.asfortranarray(self.q), self.dq.tolist(), self.ddq)
        np.testing.assert_array_equal(other, flat)
        self.assertEqual(self.robot.inverse_dynamics(self.q[:0], self.dq[:0], self.ddq[:0]).shape, (0, 6))

    def test_no_copies(self):
        from roberval import _arrays
        self.robot.mass_matrix(self.q)
        self.assertIs(_arrays.samples(self.q, 6, "q"), self.q)
        part = self.q[10:50]
        self.assertEqual(_arrays.address(_arrays.samples(part, 6, "q")), part.ctypes.data)
        out = np.full((130, 6), np.nan)
        self.assertIs(self.robot.inverse_dynamics(self.q, self.dq, self.ddq, out=out), out)
        self.assertTrue(np.isfinite(out).all())
        W = self.robot.regressor(self.q, self.dq, self.ddq)
        self.assertTrue(np.shares_memory(W.reshape(-1, 86), W))

    def test_parameters_by_name(self):
        heavy = dict(zip(self.robot.columns, self.robot.parameters))
        heavy["Fv1"] += 1
        more = self.robot.inverse_dynamics(self.q, self.dq, self.ddq, heavy)
        less = self.robot.inverse_dynamics(self.q, self.dq, self.ddq)
        np.testing.assert_allclose((more - less)[:, 0], self.dq[:, 0], atol=1e-9)

    def test_nan_stays_in_its_sample(self):
        self.q[3, 2] = np.nan
        tau = self.robot.inverse_dynamics(self.q, self.dq, self.ddq)
        self.assertTrue(np.isnan(tau[3]).any())
        self.assertTrue(np.isfinite(np.delete(tau, 3, axis=0)).all())


class Pickles(unittest.TestCase):

    def test_robot(self):
        robot = roberval.Robot("arm.yaml", payload=True)
        text = pickle.dumps(robot)
        self.assertEqual(pickle.loads(text).columns, robot.columns)
        # on another machine, where the file is missing
        (common.FOLDER / "arm.yaml").rename("hidden.yaml")
        try:
            there = pickle.loads(text)
        finally:
            (common.FOLDER / "hidden.yaml").rename("arm.yaml")
        self.assertEqual(there.columns, robot.columns)
        self.assertNotEqual(there.source, "arm.yaml")


common.main()
