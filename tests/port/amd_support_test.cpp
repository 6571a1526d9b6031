// SPDX-License-Identifier: MIT
// What a project already says for AMD stays as it is, and what it says for NVIDIA only is ported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

using Files = std::map<std::string, std::string>;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Mode kModes[] = {Mode::kHip, Mode::kDual};

std::vector<std::string> changed(const Files& before, const TestPort& port) {
  std::vector<std::string> paths;
  for (const auto& [path, text] : before)
    if (port.files.at(path) != text) paths.push_back(path);
  return paths;
}

// An engine whose CMake files choose between both platforms, and translate names for AMD.
const std::string kCMake =
    "project(engine LANGUAGES CXX)\n"
    "find_package(HIP)\n"
    "set(SOURCES csrc/norm.cu)\n"
    "if(HIP_FOUND)\n"
    "  list(APPEND SOURCES csrc/rocm/gemm.cu)\n"
    "  hipify(SOURCES)\n"
    "else()\n"
    "  enable_language(CUDA)\n"
    "  list(APPEND SOURCES csrc/tensor.cu csrc/alone.cu)\n"
    "endif()\n"
    "add_library(engine ${SOURCES})\n";
const std::string kLanes =
    "#pragma once\n#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n";
const std::string kShuffle =
    "__device__ float f(float x) { return x + __shfl_xor(x, WARP_SIZE / 2); }\n";
const Files kEngine = {
    {"CMakeLists.txt", kCMake},
    {"csrc/lanes.h", kLanes},
    {"csrc/reduce.cuh", "#pragma once\n#include \"lanes.h\"\n" + kShuffle},
    {"csrc/norm.cu",
     "#include <cuda_runtime.h>\n#include \"reduce.cuh\"\n"
     "void g(float* p) { cudaFree(p); }\n"},
    {"csrc/rocm/gemm.cu", "#include <cuda_runtime.h>\n#include \"../lanes.h\"\n" + kShuffle},
    {"csrc/tensor.cu", "#include <cuda_runtime.h>\n#include \"lanes.h\"\n" + kShuffle +
                           "void h(float* p) { cudaFree(p); }\n"},
    {"csrc/alone.cu",
     "#include <cuda_runtime.h>\n__device__ int i(int x) { return __shfl_xor(x, 1); }\n"}};

TEST(AmdSupport, FilesThatAmdBuildsCompileStay) {
  for (const Mode mode : kModes) {
    const TestPort port = port_files(kEngine, {.mode = mode});
    EXPECT_THAT(changed(kEngine, port), ElementsAre("csrc/alone.cu", "csrc/tensor.cu"));
  }
}

TEST(AmdSupport, FilesForNvidiaOnlyArePortedButForLanesThatTheyShare) {
  const TestPort port = port_files(kEngine, {.mode = Mode::kHip});
  EXPECT_THAT(port.files.at("csrc/tensor.cu"), HasSubstr("hipFree(p)"));
  EXPECT_THAT(port.files.at("csrc/tensor.cu"), HasSubstr(" __shfl_xor(x, WARP_SIZE / 2)"));
  EXPECT_THAT(port.files.at("csrc/alone.cu"), HasSubstr("warp32::shfl_xor(x, 1)"));
  EXPECT_EQ(port.said(), "HP306:3");
}

TEST(AmdSupport, WhatStaysIsNoted) {
  const TestPort port = port_files(kEngine, {.mode = Mode::kHip});
  std::vector<std::string> notes;
  for (const Diagnostic& each : port.diagnostics)
    if (each.code == "HP222") notes.push_back(each.path + ": " + each.message);
  const std::string compiled = ": unchanged: AMD builds already compile it: ";
  EXPECT_THAT(notes, ElementsAre("csrc/norm.cu" + compiled + "the build lists it",
                                 "csrc/reduce.cuh" + compiled + "csrc/norm.cu includes it",
                                 "csrc/rocm/gemm.cu" + compiled + "the build lists it"));
}

// Its CMakeLists.txt may be in a directory above the one that is ported.
TEST(AmdSupport, PathsThatNameAmdStayWithoutABuild) {
  const Files files = {
      {"rocm/gemm.cu", "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"},
      {"add.cu", "#include <cuda_runtime.h>\nvoid g(void* p) { cudaFree(p); }\n"}};
  for (const Mode mode : kModes)
    EXPECT_THAT(changed(files, port_files(files, {.mode = mode})), ElementsAre("add.cu"));
}

// PyTorch translates the sources of an extension while it builds it.
TEST(AmdSupport, SourcesThatSetupFindsByPatternStay) {
  Files files = {{"setup.py",
                  "import glob\nimport torch\nfrom torch.utils.cpp_extension import CUDAExtension\n"
                  "flags = ['-DUSE_ROCM'] if torch.version.hip else []\n"
                  "CUDAExtension('e', glob.glob('csrc/*.cu'), extra_compile_args=flags)\n"},
                 {"csrc/a.cu", "#include <cuda_runtime.h>\nvoid f(void* p) { cudaFree(p); }\n"}};
  for (const Mode mode : kModes)
    EXPECT_EQ(port_files(files, {.mode = mode}).files.at("csrc/a.cu"), files.at("csrc/a.cu"));
  files["setup.py"].replace(files["setup.py"].find("torch.version.hip"), 17, "True");
  EXPECT_NE(port_files(files).files.at("csrc/a.cu"), files.at("csrc/a.cu"));
}

// They hold what only those GPUs can run; the project has other code for AMD.
TEST(AmdSupport, PathsThatNameNvidiasGpusStayInProjectsForBoth) {
  Files files = {
      {"CMakeLists.txt",
       "project(p)\noption(P_HIP \"HIP\" OFF)\nif(P_HIP)\nadd_library(k any.cu)\nelse()\n"
       "add_library(k gemm_sm80.cu fast.cu)\nendif()\n"},
      {"any.cu", "#include <hip/hip_runtime.h>\n"},
      {"gemm_sm80.cu", "#include \"mma.cuh\"\nvoid f(void* p) { cudaFree(p); }\n"},
      {"mma.cuh", "#pragma once\ninline void h(void* p) { cudaFree(p); }\n"},
      {"fast.cu", "#include <cuda_runtime.h>\nvoid g(void* p) { cudaFree(p); }\n"}};
  for (const Mode mode : kModes)
    EXPECT_THAT(changed(files, port_files(files, {.mode = mode})),
                testing::Not(testing::Contains(testing::AnyOf("gemm_sm80.cu", "mma.cuh"))));
  files.erase("CMakeLists.txt");
  files.erase("any.cu");
  EXPECT_THAT(changed(files, port_files(files)), testing::Contains("gemm_sm80.cu"));
}

// A build that lists the same sources for both gives CUDA's names a meaning by macros.
TEST(AmdSupport, AVendorHeaderMakesCudasNamesAmds) {
  const Files files = {
      {"CMakeLists.txt", "project(p)\noption(P_HIP \"HIP\" OFF)\nadd_subdirectory(src)\n"},
      {"src/CMakeLists.txt", "add_library(k k.cu)\n"},
      {"src/vendor_hip.h",
       "#pragma once\n#include <hip/hip_runtime.h>\n"
       "#define cudaDeviceProp hipDeviceProp_t\n"
       "typedef __hip_bfloat16 nv_bfloat16;\n"},
      {"src/vendor_cuda.h", "#pragma once\n#include <cuda_runtime.h>\n"},
      {"src/common.cuh",
       "#pragma once\n#ifdef P_USE_HIP\n#include \"vendor_hip.h\"\n#else\n"
       "#include \"vendor_cuda.h\"\n#endif\n"},
      {"src/k.cu",
       "#include \"common.cuh\"\n"
       "int lanes(cudaDeviceProp prop) { return prop.warpSize; }\n"
       "__device__ int f(int x) { return __shfl_xor_sync(~0ull, x, 32); }\n"}};
  for (const Mode mode : kModes) {
    const TestPort port = port_files(files, {.mode = mode});
    EXPECT_THAT(changed(files, port), IsEmpty());
    EXPECT_EQ(port.said(), "");
  }
}

// Without a build that says so, nothing shows that AMD compiles these files: their names are
// ported, and the lanes that they count for AMD are left alone.
TEST(AmdSupport, LanesCountedForAmdAreNeverMixedWithHalfWaves) {
  const Files files = {
      {"defs.cuh",
       "#pragma once\n#include <cuda_runtime.h>\n#ifdef USE_AMD_ROCM\n"
       "constexpr int kWarpSize = 64;\n#else\nconstexpr int kWarpSize = 32;\n#endif\n"},
      {"shuffles.cuh",
       "#pragma once\n#include \"defs.cuh\"\ntemplate <typename T>\n"
       "__device__ T shfl(T x, int lane) { return __shfl(x, lane, kWarpSize); }\n"},
      {"host.cpp",
       "#include <cuda_runtime.h>\n"
       "int lanes(cudaDeviceProp& p) { cudaGetDeviceProperties(&p, 0); "
       "return p.warpSize; }\n"}};
  for (const Mode mode : kModes) {
    const TestPort port = port_files(files, {.mode = mode});
    EXPECT_THAT(port.files.at("shuffles.cuh"), HasSubstr(" __shfl(x, lane, kWarpSize)"));
    EXPECT_THAT(port.files.at("host.cpp"), HasSubstr("p.warpSize"));
    EXPECT_THAT(changed(files, port), Not(IsEmpty()));
    EXPECT_EQ(port.said(), "HP306:2 HP306:4");
  }
  const TestPort native = port_files(files, {.mode = Mode::kHip, .warp = Warp::kNative});
  EXPECT_THAT(native.files.at("shuffles.cuh"), HasSubstr(" __shfl(x, lane, kWarpSize)"));
  EXPECT_EQ(native.said(), "HP306:2 HP306:4");
}

// A kernel's own branch for AMD concerns no other kernel.
TEST(AmdSupport, AKernelThatWasPortedByHandStandsAlone) {
  const std::string kernel =
      "#include <cuda_runtime.h>\n__global__ void k(int* p) {\n#ifdef USE_ROCM\n"
      "  p[0] = __popcll(__ballot(p[1]));\n#else\n"
      "  p[0] = __popc(__ballot_sync(~0u, p[1]));\n#endif\n}\n";
  const std::string other = "__global__ void l(int* p) { p[0] = __shfl_xor(p[1], 1); }\n";
  const TestPort port = port_files({{"a.cu", kernel + other}}, {.mode = Mode::kHip});
  EXPECT_THAT(port.files.at("a.cu"), HasSubstr("  p[0] = __popcll(__ballot(p[1]));\n"));
  EXPECT_THAT(port.files.at("a.cu"), HasSubstr("p[0] = warp32::shfl_xor(p[1], 1)"));
}

const std::string kSetup =
    "import torch\nfrom setuptools import setup\n"
    "from torch.utils.cpp_extension import BuildExtension, CUDAExtension\n"
    "sources = [\"csrc/scan.cu\"]\n";
const std::string kOnlyCuda = "if torch.version.hip is None:\n    sources += [\"csrc/fast.cu\"]\n";
const std::string kExtension =
    "setup(ext_modules=[CUDAExtension(\"scan\", sources)],\n"
    "      cmdclass={\"build_ext\": BuildExtension})\n";
const std::string kAlias =
    "#pragma once\n#ifndef USE_ROCM\n#include <cub/block/block_scan.cuh>\n#else\n"
    "#include <hipcub/hipcub.hpp>\nnamespace cub = hipcub;\n#endif\n";

TEST(AmdSupport, ASecondNameForANamespaceIsNotDefinedAgain) {
  const Files files = {{"setup.py", kSetup + kOnlyCuda + kExtension},
                       {"csrc/scan.cu",
                        "#include \"alias.h\"\n#include <cuda_runtime.h>\n"
                        "using S = cub::BlockScan<int, 64>;\n"},
                       {"csrc/alias.h", kAlias},
                       {"csrc/fast.cu",
                        "#include \"alias.h\"\nusing S = cub::BlockScan<int, 128>;\n"
                        "void f(void* p) { cudaFree(p); }\n"}};
  for (const Mode mode : kModes) {
    const TestPort port = port_files(files, {.mode = mode});
    EXPECT_THAT(changed(files, port), ElementsAre("csrc/fast.cu"));
    EXPECT_THAT(port.files.at("csrc/fast.cu"), HasSubstr("using S = cub::BlockScan<int, 128>"));
    if (mode == Mode::kDual) {
      EXPECT_THAT(port.added.at("hip_names.h"), Not(HasSubstr("cub")));
    }
  }
}

// A file that reads no such header needs the name, and others that read both do not get it twice.
TEST(AmdSupport, ANameThatTheProjectDefinesForAmdIsNotAMacroOfThePort) {
  const Files files = {
      {"setup.py", kSetup + kOnlyCuda + kExtension},
      {"csrc/scan.cu", "#include \"alias.h\"\nusing S = cub::BlockScan<int, 64>;\n"},
      {"csrc/alias.h", kAlias},
      {"csrc/fast.cu", "#include <cub/cub.cuh>\nusing S = cub::BlockScan<int, 128>;\n"}};
  const TestPort port = port_files(files);
  EXPECT_THAT(port.files.at("csrc/fast.cu"), HasSubstr("using S = hipcub::BlockScan<int, 128>"));
  EXPECT_FALSE(port.added.contains("hip_names.h") &&
               port.added.at("hip_names.h").find("cub") != std::string::npos);
}

// NVIDIA's generations are no concern of a file that AMD compiles.
TEST(AmdSupport, AmdIsNotSentToTheCodeOfANvidiaGeneration) {
  const Files files = {
      {"CMakeLists.txt",
       "project(p)\nif(BACKEND STREQUAL \"hip\")\n  enable_language(HIP)\nelse()\n"
       "  enable_language(CUDA)\nendif()\nadd_library(k gemm.cu)\n"},
      {"gemm.cu",
       "#include \"compat.cuh\"\n__global__ void k(float* p) {\n"
       "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n  p[0] = 1;\n#endif\n}\n"},
      {"compat.cuh",
       "#if defined(__HIP_PLATFORM_AMD__)\n#include <hip/hip_runtime.h>\n#else\n"
       "#include <cuda_runtime.h>\n#endif\n"}};
  for (const Mode mode : kModes)
    EXPECT_THAT(changed(files, port_files(files, {.mode = mode})), IsEmpty());
}

TEST(AmdSupport, AnExtensionWithoutAWordForAmdIsPorted) {
  const Files files = {{"setup.py", kSetup + kExtension},
                       {"csrc/scan.cu",
                        "#include <cuda_runtime.h>\n"
                        "__device__ int f(int x) { return __shfl_xor(x, 1); }\n"}};
  const TestPort port = port_files(files, {.mode = Mode::kHip});
  EXPECT_THAT(port.files.at("csrc/scan.cu"), HasSubstr("warp32::shfl_xor(x, 1)"));
}

// A condition about AMD, copied with other code, does not make a file that AMD's compilers reject
// one of theirs.
TEST(AmdSupport, OneConditionDoesNotExcusePtxAndMasks) {
  const std::string head =
      "#include <cuda_runtime.h>\n#ifdef USE_ROCM\n#define FAST 0\n#endif\n"
      "void g(float* p) { cudaFree(p); }\n";
  Files files = kEngine;
  files["ops/plain.cu"] = head;
  files["ops/vote.cu"] =
      head + "__device__ int v(int x) { return __shfl_xor_sync(0xffffffff, x, 1); }\n";
  files["ops/lane.cu"] =
      head +
      "__device__ int l() { int x; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); return x; }\n";
  files["ops/both.cu"] = head +
                         "__device__ int b(int x) {\n#ifdef USE_ROCM\n  return x;\n#else\n"
                         "  return __shfl_xor_sync(0xffffffff, x, 1);\n#endif\n}\n";
  for (const Mode mode : kModes)
    EXPECT_THAT(changed(files, port_files(files, {.mode = mode})),
                ElementsAre("csrc/alone.cu", "csrc/tensor.cu", "ops/lane.cu", "ops/vote.cu"));
}

// A number of lanes is one under any name.
TEST(AmdSupport, LanesAreCountedUnderAnyName) {
  for (const char* definition :
       {"#define W ", "constexpr int W = ", "const int W{", "enum { W = "}) {
    const std::string end = std::string(definition).find('{') == std::string::npos ? "" : "}";
    const Files files = {
        {"a.cu", "#include <cuda_runtime.h>\n#ifdef __HIP_PLATFORM_AMD__\n" +
                     std::string(definition) + "64" + end + ";\n#else\n" + definition + "32" + end +
                     ";\n#endif\n__global__ void k(unsigned* m) { m[threadIdx.x / W] = "
                     "__ballot_sync(~0u, threadIdx.x & 1); }\n"}};
    for (const Mode mode : kModes) {
      const TestPort port = port_files(files, {.mode = mode});
      EXPECT_THAT(port.files.at("a.cu"), Not(HasSubstr("warp32"))) << definition;
      EXPECT_THAT(port.said(), HasSubstr("HP306")) << definition;
    }
  }
}

// HIP rejects masks of 32 bits, so that AMD cannot compile a file with one yet.
TEST(AmdSupport, AHipFileStaysUnlessItUsesMasksOfCuda) {
  const auto file = [](const std::string& mask) {
    return "#include <hip/hip_runtime.h>\n__device__ int f(int x) { return __shfl_xor_sync(" +
           mask + ", x, 1) + warpSize; }\n";
  };
  EXPECT_EQ(to_hip(file("~0ull")), file("~0ull"));
  EXPECT_THAT(to_hip(file("0xffffffff")), HasSubstr("warp32::shfl_xor_sync(0xffffffff, x, 1)"));
}

// A function of the project is its own, whatever CUDA calls one of that name.
TEST(AmdSupport, OwnFunctionsNamedLikeCudasStay) {
  const Files files = {{"commands.h",
                        "#include <cuda_runtime.h>\nstruct Group { int size; };\n"
                        "__device__ inline Group coalesced_threads() { return {1}; }\n"},
                       {"a.cu",
                        "#include \"commands.h\"\n"
                        "__device__ int f() { return coalesced_threads().size; }\n"}};
  const TestPort port = port_files(files, {.mode = Mode::kHip});
  EXPECT_THAT(port.files.at("a.cu"), HasSubstr("return coalesced_threads().size"));
  EXPECT_THAT(port.files.at("commands.h"), HasSubstr("inline Group coalesced_threads()"));
}

// What a port wrote is not the project's word: new code in it is ported.
TEST(AmdSupport, APortIsNoSupportOfTheProjects) {
  const Files files = {
      {"CMakeLists.txt", "project(p LANGUAGES CXX CUDA)\nadd_library(k a.cu)\n"},
      {"a.cu",
       "#include <cuda_runtime.h>\n__device__ int f(int x) { return __shfl_xor(x, 1); }\n"
       "void g(void* p) { cudaFree(p); }\n"}};
  for (const Mode mode : kModes) {
    const TestPort first = port_files(files, {.mode = mode});
    Files tree = first.files;
    tree.insert(first.added.begin(), first.added.end());
    EXPECT_THAT(changed(tree, port_files(tree, {.mode = mode})), IsEmpty());
    tree["a.cu"] += "void h(void** p) { cudaMalloc(p, 1); }\n";
    const TestPort second = port_files(tree, {.mode = mode});
    const std::string now =
        mode == Mode::kHip ? second.files.at("a.cu") : second.added.at("hip_names.h");
    EXPECT_THAT(now, HasSubstr("hipMalloc"));
  }
}

// One that ported the part for NVIDIA leaves the project's part alone the second time, too.
TEST(AmdSupport, APortedProjectStaysAsItIs) {
  for (const Mode mode : kModes) {
    const TestPort first = port_files(kEngine, {.mode = mode});
    Files tree = first.files;
    tree.insert(first.added.begin(), first.added.end());
    EXPECT_THAT(changed(tree, port_files(tree, {.mode = mode})), IsEmpty());
  }
}

}  // namespace
}  // namespace hipwright::port
