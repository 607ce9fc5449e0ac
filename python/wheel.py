#!/usr/bin/env python3
"""wheel.py BUILD OUT: make the wheel of a build; wheel.py --check FILE: check a wheel.

The wheel holds the Python package, libroberval, the tool and every shared library that they need, except
those of the C and C++ run time that each Linux system has (PEP 600). Libraries are renamed after their
content, so that they cannot be mistaken for others in the process, and find each other beside them. Needs
patchelf, cc and binutils. The same input gives the same bytes.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import sbom

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 25e6  # bytes of a wheel

#: Libraries of the system, as in the manylinux policies.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux[-\w]*|libc|libm|libdl|librt|libpthread|libutil|libresolv|libgcc_s|libstdc\+\+)\.so")

#: Dependencies that have no function here. libicudata (31 MB) has tables of languages and encodings; libxml2 converts
#: text with the C library. libcurl serves HDF5 files on web servers, which the library never opens.
REPLACED = ("libicudata.so", "libcurl.so")

#: LAPACK is part of OpenBLAS, which is searched first: the second copy is never called.
REDUNDANT = {"liblapack.so.3": "libopenblas.so.0", "libblas.so.3": "libopenblas.so.0"}


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if done.returncode != 0:
        raise SystemExit(f"wheel.py: {' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def needed(path):
    return run("patchelf", "--print-needed", path).split()


def places(path):
    """Where the loader finds the libraries of a program."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), flags=re.M)
    return {name: pathlib.Path(where) for name, where in found}


# ---- replaced libraries ----

ICU = """/* ICU data without tables: an empty list in the common format. */
#include <stdint.h>
const struct {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved;
  uint8_t big_endian, charset, char_size, reserved_too;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, first;
} %s = {32, {0xda, 0x27}, 20, 0, 0, 0, 2, 0, {'C', 'm', 'n', 'D'}, {1, 0, 0, 0}, {%s, 0, 0, 0}, {0}, 0, 0};
"""


def wanted_symbols(libraries, soname):
    """Symbols that libraries take from the library soname, and their version."""
    symbols, version = set(), None
    for library in libraries:
        for line in run("objdump", "-T", library).splitlines():
            match = re.match(r".*\*UND\*\s+\S+\s+(?:\((\S+)\)|(\S+))?\s+(\S+)$", line)
            if not match:
                continue
            of, name = match.group(1) or match.group(2), match.group(3)
            if soname.startswith("libcurl") and name.startswith("curl_"):
                symbols.add(name)
                version = of
            if soname.startswith("libicudata") and re.match(r"icudt\d+_dat$", name):
                symbols.add(name)
    return sorted(symbols), version


def make_replacement(soname, libraries, target):
    symbols, version = wanted_symbols(libraries, soname)
    with tempfile.TemporaryDirectory() as folder:
        source, script = pathlib.Path(folder, "stub.c"), pathlib.Path(folder, "stub.map")
        if soname.startswith("libicudata"):
            name = symbols[0]
            source.write_text(ICU % (name, re.search(r"\d+", name)[0]))
        else:
            source.write_text("".join(f"void *{s}(void) {{ return 0; }}\n" for s in symbols))
        flags = []
        if version:
            script.write_text(f"{version} {{ global: *; }};\n")
            flags = [f"-Wl,--version-script={script}"]
        run("cc", "-shared", "-fPIC", "-O1", "-s", "-nostdlib", f"-Wl,-soname,{soname}", *flags, "-o", target, source)


# ---- bundling ----


def bundle(build, folder):
    """Library, tool and what they need, renamed, into folder. Returns the Debian packages they come from."""
    library = next(build.glob("libroberval.so.*.*.*"))
    programs = {"libroberval.so": library.resolve(), "roberval": build / "roberval"}
    where = {}
    for program in programs.values():
        where.update(places(program))
    # matio is opened by its name when a MAT file is read
    matio = pathlib.Path(run("cc", "-print-file-name=libmatio.so").strip()).resolve()
    by_name = run("patchelf", "--print-soname", matio).strip()
    where.update({**places(matio), by_name: matio})
    chosen = {}
    waiting = [by_name] + [n for p in programs.values() for n in needed(p)]
    while waiting:
        name = waiting.pop()
        name = REDUNDANT.get(name, name)
        if name in chosen or SYSTEM.match(name):
            continue
        chosen[name] = where[name].resolve()
        if not name.startswith(REPLACED):
            waiting += needed(chosen[name])
    folder.mkdir(parents=True)
    renamed, packages = {}, set()
    plain = [p for n, p in chosen.items() if not n.startswith(REPLACED)]
    for name, path in sorted(chosen.items()):
        copy = folder / name
        if name.startswith(REPLACED):
            make_replacement(name, plain, copy)
        else:
            shutil.copyfile(path, copy)
            packages.add(owner(path))
        stem, rest = name.split(".so", 1)
        renamed[name] = name if name == by_name else f"{stem}-{hashlib.sha256(copy.read_bytes()).hexdigest()[:8]}.so{rest}"
    for label, path in programs.items():
        copy = folder / label
        shutil.copyfile(path, copy)
        run("strip", "--strip-unneeded", copy)
    stem = f"libroberval-{hashlib.sha256((folder / 'libroberval.so').read_bytes()).hexdigest()[:8]}.so"
    for name in [*chosen, *programs]:
        path = folder / name
        path.chmod(0o755)
        replace = []
        own = needed(path)
        for old in own:
            new = REDUNDANT.get(old, old)
            if new in renamed:
                replace += ["--replace-needed", old, renamed[new]]
        final = renamed.get(name, stem if name == "libroberval.so" else name)
        soname = [] if name == "roberval" else ["--set-soname", final]
        # one kind of change at a time: patchelf 0.14 mixes up names otherwise
        for change in (soname, replace, ["--set-rpath", "$ORIGIN"]):
            if change:
                run("patchelf", *change, path)
        path.rename(folder / final)
    return sorted(p for p in packages if p)


def owner(path):
    done = subprocess.run(["dpkg", "-S", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")
    if done.returncode != 0 and str(path).startswith("/usr/"):  # merged /usr
        done = subprocess.run(["dpkg", "-S", str(path)[4:]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              encoding="utf-8")
    return done.stdout.split(":")[0] if done.returncode == 0 else ""


def glibc_of(folder):
    """Highest version of the C library that any file asks for."""
    newest = (2, 17)
    for path in folder.iterdir():
        for version in re.findall(r"GLIBC_(\d+)\.(\d+)", run("objdump", "-T", path)):
            newest = max(newest, tuple(map(int, version)))
    return newest


# ---- the file ----

METADATA = """Metadata-Version: 2.1
Name: roberval
Version: {version}
Summary: Dynamic parameters of robot arms from recordings of their motion
License: {licence}
Requires-Python: >=3.9
Provides-Extra: all
Requires-Dist: numpy; extra == 'all'
Requires-Dist: pandas; extra == 'all'
Requires-Dist: matplotlib; extra == 'all'
Requires-Dist: tqdm; extra == 'all'
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{description}"""


def version():
    return re.search(r'^VERSION = "(.*)"', (HERE / "roberval/_prototypes.py").read_text(), flags=re.M)[1]


def metadata():
    licence = (HERE.parent / "LICENSE").read_text().splitlines()[0].strip()
    return METADATA.format(version=version(), licence=licence, description=(HERE / "README.md").read_text())


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def make(build, out):
    build, out = pathlib.Path(build).resolve(), pathlib.Path(out)
    files = {}
    for path in sorted((HERE / "roberval").rglob("*")):
        if path.suffix in (".py", ".typed") or path.name == "py.typed":
            files["roberval/" + path.relative_to(HERE / "roberval").as_posix()] = (path.read_bytes(), 0o644)
    info = f"roberval-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "_lib")
        packages = bundle(build, folder)
        major, minor = glibc_of(folder)
        for path in sorted(folder.iterdir()):
            files[f"roberval/_lib/{path.name}"] = (path.read_bytes(), 0o755)
    for package in packages:
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        if text.exists():
            files[f"{info}/licenses/{package}.txt"] = (text.read_bytes(), 0o644)
    files[f"{info}/licenses/LICENSE"] = ((HERE.parent / "LICENSE").read_bytes(), 0o644)
    files[f"{info}/sboms/roberval.spdx.json"] = (sbom.document(version(), packages).encode(), 0o644)
    tag = f"py3-none-manylinux_{major}_{minor}_{os.uname().machine}"
    files[f"{info}/METADATA"] = (metadata().encode(), 0o644)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: roberval\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644)
    files[f"{info}/entry_points.txt"] = (b"[console_scripts]\nroberval = roberval._task:main\n", 0o644)
    record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, (data, _) in files.items())
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    out.mkdir(parents=True, exist_ok=True)
    target = out / f"roberval-{version()}-{tag}.whl"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return target


# ---- check ----


def check(path):
    """What auditwheel asks, and more. Returns the list of complaints."""
    path = pathlib.Path(path)
    wrong = []
    name = re.match(r"roberval-([\d.]+)-py3-none-manylinux_(\d+)_(\d+)_(\w+)\.whl$", path.name)
    if not name:
        return [f"{path.name} is no name of a wheel for all Pythons and Linux systems"]
    allowed = (int(name[2]), int(name[3]))
    if path.stat().st_size > LIMIT:
        wrong.append(f"{path.stat().st_size / 1e6:.1f} MB are more than {LIMIT / 1e6:.0f} MB")
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(path) as archive:
        archive.extractall(scratch)
        root = pathlib.Path(scratch)
        info = root / f"roberval-{name[1]}.dist-info"
        listed = {}
        for line in (info / "RECORD").read_text().splitlines():
            file, hash_, _size = line.rsplit(",", 2)
            listed[file] = hash_
        present = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
        if set(listed) != present:
            wrong.append(f"RECORD and files differ: {sorted(set(listed) ^ present)[:3]}")
        for file, hash_ in listed.items():
            if hash_ and file in present and digest((root / file).read_bytes()) != hash_:
                wrong.append(f"{file} has another hash than in RECORD")
        if any(re.search(r"\.cpython|\.abi3", f) for f in present):
            wrong.append("there is an extension module for one version of Python")
        folder = root / "roberval/_lib"
        bundled = {p.name for p in folder.iterdir()}
        for file in sorted(folder.iterdir()):
            for dependency in needed(file):
                if dependency not in bundled and not SYSTEM.match(dependency):
                    wrong.append(f"{file.name} needs {dependency}, which is not in the wheel")
            if file.name != "roberval" and run("patchelf", "--print-soname", file).strip() != file.name:
                wrong.append(f"{file.name} calls itself {run('patchelf', '--print-soname', file).strip()}")
            if run("patchelf", "--print-rpath", file).strip() != "$ORIGIN":
                wrong.append(f"{file.name} does not look beside itself for libraries")
            if file.name != "roberval" and not re.search(r"-[0-9a-f]{8}\.so", file.name):
                wrong.append(f"{file.name} has a name that other libraries may have")
        if glibc_of(folder) > allowed:
            wrong.append(f"a library needs glibc {glibc_of(folder)}, the name says {allowed}")
    return wrong


def main():
    if sys.argv[1:2] == ["--check"] and len(sys.argv) == 3:
        wrong = check(sys.argv[2])
        for complaint in wrong:
            print(f"wheel.py: {complaint}", file=sys.stderr)
        if not wrong:
            print(f"{pathlib.Path(sys.argv[2]).name}: {pathlib.Path(sys.argv[2]).stat().st_size / 1e6:.1f} MB, all libraries inside")
        return 1 if wrong else 0
    if len(sys.argv) != 3:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    print(make(sys.argv[1], sys.argv[2]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
