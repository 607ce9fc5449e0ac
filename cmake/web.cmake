# Texts of the report that are embedded in the library. web/bundle is the script of its moving arm,
# made by scripts/bundle from web/src and three.js. Without it the report has a static picture of the arm.
option(ROBERVAL_WEB "Reports with a moving arm" ON)

set(WEB ${CMAKE_CURRENT_SOURCE_DIR}/web)
set(WEB_ASSETS ${WEB}/src/light.css ${WEB}/src/dark.css ${WEB}/src/figure.css ${WEB}/src/report.css
  ${WEB}/src/page.js ${WEB}/src/zoom.js)
if(ROBERVAL_WEB)
  message(STATUS "report: with a 3-D view")
  list(APPEND WEB_ASSETS ${WEB}/bundle/bundle.js ${WEB}/bundle/licences.txt)
else()
  message(STATUS "report: without the 3-D view (ROBERVAL_WEB=OFF)")
endif()

set(REPORT_ASSETS ${CMAKE_CURRENT_BINARY_DIR}/generated/report_assets.c)
list(JOIN WEB_ASSETS "|" WEB_ASSETS_ARGUMENT)
add_custom_command(OUTPUT ${REPORT_ASSETS}
  COMMAND ${CMAKE_COMMAND} -DOUT=${REPORT_ASSETS} "-DFILES=${WEB_ASSETS_ARGUMENT}" -DHEADER=report/report_internal.h
    "-DTABLE=report_asset rbv_report_assets"
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/assets.cmake
  DEPENDS ${WEB_ASSETS} cmake/assets.cmake
  COMMENT "Embedding the report's texts"
  VERBATIM)
