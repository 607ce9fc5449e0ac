# Debian packages by cpack: libroberval0.2 (library), libroberval-dev, roberval (tool), python3-roberval, and
# roberval-mpi where MPI was found. `make packages` configures with the prefix /usr, which gives the library
# folders of Debian.
set(ROBERVAL_MAINTAINER "Roberval developers <roberval@localhost>" CACHE STRING "Maintainer of the packages: NAME <ADDRESS>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME roberval)
set(CPACK_PACKAGE_VENDOR Roberval)
set(CPACK_PACKAGE_CONTACT "${ROBERVAL_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library dev tool python)
if(TARGET roberval_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# dpkg-shlibdeps finds the libraries that the binaries need
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# except the one that is opened when a MAT file is read
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS libmatio11)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "libmatio11, libmicrohttpd12")

set(soname_package libroberval${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${soname_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# which package has the library, and the wish that ldconfig runs after its installation
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/generated/control/shlibs
  "libroberval ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${soname_package} (>= ${PROJECT_VERSION})\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/generated/control/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/generated/control/shlibs
  ${CMAKE_CURRENT_BINARY_DIR}/generated/control/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION ON)
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
set(CPACK_DEBIAN_MPI_PACKAGE_NAME roberval-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "roberval (= ${PROJECT_VERSION})")

set(about "Roberval estimates inertial, rotor, friction and offset parameters of robot
arms, with their uncertainty, from a robot file and logs of the motors. It
designs the motions that excite them, simulates the closed loop, and writes
URDF, MJCF, C code and a report.")
function(describe component summary)
  set(CPACK_COMPONENT_${component}_DESCRIPTION "${summary}\n${about}" PARENT_SCOPE)
endfunction()
describe(LIBRARY "dynamic parameters of robot arms (shared library)")
describe(DEV "dynamic parameters of robot arms (development files)")
describe(TOOL "dynamic parameters of robot arms from recordings")
describe(PYTHON "dynamic parameters of robot arms (Python module)")
describe(MPI "dynamic parameters of robot arms on many computers")

# files that every Debian package has
string(TIMESTAMP DEBIAN_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(DOCUMENTS ${CMAKE_CURRENT_BINARY_DIR}/generated/debian)
configure_file(cmake/debian/changelog.in ${DOCUMENTS}/changelog @ONLY)
configure_file(CHANGELOG.md ${DOCUMENTS}/CHANGELOG.md COPYONLY)
foreach(file changelog CHANGELOG.md)
  execute_process(COMMAND gzip -9nkf ${DOCUMENTS}/${file})
endforeach()
foreach(row library:${soname_package} dev:libroberval-dev tool:roberval python:python3-roberval mpi:roberval-mpi)
  string(REPLACE ":" ";" row ${row})
  list(GET row 0 component)
  list(GET row 1 package)
  install(FILES cmake/debian/copyright ${DOCUMENTS}/changelog.gz COMPONENT ${component} EXCLUDE_FROM_ALL
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endforeach()
install(FILES ${DOCUMENTS}/CHANGELOG.md.gz COMPONENT tool EXCLUDE_FROM_ALL
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roberval)
# cpack does not build: `make packages` has built everything before
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
