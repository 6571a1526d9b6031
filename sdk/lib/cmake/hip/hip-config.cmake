# SPDX-License-Identifier: MIT
# find_package(hip): hip::host to call the runtime, hip::device to compile C++ sources as HIP.
cmake_policy(PUSH)
cmake_policy(VERSION 3.16)

get_filename_component(_hip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(hip_INCLUDE_DIR "${_hip_prefix}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${_hip_prefix}/lib")
set(hip_BIN_INSTALL_DIR "${_hip_prefix}/bin")
set(hip_HIPCC_EXECUTABLE "${_hip_prefix}/bin/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${_hip_prefix}/bin/hipconfig")
set(HIP_COMPILER clang)
set(HIP_PLATFORM amd)
set(HIP_RUNTIME rocclr)
set(HIP_PATH "${_hip_prefix}")
set(ROCM_PATH "${_hip_prefix}")
set(HIP_CXX_COMPILER "${_hip_prefix}/bin/amdclang++")
set(HIP_CLANG_ROOT "${_hip_prefix}/lib/llvm")

# The targets to build for, as ROCm's package spells the variables.
if(NOT DEFINED GPU_TARGETS)
  if(DEFINED AMDGPU_TARGETS)
    set(GPU_TARGETS "${AMDGPU_TARGETS}" CACHE STRING "GPU targets to compile for")
  elseif(DEFINED ENV{HCC_AMDGPU_TARGET})
    string(REPLACE "," ";" GPU_TARGETS "$ENV{HCC_AMDGPU_TARGET}")
  else()
    execute_process(COMMAND "${_hip_prefix}/bin/rocm_agent_enumerator" -t GPU
      OUTPUT_VARIABLE GPU_TARGETS ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REPLACE "\n" ";" GPU_TARGETS "${GPU_TARGETS}")
    list(REMOVE_DUPLICATES GPU_TARGETS)
    if(NOT GPU_TARGETS)
      message(STATUS "hip: no AMD GPU here and GPU_TARGETS is not set: compiling for gfx942")
      set(GPU_TARGETS gfx942)
    endif()
  endif()
endif()

if(NOT TARGET hip::amdhip64)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(hip::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_prefix}/lib/libamdhip64.so"
    IMPORTED_SONAME libamdhip64.so.6
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}"
    INTERFACE_INCLUDE_DIRECTORIES "${hip_INCLUDE_DIR}")

  # Programs that use the libraries that were added find them, and their dynamic loader.
  include("${_hip_prefix}/lib/cmake/hip/added-libraries.cmake" OPTIONAL)
  if(_hip_added_link_options)
    set_property(TARGET hip::amdhip64 PROPERTY INTERFACE_LINK_OPTIONS ${_hip_added_link_options})
  endif()
  unset(_hip_added_link_options)

  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)

  # C++ sources become HIP: needs bin/amdclang++ or bin/hipcc as the C++ compiler.
  add_library(hip::device INTERFACE IMPORTED)
  set(_hip_archs "")
  foreach(_hip_arch IN LISTS GPU_TARGETS)
    list(APPEND _hip_archs "--offload-arch=${_hip_arch}")
  endforeach()
  set_target_properties(hip::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip::host
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip;${_hip_archs}>"
    INTERFACE_LINK_OPTIONS
      "$<$<LINK_LANGUAGE:CXX>:--hip-link;${_hip_archs};--rtlib=compiler-rt;-unwindlib=libgcc>")
endif()

set(hip_LIBRARIES hip::host hip::device)
set(hip_LIBRARY hip::host)
unset(_hip_prefix)
unset(_hip_archs)
unset(_hip_arch)
cmake_policy(POP)
