"""Build backend (PEP 517) without dependencies: ``pip wheel .`` and ``make wheel``.

backend.py wheel BUILD OUT: the wheel of a build that exists; backend.py sdist OUT: the sources.
"""
import gzip
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent

#: top-level files and folders of the sources; what git ignores is left out
SOURCES = ("CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE",
           "README.md", "bench", "cmake", "docs", "examples", "fuzz", "include", "pyproject.toml", "python", "robots",
           "scripts", "src", "tests", "web")
LEFT_OUT = {"__pycache__", "node_modules", "build", ".mypy_cache"}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the library with CMake in a temporary folder, then the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        for command in (["cmake", "-S", str(ROOT), "-B", folder, "-DCMAKE_BUILD_TYPE=Release"],
                        ["cmake", "--build", folder, "-j", str(os.cpu_count() or 2), "--target", "roberval", "roberval_cli"]):
            subprocess.run(command, check=True, stdout=sys.stderr)
        return wheel.make(folder, wheel_directory).name


def build_sdist(sdist_directory, config_settings=None):
    """The sources as one archive. The same sources give the same bytes."""
    name = f"roberval-{wheel.version()}"
    target = pathlib.Path(sdist_directory, name + ".tar.gz")
    target.parent.mkdir(parents=True, exist_ok=True)
    paths = []
    for top in SOURCES:
        path = ROOT / top
        paths += [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        content = [(p.relative_to(ROOT).as_posix(), p.read_bytes(), p.stat().st_mode & 0o111) for p in sorted(paths)
                   if not LEFT_OUT & set(p.relative_to(ROOT).parts)]
        for path, data, executable in [("PKG-INFO", wheel.metadata().encode(), 0), *content]:
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), 1577836800, 0o755 if executable else 0o644
            archive.addfile(entry, io.BytesIO(data))
    target.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))
    return target.name


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


if __name__ == "__main__":
    if sys.argv[1:2] == ["sdist"] and len(sys.argv) == 3:
        print(pathlib.Path(sys.argv[2], build_sdist(sys.argv[2])))
    elif sys.argv[1:2] == ["wheel"] and len(sys.argv) == 4:
        print(wheel.make(sys.argv[2], sys.argv[3]))
    else:
        sys.exit("usage: backend.py wheel BUILD OUT | backend.py sdist OUT")
