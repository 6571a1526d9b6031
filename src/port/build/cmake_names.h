// SPDX-License-Identifier: MIT
// What CMake's CUDA language and packages are called for HIP.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct CMakeLibrary {
  std::string_view target;   // "roc::hipblas"; empty: nothing has to be linked
  std::string_view package;  // of find_package(); empty: none is needed
};

// CUDA::cublas, ${CUDA_CUBLAS_LIBRARIES}, cublas.
std::optional<CMakeLibrary> library_for_amd(std::string_view word);

// The package of ROCm that stands for NCCL, cuDNN, Thrust; empty: none.
std::string_view package_for_amd(std::string_view name);

// CMAKE_CUDA_FLAGS, CUDA_STANDARD, cuda_std_17, $<COMPILE_LANGUAGE:CUDA>: the text with HIP's names
// in it. In a condition a variable may stand without ${}.
std::string words_for_amd(std::string_view text, bool is_condition = false);

// Why a variable or property that is set has no meaning for HIP; empty: it has.
std::string_view why_not_set(std::string_view name);

// What variables that a condition asks for are where AMD is built for: {"CUDA_FOUND",
// "${hip_FOUND}"}.
struct CMakeAnswer {
  std::string_view name, value;
};
std::vector<CMakeAnswer> answers_for_amd(std::string_view condition);

// CUDA's headers: ${CUDA_INCLUDE_DIRS}, ${CUDA_TOOLKIT_ROOT_DIR}/include.
bool names_cudas_headers(std::string_view word);

// The first word that only a machine with CUDA's toolkit gives a meaning, and what to do. Empty:
// there is none.
struct CMakeLeft {
  std::string word, advice;
  bool stops = false;  // CMake stops there
};
std::optional<CMakeLeft> left_for_people(std::string_view text);

}  // namespace hipwright::port
