# hipwright_rules(target directory): every <area>/<name>.cpp below `directory` is a rule and defines
# hipwright::lint::rules::<name>(); their list goes into `target`. A list that names them, not static
# objects that register themselves: the linker leaves out of an archive what nothing names.
function(hipwright_rules target directory)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${directory} ${directory}/*/*.cpp)
  list(SORT files)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "Rule ${name}();\n")
    string(APPEND rows "    {\"${file}\", rules::${name}},\n")
  endforeach()
  list(LENGTH files count)
  set(list ${PROJECT_BINARY_DIR}/embedded/lint_rules.cpp)
  file(CONFIGURE OUTPUT ${list} CONTENT "#include \"lint/rule_list.h\"
namespace hipwright::lint {
namespace rules {
${declarations}}  // namespace rules
const RuleEntry kRuleEntries[] = {
${rows}};
const unsigned kRuleEntryCount = ${count};
}  // namespace hipwright::lint
" @ONLY)
  target_sources(${target} PRIVATE ${list})
endfunction()
