// SPDX-License-Identifier: MIT
// What NVIDIA's compiler and headers accept, and AMD's do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Dialect, RegisterIsLeftOutUnlessItNamesOne) {
  const std::string after = to_hip(
      "#include <cuda_runtime.h>\n__device__ void f(register int a) {\n  register float b = a;\n"
      "  register int r asm(\"eax\");\n}\n");
  EXPECT_THAT(after, HasSubstr("f(int a)"));
  EXPECT_THAT(after, HasSubstr("  float b = a;"));
  EXPECT_THAT(after, HasSubstr("register int r asm"));
}

TEST(Dialect, BracketsOfALaunchAreWrittenTogether) {
  const std::string after = to_hip(
      "#include <cuda_runtime.h>\nvoid f() {\n  k << < g(1), 32 >> > (p);\n  x = 1 << 2;\n}\n"
      "std::vector<std::vector<std::vector<int>> > v;\n");
  EXPECT_THAT(after, HasSubstr("k <<< g(1), 32 >>> (p);"));
  EXPECT_THAT(after, HasSubstr("x = 1 << 2;"));
  EXPECT_THAT(after, HasSubstr("<int>> > v;"));
}

TEST(Dialect, BracedSizesOfALaunchAreDim3) {
  const std::string after = to_hip(
      "#include <cuda_runtime.h>\nvoid f() {\n  k<<<{2, 3}, {16, 16}, 0>>>(p, {1});\n"
      "  k<<<g({1}), dim3{4}>>>(p);\n}\n");
  EXPECT_THAT(after, HasSubstr("k<<<dim3{2, 3}, dim3{16, 16}, 0>>>(p, {1});"));
  EXPECT_THAT(after, HasSubstr("k<<<g({1}), dim3{4}>>>(p);"));
}

TEST(Dialect, ANameBehindALiteralIsAnotherWord) {
  const std::string after = to_hip(
      "#include <cuda_runtime.h>\n#define fId \"%d\"\nvoid f() {\n  printf(\"a \"PRId64\" b\");\n"
      "  printf(\"a \"fId);\n  auto s = \"a\"s;\n  auto k = \"a\"_key;\n}\n");
  EXPECT_THAT(after, HasSubstr("\"a \" PRId64"));
  EXPECT_THAT(after, HasSubstr("\"a \" fId"));
  EXPECT_THAT(after, HasSubstr("\"a\"s;"));
  EXPECT_THAT(after, HasSubstr("\"a\"_key;"));
  const std::string open = "#include <hip/hip_runtime.h>\nauto s = \"NEVER closed);\n";
  EXPECT_EQ(to_hip(open), open);
}

// HIP has them for floats and doubles, CUDA for integers alone.
TEST(Dialect, OwnAtomicsThatHipHasAreLeftOut) {
  const std::string body = "{ return old; }\n";
  for (const std::string& own :
       {"static __device__ float atomicMax(float* p, float v) " + body,
        "__device__ __forceinline__ double atomicMin(double *p, const double v) " + body})
    EXPECT_THAT(to_hip("#include <cuda_runtime.h>\n" + own + "__device__ int i;\n"),
                Not(HasSubstr("atomicM")));
  for (const std::string& own :
       {"__device__ float atomicMax(float* p, int v) " + body,
        "__device__ float atomicMax(int* p, float v) " + body,
        "__device__ float atomicMax(float* p, float v, float w) " + body,
        "__device__ float atomicMul(float* p, float v) " + body,
        "namespace own {\n__device__ float atomicMax(float* p, float v) " + body + "}\n",
        "template <class T> __device__ float atomicMax(float* p, float v) " + body})
    EXPECT_THAT(to_hip("#include <cuda_runtime.h>\n" + own), HasSubstr(own));
}

TEST(Dialect, HostCodeGetsTheMathThatCudaHasThere) {
  const std::string call = " float f(float x) { return rsqrtf(x); }\n";
  for (const char* of :
       {"static", "__host__", "__host__ __device__", "#define F rsqrtf(x)\nint i;"})
    EXPECT_THAT(to_hip("#include <cuda_runtime.h>\n" + std::string(of) + call),
                StartsWith("#include \"hip_compat.h\"\n"))
        << of;
  for (const std::string& text :
       {"__device__" + call, std::string("float f(Body b) { return b.rsqrtf(1); }\n"),
        std::string(
            "static float rsqrtf(float x) { return x; }\nfloat f() { return rsqrtf(1); }\n")})
    EXPECT_EQ(to_hip("#include <cuda_runtime.h>\n" + text),
              "#include <hip/hip_runtime.h>\n" + text);
}

TEST(Dialect, OneFunctionForTheOneTypeOfErrors) {
  const std::string after = to_hip(
      "#include <cuda.h>\nconst char* name(cudaError_t e) { return \"a\"; }\n"
      "const char* name(CUresult e) { return \"b\"; }\nvoid only(CUresult e) {}\n");
  EXPECT_THAT(after, HasSubstr("name(hipError_t e) { return \"a\"; }"));
  EXPECT_THAT(after, Not(HasSubstr("return \"b\"")));
  EXPECT_THAT(after, HasSubstr("void only(hipError_t e) {}"));
}

TEST(Dialect, OneCaseForOneValue) {
  const std::string after = to_hip(
      "#include <cuda_runtime.h>\nint f(cudaError_t e) {\n  switch (e) {\n"
      "    case cudaErrorInvalidValue: return 1;\n    case cudaErrorAddressOfConstant: return 2;\n"
      "    case cudaErrorInvalidHostPointer: return 3;\n    default: return 4;\n  }\n}\n");
  EXPECT_THAT(after, HasSubstr("case hipErrorInvalidValue: return 1;\n     return 2;"));
  EXPECT_THAT(after, HasSubstr("case static_cast<hipError_t>(1116): return 3;"));
}

// HIP's min and max of host code are those of int: what is none would be cut off.
TEST(Dialect, LeastAndMostOfAllTypesComeFromTheHeader) {
  EXPECT_THAT(
      to_hip("#include <cuda_runtime.h>\nfloat f(float a, float b) { return min(a, b); }\n"),
      StartsWith("#include \"hip_compat.h\"\n"));
  for (const std::string call : {"std::min(a, b)", "v.min(b)", "std::numeric_limits<int>::max()"})
    EXPECT_THAT(to_hip("#include <cuda_runtime.h>\nint f() { return " + call + "; }\n"),
                StartsWith("#include <hip/hip_runtime.h>\n"));
  // The program's own.
  EXPECT_THAT(to_hip("#include <cuda_runtime.h>\n#define min(a, b) ((a) < (b) ? (a) : (b))\n"
                     "float f(float a, float b) { return min(a, b); }\n"),
              StartsWith("#include <hip/hip_runtime.h>\n"));
}

TEST(Dialect, APortForBothIsDoneOnce) {
  const std::string text =
      "#include <cuda_runtime.h>\nfloat f(float a) { return min(a, 1.5f); }\n"
      "texture<float> t;\nvoid g(register int a) {\n  k << <1, 2>> >(a);\n  puts(\"a\"NAME);\n}\n"
      "void h(cudaError_t) {}\nvoid h(CUresult) {}\nint i(cudaError_t e) {\n  switch (e) {\n"
      "    case cudaErrorInvalidValue: return 1;\n    case cudaErrorAddressOfConstant: return 2;\n"
      "  }\n}\n";
  const TestPort once = port_files({{"a.cu", text}}, {.mode = Mode::kDual});
  std::map<std::string, std::string> files = once.files;
  files.insert(once.added.begin(), once.added.end());
  EXPECT_EQ(port_files(files, {.mode = Mode::kDual}).files.at("a.cu"), once.files.at("a.cu"));
}

TEST(Dialect, HeadersOfHipAreIncludedOutsideOfCLinkage) {
  EXPECT_THAT(to_hip("#pragma once\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                     "#include <cublas_v2.h>\nvoid f(void);\n#ifdef __cplusplus\n}\n#endif\n",
                     "a.h"),
              StartsWith("#pragma once\n#include <hipblas/hipblas.h>\n#ifdef __cplusplus\n"));
  EXPECT_THAT(to_hip("extern \"C\" {\n#include <stdio.h>\n__global__ void k() {}\n}\n"),
              StartsWith("#include <hip/hip_runtime.h>\nextern \"C\" {\n"));
}

TEST(Dialect, ASourceThatReadsHeadersOfItsProjectGetsTheRuntime) {
  const TestPort port =
      port_files({{"own.h", "void f(cudaError_t);\n"}, {"a.cu", "#include \"own.h\"\nint f();\n"}},
                 {.mode = Mode::kHip});
  EXPECT_EQ(port.files.at("a.cu"), "#include <hip/hip_runtime.h>\n#include \"own.h\"\nint f();\n");
}

TEST(Dialect, HeadersOfOtherProgramsAreNotMeant) {
  const TestPort port = port_files({{"a/cuda.h", "#define A 1\n#define cudaFree(p) free(p)\n"},
                                    {"a/a.cu", "#include \"cuda.h\"\nvoid f() { cudaFree(p); }\n"},
                                    {"b/b.cu", "#include <cuda.h>\nvoid g() { cudaFree(p); }\n"}},
                                   {.mode = Mode::kHip});
  EXPECT_THAT(port.files.at("a/a.cu"), HasSubstr("#include \"cuda.h\"\nvoid f() { cudaFree(p)"));
  EXPECT_THAT(port.files.at("b/b.cu"), HasSubstr("#include <hip/hip_runtime.h>\n"));
  EXPECT_THAT(port.files.at("b/b.cu"), HasSubstr("hipFree(p)"));
}

TEST(LinearTextures, AreMemory) {
  const std::string after = to_hip(
      "texture<float, 1, cudaReadModeElementType> line;\ntexture<float, 1> array;\n"
      "__global__ void k(float* p) { p[0] = tex1Dfetch(line, 0) + tex1D(array, 0.5f); }\n"
      "void f(float* p) { cudaBindTexture(NULL, line, p, 4); cudaBindTextureToArray(array, a); "
      "}\n");
  EXPECT_THAT(after, StartsWith("#include \"hip_compat.h\"\n"));
  EXPECT_THAT(after, HasSubstr("__device__ hip_compat::linear_texture<float> line;"));
  EXPECT_THAT(after, HasSubstr("texture<float, 1> array;"));
  EXPECT_THAT(after, HasSubstr("hipBindTexture(NULL, line, p, 4)"));
}

TEST(LinearTextures, ObjectsToo) {
  const std::string text = "__device__ float f(cudaTextureObject_t t) { return ";
  EXPECT_THAT(to_hip(text + "tex1Dfetch<float>(t, 1); }\n"),
              HasSubstr("f(hip_compat::linear_texture_object t)"));
  EXPECT_THAT(to_hip(text + "tex1Dfetch<float>(t, 1) + tex2D<float>(u, 1, 2); }\n"),
              HasSubstr("f(hipTextureObject_t t)"));
}

TEST(Textures, FetchesOfObjectsThatStayTexturesAreReported) {
  const std::string fetch =
      "__device__ float f(cudaTextureObject_t t) {\n  return tex1Dfetch<float>(t, 1);\n}\n";
  const std::string other =
      "__device__ float g(cudaTextureObject_t t) { return tex2D<float>(t, 1, 2); }\n";
  EXPECT_EQ(port_files({{"a.cu", fetch}}, {.mode = Mode::kHip}).said(), "");
  EXPECT_EQ(port_files({{"a.cu", fetch}, {"b.cu", other}}, {.mode = Mode::kHip}).said(),
            "HP225:2 HP225:1");
}

TEST(BlockTransposes, WithinTheBlockWhereItIsNoMultipleOfAWave) {
  const std::string after = to_hip(
      "#include <cub/cub.cuh>\ntemplate <int N> __global__ void k() {\n"
      "  typedef cub::BlockLoad<int, N, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;\n"
      "  typedef cub::BlockStore<int, N, 4, cub::BLOCK_STORE_DIRECT> Store;\n}\n");
  EXPECT_THAT(after,
              HasSubstr("hipcub::BlockLoad<int, N, 4, ((N) % 64 == 0 ? "
                        "hipcub::BLOCK_LOAD_WARP_TRANSPOSE : hipcub::BLOCK_LOAD_TRANSPOSE)> Load"));
  EXPECT_THAT(after, HasSubstr("hipcub::BLOCK_STORE_DIRECT> Store"));
}

TEST(Descriptors, OfCublasLtAreMadeWhereTheyStand) {
  const std::string after = to_hip(
      "#include <cublasLt.h>\nvoid f() {\n  cublasLtMatrixLayoutOpaque_t a = {};\n"
      "  cublasLtMatrixLayoutInit(&a, CUDA_R_32F, 1, 2, 3);\n}\n");
  EXPECT_THAT(after, HasSubstr("hip_compat::in_place<hipblasLtMatrixLayout_t> a = {};"));
  EXPECT_THAT(after, HasSubstr("hip_compat::create_in_place(hipblasLtMatrixLayoutCreate, "
                               "hipblasLtMatrixLayoutDestroy, &a, HIP_R_32F, 1, 2, 3);"));
}

}  // namespace
}  // namespace hipwright::port
