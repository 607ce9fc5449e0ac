# The studio: part of the tool, not of the library. libmicrohttpd is opened by name when the studio starts; without its header
# at build time the command says so.
pkg_check_modules(MICROHTTPD QUIET libmicrohttpd)
set(STUDIO_LIBRARY "")
if(MICROHTTPD_FOUND)
  find_library(MICROHTTPD_FILE microhttpd REQUIRED HINTS ${MICROHTTPD_LIBRARY_DIRS})
  file(REAL_PATH ${MICROHTTPD_FILE} MICROHTTPD_REAL)
  string(REGEX MATCH "libmicrohttpd\\.so\\.[0-9]+" STUDIO_LIBRARY ${MICROHTTPD_REAL})
endif()
if(STUDIO_LIBRARY)
  message(STATUS "studio: with ${STUDIO_LIBRARY}")
else()
  message(STATUS "studio: no (libmicrohttpd-dev is missing)")
endif()

set(STUDIO_PAGES ${CMAKE_CURRENT_SOURCE_DIR}/web/studio/studio.html ${CMAKE_CURRENT_SOURCE_DIR}/web/studio/studio.css
  ${CMAKE_CURRENT_SOURCE_DIR}/web/studio/studio.js ${WEB}/src/light.css ${WEB}/src/dark.css ${WEB}/src/figure.css ${WEB}/src/zoom.js)
set(STUDIO_ASSETS ${CMAKE_CURRENT_BINARY_DIR}/generated/studio_assets.c)
list(JOIN STUDIO_PAGES "|" STUDIO_PAGES_ARGUMENT)
add_custom_command(OUTPUT ${STUDIO_ASSETS}
  COMMAND ${CMAKE_COMMAND} -DOUT=${STUDIO_ASSETS} "-DFILES=${STUDIO_PAGES_ARGUMENT}" -DHEADER=studio/studio_internal.h
    "-DTABLE=studio_asset studio_assets" -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/assets.cmake
  DEPENDS ${STUDIO_PAGES} cmake/assets.cmake
  COMMENT "Embedding the page of the studio"
  VERBATIM)

file(GLOB STUDIO_SOURCES CONFIGURE_DEPENDS src/studio/*.c)
add_library(studio STATIC ${STUDIO_SOURCES} ${STUDIO_ASSETS})
target_include_directories(studio PUBLIC src/studio PRIVATE src)
target_link_libraries(studio PUBLIC roberval_static PRIVATE flags)
if(STUDIO_LIBRARY)
  set_property(SOURCE src/studio/studio_server.c APPEND PROPERTY COMPILE_DEFINITIONS STUDIO_LIBRARY="${STUDIO_LIBRARY}")
  set_property(SOURCE src/studio/studio_server.c APPEND PROPERTY COMPILE_OPTIONS ${MICROHTTPD_CFLAGS})
endif()
