# Manual pages and completion, written by a program that reads the tables of the commands.
add_executable(pages src/cli/pages/pages.c src/cli/pages/man.c src/cli/pages/markdown.c src/cli/pages/completion.c)
target_link_libraries(pages PRIVATE commands flags)
set(PAGES_DIR ${CMAKE_CURRENT_BINARY_DIR}/generated/pages)
file(GLOB PAGES_DOCS CONFIGURE_DEPENDS docs/cli/*.md docs/files.md)
add_custom_command(OUTPUT ${PAGES_DIR}/roberval.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PAGES_DIR}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PAGES_DIR}
  COMMAND pages ${PAGES_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/docs/cli
  COMMAND ${CMAKE_COMMAND} -E chdir ${PAGES_DIR} sh -c "gzip -9nk *.[15]"
  DEPENDS pages ${PAGES_DOCS} VERBATIM)
add_custom_target(manual ALL DEPENDS ${PAGES_DIR}/roberval.1)

install(DIRECTORY ${PAGES_DIR}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool
  FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${PAGES_DIR}/roberval-files.5.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT tool)
install(FILES ${PAGES_DIR}/roberval.bash RENAME roberval COMPONENT tool
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PAGES_DIR}/_roberval DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
  COMPONENT tool)
