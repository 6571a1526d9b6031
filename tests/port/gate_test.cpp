// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string kIf = "#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)\n";

TestPort dual(const std::map<std::string, std::string>& files) {
  return port_files(files, {.mode = Mode::kDual});
}

TEST(Gate, NamesAreDefinedInAHeaderForAmd) {
  const TestPort port =
      dual({{"src/a.cu", "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"}});
  EXPECT_EQ(port.files.at("src/a.cu"),
            kIf +
                "#include \"../hip_names.h\"\n#else\n#include <cuda_runtime.h>\n#endif\n"
                "void f(void* p) { cudaFree(p); }\n");
  EXPECT_THAT(port.added.at("hip_names.h"), HasSubstr("#include <hip/hip_runtime.h>\n"));
  EXPECT_THAT(port.added.at("hip_names.h"), HasSubstr("#define cudaFree hipFree\n"));
}

TEST(Gate, TheHeaderFollowsThoseOfTheStandardLibrary) {
  const TestPort port = dual({{"a.cu",
                               "#include <stdio.h>\n#include <vector>\n#include <cuda_runtime.h>\n"
                               "#include <cublas_v2.h>\n#include \"b.h\"\n"
                               "void f(cublasHandle_t* h) { cublasCreate(h); }\n"},
                              {"b.h", ""}});
  EXPECT_EQ(port.files.at("a.cu"),
            "#include <stdio.h>\n#include <vector>\n" + kIf +
                "#include \"hip_names.h\"\n#include <hipblas/hipblas.h>\n#else\n"
                "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n#endif\n#include \"b.h\"\n"
                "void f(cublasHandle_t* h) { cublasCreate(h); }\n");
  EXPECT_THAT(port.added.at("hip_names.h"), HasSubstr("#define HIPBLAS_V2\n"));
}

TEST(Gate, NamesOfAWarpAreDefinedBehindTheLastHeader) {
  const std::string head = "#include <cuda_runtime.h>\n#include \"b.h\"\n";
  const std::string body =
      "#define LANE (threadIdx.x % warpSize)\n"
      "__global__ void k(int* p) {\n  p[LANE] = __shfl(p[0], 3) + __shfl(p[1], warpSize - 1);\n}\n";
  const std::string macros =
      kIf + "#define __shfl warp32::shfl\n#define warpSize warp32::size\n#endif\n";
  const TestPort port = dual({{"a.cu", head + body}, {"b.h", ""}});
  EXPECT_EQ(port.files.at("a.cu"),
            kIf +
                "#include \"hip_names.h\"\n#else\n#include <cuda_runtime.h>\n#endif\n"
                "#include \"b.h\"\n" +
                macros + body);
  std::map<std::string, std::string> tree = port.files;
  tree.insert(port.added.begin(), port.added.end());
  EXPECT_EQ(dual(tree).files.at("a.cu"), port.files.at("a.cu"));
  // Read by others; another meaning of the name; a header behind a use, or that may not be read.
  const auto ported = [&](const std::map<std::string, std::string>& files) {
    return dual(files).files.at("a.cu");
  };
  EXPECT_THAT(ported({{"a.cu", head + body}, {"b.h", ""}, {"c.cu", "#include \"a.cu\"\n"}}),
              Not(HasSubstr("#define warpSize")));
  EXPECT_THAT(ported({{"a.cu", head + body + "int size(cudaDeviceProp p) { return p.warpSize; }\n"},
                      {"b.h", ""}}),
              AllOf(Not(HasSubstr("#define warpSize")), HasSubstr("#define __shfl warp32::shfl")));
  EXPECT_THAT(ported({{"a.cu", head + body + "#include \"c.h\"\n"}, {"b.h", ""}, {"c.h", ""}}),
              Not(HasSubstr("#define warpSize")));
  EXPECT_THAT(ported({{"a.cu", head + "#ifdef MORE\n#include <cub/cub.cuh>\n#endif\n" + body},
                      {"b.h", ""}}),
              Not(HasSubstr("#define warpSize")));
}

TEST(Gate, DirectivesThatDoNotExistStay) {
  const std::string text = "#include <cuda_runtime.h>\n#cudaGetLastError(); cudaMalloc(p, 4)\n";
  EXPECT_THAT(dual({{"a.cu", text}}).files.at("a.cu"), HasSubstr("#cudaGetLastError(); cudaM"));
}

TEST(Gate, AHeaderOfTheProjectMayProvideIt) {
  const std::string header = "#pragma once\nvoid g(cudaStream_t s);\n";
  const TestPort port = dual(
      {{"b.h", header},
       {"a.cu", "#include \"b.h\"\n#include <cub/cub.cuh>\nvoid f(void* p) { cudaFree(p); }\n"},
       {"c.cu", "#include \"d.h\"\n#include <cub/cub.cuh>\nvoid f(void* p) { cudaFree(p); }\n"},
       {"d.h", "#pragma once\n__device__ int one();\n"}});
  EXPECT_EQ(port.files.at("a.cu"),
            "#include \"b.h\"\n" + kIf +
                "#include \"hip_names.h\"\n#include <hipcub/hipcub.hpp>\n#else\n"
                "#include <cub/cub.cuh>\n#endif\nvoid f(void* p) { cudaFree(p); }\n");
  EXPECT_THAT(port.files.at("c.cu"),
              testing::StartsWith(kIf + "#include \"hip_names.h\"\n#endif\n"));
}

TEST(Gate, SourcesInCReadTheRuntimeAlone) {
  const TestPort port =
      dual({{"a.c", "#include <cuda_runtime_api.h>\nvoid f(void* p) { cudaFree(p); }\n"},
            {"b.cu", "__device__ int f(int x) { return __dp4a(x, x, 0); }\n"}});
  EXPECT_THAT(port.added.at("hip_names.h"),
              HasSubstr("#ifdef __cplusplus\n#include \"hip_compat.h\"\n#else\n"
                        "#include <hip/hip_runtime_api.h>\n#endif\n"));
}

TEST(Gate, FilesIncludeNoOtherHeaderOfThePort) {
  const TestPort port = dual({{"a.cu", "__device__ int f(int x) { return __dp4a(x, x, 0); }\n"}});
  EXPECT_THAT(port.files.at("a.cu"), Not(HasSubstr("hip_compat.h")));
  EXPECT_THAT(port.added.at("hip_names.h"), HasSubstr("#include \"hip_compat.h\"\n"));
}

TEST(Gate, OtherChangesAreBranchesWithTheOldLines) {
  const TestPort port = dual({{"a.cuh",
                               "__device__ int f(int x) {\n"
                               "  return __shfl(\n"
                               "                x, 0);\n"
                               "}\n"}});
  EXPECT_EQ(port.files.at("a.cuh"), kIf +
                                        "#include \"hip_names.h\"\n#endif\n"
                                        "__device__ int f(int x) {\n" +
                                        kIf +
                                        "  return warp32::shfl(\n"
                                        "                x, 0);\n"
                                        "#else\n"
                                        "  return __shfl(\n"
                                        "                x, 0);\n"
                                        "#endif\n"
                                        "}\n");
}

TEST(Gate, CallsWithMasksOf32BitsStay) {
  const std::string code =
      "#define FULL 0xffffffff\n"
      "__device__ int f(int x, unsigned mask) {\n"
      "  auto some = __ballot_sync(FULL, x > 0);\n"
      "  x += __shfl_down_sync(some, x, 1) + __shfl_sync(-1, x, 0);\n"
      "  x += __any_sync(mask & ~1u, x) + __popc(__activemask());\n"
      "  __syncwarp();\n"
      "  __syncwarp(mask);\n"
      "  return x;\n"
      "}\n";
  const TestPort port = dual({{"a.cu", code}});
  EXPECT_EQ(port.files.at("a.cu"), kIf + "#include \"hip_names.h\"\n#endif\n" + code);
  EXPECT_EQ(port.said(), "");
  const std::string& shim = port.added.at("hip_names.h");
  EXPECT_THAT(shim,
              HasSubstr("#define HIP_COMPAT_WARPS_OF_32\n#endif\n#include \"hip_compat.h\"\n"));
  EXPECT_THAT(shim, HasSubstr("#define __activemask() warp32::activemask()\n"));
}

TEST(Gate, TypesOfTheProjectCountForMasks) {
  const std::string types = "typedef unsigned int U32;\nusing mask_t = unsigned;\n";
  const std::string code =
      "#include \"types.h\"\n__device__ int f(int x, U32 some, const mask_t more) {\n"
      "  return __shfl_sync(some, x, 0) + __shfl_sync(more, x, 1);\n}\n";
  const TestPort port = dual({{"types.h", types}, {"a.cu", code}});
  EXPECT_THAT(port.files.at("a.cu"), Not(HasSubstr("warp32")));
}

// HIP's function would take it, with 64 lanes.
TEST(Gate, CallsWithOtherMasksAreBranches) {
  for (const std::string_view declared :
       {"unsigned long mask", "size_t mask", "auto mask", "mask_of_mine mask"}) {
    const TestPort port = dual({{"a.cuh", "__device__ int f(int x, " + std::string(declared) +
                                              ") {\n  return __shfl_sync(mask, x, 0);\n}\n"}});
    EXPECT_THAT(port.files.at("a.cuh"),
                HasSubstr("  return warp32::shfl_sync(mask, x, 0);\n#else\n"))
        << declared;
  }
}

TEST(Gate, MasksInMacrosAreNotTakenForVariables) {
  const TestPort port = dual({{"a.cuh",
                               "const unsigned mask = 1;\n"
                               "#define GET(mask, x) __shfl_sync(mask, x, 0)\n"}});
  EXPECT_THAT(port.files.at("a.cuh"), HasSubstr("warp32::shfl_sync(mask, x, 0)"));
}

TEST(Gate, CallsWithOtherArgumentsAreMacros) {
  const std::string code =
      "__constant__ float table[4];\n"
      "void f(float* q) { cudaMemcpyToSymbol(table, q, 16); }\n";
  const TestPort port = dual({{"a.cu", code}});
  EXPECT_EQ(port.files.at("a.cu"), kIf + "#include \"hip_names.h\"\n#endif\n" + code);
  EXPECT_THAT(port.added.at("hip_names.h"),
              HasSubstr("#define cudaMemcpyToSymbol(a1, ...) "
                        "hipMemcpyToSymbol(HIP_SYMBOL(a1), __VA_ARGS__)\n"));
}

TEST(Gate, CallsThatAMacroWouldTearApartAreBranches) {
  const TestPort port = dual({{"a.cu",
                               "template <int A, int B> __global__ void k() {}\n"
                               "void f(cudaFuncAttributes* a) {\n"
                               "  cudaFuncGetAttributes(a, k<1, 2>);\n"
                               "}\n"}});
  EXPECT_THAT(
      port.files.at("a.cu"),
      HasSubstr("  hipFuncGetAttributes(a, reinterpret_cast<const void*>(k<1, 2>));\n#else\n"));
}

TEST(Gate, PlatformMacrosAreNotDefinedForAmd) {
  const TestPort port = dual({{"a.cu", "int arch() {\n  return __CUDA_ARCH__;\n}\n"}});
  EXPECT_THAT(port.files.at("a.cu"),
              HasSubstr("  return (__HIP_DEVICE_COMPILE__ * 700);\n#else\n"));
  const auto shim = port.added.find("hip_names.h");
  if (shim != port.added.end()) EXPECT_THAT(shim->second, Not(HasSubstr("#define __CUDA_ARCH__")));
}

TEST(Gate, LaunchBracketsAreJoinedInPlace) {
  const TestPort port = dual({{"a.cu",
                               "__global__ void k();\n"
                               "void f() { k << <1, 2 >> >(); }\n"}});
  EXPECT_THAT(port.files.at("a.cu"), HasSubstr("\nvoid f() { k <<<1, 2 >>>(); }\n"));
}

TEST(Gate, KeywordsThatClangRejectsNeedNoBranch) {
  const std::string code = "__device__ int f() {\n  register int x = 1;\n  return x;\n}\n";
  const TestPort port = dual({{"a.cu", code}});
  EXPECT_EQ(port.files.at("a.cu"), kIf + "#include \"hip_names.h\"\n#endif\n" + code);
  EXPECT_THAT(port.added.at("hip_names.h"),
              HasSubstr("#pragma clang diagnostic ignored \"-Wregister\"\n"));
}

TEST(Gate, RemovedLinesLeaveNoEmptyBranch) {
  const TestPort port = dual({{"a.cu",
                               "#include <cuda_runtime.h>\nint a;\n"
                               "__device__ float atomicMax(float* p, float v) {\n"
                               "  return *p = v;\n"
                               "}\n"}});
  EXPECT_THAT(port.files.at("a.cu"),
              HasSubstr("int a;\n#if !(defined(__HIP__) || defined(__HIP_PLATFORM_AMD__))\n"
                        "__device__ float atomicMax(float* p, float v) {\n"));
}

TEST(Gate, InstructionsOfPtxAreOneFunctionEach) {
  const TestPort port = dual({{"a.cu",
                               "__device__ void f(unsigned& low, unsigned& high, unsigned x) {\n"
                               "  asm(\"add.cc.u32 %0, %2, %2;\\n\\t\"\n"
                               "      \"addc.u32 %1, %2, 0;\"\n"
                               "      : \"=r\"(low), \"=r\"(high) : \"r\"(x));\n"
                               "}\n"}});
  EXPECT_THAT(port.files.at("a.cu"),
              ContainsRegex("  hip_ptx::add_cc_u32_[0-9a-f]+.low, high, x.;\n#else\n"));
  EXPECT_THAT(
      port.added.at("hip_names.h"),
      ContainsRegex("__device__ inline void add_cc_u32_[0-9a-f]+.T0& p0, T1& p1, T2 p2. \\{\n"));
}

TEST(Gate, ConditionsAskForBoth) {
  const TestPort port = dual({{"a.h",
                               "#ifdef __CUDACC__\n#endif\n#ifndef __CUDACC__\n#endif\n"
                               "#if X && defined(__CUDACC__)\n#endif\n"
                               "#if defined __CUDACC__\n#endif\n"}});
  EXPECT_EQ(port.files.at("a.h"),
            "#if defined(__CUDACC__) || defined(__HIPCC__)\n#endif\n"
            "#if !defined(__CUDACC__) && !defined(__HIPCC__)\n#endif\n"
            "#if X && (defined(__CUDACC__) || defined(__HIPCC__))\n#endif\n"
            "#if defined __CUDACC__ || defined(__HIPCC__)\n#endif\n");
}

TEST(Gate, ArchitecturesThatAmdReachesAreConditionsForBoth) {
  const TestPort port = dual({{"a.cuh",
                               "#if __CUDA_ARCH__ >= 600\n#endif\n"
                               "#if __CUDA_ARCH__ < 600 // old\n#endif\n"
                               "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 530)\n#endif\n"
                               "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 350\n#endif\n"
                               "#if X && __CUDA_ARCH__ >= 600\n#endif\n"
                               "#ifdef __CUDA_ARCH__\n#endif\n"}});
  EXPECT_EQ(port.files.at("a.cuh"),
            "#if __CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__)\n#endif\n"
            "#if __CUDA_ARCH__ < 600 && !defined(__HIP_DEVICE_COMPILE__) // old\n#endif\n"
            "#if (defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 530)) || "
            "defined(__HIP_DEVICE_COMPILE__)\n#endif\n"
            "#if (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 350) && "
            "!defined(__HIP_DEVICE_COMPILE__)\n#endif\n"
            "#if X && (__CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__))\n#endif\n"
            "#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)\n#endif\n");
}

TEST(Gate, ConditionsThatMeanTheSameOnAmdStay) {
  const std::string text =
      "#if __CUDA_ARCH__ >= 800\n#endif\n#if __CUDA_ARCH__ < 900\n#endif\n"
      "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n#endif\n"
      "#if X && CUDART_VERSION >= 12000\n#endif\n";
  EXPECT_EQ(dual({{"a.cuh", text}}).files.at("a.cuh"), text);
}

TEST(Gate, MacrosAreBranchedAsAWhole) {
  const TestPort port =
      dual({{"a.cuh", "#define SUM(x) \\\n  x += __shfl_down(x, 1); \\\n  x += 1\n"}});
  EXPECT_EQ(port.files.at("a.cuh"),
            kIf +
                "#include \"hip_names.h\"\n"
                "#define SUM(x) \\\n  x += warp32::shfl_down(x, 1); \\\n  x += 1\n"
                "#else\n"
                "#define SUM(x) \\\n  x += __shfl_down(x, 1); \\\n  x += 1\n"
                "#endif\n");
}

TEST(Gate, LinesThatABackslashContinuesStayTogether) {
  const TestPort port = dual({{"a.cuh", "#define SUM(x) __shfl_down(x, 1) \\\n\nint a;\n"}});
  EXPECT_TRUE(port.files.at("a.cuh").ends_with(
      "#else\n#define SUM(x) __shfl_down(x, 1) \\\n\n#endif\nint a;\n"))
      << port.files.at("a.cuh");
}

TEST(Gate, AFileThatNeedsNothingStays) {
  const std::string text = "int f() { return 32; }\n";
  const TestPort port = dual({{"a.cpp", text}});
  EXPECT_EQ(port.files.at("a.cpp"), text);
  EXPECT_TRUE(port.added.empty());
}

}  // namespace
}  // namespace hipwright::port
