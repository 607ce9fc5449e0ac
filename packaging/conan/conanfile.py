"""conan create packaging/conan --build=missing"""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps


class Roberval(ConanFile):
    name = "roberval"
    version = "0.2.0"
    license = "Apache-2.0"
    description = "Dynamic parameters of robot arms from recordings of their motion"
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    requires = ("openblas/[>=0.3.20]", "libxml2/[>=2.9]", "libyaml/[>=0.2.5]", "matio/[>=1.5.23]", "zlib/[>=1.2.11]", "zstd/[>=1.5]",
                "lz4/[>=1.9]", "sqlite3/[>=3.38]", "openssl/[>=3 <4]", "libmicrohttpd/[>=0.9.75]")
    tool_requires = ("cmake/[>=3.22]", "pkgconf/[>=1.9]")

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "include/*", "src/*", "robots/*", "web/*", "python/*", "examples/*", "LICENSE", "NOTICE",
                        "CHANGELOG.md"):
            copy(self, pattern, root, self.export_sources_folder, excludes=("*/node_modules/*", "build/*"))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["ROBERVAL_MPI"] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "NOTICE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["roberval"]
        self.cpp_info.set_property("cmake_file_name", "roberval")
        self.cpp_info.set_property("cmake_target_name", "roberval::roberval")
        self.cpp_info.set_property("pkg_config_name", "roberval")
