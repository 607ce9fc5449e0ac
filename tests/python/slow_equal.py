"""Five robots: excite, simulate, identify with every method and export give the bytes of the tool."""
import os
import pathlib
import unittest

import common
import roberval

LOOP = {"cloe", "didim", "iv", "piv", "slide", "auto"}
ROBOTS = {"arm": "arm.yaml", "tx40": "tx40", "ns16": "ns16", "slide": "slide.yaml",
          "ur_class": "ur_class.yaml"}
for file, example in (("ur_class.yaml", "ur_class.yaml"), ("slide.yaml", "arm.yaml")):
    (common.FOLDER / file).write_text((common.SOURCE / "examples" / example).read_text())


def typed(options):
    return [x for k, v in options.items() for x in ([f"--{k}"] if v is True else [f"--{k}", v])]


class Equal(unittest.TestCase):

    def same(self, one, two, what):
        self.assertEqual(pathlib.Path(one).read_bytes(), pathlib.Path(two).read_bytes(), what)

    compared = 0
    worked = {}  # methods by robot

    def same_as_tool(self, name, robot):
        """One robot, from the design of its motion to the exports of its result."""
        folder = common.FOLDER / name
        tool, python = folder / "tool", folder / "python"
        for part in (tool, python):
            os.makedirs(part)
        design = {"period": 3, "starts": 1, "budget": 0, "harmonics": 3}
        common.tool("excite", robot, *typed(design), "-q", "-o", tool / "motion.csv")
        roberval.excite(robot, **design).save(python / "motion.csv")
        self.same(tool / "motion.csv", python / "motion.csv", "excite")
        loop = {"rate": 500, "bandwidth": 5, "torque-noise": "1%", "encoder": 65536}
        common.tool("simulate", robot, tool / "motion.csv", *typed(loop), "-q", "-o", tool / "log.csv",
                    "--save-controller", tool / "pid.yaml")
        made = roberval.simulate(robot, python / "motion.csv", output=python / "log.csv",
                                 **{k.replace("-", "_"): v for k, v in loop.items()})
        self.same(tool / "log.csv", python / "log.csv", "simulate")
        self.same(tool / "pid.yaml", made.controller, "controller")
        log = str(tool / "log.csv")
        self.worked[name] = set()
        for method in roberval.methods():
            options = {"method": method}
            if method in LOOP:
                options.update(controller=str(tool / "pid.yaml"), skip=0.2)
            common.tool("identify", robot, log, *typed(options), "-q", "-o", tool / "result.json", codes=(0, 1, 4))
            if not (tool / "result.json").exists():
                with self.assertRaises(roberval.RobervalError):
                    roberval.identify(robot, log, **options)
                continue
            roberval.identify(robot, log, output=python / "result.json", **options)
            self.same(tool / "result.json", python / "result.json", method)
            (tool / "result.json").unlink()
            self.worked[name].add(method)
            Equal.compared += 1
        common.tool("identify", robot, log, "--consistent", "-q", "-o", folder / "consistent.json")
        result = roberval.Result(str(folder / "consistent.json"))
        for format in roberval.export_formats():
            options = {"bands": {"motion": tool / "motion.csv"}, "c": {"derivatives": True}}.get(format, {})
            common.tool("export", folder / "consistent.json", "--format", format, *typed(options), "-q", "-o",
                        tool / f"arm.{format}", codes=(0, 1, 3, 4))
            if (tool / f"arm.{format}").exists():
                result.export(format, python / f"arm.{format}", **options)
                self.same(tool / f"arm.{format}", python / f"arm.{format}", format)
                Equal.compared += 1
        print(f"{name}: {len(self.worked[name])} methods, {Equal.compared} results and exports so far", flush=True)
        # a robot on which most methods fail would compare nothing
        self.assertGreater(len(self.worked[name]), len(roberval.methods()) // 2)

    def test_zz_every_method(self):
        if len(self.worked) < len(ROBOTS):
            self.skipTest("needs the tests of all robots")
        self.assertEqual(set.union(*self.worked.values()), set(roberval.methods()))
        self.assertGreater(Equal.compared, 60)


for _name, _robot in ROBOTS.items():
    setattr(Equal, f"test_{_name}", lambda self, n=_name, r=_robot: self.same_as_tool(n, r))


common.main()
