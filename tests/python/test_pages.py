"""The Python blocks of the documentation run, in the order of the page."""
import re
import unittest

import common


class Pages(unittest.TestCase):

    def test_blocks(self):
        for name in ("docs/python.md", "docs/python-from-other-tools.md"):
            with self.subTest(name):
                common.log()
                text = (common.SOURCE / name).read_text()
                blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)
                self.assertGreaterEqual(len(blocks), 3)
                space = {}
                for block in blocks:
                    exec(compile(block, name, "exec"), space)

    def test_readme(self):
        # the package's own page names functions that exist
        import roberval
        text = (common.SOURCE / "python/README.md").read_text()
        for name in re.findall(r"roberval\.(\w+)\(", text):
            self.assertTrue(hasattr(roberval, name), name)
        for name in re.findall(r"result\.(\w+)", text):
            self.assertTrue(hasattr(roberval.Result, name), name)


common.main()
