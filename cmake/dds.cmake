# The plug-in for live topics of ROS 2 (scripts/setup dds), which the tool opens at run time. Nothing links it.
find_package(CycloneDDS QUIET)
find_program(IDLC idlc)
if(CycloneDDS_FOUND AND IDLC)
  set(dds_folder ${CMAKE_CURRENT_BINARY_DIR}/generated/dds)
  file(MAKE_DIRECTORY ${dds_folder})
  add_custom_command(
    OUTPUT ${dds_folder}/ros.c ${dds_folder}/ros.h
    COMMAND ${IDLC} -l c -o ${dds_folder} ${CMAKE_CURRENT_SOURCE_DIR}/src/topic/dds/ros.idl
    DEPENDS src/topic/dds/ros.idl
    WORKING_DIRECTORY ${dds_folder})
  add_library(roberval_dds MODULE src/topic/dds/dds_plugin.c ${dds_folder}/ros.c)
  target_include_directories(roberval_dds PRIVATE src ${dds_folder})
  target_link_libraries(roberval_dds PRIVATE CycloneDDS::ddsc)
  target_compile_features(roberval_dds PRIVATE c_std_17)
  set_target_properties(roberval_dds PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  install(TARGETS roberval_dds LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dds EXCLUDE_FROM_ALL)
else()
  message(STATUS "Cyclone DDS is missing (scripts/setup dds): live topics (--topic) are not built")
endif()
