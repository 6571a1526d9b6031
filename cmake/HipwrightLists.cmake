# hipwright_list(TYPE TARGET target NAMESPACE namespace FOLDER folder): every <area>/<name>.cpp below
# `folder` is a unit and defines hipwright::<namespace>::<folder's name>::<name>(), which returns a
# TYPE. Their list, k<TYPE>Entries, goes into `target`. A list that names them, not static objects
# that register themselves: the linker leaves out of an archive what nothing names.
function(hipwright_list type)
  cmake_parse_arguments(PARSE_ARGV 1 list "" "TARGET;NAMESPACE;FOLDER" "")
  get_filename_component(units ${list_FOLDER} NAME)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${list_FOLDER} ${list_FOLDER}/*/*.cpp)
  list(SORT files)
  set(declarations "")
  set(rows "")
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND declarations "${type} ${name}();\n")
    string(APPEND rows "    {\"${file}\", ${units}::${name}},\n")
  endforeach()
  list(LENGTH files count)
  string(TOLOWER ${type} header)
  set(source ${PROJECT_BINARY_DIR}/embedded/${list_NAMESPACE}_${units}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${list_NAMESPACE}/${header}_list.h\"
namespace hipwright::${list_NAMESPACE} {
namespace ${units} {
${declarations}}  // namespace ${units}
const ${type}Entry k${type}Entries[] = {
${rows}};
const unsigned k${type}EntryCount = ${count};
}  // namespace hipwright::${list_NAMESPACE}
" @ONLY)
  target_sources(${list_TARGET} PRIVATE ${source})
endfunction()
