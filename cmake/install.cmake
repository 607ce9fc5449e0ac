include(CMakePackageConfigHelpers)

install(TARGETS roberval EXPORT robervalTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS roberval_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/roberval DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT robervalTargets NAMESPACE roberval::
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval)
configure_package_config_file(cmake/robervalConfig.cmake.in generated/robervalConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval)
write_basic_package_version_file(generated/robervalConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/robervalConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/generated/robervalConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/roberval)

# pkg-config finds the prefix from where its file stands, so that an installation may move
file(RELATIVE_PATH PC_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(cmake/roberval.pc.in generated/roberval.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/roberval.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
