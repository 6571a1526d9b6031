// SPDX-License-Identifier: MIT
#include "port/build/cmake_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "port/build/tools.h"

namespace hipwright::port {

namespace {

struct Library {
  std::string_view name;  // of CUDA, as linkers spell it
  CMakeLibrary amd;
};

constexpr std::array kLibraries = std::to_array<Library>({
    {"cudart", {"hip::host", "hip"}},
    {"cuda_driver", {"hip::host", "hip"}},
    {"cuda", {"hip::host", "hip"}},
    {"toolkit", {"hip::host", "hip"}},
    {"cudart_static_deps", {}},
    {"cudadevrt", {}},
    {"culibos", {}},
    {"nvrtc", {"hiprtc::hiprtc", "hiprtc"}},
    {"nvrtc_builtins", {}},
    {"cublas", {"roc::hipblas", "hipblas"}},
    {"cublasLt", {"roc::hipblaslt", "hipblaslt"}},
    {"curand", {"hip::hiprand", "hiprand"}},
    {"cufft", {"hip::hipfft", "hipfft"}},
    {"cufft_static_nocallback", {"hip::hipfft", "hipfft"}},
    {"cusparse", {"roc::hipsparse", "hipsparse"}},
    {"cusparseLt", {"roc::hipsparselt", "hipsparselt"}},
    {"cusolver", {"roc::hipsolver", "hipsolver"}},
    {"cutensor", {"hiptensor::hiptensor", "hiptensor"}},
    {"cudnn", {"MIOpen", "miopen"}},
    {"nccl", {"roc::rccl", "rccl"}},
    {"nvToolsExt", {"roctx64", ""}},
    {"nvtx3", {"roctx64", ""}},
    {"nvml", {"amd_smi", "amd_smi"}},
    {"nvidia-ml", {"amd_smi", "amd_smi"}},
    {"CUB::CUB", {"hip::hipcub", "hipcub"}},
    {"CCCL::CUB", {"hip::hipcub", "hipcub"}},
    {"CCCL::Thrust", {"roc::rocthrust", "rocthrust"}},
    {"CCCL::CCCL", {"roc::rocthrust", "rocthrust"}},
});

struct Package {
  std::string_view name, amd;
};
constexpr std::array kPackages = std::to_array<Package>({
    {"CUDNN", "miopen"},
    {"cudnn", "miopen"},
    {"CUDNN_FRONTEND", "miopen"},
    {"NCCL", "rccl"},
    {"Thrust", "rocthrust"},
    {"CCCL", "rocthrust"},
    {"CUB", "hipcub"},
});

constexpr std::string_view kDetected = "CMake detects the GPU, or CMAKE_HIP_ARCHITECTURES names it";
constexpr std::string_view kOfNvcc = "an nvcc setting";
constexpr std::string_view kToolkit = "a path of the CUDA toolkit";

// A star: the rest of the word stays. `why`: to set it means nothing for HIP.
struct Word {
  std::string_view cuda, hip, why = {};
};

constexpr std::array kWords = std::to_array<Word>({
    {"CMAKE_CUDA_ARCHITECTURES", "", kDetected},
    {"CMAKE_CUDA_ARCHITECTURES_ALL", "", kDetected},
    {"CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR", "", kDetected},
    {"CMAKE_CUDA_ARCHITECTURES_NATIVE", "", kDetected},
    {"CMAKE_CUDA_HOST_COMPILER", "CMAKE_CXX_COMPILER", "clang compiles host code itself"},
    {"CMAKE_CUDA_RUNTIME_LIBRARY", "CMAKE_HIP_RUNTIME_LIBRARY",
     "the HIP runtime is a shared library"},
    {"CMAKE_CUDA_RESOLVE_DEVICE_SYMBOLS", "", "device code is linked with the program"},
    {"CMAKE_CUDA_PROPAGATE_HOST_FLAGS", "", kOfNvcc},
    {"CMAKE_CUDA_USE_RESPONSE_FILE_FOR_*", "", kOfNvcc},
    {"CMAKE_CUDA_COMPILER_ID_TEST_FLAGS*", "", kOfNvcc},
    {"CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES", "hip_INCLUDE_DIRS", kToolkit},
    {"CMAKE_CUDA_COMPILER", "CMAKE_HIP_COMPILER", "CMake finds the HIP compiler"},
    {"CMAKE_CUDA_SEPARABLE_COMPILATION", "", kOfNvcc},
    {"CMAKE_CUDA_*", "CMAKE_HIP_*"},
    {"CUDA_NVCC_FLAGS*", "CMAKE_HIP_FLAGS*"},
    {"CUDA_NVCC_EXECUTABLE", "hip_HIPCC_EXECUTABLE", kToolkit},
    {"CUDAToolkit_NVCC_EXECUTABLE", "hip_HIPCC_EXECUTABLE", kToolkit},
    {"CUDA_ARCHITECTURES", "", kDetected},
    {"CUDA_SEPARABLE_COMPILATION", "", kOfNvcc},
    {"CUDA_RESOLVE_DEVICE_SYMBOLS", "", "device code is linked with the program"},
    {"CUDA_PROPAGATE_HOST_FLAGS", "", kOfNvcc},
    {"CUDA_ATTACH_VS_BUILD_RULE_TO_CUDA_FILE", "", kOfNvcc},
    {"CUDA_VERBOSE_BUILD", "", kOfNvcc},
    {"CUDA_HOST_COMPILER", "CMAKE_CXX_COMPILER", "clang compiles host code itself"},
    {"CUDA_USE_STATIC_CUDA_RUNTIME", "", "the HIP runtime is a shared library"},
    {"CUDA_RUNTIME_LIBRARY", "", "the HIP runtime is a shared library"},
    {"CUDA_TOOLKIT_ROOT_DIR", "", kToolkit},
    {"CUDAToolkit_ROOT", "", kToolkit},
    {"CUDA_STANDARD*", "HIP_STANDARD*"},
    {"CUDA_EXTENSIONS", "HIP_EXTENSIONS"},
    {"CUDA_COMPILER_ID", "HIP_COMPILER_ID"},
    {"CUDA_COMPILER_VERSION", "HIP_COMPILER_VERSION"},
    {"CUDAToolkit_INCLUDE_DIRS", "hip_INCLUDE_DIRS"},
    {"CUDAToolkit_INCLUDE_DIR", "hip_INCLUDE_DIRS"},
    {"CUDA_INCLUDE_DIRS", "hip_INCLUDE_DIRS"},
    {"CUDA_TOOLKIT_INCLUDE", "hip_INCLUDE_DIRS"},
    {"CUDAToolkit_FOUND", "hip_FOUND"},
    {"CUDA_FOUND", "hip_FOUND"},
    {"cuda_std_*", "hip_std_*"},
});

// HIP counts as CUDA 11.8, as in sources.
constexpr std::array kVersions = std::to_array<CMakeAnswer>({
    {"CMAKE_CUDA_COMPILER_VERSION", "11.8"},
    {"CUDA_VERSION", "11.8"},
    {"CUDA_VERSION_STRING", "11.8"},
    {"CUDAToolkit_VERSION", "11.8"},
    {"CUDA_VERSION_MAJOR", "11"},
    {"CUDA_VERSION_MINOR", "8"},
    {"CUDAToolkit_VERSION_MAJOR", "11"},
    {"CUDAToolkit_VERSION_MINOR", "8"},
    {"CUDAToolkit_VERSION_PATCH", "0"},
});

constexpr std::array kAnswers = std::to_array<CMakeAnswer>({
    {"CUDA_FOUND", "${hip_FOUND}"},
    {"CUDAToolkit_FOUND", "${hip_FOUND}"},
    {"CUDA_INCLUDE_DIRS", "${hip_INCLUDE_DIRS}"},
    {"CUDAToolkit_INCLUDE_DIRS", "${hip_INCLUDE_DIRS}"},
    {"CMAKE_CUDA_COMPILER", "${CMAKE_HIP_COMPILER}"},
    {"CMAKE_CUDA_COMPILER_ID", "${CMAKE_HIP_COMPILER_ID}"},
    {"CMAKE_CUDA_COMPILER_LOADED", "${CMAKE_HIP_COMPILER_LOADED}"},
});

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

const Word* find_word(std::string_view name) {
  for (const Word& word : kWords) {
    const bool is_begin = word.cuda.ends_with('*');
    if (is_begin ? name.starts_with(word.cuda.substr(0, word.cuda.size() - 1)) : name == word.cuda)
      return &word;
  }
  return nullptr;
}

std::string_view version_of(std::string_view name) {
  for (const CMakeAnswer& each : kVersions)
    if (each.name == name) return each.value;
  return {};
}

// In $<COMPILE_LANGUAGE:CXX,CUDA> the languages; where that ends.
std::size_t add_languages(std::string_view text, std::size_t at, bool has_id, std::string& out) {
  const std::size_t end = std::min(text.find('>', at), text.size());
  while (at < end) {
    const std::size_t comma = std::min(text.find_first_of(",>", at), end);
    const std::string_view each = text.substr(at, comma - at);
    out += each == "CUDA" ? "HIP" : has_id && each == "NVIDIA" ? "Clang" : each;
    if (comma < end) out += ',';
    at = comma + 1;
  }
  return end;
}

}  // namespace

std::optional<CMakeLibrary> library_for_amd(std::string_view word) {
  // FindCUDA's: CUDA_CUBLAS_LIBRARIES, CUDA_cublas_LIBRARY.
  std::string name(word);
  if (name.starts_with("${CUDA_") && name.ends_with("}")) {
    name = name.substr(7, name.size() - 8);
    const std::size_t end = name.rfind("LIBRAR");
    if (end == std::string::npos) return std::nullopt;
    name = end == 0 ? "cudart" : name.substr(0, end - 1);
    const bool is_upper = std::none_of(name.begin(), name.end(),
                                       [](unsigned char c) { return std::islower(c) != 0; });
    if (is_upper)
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  }
  if (name.starts_with("CUDA::")) name.erase(0, 6);
  if (name.ends_with("_static")) name.resize(name.size() - 7);
  const auto* found = std::find_if(kLibraries.begin(), kLibraries.end(),
                                   [&](const Library& library) { return library.name == name; });
  return found == kLibraries.end() ? std::nullopt : std::optional(found->amd);
}

std::string_view package_for_amd(std::string_view name) {
  for (const Package& each : kPackages)
    if (each.name == name) return each.amd;
  return {};
}

std::string words_for_amd(std::string_view text, bool is_condition) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_name(text[at])) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    const bool is_read = out.ends_with("${") && end < text.size() && text[end] == '}';
    const bool is_alone = is_condition && name.size() == text.size();
    const bool is_asked = name == "COMPILE_LANGUAGE" || name == "LINK_LANGUAGE" ||
                          name == "COMPILE_LANG_AND_ID" || name == "LINK_LANG_AND_ID";
    const std::string_view version = version_of(name);
    at = end;
    if (!version.empty() && is_read) {
      out.resize(out.size() - 2);
      out += version;
      ++at;
    } else if (!version.empty()) {
      out += is_alone ? version : name;
    } else if (is_asked && at < text.size() && text[at] == ':') {
      out += std::string(name) + ':';
      at = add_languages(text, at + 1, name.ends_with("ID"), out);
    } else if (const Word* word = find_word(name); word != nullptr && !word->hip.empty()) {
      const bool is_begin = word->hip.ends_with('*');
      out += is_begin ? word->hip.substr(0, word->hip.size() - 1) : word->hip;
      if (is_begin) out += name.substr(word->cuda.size() - 1);
    } else {
      out += name;
    }
  }
  return out;
}

std::string_view why_not_set(std::string_view name) {
  const Word* word = find_word(name);
  return word == nullptr ? std::string_view() : word->why;
}

std::vector<CMakeAnswer> answers_for_amd(std::string_view condition) {
  std::vector<CMakeAnswer> out;
  for (std::size_t at = 0; at < condition.size();) {
    std::size_t end = at;
    while (end < condition.size() && is_name(condition[end])) ++end;
    const std::string_view name = condition.substr(at, end - at);
    at = end == at ? at + 1 : end;
    if (const std::string_view version = version_of(name); !version.empty())
      out.push_back({name, version});
    for (const CMakeAnswer& each : kAnswers)
      if (each.name == name) out.push_back(each);
  }
  return out;
}

bool names_cudas_headers(std::string_view word) {
  const std::string now = words_for_amd(word);
  return (now != word && now.find("hip_INCLUDE_DIRS") != std::string::npos) ||
         word.starts_with("${CUDA_TOOLKIT_ROOT_DIR}/include") ||
         word.starts_with("${CUDAToolkit_TARGET_DIR}/include") ||
         word.starts_with("/usr/local/cuda/include");
}

std::optional<CMakeLeft> left_for_people(std::string_view text) {
  constexpr std::array<std::string_view, 9> kPlaces = {
      "CUDA_TOOLKIT_ROOT_DIR",   "CUDAToolkit_ROOT",         "CUDAToolkit_BIN_DIR",
      "CUDAToolkit_LIBRARY_DIR", "CUDAToolkit_LIBRARY_ROOT", "CUDAToolkit_TARGET_DIR",
      "CUDA_SDK_ROOT_DIR",       "CUDA_PTX_COMPILATION",     "CUDA_CUBIN_COMPILATION"};
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_name(text[end]) || text[end] == '-')) ++end;
    const std::string_view name = text.substr(at, end - at);
    if (name == "CUDA" && text.substr(end).starts_with("::")) {
      std::size_t last = end + 2;
      while (last < text.size() && is_name(text[last])) ++last;
      return CMakeLeft{std::string(text.substr(at, last - at)),
                       "ROCm has no known counterpart of this library.", true};
    }
    at = end == at ? at + 1 : end;
    if (name.ends_with("_COMPILATION") &&
        std::find(kPlaces.begin(), kPlaces.end(), name) != kPlaces.end())
      return CMakeLeft{std::string(name),
                       "Compile with hipcc --genco in an add_custom_command(), and load the file "
                       "with hipModuleLoad.",
                       true};
    if (std::find(kPlaces.begin(), kPlaces.end(), name) != kPlaces.end())
      return CMakeLeft{std::string(name),
                       "There is no CUDA toolkit: after find_package(hip), ROCm's directories are "
                       "${ROCM_PATH} and ${hip_INCLUDE_DIRS}."};
    const bool is_library = name.starts_with("CUDA_") &&
                            (name.ends_with("_LIBRARY") || name.ends_with("_LIBRARIES")) &&
                            library_for_amd("${" + std::string(name) + "}");
    if (is_library) return CMakeLeft{std::string(name), "It is empty without the CUDA toolkit."};
    if (const std::string advice = advice_on_tool(name); !advice.empty())
      return CMakeLeft{std::string(name), advice};
  }
  return std::nullopt;
}

}  // namespace hipwright::port
