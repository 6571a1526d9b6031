// SPDX-License-Identifier: MIT
#include "port/api/api.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "base/file.h"
#include "paths.h"
#include "port/api/report.h"
#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

using testing::Contains;
using testing::IsEmpty;

std::string_view hip_of(std::string_view cuda) {
  const Entry* entry = find(cuda);
  return entry == nullptr ? "(unknown)" : entry->mapped() ? entry->hip : "-";
}

std::string header_of(std::string_view path) {
  const Entry* entry = find_header(path);
  return entry == nullptr ? "(unknown)" : entry->mapped() ? header_path(*entry, path) : "-";
}

std::string call_of(std::string_view name, std::vector<std::string_view> arguments) {
  const Entry* entry = find(name);
  if (entry == nullptr) return "(unknown)";
  return rewritten_call(*entry, arguments).value_or("(name only)");
}

TEST(PortApi, TheTablesOfThisBinaryParse) {
  const auto tables = read_tables(embedded_tables());
  ASSERT_TRUE(tables) << tables.error().message();
  EXPECT_GT(tables->entries.size(), 9000u);
  EXPECT_EQ(tables->entries.size(), all().size());
}

TEST(PortApi, NamesBecomeWhatHipDeclares) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"cudaMemcpyAsync", "hipMemcpyAsync"},
      {"cudaHostAlloc", "hipHostMalloc"},
      {"cudaMallocHost", "hipHostMalloc"},
      {"cudaFreeHost", "hipHostFree"},
      {"cudaDeviceProp", "hipDeviceProp_t"},
      {"cudaStream_t", "hipStream_t"},
      {"cudaError_t", "hipError_t"},
      {"cudaErrorIllegalAddress", "hipErrorIllegalAddress"},
      {"cudaDevAttrMultiProcessorCount", "hipDeviceAttributeMultiprocessorCount"},
      {"cudaThreadSynchronize", "hipDeviceSynchronize"},
      {"cudaBindTexture", "hipBindTexture"},
      {"cudaTextureObject_t", "hipTextureObject_t"},
      {"cudaMemLocation", "hipMemLocation"},
      {"cudaGraphExec_t", "hipGraphExec_t"},
      {"CUDA_R_16F", "HIP_R_16F"},
      {"CUdeviceptr", "hipDeviceptr_t"},
      {"CUstream", "hipStream_t"},
      {"CUarray", "hipArray_t"},
      {"CUresult", "hipError_t"},
      {"CUDA_SUCCESS", "hipSuccess"},
      {"CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue"},
      {"CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X", "hipDeviceAttributeMaxBlockDimX"},
      {"cuLaunchKernel", "hipModuleLaunchKernel"},
      {"cuMemcpyHtoD", "hipMemcpyHtoD"},
      {"cuStreamCreate", "hipStreamCreateWithFlags"},
      {"nvrtcGetPTX", "hiprtcGetCode"},
      {"cublasHandle_t", "hipblasHandle_t"},
      {"cublasSgemm", "hipblasSgemm"},
      {"cublasSgemm_v2", "hipblasSgemm"},
      {"CUBLAS_COMPUTE_32F", "HIPBLAS_COMPUTE_32F"},
      {"cublasLtMatmul", "hipblasLtMatmul"},
      {"curandState", "hiprandState"},
      {"CUFFT_INVERSE", "HIPFFT_BACKWARD"},
      {"cusparseScsrmv", "hipsparseScsrmv"},
      {"cusolverDnSgetrf", "hipsolverDnSgetrf"},
      {"cudnnHandle_t", "miopenHandle_t"},
      {"ncclAllReduce", "ncclAllReduce"},
      {"cub", "hipcub"},
      {"cub::BlockReduce", "hipcub::BlockReduce"},
      {"thrust::cuda", "thrust::hip"},
      {"nvtxRangePushA", "roctxRangePushA"},
      {"nvtxRangeId_t", "roctx_range_id_t"},
      {"nvmlInit", "amdsmi_init"},
      {"cuFloatComplex", "hipFloatComplex"},
      {"cuCaddf", "hipCaddf"},
      {"__nv_bfloat16", "__hip_bfloat16"},
      {"nv_bfloat162", "__hip_bfloat162"},
      {"__nv_fp8_e4m3", "hip_compat::fp8_e4m3"},
      {"__nv_cvt_float_to_fp8", "__hip_cvt_float_to_fp8"},
      {"cooperative_groups", "cooperative_groups"},
      {"__syncthreads", "__syncthreads"},
      {"atomicAdd", "atomicAdd"},
      {"CUDART_INF_F", "HIP_INF_F"},
      {"tex2D", "tex2D"},
      {"cublasXtCreate", "-"},
      {"cuFuncSetAttribute", "-"},
  };
  for (const auto& [cuda, hip] : kCases) EXPECT_EQ(hip_of(cuda), hip) << cuda;
}

TEST(PortApi, OtherNamesAreNotKnown) {
  for (const std::string_view name : {"main", "any", "new", "printf_", "hipMalloc", "", "cuda",
                                      "cudaMallocX", "cuda_runtime.h", "thrust/sort.h"})
    EXPECT_EQ(find(name), nullptr) << name;
  EXPECT_EQ(find_header("cudaMalloc"), nullptr);
  EXPECT_EQ(find("cudaMalloc", Kind::kType), nullptr);
  EXPECT_NE(find("cudaMalloc", Kind::kFunction), nullptr);
}

TEST(PortApi, HeadersHaveTheirFolders) {
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"cuda_runtime.h", "hip/hip_runtime.h"},
      {"cuda.h", "hip/hip_runtime.h"},
      {"cublas_v2.h", "hipblas/hipblas.h"},
      {"cublasLt.h", "hipblaslt/hipblaslt.h"},
      {"cusparse.h", "hipsparse/hipsparse.h"},
      {"cusolverDn.h", "hipsolver/hipsolver.h"},
      {"curand_kernel.h", "hiprand/hiprand_kernel.h"},
      {"cufft.h", "hipfft/hipfft.h"},
      {"cudnn.h", "miopen/miopen.h"},
      {"nccl.h", "rccl/rccl.h"},
      {"cuda_bf16.h", "hip/hip_bf16.h"},
      {"cuda_fp8.h", "hip/hip_fp8.h"},
      {"cub/cub.cuh", "hipcub/hipcub.hpp"},
      {"cub/block/block_reduce.cuh", "hipcub/block/block_reduce.hpp"},
      {"cub/of/another/release.cuh", "hipcub/hipcub.hpp"},
      {"thrust/device_vector.h", "thrust/device_vector.h"},
      {"thrust/system/cuda/execution_policy.h", "thrust/system/hip/execution_policy.h"},
      {"cooperative_groups/reduce.h", "hip/hip_cooperative_groups.h"},
      {"nvToolsExt.h", "roctracer/roctx.h"},
      {"nvml.h", "amd_smi/amdsmi.h"},
      {"cuda/std/atomic", "cuda/std/atomic"},
      {"mma.h", "rocwmma/rocwmma.hpp"},
      {"cutlass/gemm/gemm.h", "-"},
      {"stdio.h", "(unknown)"},
  };
  for (const auto& [cuda, hip] : kCases) EXPECT_EQ(header_of(cuda), hip) << cuda;
  EXPECT_TRUE(find_header("cooperative_groups/reduce.h")->compat);
  EXPECT_TRUE(find_header("cooperative_groups/details/scan.h")->compat);
  // HIP's header of that name has no hipError_t, no streams and no events.
  EXPECT_EQ(find_header("driver_types.h")->hip, "hip/hip_runtime_api.h");
}

TEST(PortApi, CallsChangeWhereHipWantsOtherArguments) {
  EXPECT_EQ(call_of("cudaFuncSetAttribute", {"kernel<float>", " attribute", " 1024"}),
            "hipFuncSetAttribute(reinterpret_cast<const void*>(kernel<float>), attribute, 1024)");
  EXPECT_EQ(call_of("cudaFuncSetAttribute", {"(const void*)f", "a", "1"}),
            "hipFuncSetAttribute((const void*)f, a, 1)");
  EXPECT_EQ(call_of("cudaMemcpyToSymbol", {"table", "host", "n"}),
            "hipMemcpyToSymbol(HIP_SYMBOL(table), host, n)");
  EXPECT_EQ(call_of("cudaMemcpyToSymbol", {"HIP_SYMBOL(table)", "host", "n", "0"}),
            "hipMemcpyToSymbol(HIP_SYMBOL(table), host, n, 0)");
  EXPECT_EQ(call_of("cudaGetSymbolAddress", {"&p", "table"}),
            "hipGetSymbolAddress(&p, HIP_SYMBOL(table))");
  EXPECT_EQ(call_of("cudaGraphInstantiate", {"&e", "g", "0"}),
            "hipGraphInstantiateWithFlags(&e, g, 0)");
  EXPECT_EQ(call_of("cudaGraphInstantiate", {"&e", "g"}),
            "hipGraphInstantiate(&e, g, nullptr, nullptr, 0)");
  EXPECT_EQ(call_of("cudaGraphInstantiate", {"&e", "g", "&n", "log", "9"}), "(name only)");
  EXPECT_EQ(call_of("cuCtxCreate", {"&c", "params", "0", "device"}), "hipCtxCreate(&c, 0, device)");
  EXPECT_EQ(call_of("cuCtxCreate", {"&c", "0", "device"}), "(name only)");
  EXPECT_EQ(call_of("cudaMemPrefetchAsync", {"p", "n", "loc", "0", "s"}),
            "hipMemPrefetchAsync(p, n, (loc.type == hipMemLocationTypeDevice ? loc.id : "
            "hipCpuDeviceId), s)");
  EXPECT_EQ(call_of("cudaMemPrefetchAsync", {"p", "n", "device", "s"}),
            "hipMemPrefetchAsync(p, n, device, s)");
  EXPECT_EQ(call_of("cudaStreamGetCaptureInfo", {"s", "a", "b", "c", "d", "edges", "e"}),
            "hipStreamGetCaptureInfo_v2(s, a, b, c, d, e)");
  EXPECT_EQ(call_of("__floats2bfloat162_rn", {"a", "b"}),
            "__halves2bfloat162(__float2bfloat16(a), __float2bfloat16(b))");
  EXPECT_EQ(call_of("cudaMalloc", {"&p", "n"}), "(name only)");
}

TEST(PortApi, ReleasesDecideWhatCanBeUsed) {
  const Entry& swap = *find("__syncwarp");
  EXPECT_FALSE(swap.declared_in({6, 4}));
  EXPECT_TRUE(swap.usable_in({6, 4}));
  EXPECT_TRUE(swap.declared_in({7, 0}));
  const Entry& bf16 = *find("__nv_bfloat16");
  EXPECT_FALSE(bf16.usable_in({5, 6}));
  EXPECT_TRUE(bf16.usable_in({5, 7}));
  const Entry& old = *find("CUDA_MEMSET_NODE_PARAMS");
  EXPECT_TRUE(old.declared_in({6, 4}));
  EXPECT_FALSE(old.declared_in({7, 0}));
  EXPECT_FALSE(find("cublasXtCreate")->usable_in({7, 0}));
}

TEST(PortApi, VersionsAreRead) {
  EXPECT_EQ(parse_hip_version("6.2").value(), (HipVersion{6, 2}));
  EXPECT_EQ(parse_hip_version("6.2.1").value(), (HipVersion{6, 2}));
  EXPECT_EQ(parse_hip_version("7").value(), (HipVersion{7, 0}));
  for (const std::string_view text : {"", "6.", "six", "-1", "6.2.1.0", "0", "6.2x", "1e9"})
    EXPECT_FALSE(parse_hip_version(text)) << text;
}

TEST(PortApi, TypingMistakesAndPartsFindTheName) {
  const auto names = [](std::string_view wanted) {
    std::vector<std::string> result;
    for (const Entry* entry : similar(wanted, 5)) result.emplace_back(entry->cuda);
    return result;
  };
  EXPECT_EQ(names("cudaMemcpyAsnyc").at(0), "cudaMemcpyAsync");
  EXPECT_EQ(names("CUDAMALLOC").at(0), "cudaMalloc");
  EXPECT_THAT(names("memcpy2d"), Contains("cudaMemcpy2D"));
  EXPECT_EQ(names("hipMemcpyAsnyc").at(0), "cudaMemcpyAsync");
  EXPECT_THAT(names("zzzzqqqq"), IsEmpty());
  const auto host = find_hip("hipHostMalloc");
  EXPECT_THAT(host, Contains(find("cudaHostAlloc")));
  EXPECT_THAT(host, Contains(find("cudaMallocHost")));
}

TEST(PortApi, EveryEntryIsComplete) {
  for (const Entry& entry : all()) {
    EXPECT_FALSE(entry.cuda.empty());
    EXPECT_TRUE(entry.since < entry.until || entry.since == kNoRelease) << entry.cuda;
    EXPECT_TRUE(entry.since <= (HipVersion{7, 2}) || entry.since == kNoRelease) << entry.cuda;
    EXPECT_FALSE(entry.cuda.ends_with('*') && entry.kind != Kind::kHeader) << entry.cuda;
  }
}

TEST(PortApi, NothingOfHipHasNvidiasPrefixes) {
  for (const Entry& entry : all()) {
    if (entry.library == Library::kLibcuxx || entry.library == Library::kThrust) continue;
    for (const std::string_view prefix :
         {"cuda", "cublas", "cusparse", "cufft", "cusolver", "curand", "cudnn", "nvrtc", "__nv_"})
      EXPECT_FALSE(entry.hip.starts_with(prefix)) << entry.cuda;
  }
}

TEST(PortApi, PagesAreCurrent) {
  const std::filesystem::path folder = tests_folder() / "../docs/api";
  constexpr const char* kHow = "run: hipwright api --write-docs docs/api";
  const auto expected = pages();
  for (const auto& [name, content] : expected) {
    const auto text = read_file(folder / name);
    ASSERT_TRUE(text) << kHow;
    EXPECT_TRUE(*text == content) << name << " is not current; " << kHow;
  }
  for (const auto& file : std::filesystem::directory_iterator(folder))
    EXPECT_TRUE(expected.contains(file.path().filename().string())) << file.path();
}

}  // namespace

}  // namespace hipwright::port::api
