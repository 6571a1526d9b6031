# The kernel library: src/kernels/<op>/ is one operation. Its kernel.hip is embedded, its cpu.cpp compiled
# once per SIMD level, and its row of the table of operations listed.
set(kernels_folder ${PROJECT_SOURCE_DIR}/src/kernels)
file(GLOB kernel_files CONFIGURE_DEPENDS RELATIVE ${kernels_folder} ${kernels_folder}/*/kernel.hip)
list(SORT kernel_files)

set(sources "")
foreach(part prelude activation matrix tiles)
  list(APPEND sources ${part}=${kernels_folder}/${part}.hip)
endforeach()
set(rows "")
set(declarations "")
set(levels generic)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  list(APPEND levels avx2 avx512)
endif()
# The others wait for memory, whatever the registers.
set(avx512_operations gemm softmax attention)
foreach(file IN LISTS kernel_files)
  get_filename_component(op ${file} DIRECTORY)
  list(APPEND sources ${op}=${kernels_folder}/${file})
  if(EXISTS ${kernels_folder}/${op}/arguments.h)
    list(APPEND sources ${op}_arguments=${kernels_folder}/${op}/arguments.h)
  endif()
  set(functions "")
  foreach(level generic avx2 avx512)
    if(level IN_LIST levels AND (NOT level STREQUAL "avx512" OR op IN_LIST avx512_operations))
      list(APPEND cpu_sources_${level} ${kernels_folder}/${op}/cpu.cpp)
      list(APPEND functions ${level}::${op})
      string(APPEND declarations "namespace ${level} { CpuFunctions ${op}(); }\n")
    else()
      list(APPEND functions nullptr)
    endif()
  endforeach()
  list(JOIN functions ", " functions)
  string(APPEND rows "    {${op}, {${functions}}},\n")
  string(APPEND declarations "Op ${op}();\n")
endforeach()

hipwright_embed(hipwright_kernels kernel_sources "" ${sources})

list(LENGTH kernel_files count)
set(list_source ${PROJECT_BINARY_DIR}/embedded/kernels_ops.cpp)
file(CONFIGURE OUTPUT ${list_source} CONTENT "#include \"kernels/op_list.h\"
namespace hipwright::kernels {
${declarations}const OpEntry kOpEntries[] = {
${rows}};
const unsigned kOpEntryCount = ${count};
}  // namespace hipwright::kernels
" @ONLY)
target_sources(hipwright_kernels PRIVATE ${list_source})

set(kernels_simd_generic)
set(kernels_simd_avx2 -mavx2 -mfma -mf16c)
set(kernels_simd_avx512 ${kernels_simd_avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl
  -mprefer-vector-width=512)
foreach(level IN LISTS levels)
  add_library(hipwright_kernels_${level} OBJECT ${cpu_sources_${level}})
  target_include_directories(hipwright_kernels_${level} PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(hipwright_kernels_${level} PRIVATE HIPWRIGHT_SIMD=${level})
  target_compile_options(hipwright_kernels_${level} PRIVATE $<$<CONFIG:Release>:-O3>
    -fno-math-errno -fno-trapping-math ${kernels_simd_${level}})
  target_link_libraries(hipwright_kernels_${level} PRIVATE hipwright_flags)
  target_sources(hipwright PRIVATE $<TARGET_OBJECTS:hipwright_kernels_${level}>)
endforeach()

# The C functions as a shared library, for bench/kernels_torch.py and other languages. Built on demand.
add_library(hipwright_kernels_shared SHARED EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/src/kernels/c_api.cpp)
set_target_properties(hipwright_kernels_shared PROPERTIES OUTPUT_NAME hipwright_kernels)
target_link_libraries(hipwright_kernels_shared PRIVATE hipwright hipwright_flags)
