# hipwright_codes(target directory): every HPnnn-name.md below `directory` is the page of a code that
# the porter emits. The pages go into `target`, and the table of the codes into port_code_list.h: a
# code without a page does not compile.
function(hipwright_codes target directory)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${directory}/HP*.md)
  set(codes "")
  set(embedded "")
  foreach(page IN LISTS pages)
    get_filename_component(name ${page} NAME)
    if(NOT name MATCHES "^(HP[0-8][0-9][0-9])-[a-z0-9-]+\\.md$")
      message(FATAL_ERROR "${page}: name the page of a code HPnnn-name.md, in lower case")
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
