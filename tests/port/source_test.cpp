// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

const std::string kCuda = "#include <cuda_runtime.h>\n";
const std::string kRuntime = "#include <hip/hip_runtime.h>\n";

TestPort hip_files(const std::map<std::string, std::string>& files) {
  Options options;
  options.mode = Mode::kHip;
  return port_files(files, options);
}

TEST(Source, NamesBecomeHips) {
  EXPECT_EQ(to_hip("#include <cuda_runtime.h>\nvoid f(float* p) { cudaFree(p); }\n"),
            kRuntime + "void f(float* p) { hipFree(p); }\n");
}

TEST(Source, StringsAndCommentsStay) {
  EXPECT_EQ(to_hip(kRuntime + "// cudaFree\nconst char* s = \"cudaFree\"; /* cudaMalloc */\n"),
            kRuntime + "// cudaFree\nconst char* s = \"cudaFree\"; /* cudaMalloc */\n");
}

TEST(Source, NamesOfOthersStay) {
  const std::string text = kRuntime +
                           "void f(Pool& pool, Pool* p) {\n"
                           "  pool.cudaMalloc(1);\n"
                           "  p->cudaMalloc(1);\n"
                           "  mine::cudaMalloc(1);\n"
                           "}\n";
  EXPECT_EQ(to_hip(text), text);
  EXPECT_EQ(to_hip(kRuntime + "void f(void* p) { ::cudaFree(p); }\n"),
            kRuntime + "void f(void* p) { ::hipFree(p); }\n");
}

TEST(Source, NamesThatTheProjectDefinesStay) {
  const TestPort port =
      hip_files({{"own.h", "inline int cudaFree(void*) { return 0; }\n"},
                 {"a.cu", kRuntime + "int f(void* p) { return cudaFree(p); }\n"},
                 {"b.cu", "#define cudaMalloc(x) take(x)\nint g = cudaMalloc(1);\n"},
                 {"c.cu", kRuntime + "void h(void** p) { cudaMalloc(p, 1); }\n"}});
  EXPECT_NE(port.files.at("a.cu").find("cudaFree(p)"), std::string::npos);
  EXPECT_NE(port.files.at("b.cu").find("int g = cudaMalloc(1)"), std::string::npos);
  EXPECT_NE(port.files.at("c.cu").find("hipMalloc(p, 1)"), std::string::npos);
}

TEST(Source, NamesOfAnIncludedSourceStay) {
  const TestPort port =
      hip_files({{"a.cu", "#define cudaMalloc(x) take(x)\n"},
                 {"test.cu", kRuntime + "#include \"a.cu\"\nint g = cudaMalloc(1);\n"}});
  EXPECT_NE(port.files.at("test.cu").find("int g = cudaMalloc(1)"), std::string::npos);
}

TEST(Source, BranchesThatAreNvidiasAlreadyStay) {
  const std::string text =
      "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n";
  EXPECT_EQ(to_hip(text, "a.h"), text);
}

TEST(Source, NvccIncludesTheRuntimeByItself) {
  EXPECT_EQ(
      to_hip("__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n"),
      kRuntime + "__global__ void k() {}\nvoid f() { k<<<1, 1>>>(); hipDeviceSynchronize(); }\n");
  // A header of the project may need it, so it goes before that.
  EXPECT_EQ(hip_files({{"own.h", "\n"},
                       {"a.cu",
                        "#include \"own.h\"\n#include <cuda_runtime.h>\nvoid f() { "
                        "cudaDeviceReset(); }\n"}})
                .files.at("a.cu"),
            kRuntime + "#include \"own.h\"\nvoid f() { hipDeviceReset(); }\n");
}

TEST(Source, LinesThatHoldMoreThanAnIncludeStay) {
  EXPECT_EQ(
      to_hip("#include <cuda.h>\n#include <cuda_runtime.h> /* and\n more */\nint a;\n", "a.h"),
      kRuntime + "#include <hip/hip_runtime.h> /* and\n more */\nint a;\n");
  EXPECT_EQ(to_hip("#include <cuda.h>\n#include <cuda_runtime.h>  // again\nint a;\n", "a.h"),
            kRuntime + "int a;\n");
}

TEST(Source, ArgumentsChangeWhereHipWantsOthers) {
  EXPECT_EQ(
      to_hip(kRuntime + "__constant__ int c[2];\n"
                        "void f(int* p) { cudaMemcpyToSymbol(c, p, sizeof(cudaStream_t)); }\n"),
      kRuntime +
          "__constant__ int c[2];\n"
          "void f(int* p) { hipMemcpyToSymbol(HIP_SYMBOL(c), p, sizeof(hipStream_t)); "
          "}\n");
}

TEST(Source, WhatHipLacksIsSaid) {
  EXPECT_EQ(
      hip_files({{"a.cu", "#define CALL(x) cuda##x\nvoid f() { cudaNoSuchThing(); }\n"}}).said(),
      "HP205:1 HP206:2");
}

TEST(Source, WarpsOf32LanesAreHalfAWave) {
  const TestPort port = hip_files(
      {{"src/a.cu", "__device__ int f(int x) { return __shfl_down_sync(0xffffffff, x, 1); }\n"}});
  EXPECT_EQ(port.files.at("src/a.cu"),
            "#include \"../hip_compat.h\"\n"
            "__device__ int f(int x) { return warp32::shfl_down_sync(0xffffffff, x, 1); }\n");
  EXPECT_TRUE(port.added.contains("hip_compat.h"));
}

TEST(Source, LineBreaksStayWhatTheyAre) {
  EXPECT_EQ(to_hip("int a;\r\nvoid f(void* p) { cudaFree(p); }\r\n"),
            "#include <hip/hip_runtime.h>\r\nint a;\r\nvoid f(void* p) { hipFree(p); }\r\n");
}

TEST(Source, PortingAgainChangesNothing) {
  const std::string once = to_hip(
      "#include <cuda_fp16.h>\n__device__ int f(int x) { return __ballot_sync(~0u, x); }\n"
      "void g(cudaStream_t s) { cudaStreamSynchronize(s); }\n");
  EXPECT_NE(once.find("hipStreamSynchronize"), std::string::npos);
  EXPECT_EQ(to_hip(once), once);
}

TEST(Source, CudasVersionIsThatOfHipsFunctions) {
  EXPECT_EQ(to_hip("#if CUDART_VERSION >= 9000\nint a;\n#endif\n"),
            "#if (__HIP__ * 11080) >= 9000\nint a;\n#endif\n");
  EXPECT_EQ(to_hip("#if 12000 > CUDA_VERSION\nint a;\n#endif\n"),
            "#if 12000 > (__HIP__ * 11080)\nint a;\n#endif\n");
  EXPECT_EQ(to_hip("int a = CUDART_VERSION / 1000;\n"), "int a = 11080 / 1000;\n");
  const std::string asks = "#ifdef CUDA_VERSION\nint a;\n#endif\n";
  EXPECT_EQ(to_hip(asks), asks);
  const std::map<std::string, std::string> files = {
      {"a.cu", "#include <cuda_runtime.h>\n#if CUDART_VERSION >= 9000\nint a;\n#endif\n"}};
  const TestPort dual = port_files(files, {.mode = Mode::kDual});
  EXPECT_EQ(dual.said(), "");
  EXPECT_NE(dual.files.at("a.cu").find("#if CUDART_VERSION >= 9000 || defined(__HIP__)\n"),
            std::string::npos)
      << dual.files.at("a.cu");
}

// C++ looks into a namespace or a class from inside of it, and where a using says so.
TEST(Source, OwnNamesCountWhereTheyAreSeen) {
  EXPECT_EQ(
      to_hip(kRuntime +
             "namespace my {\nint cudaMalloc(void** p, int n) { return ::cudaMalloc(p, n); }\n"
             "int f(void** p) { return cudaMalloc(p, 1); }\n}\n"
             "int g(void** p) { return cudaMalloc(p, 1) + my::cudaMalloc(p, 2); }\n"),
      kRuntime +
          "namespace my {\nint cudaMalloc(void** p, int n) { return ::hipMalloc(p, n); }\n"
          "int f(void** p) { return cudaMalloc(p, 1); }\n}\n"
          "int g(void** p) { return hipMalloc(p, 1) + my::cudaMalloc(p, 2); }\n");
  EXPECT_EQ(to_hip(kRuntime + "struct Api {\n  int cudaFree(void* p) { return ::cudaFree(p); }\n"
                              "  int twice(void* p);\n};\n"
                              "int Api::twice(void* p) { return cudaFree(p) + cudaFree(p); }\n"
                              "int h(void* p) { return cudaFree(p); }\n"),
            kRuntime +
                "struct Api {\n  int cudaFree(void* p) { return ::hipFree(p); }\n"
                "  int twice(void* p);\n};\n"
                "int Api::twice(void* p) { return cudaFree(p) + cudaFree(p); }\n"
                "int h(void* p) { return hipFree(p); }\n");
  EXPECT_EQ(to_hip(kRuntime + "namespace my {\nint cudaFree(void* p) { return 0; }\n}\n"
                              "using namespace my;\nint h(int* p) { return cudaFree(p); }\n"),
            kRuntime +
                "namespace my {\nint cudaFree(void* p) { return 0; }\n}\n"
                "using namespace my;\nint h(int* p) { return cudaFree(p); }\n");
}

TEST(Source, MembersAndValuesOfClassesStay) {
  const std::string text =
      "struct View {\n  static int cudaFree;\n  int cudaMalloc(int) { return cudaFree; }\n"
      "  enum { cudaMemcpyDefault, cudaMemcpyHostToHost = 3 };\n};\n"
      "int View::cudaFree = View::cudaMemcpyDefault;\n"
      "enum class Kind : char { cudaSuccess, cudaErrorUnknown = 5 };\n"
      "int f(View& v) { return v.cudaMalloc(3) + View::cudaFree + (int)Kind::cudaErrorUnknown; }\n";
  EXPECT_EQ(to_hip(text), text);
  EXPECT_EQ(to_hip(text + "int g(void* p) { return cudaFree(p) == cudaSuccess; }\n"),
            "#include <hip/hip_runtime.h>\n" + text +
                "int g(void* p) { return hipFree(p) == hipSuccess; }\n");
}

TEST(Source, TypesAndValuesThatNoTableHasAreSaid) {
  const auto said = [](const std::string& text) {
    return port_files({{"a.cu", "#include <cuda_runtime.h>\n" + text}}, {.mode = Mode::kHip})
        .said();
  };
  EXPECT_EQ(said("cudaFooBarCtx_t context;\n"), "HP206:2");
  EXPECT_EQ(said("void f(void* p) { g((cudaFooBarCtx*)p, std::vector<cudaBarHandle*>()); }\n"),
            "HP206:2 HP206:2");
  EXPECT_EQ(said("int x = CU_FOO_BAR;\nauto y = CUDART_FOO_F16 + CUDART_PI_F;\n"),
            "HP206:2 HP206:3");
  EXPECT_EQ(said("struct cudaFooCtx;\nvoid f(cudaFooCtx* context);\n"), "");
  EXPECT_EQ(said("enum { A, CU_FOO_BAR = 3 };\nint x = CU_FOO_BAR;\n"), "");
  EXPECT_EQ(said("#define CU_FOO_BAR 3\nint x = CU_FOO_BAR;\n#if CUDART_FOO\n#endif\n"), "");
  EXPECT_EQ(said("const int CU_FOO_BAR = 3;\nint x = CU_FOO_BAR;\n"), "");
  EXPECT_EQ(said("int* cudaFooPtr;\nint f() { return *cudaFooPtr; }\n"), "");
}

TEST(Source, ThrustsNamespaceForTheDeviceIsHips) {
  EXPECT_EQ(to_hip("#include <thrust/sort.h>\n"
                   "void f(int* p) { thrust::sort(thrust::cuda::par.on(0), p, p); "
                   "::thrust::system::cuda::par(p); my::cuda::par(p); }\n"),
            "#include <hip/hip_runtime.h>\n#include <thrust/sort.h>\n"
            "void f(int* p) { thrust::sort(thrust::hip::par.on(0), p, p); "
            "::thrust::system::hip::par(p); my::cuda::par(p); }\n");
}

TEST(Source, WhatIsDeclaredIsNotUnknown) {
  EXPECT_EQ(port_files({{"a.h", "int cudaMyThing(int);\n"},
                        {"a.cu", "void f() { dim3 cudaBlocks(1, 2); cudaMyThing(3); }\n"}},
                       {.mode = Mode::kHip})
                .said(),
            "");
  EXPECT_EQ(
      port_files({{"a.cu", "int f() { return cudaMyThing(3); }\n"}}, {.mode = Mode::kHip}).said(),
      "HP206:1");
}

// HIP's vector types have operators, and two that fit are one too many.
TEST(Source, OperatorsThatHipHasAreLeftOut) {
  const auto with = [](const std::string& text, const std::string& header = kRuntime) {
    return header + text + "\nint x;\n";
  };
  const std::string gone[] = {
      "__device__ float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); "
      "}",
      "inline int3 operator/(const int3& a, const int3& b) { return {a.x / b.x, a.y / b.y, a.z / "
      "b.z}; }",
      "__device__ void operator+=(float2& a, float2 b) {\n  a.x += b.x;\n  a.y += b.y;\n}",
      "__device__ float2& operator-=(float2& a, const float2 b) { a.x -= b.x; a.y -= b.y; return "
      "a; }",
      "__device__ float2 operator-(const float2& a) { return make_float2(-a.x, -a.y); }",
      "__device__ float2 operator*(float2 a, float2 b) {\n  float2 r;\n  r.x = a.x * b.x;\n  r.y = "
      "a.y * b.y;\n  return r;\n}",
  };
  for (const std::string& text : gone) EXPECT_EQ(to_hip(with(text, kCuda)), with("")) << text;
  const std::string kept[] = {
      "__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); "
      "}",
      "__device__ float2 operator*(float2 a, float b) { return make_float2(a.x * b, a.y * b); }",
      "__device__ float2 operator-(float2& a) { return make_float2(-a.x, -a.y); }",
      "struct V { float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); "
      "} };",
  };
  for (const std::string& text : kept) {
    const TestPort port = hip_files({{"a.cu", with(text, kCuda)}});
    EXPECT_EQ(port.files.at("a.cu"), with(text));
    EXPECT_EQ(port.said(), "");
  }
}

// The program means what it says: nobody may take a complex product for HIP's.
TEST(Source, OperatorsThatDoSomethingElseGoBeforeHips) {
  const std::string others[] = {
      "return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);",
      "return make_float2(a.y * b.y, a.x * b.x);",
      "return make_float2(a.x * b.x, a.y * b.y * 2);",
      "return make_float2(a.x * b.x, a.x * b.x);",
      "float2 r; r.y = a.x * b.x; r.x = a.y * b.y; return r;",
      "return product(a, b);",
  };
  const std::string compat = "#include \"hip_compat.h\"\n";
  for (const std::string& body : others) {
    const std::string rest = "(float2 a, float2 b) { " + body + " }\n";
    const TestPort port = hip_files({{"a.cu", "__device__ float2 operator*" + rest}});
    EXPECT_EQ(port.files.at("a.cu"), compat + "__device__ float2 own_times" + rest +
                                         "HIP_COMPAT_OWN_OPERATOR(float2, *, own_times)\n");
    EXPECT_EQ(port.said(), "") << body;
  }
  EXPECT_EQ(to_hip("typedef float2 C;\n__device__ void operator*=(C& a, C b) { a = mul(a, b); }\n"),
            compat +
                "typedef float2 C;\n__device__ void own_multiply(C& a, C b) { a = mul(a, b); }\n"
                "HIP_COMPAT_OWN_ASSIGNMENT(C, *=, own_multiply)\n");
}

// HIP's template would be taken for a + 1, where the program has a + 1.0f.
TEST(Source, OperatorsWithAScalarThatDoSomethingElseGoBeforeHips) {
  const std::string compat = "#include \"hip_compat.h\"\n";
  const std::string plus = "(float2 a, float b) { return make_float2(a.x + b, a.y); }\n";
  EXPECT_EQ(to_hip("__device__ float2 operator+" + plus),
            compat + "__device__ float2 own_plus" + plus +
                "HIP_COMPAT_OWN_BY_SCALAR(float2, +, own_plus)\n");
  const std::string over = "(float s, float2 b) { return s * conj(b) / norm(b); }\n";
  EXPECT_EQ(to_hip("__device__ float2 operator/" + over),
            compat + "__device__ float2 own_divided" + over +
                "HIP_COMPAT_OWN_OF_SCALAR(float2, /, own_divided)\n");
}

TEST(Source, AnOperatorThatIsDeclaredApartIsSaid) {
  const std::string text =
      "__device__ float2 operator*(float2 a, float2 b);\n"
      "__device__ float2 operator*(float2 a, float2 b) { return f(a, b); }\n";
  const TestPort port = hip_files({{"a.cu", kCuda + text}});
  EXPECT_EQ(port.files.at("a.cu"), kRuntime + text);
  EXPECT_EQ(port.said(), "HP212:3");
}

// All of them, where several lines come to one place.
TEST(Source, LinesThatAreAddedAtOnePlaceAreAllThere) {
  EXPECT_EQ(to_hip("#include <cublas_v2.h>\nvoid f(__half* p) { cudaFree(p); }\n"),
            "#include <hip/hip_runtime.h>\n#define HIPBLAS_USE_HIP_HALF\n#define HIPBLAS_V2\n"
            "#include <hipblas/hipblas.h>\nvoid f(__half* p) { hipFree(p); }\n");
  EXPECT_EQ(to_hip("#include <cublas_v2.h>\n__device__ int f(int i) { return __shfl(i, 0); }\n"),
            "#include \"hip_compat.h\"\n#define HIPBLAS_V2\n#include <hipblas/hipblas.h>\n"
            "__device__ int f(int i) { return warp32::shfl(i, 0); }\n");
}

TEST(Source, MembersOfGroupsThatHipHasNot) {
  const std::string head = kRuntime + "#include <hip/hip_cooperative_groups.h>\n";
  const auto ported = [](const std::string& body) {
    return to_hip("#include <cooperative_groups.h>\n" + body);
  };
  EXPECT_EQ(ported("__device__ int f(cooperative_groups::thread_block b) {\n"
                   "  return b.num_threads() + b.dim_threads().x;\n}\n"),
            head +
                "__device__ int f(cooperative_groups::thread_block b) {\n"
                "  return b.size() + b.group_dim().x;\n}\n");
  EXPECT_THAT(
      ported("__device__ int f() { return cooperative_groups::this_grid().num_blocks(); }\n"),
      testing::HasSubstr("{ return (gridDim.x * gridDim.y * gridDim.z); }"));
  EXPECT_THAT(
      ported("__device__ int f(cooperative_groups::grid_group g) { return g.block_rank(); }\n"),
      testing::HasSubstr("{ return (blockIdx.x + gridDim.x * (blockIdx.y + "));
  // The project's own, and files of projects without groups.
  for (const std::string own :
       {"#include <hip/hip_runtime.h>\n#include <hip/hip_cooperative_groups.h>\nusing namespace "
        "cooperative_groups;\n"
        "struct Pool { int num_threads() { return 4; } };\nint f(Pool p) { return p.num_threads(); "
        "}\n",
        "#include <hip/hip_runtime.h>\nint f(Pool p) { return p.num_threads() + p.num_blocks(); "
        "}\n"})
    EXPECT_EQ(to_hip(own), own);
}

TEST(Source, WhoAsksForNvccMeansTheCompilerForGpus) {
  const std::string asks = "#ifdef __NVCC__\n__global__ void k(int* p);\n#endif\n";
  EXPECT_EQ(to_hip(asks, "a.h"), "#ifdef __HIPCC__\n__global__ void k(int* p);\n#endif\n");
  // Unless it is a branch beside another one: assembly, or what the project has for HIP.
  const std::string assembly = "#if defined(__NVCC__)\nasm(\"trap;\");\n#else\nint i;\n#endif\n";
  EXPECT_THAT(to_hip(assembly, "a.h"), testing::HasSubstr("#if defined(__NVCC__)\n"));
  const TestPort port = hip_files({{"a.h", asks}, {"b.h", "#include <hip/hip_runtime.h>\n"}});
  EXPECT_EQ(port.files.at("a.h"), asks);
  EXPECT_EQ(port.said(), "HP202:1");
}

TEST(Source, WhatIsForAmdAloneCountsInItsWaves) {
  const std::string text =
      "__device__ int f(bool p) {\n#ifdef __HIP_PLATFORM_AMD__\n"
      "  return __popcll(__ballot(p)) + warpSize;\n#else\n"
      "  return __popc(__ballot_sync(~0u, p)) + 32;\n#endif\n}\n";
  EXPECT_EQ(to_hip(text), "#include <hip/hip_runtime.h>\n" + text);
}

// Whatever stands for something else than on NVIDIA's machines is changed, or said.
TEST(Source, NoHeaderOfNvidiaIsPassedOver) {
  const char* headers[] = {"cuda_bf16.h",     "cuda_fp8.h",        "cooperative_groups/reduce.h",
                           "cuda/atomic",     "cuda/std/tuple",    "cuda/barrier",
                           "mma.h",           "cutlass/cutlass.h", "cute/tensor.hpp",
                           "nccl.h",          "nvToolsExt.h",      "nvtx3/nvToolsExt.h",
                           "nvml.h",          "helper_cuda.h",     "helper_math.h",
                           "cublas_v2.h",     "cusparse.h",        "cub/block/block_reduce.cuh",
                           "cudnn.h",         "cuda_pipeline.h",   "cuda/pipeline",
                           "curand_kernel.h", "cublasLt.h",        "cufft.h"};
  for (const std::string header : headers) {
    const std::string line = "#include <" + header + ">\n";
    const TestPort port = hip_files({{"a.cu", line + "int x;\n"}});
    const bool is_changed = port.files.at("a.cu").find(line) == std::string::npos;
    EXPECT_TRUE(is_changed || !port.said().empty()) << header;
  }
}

// The bits and the range are CUDA's, on GPUs whose own eight-bit numbers are others, too.
TEST(Source, EightBitNumbersAreCudas) {
  EXPECT_EQ(to_hip("#include <cuda_fp8.h>\n__device__ __nv_fp8x4_e4m3 f;\n"),
            "#include \"hip_compat.h\"\n#include <hip/hip_fp8.h>\n__device__ "
            "hip_compat::fp8x4_e4m3 f;\n");
}

TEST(Source, NamesOfAnEarlierPortBringTheRuntime) {
  const std::string text =
      "#ifdef X\n#include \"own.h\"\n#endif\n"
      "#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)\n#include \"hip_names.h\"\n"
      "#include <hip/hip_runtime.h>\n#endif\n#include <cstdio>\nvoid f() { cudaFree(0); }\n";
  const std::string names = port_files({{"a.cu",
                                         "#include <cuda_runtime.h>\nvoid f() { "
                                         "cudaFree(0); }\n"}},
                                       {.mode = Mode::kDual})
                                .added.at("hip_names.h");
  EXPECT_EQ(
      port_files({{"a.cu", text}, {"own.h", ""}, {"hip_names.h", names}}, {.mode = Mode::kDual})
          .files.at("a.cu"),
      text);
}

// nvcc puts the runtime's header before every source.
TEST(SourceTranslation, OfAKernelWithoutHeadersGetsTheRuntime) {
  const std::string kernel = "__global__ void k(float* p) { p[threadIdx.x] = 0; }\n";
  EXPECT_EQ(to_hip(kernel), "#include <hip/hip_runtime.h>\n" + kernel);
  EXPECT_EQ(to_hip(to_hip(kernel)), to_hip(kernel));
  EXPECT_EQ(to_hip("#include \"own.h\"\n" + kernel), "#include \"own.h\"\n" + kernel);
  EXPECT_EQ(to_hip("int host() { return 1; }\n"), "int host() { return 1; }\n");
}

TEST(SourceTranslation, GuardsOfTheRuntimesHeadersAreHips) {
  EXPECT_EQ(to_hip("#ifdef __DRIVER_TYPES_H__\nint x;\n#endif\n", "a.h"),
            "#ifdef HIP_INCLUDE_HIP_HIP_RUNTIME_API_H\nint x;\n#endif\n");
  const std::pair<const char*, const char*> guards[] = {
      {"__DRIVER_TYPES_H__", "HIP_INCLUDE_HIP_HIP_RUNTIME_API_H"},
      {"__cuda_cuda_h__", "HIP_INCLUDE_HIP_HIP_RUNTIME_API_H"},
      {"CUBLAS_API_H_", "HIPBLAS_H"},
      {"_CUFFT_H_", "HIPFFT_H_"},
      {"CURAND_H_", "HIPRAND_H_"},
      {"CUSOLVER_COMMON_H_", "HIPSOLVER_H"},
      {"CUSPARSEAPI", "HIPSPARSE_H"}};
  for (const auto& [cuda, hip] : guards) {
    const std::string end = "\nint x;\n#endif\n";
    EXPECT_EQ(port_files({{"a.h", "#ifdef " + std::string(cuda) + end}}).files.at("a.h"),
              "#if defined(" + std::string(cuda) + ") || defined(" + hip + ")" + end);
  }
}

// They come with NVIDIA's samples and not with a toolkit: a project brings its own.
TEST(SourceTranslation, HelpersOfTheSamplesAreTheProjectsWhereverTheyLie) {
  const std::map<std::string, std::string> files = {
      {"Common/helper_cuda.h", "#pragma once\n#define checkCudaErrors(x) (x)\n"},
      {"Samples/add/add.cu",
       "#include <cuda_runtime.h>\n#include <helper_cuda.h>\n#include <helper_math.h>\n"
       "void f(void* p) { checkCudaErrors(cudaFree(p)); }\n"}};
  const TestPort port = port_files(files, {.mode = Mode::kHip});
  EXPECT_NE(port.files.at("Samples/add/add.cu").find("#include <helper_cuda.h>\n"),
            std::string::npos);
  EXPECT_EQ(port.said(), "HP209:3");
}

TEST(Names, OfTheLegacyBlasAreReported) {
  const std::string calls =
      "void f(float* x) { cublasSetVector(1, 4, x, 1, x, 1); cublasSscal(1, 2.0f, x, 1); }\n";
  const auto said = [&](const std::string& header) {
    return port_files({{"a.cu", "#include <" + header + ">\n" + calls}}, {.mode = Mode::kHip});
  };
  const TestPort legacy = said("cublas.h");
  EXPECT_NE(legacy.said().find("HP202:2"), std::string::npos) << legacy.said();
  EXPECT_NE(legacy.files.at("a.cu").find("hipblasSetVector"), std::string::npos);
  EXPECT_NE(legacy.files.at("a.cu").find(" cublasSscal("), std::string::npos);
  EXPECT_EQ(said("cublas_v2.h").said().find("HP202"), std::string::npos);
}

TEST(Names, OfTheDriverWithVersions) {
  EXPECT_EQ(to_hip("void f(CUDA_MEMCPY2D_v1* p, CUcontext c) { cuCtxDestroy_v2(c); }\n")
                .find("hipMemcpy2D"),
            std::string::npos);
  EXPECT_NE(to_hip("void f(CUcontext c) { cuCtxDestroy_v2(c); }\n").find("hipCtxDestroy(c)"),
            std::string::npos);
  EXPECT_NE(port_files({{"a.cu", "void f() { cuMemFrobnicate(1); }\n"}}, {.mode = Mode::kHip})
                .said()
                .find("HP206:1"),
            std::string::npos);
}

}  // namespace
}  // namespace hipwright::port
