include(CMakePackageConfigHelpers)

# three components, which become three packages: library (run time), dev (headers), tool
install(TARGETS roberval EXPORT robervalTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT library NAMELINK_COMPONENT dev)
install(TARGETS roberval_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
install(DIRECTORY include/roberval DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/roberval/examples COMPONENT dev)

# the Python package beside the library of the system; python3-roberval is the only package that takes it
install(DIRECTORY python/roberval DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE)

install(EXPORT robervalTargets NAMESPACE roberval::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval COMPONENT dev)
configure_package_config_file(cmake/robervalConfig.cmake.in generated/robervalConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval)
write_basic_package_version_file(generated/robervalConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/robervalConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/generated/robervalConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval COMPONENT dev)

# pkg-config finds the prefix relative to its file, so that an installation can be moved
file(RELATIVE_PATH PC_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/roberval.pc.in generated/roberval.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/roberval.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
