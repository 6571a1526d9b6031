// SPDX-License-Identifier: MIT
#include "lint/source_kind.h"

#include <algorithm>
#include <array>

namespace hipwright::lint {

namespace {

constexpr std::array kCudaSuffixes = {"cu", "cuh", "hip", "cpp", "cc",  "cxx", "c",  "h",
                                      "hh", "hpp", "hxx", "inl", "inc", "ipp", "tpp"};

constexpr std::array kRocmWords = {"rocm",   "hip",     "amd",     "amdgpu",    "aiter", "hipified",
                                   "miopen", "rocblas", "hipblas", "hipblaslt", "rccl"};
constexpr std::array kNvidiaWords = {"nvidia",   "cutlass",    "cute",     "hopper", "blackwell",
                                     "tensorrt", "trtllm",     "nvfp4",    "cudnn",  "ptx",
                                     "marlin",   "machete",    "deepgemm", "nvcc",   "cublaslt",
                                     "cutedsl",  "flashinfer", "flashmla", "nvls",   "nvshmem"};
// Devices of other makers.
constexpr std::array kOtherWords = {"xpu",    "npu", "hpu",  "mlu",  "musa",   "sycl",
                                    "ascend", "mps", "supa", "sdaa", "neuron", "gaudi"};
constexpr std::array kTestWords = {"test", "tests", "testing", "bench", "benchmark", "benchmarks"};
// Folders of what is read, not run. As part of a file's name they only say what it is like.
constexpr std::array kTestFolders = {"example", "examples", "docs", "doc"};

template <std::size_t N>
bool one_of(const std::array<const char*, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "sm90", "sm100a": NVIDIA's names of its targets.
bool is_sm(std::string_view word) {
  return word.size() >= 4 && word.size() <= 6 && word.starts_with("sm") && word[2] >= '0' &&
         word[2] <= '9' && word[3] >= '0' && word[3] <= '9';
}

bool matches(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// The last `parts` components of a path.
std::string_view tail(std::string_view path, std::size_t parts) {
  std::size_t at = path.size();
  while (parts-- > 0 && at != std::string_view::npos && at > 0) at = path.rfind('/', at - 1);
  return at == std::string_view::npos || at == 0 ? path : path.substr(at + 1);
}

}  // namespace

Language language_of(std::string_view path) {
  const std::string_view name = tail(path, 1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return Language::kNone;
  const std::string_view suffix = name.substr(dot + 1);
  if (suffix == "py" || suffix == "pyi") return Language::kPython;
  return one_of(kCudaSuffixes, suffix) ? Language::kCuda : Language::kNone;
}

bool fits(std::string_view path, std::string_view pattern) {
  const auto slashes = std::count(pattern.begin(), pattern.end(), '/');
  return matches(tail(path, static_cast<std::size_t>(slashes) + 1), pattern);
}

bool is_build_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == "CMakeLists.txt" || name.ends_with(".cmake") ||
         (name.starts_with("setup") && name.ends_with(".py"));
}

bool is_of_project(std::string_view path) {
  return language_of(path) == Language::kCuda || is_build_file(path);
}

FileFacts facts_of_path(std::string path) {
  FileFacts facts;
  std::string word;
  const std::size_t name = path.rfind('/') + 1;  // 0 without folders
  for (std::size_t at = 0; at <= path.size(); ++at) {
    const char byte = at < path.size() ? path[at] : '/';
    const bool is_upper = byte >= 'A' && byte <= 'Z';
    if (is_upper || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) {
      word += is_upper ? static_cast<char>(byte + ('a' - 'A')) : byte;
      continue;
    }
    facts.is_rocm_specific |= one_of(kRocmWords, word) || word.starts_with("gfx");
    facts.is_nvidia_specific |= one_of(kNvidiaWords, word) || is_sm(word);
    facts.is_test |= one_of(kTestWords, word) ||
                     (one_of(kTestFolders, word) && (at < name || at - name == word.size()));
    if (one_of(kOtherWords, word)) facts.built_on_amd = syntax::Truth::kNo;
    word.clear();
  }
  facts.path = std::move(path);
  return facts;
}

}  // namespace hipwright::lint
