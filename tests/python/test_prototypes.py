"""The prototypes are those of the headers, and the package reaches every function of the stable tier."""
import ctypes
import re
import subprocess
import sys
import unittest

import common

#: functions that the package leaves out on purpose
ABSENT = {
    "rbv_status_name": "the generated table has the names",
    "rbv_status_text": "the generated table has the texts",
    "rbv_version": "the package has the version of the headers, and refuses a library without its functions",
    "rbv_model_open": "rbv_model_open_with without options is the same",
    "rbv_model_torques": "arrays of NumPy are row-major: the functions by sample",
    "rbv_model_accelerations": "arrays of NumPy are row-major: the functions by sample",
    "rbv_model_mass_matrix": "rbv_model_mass_matrices of one sample is the same",
    "rbv_model_regressor": "rbv_model_regressors of one sample is the same",
    "rbv_identification_set_number": "numbers are passed as text, with all their digits",
    "rbv_excitation_set_number": "numbers are passed as text, with all their digits",
    "rbv_excitation_format_text": "the documentation describes the formats",
    "rbv_validate": "the task validate gives the errors of all joints as well",
    "rbv_task_inputs": "the functions of the package have named arguments",
    "rbv_report_page": "rbv_report_save writes it",
}


class Prototypes(unittest.TestCase):

    def test_file_is_that_of_the_headers(self):
        made = subprocess.run([sys.executable, common.SOURCE / "python/prototypes.py", common.SOURCE / "include"],
                              stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        kept = (common.SOURCE / "python/roberval/_prototypes.py").read_text()
        self.assertEqual(made, kept, "run: python/prototypes.py include > python/roberval/_prototypes.py")

    def test_verbs_are_those_of_the_library(self):
        made = subprocess.run([sys.executable, common.SOURCE / "python/options.py"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        kept = (common.SOURCE / "python/roberval/verbs.py").read_text()
        self.assertEqual(made, kept, "run: python/options.py > verbs.py && mv verbs.py python/roberval/verbs.py")

    def test_every_declaration_has_a_prototype(self):
        from roberval._prototypes import FUNCTIONS

        declared = 0
        for header in (common.SOURCE / "include/roberval").glob("*.h"):
            text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S)
            declared += len(re.findall(r"^RBV_API\b", text, flags=re.M))
        self.assertEqual(declared, len(FUNCTIONS))
        self.assertGreater(declared, 120)

    def test_every_function_is_reached(self):
        from roberval._prototypes import FUNCTIONS

        package = common.SOURCE / "python/roberval"
        text = "".join(p.read_text() for p in package.glob("*.py") if p.name != "_prototypes.py")
        used = set(re.findall(r"\blib(?:rary)?\.(rbv_\w+)", text))
        self.assertEqual(used - set(FUNCTIONS), set())
        self.assertEqual(used & set(ABSENT), set(), "functions that are used, but listed as absent")
        self.assertEqual(set(FUNCTIONS) - used - set(ABSENT), set(), "functions that nobody uses")

    def test_widths(self):
        # the letters stand for types of these sizes on every platform of the wheel
        from roberval._library import TYPES

        sizes = {code: ctypes.sizeof(kind) for code, kind in TYPES.items() if kind}
        self.assertEqual(sizes, {"i": 4, "d": 8, "b": 1, "n": 8, "z": 8, "s": 8, "p": 8})


common.main()
