// SPDX-License-Identifier: MIT
// A header that ROCm lacks is included in code that AMD's compiler sees.
//
// ## What it finds
//
// `#include` of CUTLASS, CuTe, `<mma.h>`, `<cuda/ptx>`, `<cuda/barrier>`, `<nvtx3/…>`, `<cudnn.h>`
// and other headers that ROCm lacks and hipify does not rename.
//
// ## Why it matters
//
// The build stops at the first such line. Headers that hipify maps (`<cuda_runtime.h>`,
// `<cub/cub.cuh>`) are no problem in projects that run it.
//
// ## Example
//
// ```cuda
// #include <cuda/barrier>
// ```
//
// ## Use instead
//
// ```cuda
// #ifndef USE_ROCM
// #include <cuda/barrier>
// #endif
// ```
//
// and a code path without it for AMD: Composable Kernel or hipBLASLt instead of CUTLASS, rocWMMA
// instead of `<mma.h>`, rocTX instead of NVTX.
//
// ## When it is not a bug
//
// - Only NVIDIA builds compile the file: its name or the build says so.
// - hipify renames the header. It does not run on sources that are compiled at run time
//   (directories named `jit`, `jit_kernels`): such headers are reported with low confidence.
#include <array>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;

struct Header {
  std::string_view begin;  // prefix of the path; a whole file name if it has a dot
  std::string_view instead;
};
constexpr auto kHeaders = std::to_array<Header>({
    {"cutlass/", "Composable Kernel or hipBLASLt"},
    {"cute/", "Composable Kernel"},
    {"mma.h", "rocWMMA"},
    {"cuda/ptx", "a separate AMD branch"},
    {"cuda/barrier", "__syncthreads"},
    {"cuda/pipeline", "plain copies"},
    {"cuda/annotated_ptr", "plain pointers"},
    {"cooperative_groups/memcpy_async.h", "plain copies"},
    {"cooperative_groups/reduce.h", "a loop of shuffles"},
    {"cooperative_groups/scan.h", "a loop of shuffles"},
    {"cuda_pipeline.h", "plain copies"},
    {"cuda_awbarrier", "__syncthreads"},
    {"cudaTypedefs.h", "hip/hip_runtime.h"},
    {"cuda_fp4.h", "hip/hip_fp4.h from ROCm 7"},
    {"cuda_fp6.h", "hip/hip_fp6.h from ROCm 7"},
    {"nvtx3/", "rocTX"},
    {"nvToolsExt.h", "rocTX"},
    {"cudnn.h", "MIOpen"},
    {"cudnn_", "MIOpen"},
    {"cublasdx", "Composable Kernel"},
    {"cusparseLt.h", "hipSPARSELt"},
    {"cufile.h", "hipFile"},
    {"nvml.h", "rocm_smi or amdsmi"},
    {"NvInfer", "MIGraphX"},
    {"nvshmem", "rocSHMEM"},
    {"sm_", "a separate AMD branch"},
});

const Header* find_header(std::string_view path) {
  for (const Header& header : kHeaders)
    if (path.starts_with(header.begin)) return &header;
  return nullptr;
}

// Headers that hipify renames in a build. It never sees sources that are compiled at run time,
// which are recognised by their directories.
bool is_compiled_while_running(const CudaCheck& check) {
  std::string_view path = check.facts.path;
  for (std::size_t slash; (slash = path.find('/')) != std::string_view::npos;
       path.remove_prefix(slash + 1)) {
    const std::string_view folder = path.substr(0, slash);
    if (folder == "jit" || folder.starts_with("jit_") || folder.ends_with("_jit")) return true;
  }
  return false;
}

bool is_renamed_by_hipify(std::string_view path) {
  return path == "cuda_runtime.h" || path == "cuda_runtime_api.h" || path == "cuda_fp8.h" ||
         path == "cuda_fp16.h" || path == "cuda_bf16.h" || path == "cuda.h";
}

void find(CudaCheck& check) {
  if (check.facts.is_nvidia_specific) return;
  const bool is_jit = is_compiled_while_running(check) && !is_bound_to_nvidia(check);
  for (const cu::Include& include : check.file.includes()) {
    if (!include.is_system || check.on_amd(include.hash) == Truth::kNo) continue;
    const Header* header = find_header(include.path);
    if (header == nullptr && is_jit && is_renamed_by_hipify(include.path))
      check.report(check.file.span(cu::TokenRange{include.hash, include.hash + 3}),
                   Confidence::kLow,
                   fmt::format("compiled at run time, where nothing renames <{}>; "
                               "include the HIP header on AMD",
                               include.path));
    if (header == nullptr) continue;
    // Code built around the header (a CUTLASS kernel) is not ported line by line.
    const bool is_certain =
        check.file.compiled(include.hash, syntax::cuda::Platform::kAmd) == Truth::kYes;
    const bool is_library = header->begin == "cutlass/" || header->begin == "cute/";
    check.report(check.file.span(cu::TokenRange{include.hash, include.hash + 3}),
                 !is_certain || (is_library && check.facts.built_on_amd != Truth::kYes)
                     ? Confidence::kLow
                 : is_library ? Confidence::kMedium
                              : Confidence::kHigh,
                 fmt::format("ROCm has no <{}>; use {}", include.path, header->instead));
  }
}

const Name kInclude("include");

}  // namespace

Rule nvidia_header() {
  return {.code = "HW803",
          .name = "nvidia-header",
          .summary = "header that ROCm lacks",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = {kInclude},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
