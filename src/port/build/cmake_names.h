// SPDX-License-Identifier: MIT
// HIP counterparts of the names of CMake's CUDA language and packages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port {

struct CMakeLibrary {
  std::string_view target;   // "roc::hipblas"; empty if nothing has to be linked
  std::string_view package;  // of find_package(); empty if none is needed
};

// CUDA::cublas, ${CUDA_CUBLAS_LIBRARIES}, cublas.
std::optional<CMakeLibrary> library_for_amd(std::string_view word);

// The ROCm counterpart of NCCL, cuDNN, Thrust; empty if there is none.
std::string_view package_for_amd(std::string_view name);

// CMAKE_CUDA_FLAGS, CUDA_STANDARD, cuda_std_17, $<COMPILE_LANGUAGE:CUDA>: the text with HIP's names
// in it. In a condition a variable may appear without ${}.
std::string words_for_amd(std::string_view text, bool is_condition = false);

// Why a variable or property has no meaning for HIP; empty if it has.
std::string_view why_not_set(std::string_view name);

// Counterparts of variables in conditions for AMD builds: {"CUDA_FOUND",
// "${hip_FOUND}"}.
struct CMakeAnswer {
  std::string_view name, value;
};
std::vector<CMakeAnswer> answers_for_amd(std::string_view condition);

// CUDA's headers: ${CUDA_INCLUDE_DIRS}, ${CUDA_TOOLKIT_ROOT_DIR}/include.
bool names_cudas_headers(std::string_view word);

// The first word that is meaningful only with the CUDA toolkit, and what to do. Empty if there is
// none.
struct CMakeLeft {
  std::string word, advice;
  bool stops = false;  // CMake stops there
};
std::optional<CMakeLeft> left_for_people(std::string_view text);

}  // namespace hipwright::port
