# Texts of the report that are embedded in the library. With npm, uPlot and three.js are fetched (lock
# file) and bundled. Without npm or network the report has static pictures.
option(ROBERVAL_WEB "Bundle the report's zooming lines and moving arm with npm" ON)

set(WEB ${CMAKE_CURRENT_SOURCE_DIR}/web)
set(WEB_BUILD ${CMAKE_CURRENT_BINARY_DIR}/web)
set(WEB_ASSETS ${WEB}/src/light.css ${WEB}/src/dark.css ${WEB}/src/figure.css ${WEB}/src/report.css
  ${WEB}/src/page.js)
find_program(NPM npm)
if(ROBERVAL_WEB AND NPM)
  message(STATUS "report: interactive lines and 3-D view (${NPM})")
  add_custom_command(OUTPUT ${WEB_BUILD}/bundle.js ${WEB_BUILD}/licences.txt
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DWEB=${WEB} -DOUT=${WEB_BUILD}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/bundle.cmake
    DEPENDS ${WEB}/package.json ${WEB}/package-lock.json ${WEB}/src/main.js ${WEB}/src/lines.js
      ${WEB}/src/arm.js cmake/bundle.cmake
    COMMENT "Bundling the report's script"
    VERBATIM)
  list(APPEND WEB_ASSETS ${WEB_BUILD}/bundle.js ${WEB_BUILD}/licences.txt)
elseif(ROBERVAL_WEB)
  message(STATUS "report: static pictures only, because npm is missing (scripts/setup --web)")
else()
  message(STATUS "report: static pictures only (ROBERVAL_WEB=OFF)")
endif()

set(REPORT_ASSETS ${CMAKE_CURRENT_BINARY_DIR}/generated/report_assets.c)
list(JOIN WEB_ASSETS "|" WEB_ASSETS_ARGUMENT)
add_custom_command(OUTPUT ${REPORT_ASSETS}
  COMMAND ${CMAKE_COMMAND} -DOUT=${REPORT_ASSETS} "-DFILES=${WEB_ASSETS_ARGUMENT}"
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/assets.cmake
  DEPENDS ${WEB_ASSETS} cmake/assets.cmake
  COMMENT "Embedding the report's texts"
  VERBATIM)
