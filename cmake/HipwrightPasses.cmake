# hipwright_passes(target directory): the passes of the porter and the codes that they emit.
# - Every passes/<phase>/<name>.cpp below `directory` is a pass and defines
#   hipwright::port::passes::<name>(); their list goes into `target`, as that of the linter's rules.
# - Every HPnnn-name.md below `directory` is the page of a code. The pages go into `target`, and the
#   table of the codes into port_code_list.h: a code without a page does not compile.
function(hipwright_passes target directory)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${directory}/passes ${directory}/passes/*/*.cpp)
  list(SORT files)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "Pass ${name}();\n")
    string(APPEND rows "    {\"${file}\", \"${name}\", passes::${name}},\n")
  endforeach()
  list(LENGTH files count)
  set(list ${PROJECT_BINARY_DIR}/embedded/port_passes.cpp)
  file(CONFIGURE OUTPUT ${list} CONTENT "#include \"port/pass_list.h\"
namespace hipwright::port {
namespace passes {
${declarations}}  // namespace passes
const PassEntry kPassEntries[] = {
${rows}};
const unsigned kPassEntryCount = ${count};
}  // namespace hipwright::port
" @ONLY)
  target_sources(${target} PRIVATE ${list})

  file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${directory}/HP*.md)
  set(codes "")
  set(embedded "")
  foreach(page IN LISTS pages)
    get_filename_component(name ${page} NAME)
    if(NOT name MATCHES "^(HP[0-8][0-9][0-9])-[a-z0-9-]+\\.md$")
      message(FATAL_ERROR "${page}: a page of a code is named HPnnn-name.md, in lower case")
    endif()
    if(CMAKE_MATCH_1 IN_LIST codes)
      message(FATAL_ERROR "${page}: ${CMAKE_MATCH_1} has two pages")
    endif()
    list(APPEND codes ${CMAKE_MATCH_1})
    list(APPEND embedded ${name}=${page})
  endforeach()
  hipwright_embed(${target} port_codes "" ${embedded})
  list(SORT codes)
  list(JOIN codes "\",\n    \"" table)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/port_code_list.h CONTENT "#pragma once
#include <string_view>
namespace hipwright::port {
inline constexpr std::string_view kCodeList[] = {
    \"${table}\"};
}  // namespace hipwright::port
" @ONLY)
  target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR}/generated)
endfunction()
