# The software GPU. It alone uses LLVM, pinned to one major version: opcode names and the texts of
# the disassembler are read, and they change between versions.
find_path(HIPWRIGHT_LLVM_INCLUDE llvm/Config/llvm-config.h
  PATHS /usr/lib/llvm-22/include REQUIRED NO_DEFAULT_PATH)
find_library(HIPWRIGHT_LLVM_LIBRARY NAMES LLVM-22 LLVM PATHS /usr/lib/llvm-22/lib REQUIRED NO_DEFAULT_PATH)
add_library(hipwright_llvm INTERFACE)
target_include_directories(hipwright_llvm SYSTEM INTERFACE ${HIPWRIGHT_LLVM_INCLUDE})
target_link_libraries(hipwright_llvm INTERFACE ${HIPWRIGHT_LLVM_LIBRARY})

# hip/ apart: who runs kernels without the HIP API (the fuzzers) need not compile it.
hipwright_unit(soft USES toolchain LINKS hipwright_llvm EXCLUDE "/soft/(exec/ops|hip|notes)/")
file(GLOB hip_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/soft/hip/*.cpp)
add_library(hipwright_soft_hip OBJECT ${hip_sources})
target_compile_definitions(hipwright_soft_hip PRIVATE HIPWRIGHT_VERSION="${PROJECT_VERSION}")
target_include_directories(hipwright_soft_hip SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/sdk/include)
target_link_libraries(hipwright_soft_hip PUBLIC hipwright_soft PRIVATE hipwright_flags)
hipwright_precompiled(soft_hip)

# The operations are compiled once per SIMD level; soft/exec/op_table.cpp picks one at run time.
# All levels give the same bits: fuzzers do with the one that every machine has.
set(simd_levels generic)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND NOT HIPWRIGHT_FUZZ)
  list(APPEND simd_levels avx2)
  set_source_files_properties(src/soft/exec/op_table.cpp PROPERTIES COMPILE_DEFINITIONS
    HIPWRIGHT_HAS_AVX2_OPS)
endif()
file(GLOB op_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/soft/exec/ops/*.cpp)
set(simd_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(simd_generic)
set(op_objects)
foreach(level IN LISTS simd_levels)
  set(op_level -O2)
  if(HIPWRIGHT_SANITIZE)
    # These loops are slow under sanitizers whatever the level is: spare the time of compiling them.
    set(op_level -O1)
  endif()
  add_library(hipwright_soft_ops_${level} OBJECT ${op_sources})
  target_include_directories(hipwright_soft_ops_${level} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(hipwright_soft_ops_${level} PRIVATE HIPWRIGHT_SIMD=${level})
  # Float semantics are spelled out in the code: no contraction, no assumptions.
  target_compile_options(hipwright_soft_ops_${level} PRIVATE
    ${op_level} -ffp-contract=off -fno-math-errno -fno-trapping-math
    ${simd_${level}})
  target_link_libraries(hipwright_soft_ops_${level} PRIVATE hipwright_flags)
  list(APPEND op_objects $<TARGET_OBJECTS:hipwright_soft_ops_${level}>)
endforeach()

# All of soft/ but hip/ as an archive: the tests, the fuzzers and the benchmarks link it.
add_library(hipwright_soft_core STATIC $<TARGET_OBJECTS:hipwright_soft> ${op_objects})
target_include_directories(hipwright_soft_core PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(hipwright_soft_core PUBLIC hipwright hipwright_llvm)

# The HIP runtime API on the software GPU: libhipwright_soft.so, and shims that carry the names and
# symbol versions of ROCm's libraries and need nothing but it.
set(hip_maps ${PROJECT_SOURCE_DIR}/sdk/lib/amdhip64.map ${PROJECT_SOURCE_DIR}/sdk/lib/amdhip64-7.map)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${hip_maps})
set(hip_generated ${PROJECT_BINARY_DIR}/soft)

# Every exported name gets a weak stub that says that it is not implemented; what is implemented is
# strong and takes its place. The shims have the version nodes, each with a symbol of its own.
set(library_map "")
set(shim_map "")
set(shim_symbols "")
set(stubs "")
foreach(map IN LISTS hip_maps)
  file(READ ${map} text)
  string(REGEX REPLACE " *#[^\n]*" "" text "${text}")
  string(APPEND library_map "${text}\n")
  string(REPLACE ";" "" text "${text}")
  string(REGEX REPLACE "\n+" ";" lines "${text}")
  foreach(line IN LISTS lines)
    if(line MATCHES "^(hip_([0-9]+)\\.([0-9]+)) {")
      set(symbol hipwright_shim_${CMAKE_MATCH_2}_${CMAKE_MATCH_3})
      string(APPEND shim_symbols "extern \"C\" const char ${symbol} = 0;\n")
      string(APPEND shim_map "${CMAKE_MATCH_1} { global: ${symbol}; ")
    elseif(line MATCHES "^}(.*)")
      string(APPEND shim_map "}${CMAKE_MATCH_1};\n")
    elseif(line MATCHES "^    ([A-Za-z_][A-Za-z0-9_]*)$")
      string(APPEND stubs "STUB(${CMAKE_MATCH_1})\n")
    endif()
  endforeach()
endforeach()
# What device/soft and the Python package call.
string(APPEND library_map "hipwright_1 { global: hipwright_soft_argument_sizes; hipwright_soft_device; \
hipwright_soft_error; hipwright_soft_kernels; hipwright_soft_take_findings; };\n")
file(CONFIGURE OUTPUT ${hip_generated}/hipwright_soft.map CONTENT "${library_map}" @ONLY)
file(CONFIGURE OUTPUT ${hip_generated}/amdhip64.map CONTENT "${shim_map}" @ONLY)
file(CONFIGURE OUTPUT ${hip_generated}/amdhip64.cpp CONTENT "${shim_symbols}" @ONLY)
file(CONFIGURE OUTPUT ${hip_generated}/hiprtc.cpp CONTENT "extern const char hipwright_shim;\n" @ONLY)
file(CONFIGURE OUTPUT ${hip_generated}/stubs.cpp CONTENT "\
extern \"C\" int hipwright_stub(const char*) noexcept;
#define STUB(name) extern \"C\" __attribute__((weak)) int name() { return hipwright_stub(#name); }
${stubs}" @ONLY)

# The shims are in a folder of their own, which goes to the front of LD_LIBRARY_PATH. Programs that
# link hipwright search the folder above it, and must not find ROCm's names there.
set(soft_folder ${PROJECT_BINARY_DIR}/lib/hipwright)
set(shim_folder ${soft_folder}/rocm)
add_library(hipwright_soft_shared SHARED
  $<TARGET_OBJECTS:hipwright_soft> $<TARGET_OBJECTS:hipwright_soft_hip> ${op_objects}
  ${hip_generated}/stubs.cpp)
# Built-in knowledge of the real functions would clash with the stubs' bare declarations.
set_source_files_properties(${hip_generated}/stubs.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
target_link_libraries(hipwright_soft_shared PRIVATE hipwright hipwright_llvm hipwright_flags)
target_link_options(hipwright_soft_shared PRIVATE
  -Wl,--version-script=${hip_generated}/hipwright_soft.map -Wl,-Bsymbolic-functions -Wl,--gc-sections -Wl,-z,defs)
set_target_properties(hipwright_soft_shared PROPERTIES OUTPUT_NAME hipwright_soft
  LIBRARY_OUTPUT_DIRECTORY ${soft_folder} LINK_DEPENDS ${hip_generated}/hipwright_soft.map
  BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")

# The compiler plugin that writes notes of atomics and fences. clang brings the LLVM it uses.
file(GLOB notes_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/soft/notes/*.cpp)
add_library(hipwright_notes MODULE ${notes_sources})
target_include_directories(hipwright_notes SYSTEM PRIVATE ${HIPWRIGHT_LLVM_INCLUDE})
target_link_libraries(hipwright_notes PRIVATE hipwright_flags)
set_target_properties(hipwright_notes PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${soft_folder})

set(shims)
foreach(release IN ITEMS 5 6 7)
  foreach(name IN ITEMS amdhip64 hiprtc)
    set(shim hipwright_${name}_${release})
    add_library(${shim} SHARED ${hip_generated}/${name}.cpp)
    target_link_libraries(${shim} PRIVATE -Wl,--no-as-needed hipwright_soft_shared)
    target_link_options(${shim} PRIVATE -nostdlib)
    if(name STREQUAL "amdhip64")
      target_link_options(${shim} PRIVATE -Wl,--version-script=${hip_generated}/amdhip64.map)
    endif()
    # ROCm's soname is the name with the release's first number; so is the file.
    set_target_properties(${shim} PROPERTIES PREFIX "lib" OUTPUT_NAME ${name} SUFFIX ".so.${release}"
      NO_SONAME ON LIBRARY_OUTPUT_DIRECTORY ${shim_folder}
      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/..")
    target_link_options(${shim} PRIVATE -Wl,-soname,lib${name}.so.${release})
    list(APPEND shims ${shim})
  endforeach()
endforeach()
add_custom_target(hipwright_soft_libraries ALL DEPENDS hipwright_soft_shared hipwright_notes ${shims})
install(TARGETS hipwright_soft_shared hipwright_notes LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/hipwright NAMELINK_SKIP)
install(TARGETS ${shims} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/hipwright/rocm NAMELINK_SKIP)
