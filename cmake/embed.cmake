# wattflex_embed(<target> <file> <function>): makes the text of <file> available as
# `std::string_view wattflex::embedded::<function>()`, declared in "embedded/<function>.h".
function(wattflex_embed target file function)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  get_filename_component(path ${file} ABSOLUTE)
  file(WRITE ${directory}/${function}.h
    "// Generated from ${function}'s source file by cmake/embed.cmake.\n#pragma once\n#include <string_view>\n"
    "namespace wattflex::embedded {\nstd::string_view ${function}();\n}\n")
  # The assembler includes the bytes as they are: no limit on size, no escaping.
  file(WRITE ${directory}/${function}.cpp
    "#include \"embedded/${function}.h\"\n"
    "asm(\".section .rodata\\n.local wattflex_${function}_begin\\nwattflex_${function}_begin:\\n.incbin \\\"${path}\\\"\\n\"\n"
    "    \".local wattflex_${function}_end\\nwattflex_${function}_end:\\n.byte 0\\n.previous\\n\");\n"
    "extern \"C\" {\nextern const char wattflex_${function}_begin[];\nextern const char wattflex_${function}_end[];\n}\n"
    "namespace wattflex::embedded {\nstd::string_view ${function}() {\n"
    "  return {wattflex_${function}_begin, static_cast<std::size_t>(wattflex_${function}_end - wattflex_${function}_begin)};\n}\n}\n")
  set_source_files_properties(${directory}/${function}.cpp PROPERTIES OBJECT_DEPENDS ${path})
  target_sources(${target} PRIVATE ${directory}/${function}.cpp)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
