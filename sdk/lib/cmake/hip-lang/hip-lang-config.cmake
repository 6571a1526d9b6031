# SPDX-License-Identifier: MIT
# What CMake's HIP language links to every HIP target.
cmake_policy(PUSH)
cmake_policy(VERSION 3.21)

get_filename_component(_hip_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)

if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(hip-lang::amdhip64 PROPERTIES
    IMPORTED_LOCATION "${_hip_prefix}/lib/libamdhip64.so"
    IMPORTED_SONAME libamdhip64.so.6
    INTERFACE_COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:HIP>:__HIP_ROCclr__=1>")

  add_library(hip-lang::device INTERFACE IMPORTED)
  # bfloat16 conversions on the host are in compiler-rt and not in Debian 12's libgcc.
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES hip-lang::amdhip64
    INTERFACE_LINK_OPTIONS
      "$<$<LINK_LANGUAGE:HIP>:--hip-link;--rtlib=compiler-rt;-unwindlib=libgcc>")
endif()

# The name under which CMake looks for the target.
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
unset(_hip_prefix)
cmake_policy(POP)
