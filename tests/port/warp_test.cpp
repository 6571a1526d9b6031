// SPDX-License-Identifier: MIT
// Warps that stay 32 lanes: everything that says how many there are says 32.
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

std::string half(const std::string& text) {
  const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kHip});
  std::string ported = port.files.at("a.cu");
  // What it includes is another test's affair.
  while (ported.starts_with("#include")) ported.erase(0, ported.find('\n') + 1);
  return ported;
}
bool is_told(const std::string& text) {
  const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kHip});
  for (const Diagnostic& each : port.diagnostics)
    if (each.code == "HP304") return true;
  return false;
}

TEST(WarpOf32, IsTheDefault) {
  EXPECT_EQ(half("__device__ int f(int v) { return __shfl_sync(0xffffffff, v, 0); }\n"),
            "__device__ int f(int v) { return warp32::shfl_sync(0xffffffff, v, 0); }\n");
}

// The type of a literal says nothing about the program: 0xffffffffUL has 64 bits.
TEST(WarpOf32, WideLiteralsAreMasksOf32Lanes) {
  EXPECT_EQ(half("__device__ int f(int v) { return __shfl_sync(0xffffffffUL, v, 0); }\n"),
            "__device__ int f(int v) { return warp32::shfl_sync(0xffffffffUL, v, 0); }\n");
  EXPECT_EQ(half("__device__ int f(int v) { return __any_sync(~0ull, v); }\n"),
            "__device__ int f(int v) { return warp32::any_sync(~0ull, v); }\n");
}

TEST(WarpOf32, BuiltinSizeIs32WhereverItStands) {
  EXPECT_EQ(half("__device__ int f() { return threadIdx.x % warpSize; }\n"),
            "__device__ int f() { return threadIdx.x % warp32::size; }\n");
  EXPECT_EQ(half("#define WS warpSize\n#define LANE(t) ((t) & (warpSize - 1))\n"),
            "#define WS warp32::size\n#define LANE(t) ((t) & (warp32::size - 1))\n");
  EXPECT_EQ(half("__device__ int f(int v, int width = warpSize) { return v; }\n"),
            "__device__ int f(int v, int width = warp32::size) { return v; }\n");
}

TEST(WarpOf32, OwnVariablesOfThatNameStay) {
  const std::string own[] = {
      "int f() { int warpSize = 32; return warpSize; }\n",
      "int f(int warpSize) { return warpSize * 2; }\n",
      "constexpr int warpSize = 32;\n__device__ int f() { return warpSize; }\n",
      "struct Config { int warpSize; };\nint f(Config c) { return c.warpSize; }\n"};
  for (const std::string& each : own) EXPECT_EQ(half(each), each);
  // A member of something else does not hide the builtin.
  EXPECT_EQ(half("struct Config { int warpSize; };\n__device__ int f() { return warpSize; }\n"),
            "struct Config { int warpSize; };\n__device__ int f() { return warp32::size; }\n");
}

TEST(WarpOf32, PropertiesOfTheDeviceSay32) {
  EXPECT_EQ(half("int f() { cudaDeviceProp p; return p.warpSize; }\n"),
            "int f() { hipDeviceProp_t p; return 32; }\n");
  EXPECT_EQ(half("struct C { int warpSize; };\nint f(C c) { cudaDeviceProp p; return p.warpSize + "
                 "c.warpSize; }\n"),
            "struct C { int warpSize; };\nint f(C c) { hipDeviceProp_t p; return 32 + "
            "c.warpSize; }\n");
  EXPECT_EQ(half("void f(int* w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n"),
            "void f(int* w) { (*(w) = 32, hipSuccess); }\n");
  EXPECT_TRUE(is_told("int all[] = {cudaDevAttrWarpSize};\n"));
}

TEST(WarpOf32, CubsWarpsHave32Lanes) {
  EXPECT_EQ(half("using R = cub::WarpReduce<float>;\n"),
            "using R = hipcub::WarpReduce<float, 32>;\n");
  EXPECT_EQ(half("using R = cub::WarpReduce<float, 16>;\n"),
            "using R = hipcub::WarpReduce<float, 16>;\n");
  EXPECT_EQ(half("using R = cub::WarpScan<std::pair<int, int>>;\n"),
            "using R = hipcub::WarpScan<std::pair<int, int>, 32>;\n");
  EXPECT_EQ(half("cub::WarpExchange<int, 4> x;\n"), "hipcub::WarpExchange<int, 4, 32> x;\n");
  EXPECT_EQ(half("cub::WarpLoad<int, 4> x;\n"),
            "hipcub::WarpLoad<int, 4, hipcub::WARP_LOAD_DIRECT, 32> x;\n");
  EXPECT_EQ(half("cub::BlockReduce<int, 128> x;\n"), "hipcub::BlockReduce<int, 128> x;\n");
  EXPECT_EQ(half("__device__ int f() { return cub::LaneId() + CUB_PTX_WARP_THREADS; }\n"),
            "__device__ int f() { return warp32::lane() + 32; }\n");
  EXPECT_EQ(half("template <class T> struct WarpReduce {};\nWarpReduce<int> mine;\n"),
            "template <class T> struct WarpReduce {};\nWarpReduce<int> mine;\n");
}

TEST(WarpOf32, ThreadsThatAreTogetherAreThoseOfAWarp) {
  EXPECT_EQ(half("namespace cg = cooperative_groups;\n"
                 "__device__ int f() { return cg::coalesced_threads().size(); }\n"),
            "namespace cg = cooperative_groups;\n"
            "__device__ int f() { return warp32::coalesced_threads().size(); }\n");
}

TEST(WarpOf32, QualifiedNamesOfOthersStay) {
  EXPECT_EQ(half("__device__ int f(int v) { return ::__shfl_sync(~0u, v, 0) + lib::__any(v); }\n"),
            "__device__ int f(int v) { return ::warp32::shfl_sync(~0u, v, 0) + lib::__any(v); }\n");
}

TEST(WarpOf32, PortingAgainChangesNothing) {
  const std::string once =
      port_files({{"a.cu",
                   "#include <cub/cub.cuh>\n#define LANE (threadIdx.x % warpSize)\n"
                   "__device__ int f(int v) { cg::coalesced_threads(); cub::WarpReduce<int> w; "
                   "return __shfl_sync(~0u, v, LANE); }\n"
                   "void g(int* w) { cudaDeviceGetAttribute(w, cudaDevAttrWarpSize, 0); }\n"}},
                 {.mode = Mode::kHip})
          .files.at("a.cu");
  EXPECT_EQ(
      port_files({{"a.cu", once}, {"hip_compat.h", ""}}, {.mode = Mode::kHip}).files.at("a.cu"),
      once);
}

}  // namespace
}  // namespace hipwright::port
