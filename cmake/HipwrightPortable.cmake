# The tool and the software GPU for other machines. All but glibc is linked into the software GPU, so
# that nothing else enters the programs that `hipwright run` starts; the tool also needs libmd4c and libsimdjson,
# which Debian has as shared libraries only and tools/package puts beside it. Built on demand.
set(portable_libraries)
foreach(name IN ITEMS png16 re2 sqlite3 zstd z xxhash crypto)
  find_library(HIPWRIGHT_STATIC_${name} NAMES lib${name}.a)
  list(APPEND portable_libraries ${HIPWRIGHT_STATIC_${name}})
endforeach()
find_program(HIPWRIGHT_LLVM_CONFIG NAMES llvm-config PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
if(HIPWRIGHT_SANITIZE OR portable_libraries MATCHES "NOTFOUND" OR NOT HIPWRIGHT_LLVM_CONFIG)
  return()
endif()
execute_process(COMMAND ${HIPWRIGHT_LLVM_CONFIG} --link-static --libfiles
  amdgpudisassembler amdgpudesc amdgpuinfo debuginfodwarf object core mc support
  OUTPUT_VARIABLE portable_llvm OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(portable_llvm)

set(portable_folder ${PROJECT_BINARY_DIR}/portable)
set(portable_options -static-libstdc++ -static-libgcc -s -Wl,--gc-sections -Wl,--exclude-libs,ALL
  -Wl,-z,defs)

add_executable(hipwright_portable_cli EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:hipwright_cli> ${PROJECT_SOURCE_DIR}/cmake/portable/fmt.cpp
  ${PROJECT_SOURCE_DIR}/cmake/portable/toml.cpp ${PROJECT_SOURCE_DIR}/cmake/portable/arc4random.cpp)
target_compile_options(hipwright_portable_cli PRIVATE ${tomlplusplus_CFLAGS_OTHER})
target_link_libraries(hipwright_portable_cli PRIVATE
  $<TARGET_FILE:hipwright> ${portable_libraries} ${md4c_LINK_LIBRARIES}
  ${simdjson_LINK_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(hipwright_portable_cli hipwright)
target_link_options(hipwright_portable_cli PRIVATE ${portable_options})
set_target_properties(hipwright_portable_cli PROPERTIES OUTPUT_NAME hipwright
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib" RUNTIME_OUTPUT_DIRECTORY ${portable_folder}/bin)

add_library(hipwright_portable_soft SHARED EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:hipwright_soft> $<TARGET_OBJECTS:hipwright_soft_hip> ${op_objects}
  ${hip_generated}/stubs.cpp ${PROJECT_SOURCE_DIR}/cmake/portable/fmt.cpp
  ${PROJECT_SOURCE_DIR}/cmake/portable/arc4random.cpp)
target_link_libraries(hipwright_portable_soft PRIVATE
  $<TARGET_FILE:hipwright> ${portable_llvm} ${portable_libraries} Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(hipwright_portable_soft hipwright)
target_link_options(hipwright_portable_soft PRIVATE ${portable_options}
  -Wl,--version-script=${hip_generated}/hipwright_soft.map -Wl,-Bsymbolic-functions)
set_target_properties(hipwright_portable_soft PROPERTIES OUTPUT_NAME hipwright_soft
  LIBRARY_OUTPUT_DIRECTORY ${portable_folder}/lib/hipwright)

add_custom_target(hipwright_portable
  DEPENDS hipwright_portable_cli hipwright_portable_soft hipwright_soft_libraries)
