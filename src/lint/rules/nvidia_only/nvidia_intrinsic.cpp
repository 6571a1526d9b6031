// SPDX-License-Identifier: MIT
// A device function is called that HIP lacks.
//
// ## What it finds
//
// Calls of CUDA device functions that ROCm 6.4 does not declare, where AMD's compiler sees them:
// `__reduce_add_sync`, `__dp4a`, `__nanosleep`, `__vadd4`, `__pipeline_memcpy_async`,
// `__cvta_generic_to_shared`, `cudaGridDependencySynchronize` and others; and host code that needs
// a device attribute without a counterpart (`cudaDevAttrMaxPersistingL2CacheSize`) or a call that
// came with ROCm 7.1 (`cudaMemcpyBatchAsync`). What a newer ROCm has is reported with medium
// confidence.
//
// ## Why it matters
//
// The build fails with "use of undeclared identifier", in a template only when it is used.
//
// ## Example
//
// ```cuda
// int sum = __reduce_add_sync(mask, value);
// ```
//
// ## Use instead
//
// The replacement that the message names, or hipwright's `compat.h`, which provides most of them.
//
// ## When it is not a bug
//
// - The project defines the function itself for AMD.
// - The call is in an NVIDIA branch, or under a macro of the project.
#include <algorithm>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;

struct Missing {
  Name name;
  std::string_view instead;
  Confidence confidence = Confidence::kHigh;  // lower if current releases have it
};

// Relative to the headers of ROCm 6.4; entries name the later release that has the function.
const std::vector<Missing> kMissing = {
    {Name("__reduce_add_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__reduce_min_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__reduce_max_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__reduce_and_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__reduce_or_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__reduce_xor_sync"), "a loop of __shfl_xor (HIP has it since 7.0)", Confidence::kMedium},
    {Name("__dp4a"), "__builtin_amdgcn_sdot4 or sudot4"},
    {Name("__dp2a_lo"), "plain arithmetic"},
    {Name("__dp2a_hi"), "plain arithmetic"},
    {Name("__nanosleep"), "__builtin_amdgcn_s_sleep"},
    {Name("__syncwarp"), "__builtin_amdgcn_wave_barrier with fences (HIP has it since 7.0)",
     Confidence::kLow},
    {Name("__trap"), "__builtin_trap or abort"},
    {Name("__brkpt"), "__builtin_debugtrap"},
    {Name("__prof_trigger"), "nothing: remove it"},
    {Name("__isGlobal"), "the address space given by the type"},
    {Name("__isShared"), "the address space given by the type"},
    {Name("__isLocal"), "the address space given by the type"},
    {Name("__cvta_generic_to_shared"), "a pointer to shared memory"},
    {Name("__cvta_shared_to_generic"), "a pointer to shared memory"},
    {Name("__cvta_generic_to_global"), "a pointer to global memory"},
    {Name("__nvvm_get_smem_pointer"), "a pointer to shared memory"},
    {Name("__pipeline_memcpy_async"), "a plain copy through registers"},
    {Name("__pipeline_commit"), "nothing: the copy is synchronous"},
    {Name("__pipeline_wait_prior"), "__syncthreads"},
    {Name("__stcs"), "__builtin_nontemporal_store"},
    {Name("__stcg"), "a plain store"},
    {Name("__stwt"), "a plain store"},
    {Name("__ldcv"), "a volatile load"},
    {Name("__vadd2"), "arithmetic on halves"},
    {Name("__vadd4"), "arithmetic on bytes"},
    {Name("__vsub2"), "arithmetic on halves"},
    {Name("__vsub4"), "arithmetic on bytes"},
    {Name("__vsubss4"), "arithmetic on bytes"},
    {Name("__vcmpeq4"), "arithmetic on bytes"},
    {Name("__vcmpne4"), "arithmetic on bytes"},
    {Name("__vabsdiffu4"), "arithmetic on bytes"},
    {Name("__vmaxs2"), "arithmetic on halves"},
    {Name("__vminu4"), "arithmetic on bytes"},
    {Name("__vmaxu4"), "arithmetic on bytes"},
    {Name("__viaddmax_s32"), "max(a + b, c)"},
    {Name("__vimax3_s32"), "max(max(a, b), c)"},
    {Name("__barrier_sync"), "__syncthreads"},
    {Name("__double2half"), "__float2half of a float"},
    {Name("__int2bfloat16_rn"), "__float2bfloat16 of a float"},
    {Name("__uint2bfloat16_rn"), "__float2bfloat16 of a float"},
    {Name("__short2bfloat16_rn"), "__float2bfloat16 of a float"},
    {Name("__ushort2bfloat16_rn"), "__float2bfloat16 of a float"},
    {Name("__ll2bfloat16_rn"), "__double2bfloat16 of a double"},
    {Name("__ull2bfloat16_rn"), "__double2bfloat16 of a double"},
    {Name("__bfloat162int_rn"), "a conversion of __bfloat162float"},
    {Name("__bfloat162uint_rn"), "a conversion of __bfloat162float"},
    {Name("__bfloat162short_rn"), "a conversion of __bfloat162float"},
    {Name("__bfloat162ushort_rn"), "a conversion of __bfloat162float"},
    {Name("__bfloat162ll_rn"), "a conversion of __bfloat162float"},
    {Name("__bfloat162ull_rn"), "a conversion of __bfloat162float"},
    {Name("__float2bfloat162_rn"), "__bfloat162bfloat162(__float2bfloat16(x))"},
    {Name("__fmul2_rn"), "two multiplications"},
    {Name("__cluster_dims__"), "a grid without clusters"},
    {Name("cudaGridDependencySynchronize"), "nothing: a kernel starts after the previous one ends"},
    {Name("cudaTriggerProgrammaticLaunchCompletion"),
     "nothing: a kernel starts after the previous one ends"},
};

// A macro that states that the type exists: AMD has it, too.
bool depends_on_bf16(const File& file, TokenIndex at) {
  const std::vector<std::string> conditions = file.conditions(at);
  return std::any_of(conditions.begin(), conditions.end(), [](const std::string& condition) {
    return condition.find("BF16") != std::string::npos;
  });
}

// Attributes of a device that HIP does not have, and calls that came with ROCm 7.1.
const std::vector<Missing> kMissingOnHost = {
    {Name("cudaDevAttrCanFlushRemoteWrites"), "the default 0"},
    {Name("cudaDevAttrClusterLaunch"), "the default 0"},
    {Name("cudaDevAttrD3D12CigSupported"), "the default 0"},
    {Name("cudaDevAttrDeferredMappingCudaArraySupported"), "the default 0"},
    {Name("cudaDevAttrGPUDirectRDMAFlushWritesOptions"), "the default 0"},
    {Name("cudaDevAttrGPUDirectRDMASupported"), "the default 0"},
    {Name("cudaDevAttrGPUDirectRDMAWritesOrdering"), "the default 0"},
    {Name("cudaDevAttrGpuPciDeviceId"), "the default 0"},
    {Name("cudaDevAttrGpuPciSubsystemId"), "the default 0"},
    {Name("cudaDevAttrHostMemoryPoolsSupported"), "the default 0"},
    {Name("cudaDevAttrHostNumaMemoryPoolsSupported"), "the default 0"},
    {Name("cudaDevAttrHostNumaMultinodeIpcSupported"), "the default 0"},
    {Name("cudaDevAttrHostRegisterReadOnlySupported"), "the default 0"},
    {Name("cudaDevAttrIpcEventSupport"), "the default 0"},
    {Name("cudaDevAttrMaxAccessPolicyWindowSize"), "the default 0"},
    {Name("cudaDevAttrMaxPersistingL2CacheSize"), "the default 0"},
    {Name("cudaDevAttrMaxSurface1DLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMaxSurface2DLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMaxSurfaceCubemapLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMaxTexture1DLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMaxTexture2DLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMaxTextureCubemapLayeredLayers"), "the default 0"},
    {Name("cudaDevAttrMemSyncDomainCount"), "the default 0"},
    {Name("cudaDevAttrMpsEnabled"), "the default 0"},
    {Name("cudaDevAttrNumaConfig"), "the default 0"},
    {Name("cudaDevAttrNumaId"), "the default 0"},
    {Name("cudaDevAttrOnlyPartialHostNativeAtomicSupported"), "the default 0"},
    {Name("cudaDevAttrReservedSharedMemoryPerBlock"), "the default 0"},
    {Name("cudaDevAttrSparseCudaArraySupported"), "the default 0"},
    {Name("cudaDevAttrTimelineSemaphoreInteropSupported"), "the default 0"},
    {Name("cudaDevAttrVulkanCigSupported"), "the default 0"},
    {Name("cudaMemcpyBatchAsync"), "a loop of cudaMemcpyAsync (HIP has it since 7.1)"},
    {Name("cudaMemcpy3DBatchAsync"), "a loop of cudaMemcpy3DAsync (HIP has it since 7.1)"},
    {Name("hipMemcpyBatchAsync"), "a loop of hipMemcpyAsync (HIP has it since 7.1)"},
    {Name("cudaLibraryLoadData"), "cudaModuleLoadData (HIP has it since 7.1)"},
};

// A test of a version around the use: the project knows.
bool is_versioned(const File& file, TokenIndex at) {
  const std::vector<std::string> conditions = file.conditions(at);
  return std::ranges::any_of(conditions, [](const std::string& condition) {
    return condition.find("VERSION") != std::string::npos;
  });
}

// Only in files whose build for AMD is known, or that name AMD: others may never be built for it.
void find_on_host(CudaCheck& check) {
  const File& file = check.file;
  for (const Missing& missing : kMissingOnHost) {
    if (!file.has(missing.name) || is_own_name(check, missing.name)) continue;
    for (const TokenIndex at : file.occurrences(missing.name))
      if (check.on_amd(at) != Truth::kNo && !is_versioned(file, at) &&
          file.compiled(at, syntax::cuda::Platform::kAmd) == Truth::kYes)
        check.report(
            file.span(at), Confidence::kMedium,
            fmt::format("ROCm 6.4 has no {}; use {}", missing.name.text(), missing.instead));
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_on_host(check);
  for (const Missing& missing : kMissing) {
    if (!file.has(missing.name) || is_own_name(check, missing.name)) continue;
    // hip_compat.h has them for 32-bit masks.
    if (missing.name.text().starts_with("__reduce_") && has_warps_of_32(check)) continue;
    for (const TokenIndex at : file.occurrences(missing.name)) {
      if (!file.is(at + 1, "(") || check.on_amd(at) == Truth::kNo) continue;
      if (at > 0 && is_punctuator(file, at - 1, {".", "->"})) continue;
      const Truth compiled = file.compiled(at, syntax::cuda::Platform::kAmd);
      if (compiled != Truth::kYes && !(compiled == Truth::kMaybe && depends_on_bf16(file, at)))
        continue;
      check.report(file.span(at),
                   compiled == Truth::kYes ? missing.confidence
                                           : std::min(missing.confidence, Confidence::kMedium),
                   fmt::format("HIP has no {}; use {}", missing.name.text(), missing.instead));
    }
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names;
  for (const auto* list : {&kMissing, &kMissingOnHost})
    for (const Missing& missing : *list) names.push_back(missing.name);
  return names;
}

}  // namespace

Rule nvidia_intrinsic() {
  return {.code = "HW802",
          .name = "nvidia-intrinsic",
          .summary = "device function that HIP lacks",
          .severity = Severity::kError,
          .relevance = Relevance::kAll,
          .triggers = triggers(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
