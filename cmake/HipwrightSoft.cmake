# The software GPU. It alone uses LLVM, pinned to one major version: opcode names and the texts of
# the disassembler are read, and they change between versions.
find_path(HIPWRIGHT_LLVM_INCLUDE llvm/Config/llvm-config.h
  PATHS /usr/lib/llvm-22/include REQUIRED NO_DEFAULT_PATH)
find_library(HIPWRIGHT_LLVM_LIBRARY NAMES LLVM-22 LLVM PATHS /usr/lib/llvm-22/lib REQUIRED NO_DEFAULT_PATH)
add_library(hipwright_llvm INTERFACE)
target_include_directories(hipwright_llvm SYSTEM INTERFACE ${HIPWRIGHT_LLVM_INCLUDE})
target_link_libraries(hipwright_llvm INTERFACE ${HIPWRIGHT_LLVM_LIBRARY})

hipwright_unit(soft USES toolchain LINKS hipwright_llvm EXCLUDE "/soft/exec/ops/")

# The operations are compiled once per SIMD level; soft/exec/op_table.cpp picks one at run time.
file(GLOB op_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/soft/exec/ops/*.cpp)
set(simd_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(simd_generic)
set(op_objects)
foreach(level IN ITEMS generic avx2)
  add_library(hipwright_soft_ops_${level} OBJECT ${op_sources})
  target_include_directories(hipwright_soft_ops_${level} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(hipwright_soft_ops_${level} PRIVATE HIPWRIGHT_SIMD=${level})
  # Float semantics are spelled out in the code: no contraction, no assumptions.
  target_compile_options(hipwright_soft_ops_${level} PRIVATE
    -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math ${simd_${level}})
  target_link_libraries(hipwright_soft_ops_${level} PRIVATE hipwright_flags)
  list(APPEND op_objects $<TARGET_OBJECTS:hipwright_soft_ops_${level}>)
endforeach()

# Everything of soft/ as an archive: the shared library, the tests and the fuzzers link it.
add_library(hipwright_soft_core STATIC $<TARGET_OBJECTS:hipwright_soft> ${op_objects})
target_include_directories(hipwright_soft_core PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(hipwright_soft_core PUBLIC hipwright hipwright_llvm)
