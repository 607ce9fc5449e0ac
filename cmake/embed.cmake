# embed_texts(OUT.c TABLE FILE...): write a C table of {name, text}; name is the file name without extension.
function(embed_texts out table)
  set(rows "")
  set(arrays "")
  set(index 0)
  foreach(path IN LISTS ARGN)
    get_filename_component(name ${path} NAME_WLE)
    file(READ ${path} hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const char text${index}[] = {${bytes}0};\n")
    string(APPEND rows "  {\"${name}\", text${index}},\n")
    math(EXPR index "${index} + 1")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT
"#include \"model/builtin.h\"

${arrays}
const rbv_builtin ${table}[] = {
${rows}  {0, 0},
};
" @ONLY)
endfunction()
