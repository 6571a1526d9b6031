// SPDX-License-Identifier: MIT
// What CMake's CUDA language and packages are called for HIP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipwright::port {

struct CMakeLibrary {
  std::string_view target;   // "roc::hipblas"
  std::string_view package;  // of find_package(); empty: none is needed
};

// CUDA::cublas, ${CUDA_CUBLAS_LIBRARIES}, cublas.
std::optional<CMakeLibrary> library_for_amd(std::string_view word);

// CMAKE_CUDA_FLAGS, CUDA_STANDARD, cuda_std_17, $<COMPILE_LANGUAGE:CUDA>: the word with HIP's names
// in it. `is_dropped`: HIP has none, and what is said about it goes.
struct CMakeWord {
  std::string now;
  bool is_dropped = false;
};
std::optional<CMakeWord> word_for_amd(std::string_view word);

}  // namespace hipwright::port
