"""The examples: conversions to other programs, and the same function for every executor."""
import importlib.util
import sys
import unittest

import numpy as np

import common
import roberval

sys.path.insert(0, str(common.SOURCE / "examples/python"))
import fleet
import numpy_friction
import to_mujoco
import to_pinocchio
import to_ros2_control


class Examples(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.result = roberval.identify("arm.yaml", common.log(), consistent=True)

    def test_numpy_friction(self):
        space = {}
        exec(numpy_friction.source(self.result, 0), space)
        v = np.linspace(-2, 2, 41)
        np.testing.assert_allclose(space["friction"](v), self.result.friction(0)(v), rtol=1e-12, atol=1e-12)

    def test_ros2_control(self):
        text = to_ros2_control.text(self.result)
        self.assertIn("    joints: [shoulder, elbow]\n", text)
        self.assertIn(f"      viscous: {self.result.standard['Fv1'].value!r}\n", text)

    def test_inertias(self):
        found = to_pinocchio.inertias(self.result)
        mass, centre, inertia = found["elbow"]
        p = self.result.standard
        # the written digits are those of the estimate, to the rounding of a change of frames
        self.assertAlmostEqual(mass, p["M2"].value, places=9)
        self.assertAlmostEqual(np.linalg.norm(centre),
                               np.linalg.norm([p[f"{a}2"].value for a in ("MX", "MY", "MZ")]) / mass, places=9)
        self.assertTrue((np.linalg.eigvalsh(inertia) > 0).all())

    @unittest.skipUnless(importlib.util.find_spec("mujoco"), "the package mujoco is not installed")
    def test_mujoco(self):
        import mujoco

        self.result.export("mjcf", "arm.xml")
        model = mujoco.MjModel.from_xml_path("arm.xml")
        before = model.body_mass.copy()
        model.body_mass[:] = 1
        to_mujoco.update(model, self.result)
        np.testing.assert_allclose(model.body_mass[1:], before[1:])

    @unittest.skipUnless(importlib.util.find_spec("pinocchio"), "the package pinocchio is not installed")
    def test_pinocchio(self):
        import pinocchio

        self.result.export("urdf", "arm.urdf")
        model = pinocchio.buildModelFromUrdf("arm.urdf")
        to_pinocchio.update(model, self.result)
        self.assertAlmostEqual(model.inertias[2].mass, self.result.standard["M2"].value)

    def test_fleet(self):
        logs = [common.log(), common.log("other", 2)]
        robot = roberval.Robot("arm.yaml")
        one = fleet.identify_all(robot, logs)
        two = fleet.with_processes(robot, logs)
        self.assertEqual([r.text for r in one], [r.text for r in two])


common.main()
