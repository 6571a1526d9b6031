// SPDX-License-Identifier: MIT
// What cannot be translated is said, at its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "port/ported.h"
#include "port/source/text_source.h"

namespace hipwright::port {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string said(const std::string& text, const std::string& name = "a.cu") {
  return port_files({{name, text}}, {.mode = Mode::kHip}).said();
}

std::string messages(const std::string& text, const std::string& name) {
  std::string all;
  for (const Diagnostic& each : port_files({{name, text}}, {.mode = Mode::kHip}).diagnostics)
    all += each.code + ": " + each.message + "\n";
  return all;
}

TEST(Hazards, AKernelThatStartsAKernelIsAnError) {
  const std::string text =
      "__global__ void child(int* p);\n"
      "__global__ void parent(int* p) {\n  child<<<1, 32>>>(p);\n}\n"
      "void host(int* p) { parent<<<1, 32>>>(p); }\n";
  const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kHip});
  EXPECT_EQ(port.said(), "HP214:3");
  EXPECT_EQ(port.diagnostics[0].severity, Severity::kError);
}

TEST(Hazards, CapabilitiesComparedOnTheHost) {
  EXPECT_EQ(said("void f(int d) {\n  cudaDeviceProp prop;\n  cudaGetDeviceProperties(&prop, d);\n"
                 "  if (prop.major >= 8 && prop.minor > 0) fast();\n"
                 "  printf(\"%d.%d\", prop.major, prop.minor);\n"
                 "  int sm = 10 * prop.major + prop.minor;\n}\n"),
            "HP104:4 HP104:6");
  // Somebody else's versions.
  EXPECT_EQ(said("bool f(Version v) { return v.major >= 8; }\n"), "");
}

TEST(Hazards, LoopsThatWaitForAnotherThread) {
  EXPECT_THAT(said("__global__ void k(int* lock) {\n  while (atomicCAS(lock, 0, 1) != 0);\n}\n"),
              HasSubstr("HP305:2"));
  EXPECT_THAT(said("__global__ void k(volatile int* flag) {\n  if (threadIdx.x == 0)\n"
                   "    while (flag[1] == 0) {\n    }\n}\n"),
              HasSubstr("HP305:3"));
  EXPECT_THAT(said("__device__ void f(int* l) {\n  do {\n  } while (atomicExch(l, 1) == 1);\n}\n"),
              HasSubstr("HP305:3"));
  // Work is done in it; nobody else changes what it reads; the host waits otherwise.
  EXPECT_THAT(said("__global__ void k(int* p, int n) {\n  while (n-- > 0) {}\n"
                   "  while (atomicCAS(p, 0, 1)) { work(p); }\n}\n"
                   "void host(volatile int* p) { while (*p == 0); }\n"),
              Not(HasSubstr("HP305")));
}

TEST(Hazards, FunctionsThatTheNumberForAmdEmpties) {
  const auto in_kernel = [](const std::string& condition, const std::string& otherwise) {
    return said("__global__ void k(int* p) {\n#if " + condition + "\n  p[0] = 1;\n#else\n  " +
                otherwise + "\n#endif\n}\n");
  };
  for (const std::string condition :
       {"__CUDA_ARCH__ >= 750", "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750",
        "!defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 800)",
        "!(defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800)"})
    for (const std::string otherwise :
         {"", "__trap();", "asm volatile(\"trap;\");", "assert(false);"})
      EXPECT_THAT(in_kernel(condition, otherwise), HasSubstr("HP218:2")) << condition << otherwise;
  EXPECT_THAT(
      said("__global__ void k(int* p) {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800\n"
           "  assert(false);\n#else\n  p[0] = 1;\n#endif\n}\n"),
      HasSubstr("HP218:2"));
  // Volta's number passes; another instruction does the work; the host's branch is the host's.
  EXPECT_THAT(in_kernel("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700", "__trap();"),
              Not(HasSubstr("HP218")));
  EXPECT_THAT(in_kernel("__CUDA_ARCH__ >= 800",
                        "asm volatile(\"st.relaxed.gpu.u32 [%0], %1;\" ::\"l\"(p), \"r\"(1));"),
              Not(HasSubstr("HP218")));
  EXPECT_THAT(in_kernel("!defined(__CUDA_ARCH__)", "p[0] = 2;"), Not(HasSubstr("HP218")));
}

TEST(Hazards, TheArchitectureNumberAsAValue) {
  EXPECT_EQ(
      said(
          "template <int N> __device__ void f(int* p) { if (N >= 800) *p = 1; }\n"
          "__global__ void k(int* p) {\n#ifdef __CUDA_ARCH__\n  f<__CUDA_ARCH__>(p);\n#endif\n}\n"),
      "HP210:4");
  EXPECT_THAT(said("#if __CUDA_ARCH__ >= 700\n#define FAST (__CUDA_ARCH__ >= 600)\n#endif\n"),
              Not(HasSubstr("HP210")));
}

TEST(Hazards, LoopsThatWaitForALaneOfTheirWave) {
  const auto in_kernel = [](const std::string& body) {
    return "__global__ void k(volatile int* flags, int* counter) {\n" + body + "}\n";
  };
  const std::vector<std::string> waiting = {
      // the thread before, of the same wave
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  while (flags[i - 1] == 0);\n",
      "  int i = blockIdx.x * 256 + threadIdx.x;\n  while (flags[i - 1] == 0);\n",
      "  int i = blockIdx.x * 32 + lane_id();\n  while (flags[i - 1] == 0);\n",
      // the warp before, perhaps the other half of the wave
      "  __shared__ volatile int done[8];\n  int w = threadIdx.x / 32 + 0 * blockIdx.x;\n"
      "  while (done[w - 1] == 0);\n",
      "  __shared__ volatile int done[8];\n  while (done[blockIdx.x % 8] == 0);\n",
      // loaded in the body
      "  int v;\n  do { v = flags[threadIdx.x - 1]; } while (v == 0);\n",
      "  int v;\n  do { v = atomicAdd(counter, 0); } while (v == 0);\n",
  };
  for (const std::string& body : waiting)
    EXPECT_THAT(said(in_kernel(body)), HasSubstr("HP305")) << body;
}

TEST(Hazards, LoopsThatWaitForOtherBlocksEnd) {
  const std::string head = "__global__ void k(volatile int* flags, int* counter, int* sums) {\n";
  const std::vector<std::string> fine = {
      "  while (flags[blockIdx.x - 1] == 0);\n",
      "  int tile = blockIdx.x;\n  if (threadIdx.x == 0)\n    while (atomicAdd(&sums[tile - 1], 0) "
      "== 0) {}\n",
      // a ticket instead of the block's number
      "  __shared__ int tile;\n  if (threadIdx.x == 0) tile = atomicAdd(counter, 1);\n"
      "  __syncthreads();\n  int at = tile - 1;\n  while (flags[at] == 0) __nanosleep(20);\n",
      // the lanes of a warp look at 32 predecessors together
      "  int tile = blockIdx.x, lane = threadIdx.x & 31, s;\n"
      "  do { s = flags[tile - 1 - lane]; } while (__any_sync(~0u, s == 0));\n",
      // all blocks of the grid
      "  if (threadIdx.x == 0) {\n    atomicAdd(counter, 1);\n"
      "    while (atomicAdd(counter, 0) < gridDim.x);\n  }\n",
      // nothing is waited for
      "  int old = *sums, seen;\n  do {\n    seen = old;\n"
      "    old = atomicCAS(sums, seen, seen + 1);\n  } while (seen != old);\n",
      "  int i = 0;\n  while (i < 9) i = atomicAdd(counter, 1);\n",
      "  int i = 0;\n  while (i != 9) i = flags[i];\n",
  };
  for (const std::string& body : fine)
    EXPECT_THAT(said(head + body + "}\n"), Not(HasSubstr("HP305"))) << body;
  // The number comes from the kernel that calls the function.
  EXPECT_THAT(said("__device__ int before(volatile int* flags, int tile) {\n"
                   "  while (flags[tile - 1] == 0);\n  return flags[tile - 1];\n}\n"
                   "__global__ void k(volatile int* flags, int* out) {\n"
                   "  *out = before(flags, blockIdx.x);\n}\n"),
              Not(HasSubstr("HP305")));
  // Caller and function may call it the same.
  EXPECT_THAT(said("__device__ void look_back(volatile int* flags, int tile) {\n"
                   "  int at = tile - 1 - (threadIdx.x & 31), s;\n"
                   "  do { s = at >= 0 ? flags[at] : 1; } while (__any_sync(~0u, s == 0));\n}\n"
                   "__global__ void k(volatile int* flags, int* counter) {\n"
                   "  __shared__ int tile;\n"
                   "  if (threadIdx.x == 0) tile = atomicAdd(counter, 1);\n"
                   "  __syncthreads();\n  look_back(flags, tile);\n}\n"),
              Not(HasSubstr("HP305")));
}

TEST(Hazards, SourceForNvrtcIsNamedWithWhatIsInIt) {
  const std::string text =
      "const char* plain = R\"(\nextern \"C\" __global__ void k(int* p) { *p = threadIdx.x; "
      "}\n)\";\n"
      "const char* warp =\n    \"#include <cuda_fp16.h>\\n\"\n"
      "    \"__global__ void k(int* p) {\\n\"\n"
      "    \"  *p = __shfl_down_sync(0xffffffff, *p, 1); asm(\\\"bar.sync 0;\\\"); }\\n\";\n"
      "const char* word = \"the qualifier __global__ marks kernels\";\n";
  EXPECT_EQ(said(text), "HP213:1 HP213:5");
  EXPECT_THAT(messages(text, "a.cpp"),
              HasSubstr("check renamed headers: cuda_fp16.h; 32-lane warps and their masks: "
                        "__shfl_down_sync; inline PTX"));
}

TEST(Hazards, StringsAreReadAsTheCompilerReadsThem) {
  EXPECT_EQ(string_content("\"a\\n\\\"b\\\"\""), "a\n\"b\"");
  EXPECT_EQ(string_content("u8R\"x(a\\n)\")x\""), "a\\n)\"");
  EXPECT_EQ(string_content("\""), "");
  EXPECT_EQ(string_content("R\"("), "");
}

TEST(Hazards, SourceInPythonStrings) {
  EXPECT_EQ(
      said("import cupy\nk = cupy.RawKernel(r'''\nextern \"C\" __global__ void k(int* p) { }\n"
           "''', 'k')\n",
           "a.py"),
      "HP213:2");
  EXPECT_EQ(said("\"\"\"How to write __global__ void k(int* p) { } here.\"\"\"\nx = 1\n", "a.py"),
            "");
  EXPECT_THAT(
      messages("from torch.utils.cpp_extension import load_inline\n"
               "m = load_inline('m', cpp_sources='', cuda_sources='__global__ void k(int* p)"
               " { *p = __ballot_sync(~0u, 1); }')\n",
               "a.py"),
      HasSubstr("__ballot_sync"));
}

TEST(Hazards, ModulesByTheirNameInAText) {
  EXPECT_EQ(said("import importlib\nf = importlib.import_module(\"flash_attn\")\n", "a.py"),
            "HP501:2");
  EXPECT_EQ(said("import importlib\ng = importlib.import_module(\"json\")\n", "a.py"), "");
  EXPECT_EQ(said("from numba import cuda\n\n@cuda.jit\ndef f(x):\n    pass\n", "a.py"), "HP512:1");
  EXPECT_EQ(said("from numba import njit\n", "a.py"), "");
  EXPECT_EQ(said("import pycuda.driver as d\n", "a.py"), "HP512:1");
}

TEST(Hazards, CommandsOfNvidia) {
  EXPECT_EQ(said("import subprocess\nsubprocess.check_output([\"nvidia-smi\", \"-L\"])\n"
                 "print(\"run nvidia-smi to see\")\n",
                 "a.py"),
            "HP511:2");
  EXPECT_EQ(said("import os\nos.system('nvidia-smi --query-gpu=memory.free')\n", "a.py"),
            "HP511:2");
  EXPECT_EQ(said("void f() { popen(\"nvidia-smi -L\", \"r\"); }\n", "a.cpp"), "HP511:1");
}

TEST(Hazards, NamesThatMacrosMake) {
  EXPECT_EQ(said("#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n"
                 "void f(void** p) { CAT(cuda, Malloc)(p, 4); CAT(my, Malloc)(p, 4); }\n"),
            "HP205:3");
  EXPECT_EQ(said("#define SHFL(x) __shfl_##x##_sync\n"
                 "__device__ int f(int x) { return SHFL(down)(~0u, x, 1); }\n"),
            "HP205:1");
  EXPECT_EQ(said("#define DOWN __shfl_down##_sync\n"), "HP205:1");
  // In another file.
  EXPECT_EQ(port_files({{"cat.h", "#define CAT(a, b) a##b\n"},
                        {"a.cu", "#include \"cat.h\"\nint x = CAT(cuda, Free)(0);\n"}},
                       {.mode = Mode::kHip})
                .said(),
            "HP205:2");
}

TEST(Hazards, CapabilitiesInPythonAreSuppressedOnlyWhereRocmIsAsked) {
  const std::string other = "import torch\nHIP = torch.version.hip\n";
  EXPECT_EQ(said(other + "FAST = torch.cuda.get_device_capability() >= (9, 0)\n", "a.py"),
            "HP104:3");
  EXPECT_EQ(said(other + "FAST = torch.version.hip is None and "
                         "torch.cuda.get_device_capability() >= (9, 0)\n",
                 "a.py"),
            "");
}

}  // namespace
}  // namespace hipwright::port
