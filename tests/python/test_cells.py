"""Quick notebooks: the first one cell by cell without Jupyter and any other package, with a short search; another one
with nbclient. All of them run in slow_notebooks."""
import json
import re
import subprocess
import sys
import unittest

import common

RUN = """
import sys
class Nothing:
    def find_spec(self, name, *_):
        if name.split(".")[0] in ("numpy", "pandas", "matplotlib", "tqdm", "IPython"):
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
"""


class Cells(unittest.TestCase):

    def test_first_notebook(self):
        cells = json.loads((common.SOURCE / "docs/notebooks/first_identification.ipynb").read_text())["cells"]
        code = [re.sub(r"budget=\d+", "budget=1", "".join(c["source"])) for c in cells if c["cell_type"] == "code"]
        self.assertGreater(len(code), 10)
        script = RUN + "\n".join(code) + "\nprint(validation.error, result.path)\n"
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        error, path = done.stdout.split()
        self.assertLess(float(error), 0.2)
        self.assertTrue((common.FOLDER / path).exists())

    @unittest.skipIf(common.SANITIZED, "the kernel of Jupyter is a program of its own")
    def test_quick_notebook(self):
        done = subprocess.run([sys.executable, common.SOURCE / "python/pages.py", "--check",
                               common.SOURCE / "docs/notebooks/payload.ipynb"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertIn("payload.ipynb runs", done.stdout)


common.main()
