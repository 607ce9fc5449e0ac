"""stand_in_conan.py CONANFILE ROOT: the classes of Conan that the recipe uses; runs its steps: export_sources, build, package."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import types

recipe, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


class Information:
    libs = []

    def set_property(self, *_):
        pass


class ConanFile:
    recipe_folder = str(recipe.parent)
    export_sources_folder = source_folder = str(root / "source")
    build_folder, package_folder = str(root / "build"), str(root / "package")
    cpp_info = Information()


class Generator:
    def __init__(self, conanfile):
        self.conanfile, self.cache_variables = conanfile, {}

    def generate(self):
        if self.cache_variables:
            Generator.settings = dict(self.cache_variables)

    def configure(self):
        c = self.conanfile
        subprocess.run(["cmake", "-S", c.source_folder, "-B", c.build_folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_LIBDIR=lib",
                        f"-DCMAKE_INSTALL_PREFIX={c.package_folder}", *(f"-D{k}={v}" for k, v in Generator.settings.items())], check=True)

    def build(self):
        subprocess.run(["cmake", "--build", self.conanfile.build_folder, "-j", "2"], check=True)

    def install(self):
        subprocess.run(["cmake", "--install", self.conanfile.build_folder], check=True)


def copy(_conanfile, pattern, src, dst, excludes=()):
    """As that of Conan: files below src whose relative path matches."""
    import fnmatch
    for folder, _, files in os.walk(os.path.join(src, pattern.split("/")[0]) if "/" in pattern else src):
        for file in files:
            path = os.path.relpath(os.path.join(folder, file), src)
            if fnmatch.fnmatch(path, pattern) and not any(fnmatch.fnmatch(path, e) for e in excludes):
                target = os.path.join(dst, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(src, path), target)
        if "/" not in pattern:
            return


def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.cmake", CMake=Generator, CMakeDeps=Generator, CMakeToolchain=Generator, cmake_layout=lambda c: None)
module("conan.tools.files", copy=copy)
module("conan.tools.gnu", PkgConfigDeps=Generator)
sys.dont_write_bytecode = True
specification = importlib.util.spec_from_file_location("conanfile", recipe)
conanfile = importlib.util.module_from_spec(specification)
specification.loader.exec_module(conanfile)
package = conanfile.Roberval()
for step in ("export_sources", "layout", "generate", "build", "package", "package_info"):
    getattr(package, step)()
assert package.cpp_info.libs == ["roberval"]
