# Debian packages by cpack: libroberval0.2 (library), libroberval-dev, roberval (tool), python3-roberval.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roberval)
set(CPACK_PACKAGE_VENDOR Roberval)
set(CPACK_PACKAGE_CONTACT "The Roberval developers <roberval@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library dev tool python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# dpkg-shlibdeps finds the libraries that the binaries need
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(soname_package libroberval${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${soname_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libroberval-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${soname_package} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME roberval)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION science)
# any Python 3 from 3.9 on; what is optional there is recommended here
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-roberval)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= 3.9), ${soname_package} (= ${PROJECT_VERSION}), roberval (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib, python3-tqdm")
# cpack does not build: `make packages` has built everything before
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
