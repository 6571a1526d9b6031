// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "base/file.h"
#include "paths.h"
#include "port/ported.h"

namespace hipwright::port {
namespace {

TestPort native(const std::map<std::string, std::string>& files) {
  return port_files(files, {.mode = Mode::kHip, .warp = Warp::kNative});
}

// The reason for half a wave; empty: the whole.
std::string why_half(const TestPort& port) {
  for (const Diagnostic& each : port.diagnostics)
    if (each.code == "HP302") return each.message.substr(each.message.find(": ") + 2);
  return {};
}
std::string why_half(const std::string& device, const std::string& launch = "k<<<1, 256>>>(p);") {
  return why_half(native({{"a.cu", device + "void f(float* p) { " + launch + " }\n"}}));
}

const std::string kSum =
    "__device__ float sum(float v) {\n"
    "  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);\n"
    "  return v;\n"
    "}\n";

TEST(Wave, ReductionsOfABlockGoOverWholeWaves) {
  const TestPort port =
      native({{"a.cu",
               "#define FULL 0xffffffffu\n"
               "__device__ float warp_sum(float v) {\n"
               "  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(FULL, v, o);\n"
               "  return v;\n"
               "}\n"
               "__global__ void k(float* p) {\n"
               "  __shared__ float part[32];\n"
               "  int lane = threadIdx.x % 32, warp = threadIdx.x >> 5;\n"
               "  float v = warp_sum(p[threadIdx.x]);\n"
               "  if (lane == 0) part[warp] = v;\n"
               "  __syncthreads();\n"
               "  v = threadIdx.x < blockDim.x / 32 ? part[lane] : 0;\n"
               "  if (warp == 0) v = warp_sum(v);\n"
               "  if (threadIdx.x == 0) p[0] = v;\n"
               "}\n"
               "void f(float* p) { k<<<1, 256>>>(p); }\n"}});
  EXPECT_EQ(why_half(port), "");
  EXPECT_EQ(port.files.at("a.cu"),
            "#include \"hip_compat.h\"\n"
            "#define FULL 0xffffffffu\n"
            "__device__ float warp_sum(float v) {\n"
            "  for (int o = HIP_COMPAT_WAVE_SIZE / 2; o > 0; o /= 2) v += __shfl_down_sync(~0ull, "
            "v, o);\n"
            "  return v;\n"
            "}\n"
            "__global__ void k(float* p) {\n"
            "  __shared__ float part[32];\n"
            "  int lane = threadIdx.x % HIP_COMPAT_WAVE_SIZE, warp = threadIdx.x / "
            "HIP_COMPAT_WAVE_SIZE;\n"
            "  float v = warp_sum(p[threadIdx.x]);\n"
            "  if (lane == 0) part[warp] = v;\n"
            "  __syncthreads();\n"
            "  v = threadIdx.x < blockDim.x / HIP_COMPAT_WAVE_SIZE ? part[lane] : 0;\n"
            "  if (warp == 0) v = warp_sum(v);\n"
            "  if (threadIdx.x == 0) p[0] = v;\n"
            "}\n"
            "void f(float* p) { k<<<1, 256>>>(p); }\n");
}

TEST(Wave, StepsThatAreWrittenOutGetOneMore) {
  const TestPort port = native({{"a.cu",
                                 "__device__ float sum(float v) {\n"
                                 "  v += __shfl_xor_sync(~0u, v, 16);\n"
                                 "  v += __shfl_xor_sync(~0u, v, 8);\n"
                                 "  v += __shfl_xor_sync(~0u, v, 4);\n"
                                 "  v += __shfl_xor_sync(~0u, v, 2);\n"
                                 "  v += __shfl_xor_sync(~0u, v, 1);\n"
                                 "  return v;\n"
                                 "}\n"
                                 "__global__ void k(float* p) {\n"
                                 "  float v = sum(p[threadIdx.x]);\n"
                                 "  if (threadIdx.x % 32 == 0) atomicAdd(p, v);\n"
                                 "}\n"
                                 "void f(float* p) { k<<<1, 64>>>(p); }\n"}});
  EXPECT_EQ(why_half(port), "");
  EXPECT_NE(port.files.at("a.cu").find(
                "  if (HIP_COMPAT_WAVE_SIZE > 32) v += __shfl_xor_sync(~0ull, v, 32);\n"
                "v += __shfl_xor_sync(~0ull, v, 16);\n"
                "  v += __shfl_xor_sync(~0ull, v, 8);\n"),
            std::string::npos)
      << port.files.at("a.cu");
}

TEST(Wave, LoopsInKernelsAreReductionsToo) {
  const TestPort port =
      native({{"a.cu",
               "__global__ void k(float* p) {\n"
               "  float v = p[threadIdx.x];\n"
               "  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);\n"
               "  if (threadIdx.x % 32 == 0) atomicAdd(p, v);\n"
               "}\n"
               "void f(float* p) { k<<<1, 64>>>(p); }\n"}});
  EXPECT_EQ(why_half(port), "");
}

TEST(Wave, MasksOfBallotsGet64Bits) {
  const TestPort port = native({{"a.cu",
                                 "constexpr int kWarpSize = 32;\n"
                                 "__global__ void k(int* p) {\n"
                                 "  int lane = threadIdx.x % kWarpSize;\n"
                                 "  unsigned m = __ballot_sync(0xffffffff, p[threadIdx.x] > 0);\n"
                                 "  if (lane == 0) atomicAdd(p, __popc(m));\n"
                                 "}\n"
                                 "void f(int* p) { k<<<1, 128>>>(p); }\n"}});
  EXPECT_EQ(why_half(port), "");
  const std::string& text = port.files.at("a.cu");
  EXPECT_NE(text.find("constexpr int kWarpSize = HIP_COMPAT_WAVE_SIZE;\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  unsigned long long m = __ballot_sync(~0ull, p[threadIdx.x] > 0);\n"
                      "  if (lane == 0) atomicAdd(p, __popcll(m));\n"),
            std::string::npos)
      << text;
}

std::string kernel(const std::string& body) {
  return kSum +
         "__global__ void k(float* p) { int lane = threadIdx.x & 31, warp = threadIdx.x / 32; " +
         body + " }\n";
}
const std::string kAdd = "float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(p, v);";

TEST(Wave, WhatIsNotUnderstoodKeepsHalves) {
  EXPECT_EQ(why_half(kernel(kAdd)), "");
  EXPECT_EQ(why_half(kernel(kAdd), "k<<<1, 32>>>(p);"),
            "a block of 32 threads is not a multiple of 64");
  EXPECT_EQ(why_half(kernel(kAdd), "k<<<1, n>>>(p);"),
            "the block size may not be a multiple of 64");
  EXPECT_EQ(why_half(kernel(kAdd), ""), "k is launched elsewhere with unknown block sizes");
  EXPECT_EQ(why_half(kernel(kAdd), "k<<<n / 32, 256>>>(p);"),
            "32 in host code may be the warp size");
}

TEST(Wave, FunctionsThatCombineABlockAreKnown) {
  const std::string helper = kSum +
                             "__device__ float block_sum(float v) {\n"
                             "  static __shared__ float s[32];\n"
                             "  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
                             "  v = sum(v);\n"
                             "  if (lane == 0) s[warp] = v;\n"
                             "  __syncthreads();\n"
                             "  v = (threadIdx.x < blockDim.x / 32) ? s[lane] : 0;\n"
                             "  if (warp == 0) v = sum(v);\n"
                             "  return v;\n"
                             "}\n";
  EXPECT_EQ(why_half(helper + "__global__ void k(float* p) { float t = block_sum(p[threadIdx.x]); "
                              "if (threadIdx.x == 0) p[blockIdx.x] = t; }\n"),
            "");
  EXPECT_EQ(
      why_half(helper +
               "__global__ void k(float* p) { p[threadIdx.x] = block_sum(p[threadIdx.x]); }\n"),
      "block_sum in an unsupported statement");
}

TEST(Wave, FilesThatShareAHeaderAreDecidedOnTogether) {
  const std::string header = "#pragma once\n" + kSum;
  const std::string user =
      "#include \"sum.h\"\n__global__ void k(float* p) { float v = sum(p[threadIdx.x]); if "
      "((threadIdx.x & 31) == 0) atomicAdd(p, v); }\n";
  const TestPort both =
      native({{"sum.h", header},
              {"a.cu", user + "void f(float* p) { k<<<1, 64>>>(p); }\n"},
              {"b.cu",
               "#include \"sum.h\"\n__global__ void l(float* p) { float v = sum(p[threadIdx.x]); "
               "if ((threadIdx.x & 31) == 0) atomicAdd(p, v); }\n"
               "void g(float* p) { l<<<1, 96>>>(p); }\n"}});
  EXPECT_NE(both.files.at("sum.h").find("warp32::shfl_xor_sync"), std::string::npos);
  EXPECT_NE(why_half(both).find("a block of 96 threads"), std::string::npos) << why_half(both);
  const TestPort one =
      native({{"sum.h", header}, {"a.cu", user + "void f(float* p) { k<<<1, 64>>>(p); }\n"}});
  EXPECT_NE(one.files.at("sum.h").find("o = HIP_COMPAT_WAVE_SIZE / 2"), std::string::npos);
}

TEST(Wave, OfTheProgramThatIsRunEverythingIsUnderstood) {
  std::map<std::string, std::string> files;
  for (const char* name : {"warp.cuh", "wave.cu"}) {
    const auto text = read_file(tests_folder() / "fixtures/port/wave" / name);
    ASSERT_TRUE(text);
    files[name] = *text;
  }
  EXPECT_EQ(why_half(native(files)), "");
}

TEST(Wave, PortingAgainChangesNothing) {
  const std::string once =
      native({{"a.cu", kSum + "__global__ void k(float* p) { float v = sum(p[threadIdx.x]); if "
                              "((threadIdx.x & 31) == 0) atomicAdd(p, v); }\n"
                              "void f(float* p) { k<<<1, 64>>>(p); }\n"}})
          .files.at("a.cu");
  EXPECT_NE(once.find("HIP_COMPAT_WAVE_SIZE"), std::string::npos);
  EXPECT_EQ(native({{"a.cu", once}, {"hip_compat.h", ""}}).files.at("a.cu"), once);
}

}  // namespace
}  // namespace hipwright::port
