// SPDX-License-Identifier: MIT
#include "port/build/cmake_names.h"

#include <algorithm>
#include <array>

namespace hipwright::port {

namespace {

struct Library {
  std::string_view name;  // of CUDA, as linkers say it
  CMakeLibrary amd;
};

constexpr std::array kLibraries = std::to_array<Library>({
    {"cudart", {"hip::host", "hip"}},
    {"cudart_static", {"hip::host", "hip"}},
    {"cuda_driver", {"hip::host", "hip"}},
    {"cuda", {"hip::host", "hip"}},
    {"nvrtc", {"hiprtc::hiprtc", "hiprtc"}},
    {"cublas", {"roc::hipblas", "hipblas"}},
    {"cublas_static", {"roc::hipblas", "hipblas"}},
    {"cublasLt", {"roc::hipblaslt", "hipblaslt"}},
    {"curand", {"hip::hiprand", "hiprand"}},
    {"cufft", {"hip::hipfft", "hipfft"}},
    {"cusparse", {"roc::hipsparse", "hipsparse"}},
    {"cusolver", {"roc::hipsolver", "hipsolver"}},
    {"cudnn", {"MIOpen", "miopen"}},
    {"nccl", {"roc::rccl", "rccl"}},
    {"nvToolsExt", {"roctx64", ""}},
    {"nvtx3", {"roctx64", ""}},
    {"nvml", {"amd_smi", "amd_smi"}},
    {"nvidia-ml", {"amd_smi", "amd_smi"}},
});

struct Variable {
  std::string_view name, library;
};

// Of the old FindCUDA.
constexpr std::array kVariables = std::to_array<Variable>({
    {"${CUDA_LIBRARIES}", "cudart"},
    {"${CUDA_CUDART_LIBRARY}", "cudart"},
    {"${CUDA_CUDA_LIBRARY}", "cuda"},
    {"${CUDA_CUBLAS_LIBRARIES}", "cublas"},
    {"${CUDA_CUFFT_LIBRARIES}", "cufft"},
    {"${CUDA_curand_LIBRARY}", "curand"},
    {"${CUDA_cusparse_LIBRARY}", "cusparse"},
    {"${CUDA_cusolver_LIBRARY}", "cusolver"},
    {"${CUDA_nvrtc_LIBRARY}", "nvrtc"},
});

struct Word {
  std::string_view cuda, hip;  // hip empty: dropped
};

// The first that occurs in a word counts; longer ones first.
constexpr std::array kWords = std::to_array<Word>({
    {"CMAKE_CUDA_ARCHITECTURES", ""},
    {"CMAKE_CUDA_HOST_COMPILER", ""},
    {"CMAKE_CUDA_SEPARABLE_COMPILATION", ""},
    {"CMAKE_CUDA_COMPILER", "CMAKE_HIP_COMPILER"},
    {"CMAKE_CUDA_", "CMAKE_HIP_"},
    {"CUDA_NVCC_FLAGS", "CMAKE_HIP_FLAGS"},
    {"CUDA_ARCHITECTURES", ""},
    {"CUDA_SEPARABLE_COMPILATION", ""},
    {"CUDA_RESOLVE_DEVICE_SYMBOLS", ""},
    {"CUDA_PROPAGATE_HOST_FLAGS", ""},
    {"CUDA_RUNTIME_LIBRARY", ""},
    {"CUDA_STANDARD", "HIP_STANDARD"},
    {"CUDA_EXTENSIONS", "HIP_EXTENSIONS"},
    {"CUDAToolkit_INCLUDE_DIRS", ""},
    {"CUDA_INCLUDE_DIRS", ""},
    {"CUDAToolkit_FOUND", "hip_FOUND"},
    {"CUDA_FOUND", "hip_FOUND"},
    {"COMPILE_LANGUAGE:CUDA", "COMPILE_LANGUAGE:HIP"},
    {"COMPILE_LANG_AND_ID:CUDA,NVIDIA", "COMPILE_LANG_AND_ID:HIP,Clang"},
    {"cuda_std_", "hip_std_"},
});

}  // namespace

std::optional<CMakeLibrary> library_for_amd(std::string_view word) {
  for (const Variable& variable : kVariables)
    if (word == variable.name) return library_for_amd(variable.library);
  if (word.starts_with("CUDA::")) word.remove_prefix(6);
  const auto* found = std::find_if(kLibraries.begin(), kLibraries.end(),
                                   [&](const Library& library) { return library.name == word; });
  return found == kLibraries.end() ? std::nullopt : std::optional(found->amd);
}

std::optional<CMakeWord> word_for_amd(std::string_view word) {
  for (const Word& each : kWords) {
    const std::size_t at = word.find(each.cuda);
    if (at == std::string_view::npos) continue;
    if (each.hip.empty()) return CMakeWord{.now = {}, .is_dropped = true};
    std::string now(word);
    return CMakeWord{.now = now.replace(at, each.cuda.size(), each.hip)};
  }
  return std::nullopt;
}

}  // namespace hipwright::port
