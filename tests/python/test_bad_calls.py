"""Wrong calls give exceptions with a sentence, never a crash."""
import unittest

import numpy as np

import common
import roberval
from roberval import (ArgumentError, ClosedError, DataError, DimensionError, InputError, OptionError, ReadError, Recording,
                      Result, RobervalError, Robot, WriteError)

R = Robot("arm.yaml")
A = np.zeros((5, 2))
T = np.arange(5) / 10
LOG = common.log()
RESULT = roberval.identify("arm.yaml", LOG)
REC = Recording(LOG)


def closed(make):
    thing = make()
    thing.close()
    return thing


def arrays(**more):
    return Recording.from_arrays(**{"t": T, "q": A, **more})


def with_nan(channel):
    values = {"q": REC.q, "tau": REC.tau}
    values[channel] = values[channel].copy()
    values[channel][100:110, 0] = np.nan
    return Recording.from_arrays(t=REC.t, **values)


(common.FOLDER / "broken.csv").write_text("t,q1\n0,1\n1,x\n")
(common.FOLDER / "broken.json").write_text('{"schema": "other"}')
(common.FOLDER / "broken.yaml").write_text("joints: [1, 2")
(common.FOLDER / "broken.urdf").write_text("<robot><link></robot>")
(common.FOLDER / "empty.csv").write_text("")
(common.FOLDER / "no_values.yaml").write_text("joints:\n  - {mdh: {}}\n")
NO_VALUES = Robot("no_values.yaml")

#: class of the exception, part of its sentence, call
CALLS = [
    # robots
    (ReadError, "missing.urdf", lambda: Robot("missing.urdf")),
    (RobervalError, "no built-in robot", lambda: Robot("nosuchrobot")),
    (InputError, "broken.yaml", lambda: Robot("broken.yaml")),
    (InputError, "broken.urdf", lambda: Robot("broken.urdf")),
    (RobervalError, "", lambda: Robot("")),
    (RobervalError, "", lambda: Robot(".")),
    (ArgumentError, "robot", lambda: Robot(None)),
    (ArgumentError, "robot", lambda: Robot(3)),
    (ArgumentError, "robot", lambda: Robot(b"arm.yaml")),
    (ArgumentError, "zero character", lambda: Robot("arm\0.yaml")),
    (OptionError, "weight", lambda: Robot("arm.yaml", weight=3)),
    (OptionError, "sensing", lambda: Robot("arm.yaml", sensing="left")),
    (OptionError, "gamma", lambda: Robot("arm.yaml", gamma="much")),
    (OptionError, "gamma", lambda: Robot("arm.yaml", gamma=-1)),
    (OptionError, "stribeck", lambda: Robot("arm.yaml", stribeck=float("nan"))),
    (OptionError, "type", lambda: Robot("arm.yaml", gamma=object())),
    (OptionError, "None", lambda: Robot("arm.yaml", gamma=[1, None])),
    (ClosedError, "closed", lambda: closed(lambda: Robot("arm.yaml")).name),
    (ClosedError, "closed", lambda: closed(lambda: Robot("arm.yaml")).inverse_dynamics(A, A, A)),
    (ClosedError, "closed", lambda: Robot(closed(lambda: Robot("arm.yaml")))),
    (ClosedError, "closed", lambda: roberval.identify(closed(lambda: Robot("arm.yaml")), LOG)),
    # dynamics
    (DimensionError, "(5, 3)", lambda: R.inverse_dynamics(np.zeros((5, 3)), A, A)),
    (DimensionError, "dq", lambda: R.inverse_dynamics(A, np.zeros((4, 2)), A)),
    (DimensionError, "ddq", lambda: R.inverse_dynamics(A, A, np.zeros(2))),
    (DimensionError, "2 joints", lambda: R.mass_matrix(1.0)),
    (DimensionError, "(0,)", lambda: R.mass_matrix([])),
    (ArgumentError, "no array of numbers", lambda: R.mass_matrix([["a", "b"]])),
    (ArgumentError, "no array of numbers", lambda: R.mass_matrix([[1, 2], [3]])),
    (ArgumentError, "no array of numbers", lambda: R.mass_matrix([[None, object()]])),
    (ArgumentError, "no array of numbers", lambda: R.mass_matrix(np.array([["1j", "x"]]))),
    (DimensionError, "parameters", lambda: R.inverse_dynamics(A, A, A, np.zeros(3))),
    (DimensionError, "parameters", lambda: R.inverse_dynamics(A, A, A, np.zeros((2, R.ncolumn)))),
    (ArgumentError, "no parameter 'weight'", lambda: R.inverse_dynamics(A, A, A, {"weight": 1})),
    (DimensionError, "out", lambda: R.inverse_dynamics(A, A, A, out=np.zeros((5, 3)))),
    (ArgumentError, "out", lambda: R.inverse_dynamics(A, A, A, out=np.zeros((5, 2), dtype=np.float32))),
    (ArgumentError, "out", lambda: R.inverse_dynamics(A, A, A, out=np.zeros((2, 5)).T)),
    (ArgumentError, "out", lambda: R.inverse_dynamics(A, A, A, out=[0.0] * 10)),
    (ArgumentError, "out", lambda: R.mass_matrix(A, out=REC["q1"])),
    (DimensionError, "out", lambda: R.regressor(A, A, A, out=np.zeros((5, 2)))),
    (InputError, "sample 0", lambda: R.forward_dynamics(A, A, A, np.zeros(R.ncolumn))),
    (InputError, "positive definite", lambda: R.forward_dynamics(A + np.nan, A, A)),
    (ArgumentError, "no parameter values", lambda: NO_VALUES.inverse_dynamics(A[:, :1], A[:, :1], A[:, :1])),
    (ArgumentError, "", lambda: R.find(3)),
    # recordings
    (ReadError, "missing.csv", lambda: Recording("missing.csv")),
    (InputError, "broken.csv", lambda: Recording("broken.csv")),
    (RobervalError, "empty.csv", lambda: Recording("empty.csv")),
    (RobervalError, "", lambda: Recording(".")),
    (ArgumentError, "recording", lambda: Recording(None)),
    (ArgumentError, "recording", lambda: Recording(17)),
    (ReadError, "missing.yaml", lambda: Recording(LOG, map="missing.yaml")),
    (InputError, "broken.yaml", lambda: Recording(LOG, map="broken.yaml")),
    (ArgumentError, "map", lambda: Recording(REC, map="map.yaml")),
    (ArgumentError, "either", lambda: Recording.from_arrays(q=A)),
    (ArgumentError, "either", lambda: Recording.from_arrays(t=T, rate=10, q=A)),
    (ArgumentError, "rate", lambda: Recording.from_arrays(rate=0, q=A)),
    (ArgumentError, "rate", lambda: Recording.from_arrays(rate=float("nan"), q=A)),
    (ArgumentError, "channel", lambda: Recording.from_arrays(t=T)),
    (DimensionError, "4 samples", lambda: arrays(tau=A[:4])),
    (DimensionError, "t has the shape", lambda: arrays(t=A)),
    (DimensionError, "q has the shape", lambda: arrays(q=np.zeros((5, 2, 1)))),
    (ArgumentError, "tau", lambda: arrays(tau=[["a"] * 2] * 5)),
    (DimensionError, "names", lambda: arrays(joints=["one"])),
    (DimensionError, "sample", lambda: Recording.from_arrays(rate=1, q=A[:0])),
    (ArgumentError, "DataFrame", lambda: Recording.from_frame([1, 2])),
    (ClosedError, "closed", lambda: len(closed(lambda: Recording(LOG)))),
    (ClosedError, "closed", lambda: closed(lambda: Recording(LOG)).q),
    (ClosedError, "closed", lambda: roberval.identify("arm.yaml", closed(lambda: Recording(LOG)))),
    (WriteError, "nowhere", lambda: REC.save("nowhere/x.csv")),
    # identification
    (ReadError, "missing.csv", lambda: roberval.identify("arm.yaml", "missing.csv")),
    (ReadError, "missing.csv", lambda: roberval.identify("arm.yaml", [LOG, "missing.csv"])),
    (ReadError, "missing.csv", lambda: roberval.identify("arm.yaml", LOG, validate="missing.csv")),
    (ReadError, "missing.yaml", lambda: roberval.identify("missing.yaml", LOG)),
    (ArgumentError, "at least one recording", lambda: roberval.identify("arm.yaml", [])),
    (ArgumentError, "recording", lambda: roberval.identify("arm.yaml", None)),
    (ArgumentError, "recording", lambda: roberval.identify("arm.yaml", 5)),
    (ArgumentError, "recording", lambda: roberval.identify("arm.yaml", [5])),
    (ArgumentError, "robot", lambda: roberval.identify(None, LOG)),
    (OptionError, "method", lambda: roberval.identify("arm.yaml", LOG, method="magic")),
    (OptionError, "speed", lambda: roberval.identify("arm.yaml", LOG, speed=9)),
    (OptionError, "holdout", lambda: roberval.identify("arm.yaml", LOG, holdout=2)),
    (OptionError, "holdout", lambda: roberval.identify("arm.yaml", LOG, holdout=float("nan"))),
    (OptionError, "bootstrap", lambda: roberval.identify("arm.yaml", LOG, bootstrap=1.5)),
    (OptionError, "essential", lambda: roberval.identify("arm.yaml", LOG, essential="perhaps")),
    (OptionError, "consistent and essential", lambda: roberval.identify("arm.yaml", LOG, consistent=True, essential=True)),
    (RobervalError, "controller", lambda: roberval.identify("arm.yaml", LOG, method="iv")),
    (RobervalError, "payload", lambda: roberval.identify("arm.yaml", LOG, loaded=LOG)),
    (RobervalError, "missing.yaml", lambda: roberval.identify("arm.yaml", LOG, prior="missing.yaml")),
    (RobervalError, "", lambda: roberval.identify("tx40", LOG)),
    (RobervalError, "", lambda: roberval.identify("arm.yaml", with_nan("q"))),
    (RobervalError, "", lambda: roberval.identify("arm.yaml", with_nan("tau"))),
    (RobervalError, "", lambda: roberval.identify("arm.yaml", arrays(tau=A))),
    (RobervalError, "", lambda: roberval.identify("arm.yaml", Recording.from_arrays(t=REC.t, q=REC.q))),
    (InputError, "no joint 'shoulder'", lambda: roberval.identify("arm.yaml", arrays(tau=A, joints=["a", "b"]))),
    (WriteError, "nowhere", lambda: roberval.identify("arm.yaml", LOG, output="nowhere/r.json")),
    (ArgumentError, "progress", lambda: roberval.identify("arm.yaml", LOG, progress=5)),
    (ZeroDivisionError, "", lambda: roberval.identify("arm.yaml", LOG, progress=lambda s, d: 1 / 0)),
    (roberval.CancelledError, "cancelled", lambda: roberval.identify("arm.yaml", LOG, progress=lambda s, d: False)),
    # results
    (ReadError, "missing.json", lambda: Result("missing.json")),
    (InputError, "broken.json", lambda: Result("broken.json")),
    (ArgumentError, "result", lambda: Result(None)),
    (ReadError, "missing.json", lambda: roberval.again("missing.json")),
    (KeyError, "Fx9", lambda: RESULT["Fx9"]),
    (KeyError, "Fx9", lambda: RESULT.parameters["Fx9"]),
    (IndexError, "", lambda: RESULT.parameters[999]),
    (ClosedError, "closed", lambda: closed(lambda: Result(RESULT._file())).parameters),
    (ClosedError, "closed", lambda: closed(lambda: roberval.identify("arm.yaml", LOG)).text),
    (RobervalError, "docx", lambda: RESULT.export("docx", "x")),
    (WriteError, "nowhere", lambda: RESULT.export("yaml", "nowhere/x.yaml")),
    (WriteError, "nowhere", lambda: RESULT.report("nowhere/x.html")),
    (DataError, "", lambda: RESULT.export("urdf", "x.urdf")),
    (ArgumentError, "q, dq and ddq", lambda: RESULT.predict(A, A)),
    (DimensionError, "joints", lambda: RESULT.predict(A[:, :1], A, A)),
    (ReadError, "missing.csv", lambda: RESULT.predict("missing.csv")),
    (ArgumentError, "one recording", lambda: RESULT.predict([LOG, LOG])),
    (ArgumentError, "wrist", lambda: RESULT.friction("wrist")),
    (ArgumentError, "joint 7", lambda: RESULT.friction(7)),
    # trajectories
    (OptionError, "period", lambda: roberval.excite("arm.yaml", period="long")),
    (OptionError, "hurry", lambda: roberval.excite("arm.yaml", hurry=True)),
    (OptionError, "class", lambda: roberval.excite("arm.yaml", class_="zigzag")),
    (ReadError, "missing.yaml", lambda: roberval.excite("missing.yaml")),
    # studies
    (ReadError, "missing.csv", lambda: roberval.check("arm.yaml", "missing.csv")),
    (OptionError, "tolerance", lambda: roberval.check("arm.yaml", LOG, tolerance=7)),
    (OptionError, "no option 'colour'", lambda: roberval.check("arm.yaml", LOG, colour="red")),
    (OptionError, "true or false", lambda: roberval.check("arm.yaml", LOG, drop_bad_rows="yes")),
    (ReadError, "missing.csv", lambda: roberval.simulate("arm.yaml", "missing.csv")),
    (OptionError, "rate", lambda: roberval.simulate("arm.yaml", LOG, rate=-3)),
    (ArgumentError, "result", lambda: roberval.validate(3, LOG)),
    (ArgumentError, "two", lambda: roberval.compare(RESULT)),
    (ReadError, "missing.json", lambda: roberval.compare(RESULT, "missing.json")),
    (ArgumentError, "one recording", lambda: roberval.payload("arm.yaml", [LOG, LOG], LOG)),
    (OptionError, "methods", lambda: roberval.montecarlo("arm.yaml", methods="")),
    (OptionError, "runs", lambda: roberval.montecarlo("arm.yaml", runs=0)),
    (OptionError, "montecarlo", lambda: roberval.options("nothing")),
    (OptionError, "purple", lambda: roberval.montecarlo("arm.yaml", mode="purple")),
    (OptionError, "job array", lambda: roberval.montecarlo("arm.yaml", shard="array", output="part")),
    (OptionError, "I/N", lambda: roberval.montecarlo("arm.yaml", reference=LOG, runs=1, shard="3/2", output="part")),
    (OptionError, "max-error", lambda: roberval.validate(RESULT, LOG, max_error="much")),
    (OptionError, "max-change", lambda: roberval.compare(RESULT, RESULT, max_change=-1)),
    (InputError, "flange", lambda: roberval.payload("arm.yaml", LOG, LOG, frame="flange")),
    (ReadError, "missing", lambda: roberval.merge("missing")),
]


class BadCalls(unittest.TestCase):

    def test_every_call_is_refused(self):
        self.assertGreaterEqual(len(CALLS), 100)
        for i, (kind, part, call) in enumerate(CALLS):
            with self.subTest(i=i, kind=kind.__name__, part=part):
                try:
                    call()
                except kind as error:
                    sentence = str(error)
                    self.assertIn(part, sentence)
                    if isinstance(error, RobervalError):
                        self.assertTrue(sentence and "\n" not in sentence and "--" not in sentence, sentence)
                else:
                    self.fail("no exception")

    def test_classes(self):
        from roberval._prototypes import STATUS
        from roberval.errors import BY_STATUS

        self.assertEqual(set(BY_STATUS), set(STATUS) - {"RBV_OK"})
        self.assertTrue(issubclass(ReadError, OSError) and issubclass(OptionError, ValueError))
        try:
            roberval.identify("arm.yaml", LOG, method="iv")
        except RobervalError as error:
            import pickle
            back = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(back), str(back)), (type(error), str(error)))


common.main()
