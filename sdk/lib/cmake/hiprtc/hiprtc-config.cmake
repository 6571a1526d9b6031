# SPDX-License-Identifier: MIT
# find_package(hiprtc): hiprtc::hiprtc, the run-time compiler's API.
get_filename_component(_hiprtc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(hiprtc_INCLUDE_DIR "${_hiprtc_prefix}/include")
set(hiprtc_INCLUDE_DIRS "${hiprtc_INCLUDE_DIR}")

if(NOT TARGET hiprtc::hiprtc)
  add_library(hiprtc::hiprtc SHARED IMPORTED)
  set_target_properties(hiprtc::hiprtc PROPERTIES
    IMPORTED_LOCATION "${_hiprtc_prefix}/lib/libhiprtc.so"
    IMPORTED_SONAME libhiprtc.so.6
    INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${hiprtc_INCLUDE_DIR}"
    INTERFACE_INCLUDE_DIRECTORIES "${hiprtc_INCLUDE_DIR}")
endif()
set(hiprtc_LIBRARIES hiprtc::hiprtc)
unset(_hiprtc_prefix)
