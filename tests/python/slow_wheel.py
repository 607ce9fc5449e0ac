"""The wheel of this build: complete, small, and usable in an empty environment without our build."""
import json
import os
import pathlib
import subprocess
import sys
import unittest
import zipfile

import common

BUILD = os.environ["ROBERVAL_BUILD"]
PLAIN = {"PATH": "/usr/bin:/bin", "HOME": str(common.FOLDER)}


SCRIPT = common.SOURCE / "python/wheel.py"


class Wheel(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.made = [subprocess.run([sys.executable, SCRIPT, BUILD, f"dist{i}"], stdout=subprocess.PIPE, check=True,
                                   encoding="utf-8").stdout.strip() for i in (1, 2)]

    def test_install_and_run(self):
        made = self.made
        self.assertEqual(pathlib.Path(made[0]).read_bytes(), pathlib.Path(made[1]).read_bytes())
        self.assertRegex(made[0], r"py3-none-manylinux_2_\d+_x86_64\.whl$")
        with zipfile.ZipFile(made[0]) as archive:
            info = f"roberval-{pathlib.Path(made[0]).name.split('-')[1]}.dist-info"
            names = {p["name"] for p in json.loads(archive.read(f"{info}/sboms/roberval.spdx.json"))["packages"]}
            licences = {n.split("/")[-1] for n in archive.namelist() if n.startswith(f"{info}/licenses/")}
        self.assertTrue({"roberval", "three"} <= names and any(n.startswith("libopenblas") for n in names), names)
        self.assertEqual({f"{n}.txt" for n in names - {"roberval", "three"}} | {"LICENSE"}, licences)
        subprocess.run([sys.executable, SCRIPT, "--check", made[0]], check=True)
        subprocess.run([sys.executable, "-m", "venv", "empty"], check=True)
        subprocess.run(["empty/bin/pip", "install", "--no-index", "-q", made[0]], check=True, env=PLAIN)
        cells = json.loads((common.SOURCE / "docs/notebooks/first_identification.ipynb").read_text())["cells"]
        pathlib.Path("first.py").write_text("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"))
        subprocess.run(["empty/bin/python", "first.py"], check=True, env=PLAIN)
        # the numbers are those of the tool of this build
        common.log()
        code = "import roberval; print(roberval.identify('arm.yaml', 'log.csv', method='irls').text, end='')"
        text = subprocess.run(["empty/bin/python", "-c", code], stdout=subprocess.PIPE, check=True, env=PLAIN,
                              encoding="utf-8").stdout
        common.tool("identify", "arm.yaml", "log.csv", "--method", "irls", "-q", "-o", "tool.json")
        self.assertEqual(text, pathlib.Path("tool.json").read_text())
        version = subprocess.run(["empty/bin/roberval", "--version"], stdout=subprocess.PIPE, check=True, env=PLAIN,
                                 encoding="utf-8").stdout
        self.assertIn("0.", version)

    def test_damage_is_found(self):
        made = self.made[0]
        broken = pathlib.Path("broken", pathlib.Path(made).name)
        broken.parent.mkdir()
        with zipfile.ZipFile(made) as source, zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
            for entry in source.infolist():
                if "libyaml" not in entry.filename:
                    target.writestr(entry, source.read(entry))
        done = subprocess.run([sys.executable, SCRIPT, "--check", broken], stderr=subprocess.PIPE, encoding="utf-8")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs libyaml", done.stderr)
        self.assertIn("RECORD and files differ", done.stderr)


common.main()
