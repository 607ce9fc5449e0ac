"""Files behind objects that are in memory."""
from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import weakref
from typing import Any, Optional, Tuple

_folder: Optional[Tuple[int, "tempfile.TemporaryDirectory[str]"]] = None


def private_folder(owner: Any) -> str:
    """A new folder that lives as long as the owner, and not longer than the process."""
    global _folder
    if _folder is None or _folder[0] != os.getpid():
        folder = tempfile.TemporaryDirectory(prefix="roberval-")
        atexit.register(folder.cleanup)
        _folder = os.getpid(), folder
    path = tempfile.mkdtemp(dir=_folder[1].name)
    weakref.finalize(owner, shutil.rmtree, path, True)
    return path


def is_private(path: str) -> bool:
    """True for a file in a folder of private_folder."""
    return _folder is not None and os.path.abspath(path).startswith(_folder[1].name + os.sep)


class Holder:
    """Keeps a private folder alive."""
