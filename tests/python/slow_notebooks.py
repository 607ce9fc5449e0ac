"""Every notebook runs from its first to its last cell, in a folder of examples."""
import os
import subprocess
import sys
import unittest

import common

FOLDER = common.SOURCE / "docs/notebooks"


class Notebooks(unittest.TestCase):

    def test_every_notebook_has_a_page(self):
        names = {p.stem for p in FOLDER.glob("*.ipynb")}
        self.assertEqual(len(names), 6)
        self.assertEqual(names, {p.stem for p in FOLDER.glob("*.md")} - {"README"})

    def test_run(self):
        for path in sorted(FOLDER.glob("*.ipynb")):
            if "ROBERVAL_DATA" in path.read_text() and not os.path.isdir(os.environ.get("ROBERVAL_DATA", "")):
                print(f"{path.name}: ROBERVAL_DATA is not set")
                continue
            with self.subTest(path.name):
                done = subprocess.run([sys.executable, common.SOURCE / "python/pages.py", "--check", path],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
                self.assertEqual(done.returncode, 0, done.stdout[-3000:])


common.main()
