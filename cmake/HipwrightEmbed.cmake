# hipwright_embed(target symbol directory): puts every file below `directory` into `target` as
# `const hipwright::EmbeddedFile symbol[]` with `symbol_count`, paths relative to `directory`.
# Further arguments PATH=FILE add files from elsewhere; with an empty `directory` they are all. The bytes go in through the assembler's
# .incbin, so size costs no compile time.
function(hipwright_embed target symbol directory)
  set(files "")
  if(directory)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${directory} ${directory}/*)
    list(SORT files)
  endif()
  set(asm "  .section .rodata\n")
  set(externs "")
  set(rows "")
  set(index 0)
  set(depends "")
  foreach(file IN LISTS files ARGN)
    set(source ${directory}/${file})
    if(file MATCHES "^([^=]+)=(.+)$")
      set(file ${CMAKE_MATCH_1})
      set(source ${CMAKE_MATCH_2})
    endif()
    set(begin ${symbol}_${index}_begin)
    set(end ${symbol}_${index}_end)
    string(APPEND asm "  .globl ${begin}\n  .globl ${end}\n${begin}:\n"
      "  .incbin \"${source}\"\n${end}:\n")
    string(APPEND externs "extern \"C\" const char ${begin}[];\nextern \"C\" const char ${end}[];\n")
    string(APPEND rows "    {\"${file}\", ${begin}, ${end}},\n")
    list(APPEND depends ${source})
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND asm "  .section .note.GNU-stack,\"\",@progbits\n")
  set(stem ${PROJECT_BINARY_DIR}/embedded/${symbol})
  file(CONFIGURE OUTPUT ${stem}.S CONTENT "${asm}" @ONLY)
  file(CONFIGURE OUTPUT ${stem}.cpp CONTENT "#include \"base/embedded.h\"
${externs}namespace hipwright {
extern const EmbeddedFile ${symbol}[];
extern const unsigned ${symbol}_count;
const EmbeddedFile ${symbol}[] = {
${rows}};
const unsigned ${symbol}_count = ${index};
}  // namespace hipwright
" @ONLY)
  set_source_files_properties(${stem}.S PROPERTIES OBJECT_DEPENDS "${depends}")
  target_sources(${target} PRIVATE ${stem}.S ${stem}.cpp)
endfunction()
