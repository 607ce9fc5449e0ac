"""recipes.py SOURCE: every recipe of packaging/ has the version and all libraries of the build, and is read by what this machine has of its
program: catkin_pkg, ruby, nix-instantiate, cmake, the parsers of Python."""
import ast
import json
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

source = pathlib.Path(sys.argv[1]).resolve()
recipes = source / "packaging"
problems, tried = [], []
version = re.search(r'RBV_VERSION_TEXT "([^"]*)"', (source / "include/roberval/status.h").read_text())[1]

# what the build looks for -> its name in the recipes, in the order of the columns
FILES = {"debian": "debian/control", "conda": "conda/meta.yaml", "vcpkg": "vcpkg/vcpkg.json", "conan": "conan/conanfile.py",
         "homebrew": "homebrew/roberval.rb", "nix": "nix/default.nix", "ros": "ros/package.xml"}
NAMES = {
    "openblas": ("libopenblas-dev", "openblas", "openblas", "openblas/", '"openblas"', "pkgs.openblas", "libopenblas-dev"),
    "yaml-0.1": ("libyaml-dev", "yaml", "libyaml", "libyaml/", '"libyaml"', "pkgs.libyaml", "yaml"),
    "libxml-2.0": ("libxml2-dev", "libxml2", "libxml2", "libxml2/", '"libxml2"', "pkgs.libxml2", "libxml2"),
    "matio": ("libmatio-dev", "libmatio", "libmatio", "matio/", '"libmatio"', "pkgs.matio", "libmatio-dev"),
    "zlib": ("zlib1g-dev", "zlib", "zlib", "zlib/", '"zlib"', "pkgs.zlib", "zlib"),
    "libzstd": ("libzstd-dev", "zstd", "zstd", "zstd/", '"zstd"', "pkgs.zstd", "libzstd-dev"),
    "liblz4": ("liblz4-dev", "lz4-c", "lz4", "lz4/", '"lz4"', "pkgs.lz4", "liblz4-dev"),
    "sqlite3": ("libsqlite3-dev", "sqlite", "sqlite3", "sqlite3/", '"sqlite"', "pkgs.sqlite", "libsqlite3-dev"),
    "libcrypto": ("libssl-dev", "openssl", "openssl", "openssl/", '"openssl@3"', "pkgs.openssl", "libssl-dev"),
    "libmicrohttpd": ("libmicrohttpd-dev", "libmicrohttpd", "libmicrohttpd", "libmicrohttpd/", '"libmicrohttpd"', "pkgs.libmicrohttpd",
                      "libmicrohttpd"),
}
build = (source / "CMakeLists.txt").read_text() + (source / "cmake/studio.cmake").read_text()
wanted = set(re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED |QUIET |IMPORTED_TARGET )*([\w.-]+)\)", build))
if wanted != set(NAMES):
    problems.append(f"the build needs {sorted(wanted)}, the table of this test has {sorted(NAMES)}")
for column, (recipe, file) in enumerate(FILES.items()):
    text = (recipes / file).read_text()
    for names in NAMES.values():
        if names[column] not in text:
            problems.append(f"packaging/{file} does not name {names[column]}")
    stated = (recipes / "debian/changelog").read_text() if recipe == "debian" else text
    if version not in stated:
        problems.append(f"packaging/{file} does not have the version {version}")
    if recipe != "debian" and "Apache-2.0" not in text and "asl20" not in text:
        problems.append(f"packaging/{file} does not name the licence")


def run(what, *command):
    """Let a program read a recipe, where it is installed."""
    if not shutil.which(command[0]):
        return
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    tried.append(what)
    if done.returncode != 0:
        problems.append(f"{what}: {done.stdout}")


soname = "libroberval" + ".".join(version.split(".")[:2])
control = (recipes / "debian/control").read_text()
packages = re.findall(r"^Package: (\S+)", control, re.M)
if packages != [soname, "libroberval-dev", "roberval", "python3-roberval"]:
    problems.append(f"debian/control has the packages {packages}")
for package in packages:
    if not (recipes / f"debian/{package}.install").exists():
        problems.append(f"packaging/debian has no {package}.install")
if not (recipes / "debian/copyright").resolve().exists():
    problems.append("packaging/debian/copyright leads nowhere")
tried.append("debian/control")

port = json.loads((recipes / "vcpkg/vcpkg.json").read_text())
names = [d if isinstance(d, str) else d["name"] for d in port["dependencies"]]
if names != sorted(names) or not re.fullmatch(r"[a-z0-9-]+", port["name"]):
    problems.append("vcpkg.json: dependencies are sorted, the name has small letters")
ast.parse((recipes / "conan/conanfile.py").read_text())
root = xml.etree.ElementTree.parse(recipes / "ros/package.xml").getroot()
if root.findtext("export/build_type") != "cmake":
    problems.append("package.xml is not built by cmake")
tried += ["vcpkg.json", "conanfile.py", "package.xml"]
run("catkin_pkg", "/usr/bin/python3", "-c", "import sys\ntry:\n import catkin_pkg.package as c\nexcept ImportError: sys.exit(0)\n"
    f"p = c.parse_package({str(recipes / 'ros')!r}); p.validate()")
run("sh -n build.sh", "sh", "-n", str(recipes / "conda/build.sh"))
run("ruby -c", "ruby", "-c", str(recipes / "homebrew/roberval.rb"))
run("nix-instantiate", "nix-instantiate", "--parse", str(recipes / "nix/default.nix"))

print(f"{len(FILES)} recipes, {len(NAMES)} libraries; read by {', '.join(tried)}")
for p in problems:
    print(p)
sys.exit(bool(problems))
