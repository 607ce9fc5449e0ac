"""follow, sweep, controller, fleet, map: the numbers of the tool, and rows one by one."""
import json
import pathlib
import unittest

import common
import roberval

LOG, OTHER = common.log(), common.log("other", 2)
RESULT = roberval.identify("arm.yaml", LOG)
RESULT.save("result.json")


def tool(*arguments):
    return json.loads(common.tool(*arguments, "--json", "-q"))


class Operation(unittest.TestCase):

    def test_follow(self):
        seen = roberval.follow("arm.yaml", "result.json", OTHER, alarms=20)
        self.assertEqual(seen.json, tool("follow", "arm.yaml", "result.json", OTHER, "--alarms", "20"))
        self.assertTrue(seen.ok)
        self.assertEqual(len([e for e in seen.events if e.kind == "contact"]), seen.contacts)
        # recordings in memory and results as objects
        work = roberval.Recording(OTHER)
        torque = work.tau.copy()
        torque[500:560, 0] += 30
        pushed = roberval.Recording.from_arrays(t=work.t, q=work.q, tau=torque)
        seen = roberval.follow("arm.yaml", RESULT, pushed, alarm="contact")
        self.assertFalse(seen.ok)
        self.assertEqual(seen.events[-1].kind, "contact")
        self.assertIn("contact at shoulder", seen.events[-1].text)
        self.assertTrue(work.t[500] <= seen.events[-1].t < work.t[560])
        # the same rows one by one
        follower = roberval.Follower(None, RESULT)
        events = [e for k in range(len(work.t)) for e in follower.push(work.t[k], work.q[k], torque[k])]
        first = next(e for e in events if e.kind == "contact")
        self.assertEqual(first, seen.events[-1])
        self.assertEqual(len(follower.residual), 2)
        self.assertTrue(all(limit > 0 for limit in follower.limit))
        self.assertEqual(follower.push(work.t[-1], work.q[-1], torque[-1])[0].kind, "bad-stream")
        self.assertEqual(len(follower.mass), 2)
        self.assertIn(follower.contact, (None, 0, 1))

    def test_follower_refuses(self):
        follower = roberval.Follower("arm.yaml", "result.json", log_rate=200)
        with self.assertRaisesRegex(roberval.DimensionError, "2 positions and 2 torques"):
            follower.push(0, [0], [0, 0])
        with self.assertRaises(roberval.OptionError):
            roberval.Follower("arm.yaml", "result.json", colour="red")
        with self.assertRaisesRegex(roberval.InputError, "rising time stamps"):
            roberval.Follower("arm.yaml", "result.json").end()
        with self.assertRaisesRegex(roberval.ArgumentError, "one recording"):
            roberval.follow("arm.yaml", RESULT, [LOG, OTHER])

    def test_sweep(self):
        given = dict(reference="log_motion.csv", plants=16, bandwidth=6, seed=4)
        found = roberval.sweep("arm.yaml", RESULT, **given)
        arguments = [a for k, v in given.items() for a in (f"--{k}", v)]
        same = tool("sweep", "arm.yaml", "result.json", *arguments)
        self.assertEqual({**found.json, "result": ""}, {**same, "result": ""})
        self.assertEqual(found.done + found.diverged + found.rejected, 16)
        self.assertEqual(found.ok, found.diverged == 0)

    def test_controller(self):
        found = roberval.controller("arm.yaml", LOG, output="law.yaml")
        self.assertEqual(found.json, tool("controller", "arm.yaml", LOG, "-o", "again.yaml"))
        self.assertEqual(pathlib.Path("law.yaml").read_text(), pathlib.Path("again.yaml").read_text())
        self.assertTrue(found.ok)
        self.assertIn("shoulder", repr(found))
        # it is an option of other functions
        kept = roberval.controller("arm.yaml", LOG)
        loop = roberval.simulate("arm.yaml", "log_motion.csv", controller=kept)
        self.assertFalse(loop.info["diverged"])

    def test_fleets(self):
        for period, log in (("may", LOG), ("june", OTHER)):
            pathlib.Path("history", period).mkdir(parents=True)
            roberval.identify("arm.yaml", log).save(f"history/{period}/one.json")
        found = roberval.fleet("history", alarm=0.02)
        self.assertEqual(found.json, tool("fleet", "history", "--alarm", "0.02"))
        self.assertEqual(found.robots, ["one"])
        self.assertEqual(found.ok, not found.changes)
        pathlib.Path("fleet.yaml").write_text(
            f"robot: arm.yaml\nrobots:\n- {{name: one, logs: [{LOG}]}}\n- {{name: two, logs: [{OTHER}]}}\n")
        both = roberval.identify_fleet("fleet.yaml", method="ols", output="robots")
        self.assertEqual(both.json, tool("identify", "--fleet", "fleet.yaml", "--method", "ols"))
        self.assertEqual(both.robots, ["one", "two"])
        self.assertEqual(roberval.Result("robots/two.json").method, "ols")
        for i in (1, 2):
            self.assertIsNone(roberval.identify_fleet("fleet.yaml", method="ols", shard=f"{i}/2", output=f"shard{i}"))
        self.assertEqual(tool("merge", "shard1", "shard2"), both.json)

    def test_map(self):
        rows = pathlib.Path(LOG).read_text().splitlines()
        head = next(i for i, row in enumerate(rows) if row.startswith("t,"))
        rows[head] = rows[head].replace("tau1", "effort_shoulder").replace("tau2", "effort_elbow") \
            .replace("q1", "pos_shoulder").replace("q2", "pos_elbow")
        pathlib.Path("driver.csv").write_text("\n".join(rows) + "\n")
        found = roberval.map("arm.yaml", "driver.csv", output="driver.yaml")
        self.assertEqual(found.json, tool("map", "arm.yaml", "driver.csv"))
        self.assertEqual(pathlib.Path("driver.yaml").read_text(), found.yaml)
        self.assertTrue(roberval.map("arm.yaml", LOG).standard)

    def test_topics(self):
        with self.assertRaises(roberval.OptionError):
            roberval.record("arm.yaml", "/joint states", "recording.csv")
        tool("excite", "tx40", "--period", "3", "--harmonics", "3", "--blend", "0.5", "--starts", "1", "--budget", "5",
             "--velocity", "1", "--link-radius", "0.04", "--coefficients", "played.yaml")
        # nothing is sent without a permission
        done = roberval.play("tx40", "played.yaml", link_radius=0.04, velocity="1")
        self.assertTrue(done.ok)
        self.assertFalse(done.json["asked_to_move"])
        self.assertEqual(done.json["messages"], 0)

    def test_lint(self):
        found = roberval.lint("arm.yaml")
        self.assertEqual(found.ok, not found.findings)
        pathlib.Path("robot.urdf").write_text(
            "<robot name='one'><link name='base'/><link name='arm'><inertial><mass value='1e-6'/></inertial></link>"
            "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint></robot>")
        found = roberval.lint("robot.urdf")
        self.assertFalse(found.ok)
        self.assertEqual(found.findings[0], "arm: its mass of 1e-06 kg is a placeholder")
        self.assertEqual(found.moving_mass, 1e-6)


common.main()
