// SPDX-License-Identifier: MIT
#include "project/file_facts.h"

#include <algorithm>
#include <array>

#include "arch/processors.h"
#include "base/words.h"
#include "project/language.h"

namespace hipwright::project {

namespace {

constexpr std::array kRocmWords = {"rocm",   "hip",     "amd",     "amdgpu",    "aiter", "hipified",
                                   "miopen", "rocblas", "hipblas", "hipblaslt", "rccl"};
constexpr std::array kNvidiaWords = {
    "nvidia",     "cutlass",  "cute",   "hopper",  "blackwell", "tensorrt", "trtllm",   "nvfp4",
    "cudnn",      "ptx",      "marlin", "machete", "deepgemm",  "nvcc",     "cublaslt", "cutedsl",
    "flashinfer", "flashmla", "nvls",   "nvshmem", "fa3",       "xqa"};
// NVIDIA's libraries as folders of a project; AMD builds use their own. In other names the words
// are parts of the project's.
constexpr std::array kNvidiaFolders = {"cub", "thrust"};
// Devices of other vendors.
constexpr std::array kOtherWords = {"xpu",    "npu", "hpu",  "mlu",  "musa",   "sycl",
                                    "ascend", "mps", "supa", "sdaa", "neuron", "gaudi"};
constexpr std::array kTestWords = {"test", "tests", "testing", "bench", "benchmark", "benchmarks"};
// Folders of code that is read, not run. In a file's name the words do not count.
constexpr std::array kTestFolders = {"example", "examples", "docs", "doc"};

// "sm90", "sm100a": NVIDIA's names of its targets.
bool is_sm(std::string_view word) {
  return word.size() >= 4 && word.size() <= 6 && word.starts_with("sm") && word[2] >= '0' &&
         word[2] <= '9' && word[3] >= '0' && word[3] <= '9';
}

}  // namespace

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
    facts.is_rocm_specific |= is_any(word, kRocmWords) || arch::begins_like_processor(word);
    facts.names_nvidia_target |= is_sm(word);
    const bool is_folder =
        byte == '/' && at < path.size() && at > word.size() && path[at - word.size() - 1] == '/';
    facts.is_nvidia_specific |=
        is_any(word, kNvidiaWords) || is_sm(word) || (is_folder && is_any(word, kNvidiaFolders));
    facts.is_test |= is_any(word, kTestWords) ||
                     (is_any(word, kTestFolders) && (at < name || at - name == word.size()));
    if (is_any(word, kOtherWords)) facts.built_on_amd = Truth::kNo;
    word.clear();
  }
  facts.path = std::move(path);
  return facts;
}

FileFacts facts_in(const BuildGraph& graph, std::string_view path) {
  FileFacts facts = facts_of_path(std::string(path));
  if (facts.built_on_amd != Truth::kNo) facts.built_on_amd = graph.built(path, Platform::kAmd);
  facts.built_on_nvidia = graph.built(path, Platform::kNvidia);
  facts.is_unlisted = facts.built_on_amd == Truth::kMaybe && graph.has_amd_list() &&
                      language_of(path) == Language::kCuda;
  facts.own_definitions = &graph.own_definitions(path);
  facts.macros = &graph.macros();
  return facts;
}

}  // namespace hipwright::project
