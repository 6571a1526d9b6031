// SPDX-License-Identifier: MIT
// Programs whose results would change if their warps had 64 lanes: all of them must keep 32.
#include <gtest/gtest.h>

#include "port/ported.h"

namespace hipwright::port {
namespace {

struct Case {
  const char* name;
  std::string text;
};
void PrintTo(const Case& each, std::ostream* out) {
  *out << each.name;
}

const std::string kSum =
    "__device__ float sum(float v) {\n"
    "  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);\n"
    "  return v;\n"
    "}\n";
const std::string kLaunch = "void f(float* p, int* q) { k<<<1, 256>>>(p, q); }\n";
const std::string kAdd = "float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(p, v); ";

std::string kernel(const std::string& body) {
  return kSum +
         "__global__ void k(float* p, int* q) {\n  int lane = threadIdx.x & 31, warp = threadIdx.x "
         "/ 32;\n  " +
         body + "\n}\n" + kLaunch;
}
std::string with(const std::string& before, const std::string& text) {
  return before + text;
}
std::string launched(const std::string& host) {
  std::string text = kernel(kAdd);
  return text.substr(0, text.size() - kLaunch.size()) + host;
}

class WaveKeeps32 : public ::testing::TestWithParam<Case> {};

TEST_P(WaveKeeps32, Lanes) {
  const TestPort port =
      port_files({{"a.cu", GetParam().text}}, {.mode = Mode::kHip, .warp = Warp::kNative});
  const std::string& text = port.files.at("a.cu");
  EXPECT_EQ(text.find("HIP_COMPAT_WAVE_SIZE"), std::string::npos) << text;
  EXPECT_EQ(text.find("~0ull"), std::string::npos) << text;
  bool is_told = false;
  for (const Diagnostic& each : port.diagnostics) is_told |= each.code == "HP302";
  EXPECT_TRUE(is_told) << text;
}

TEST(WaveSafety, TheProgramsAroundWouldGoOverWholeWaves) {
  for (const std::string& text :
       {kernel(kAdd), launched("void f(float* p, int* q) { k<<<9, 128>>>(p, q); }\n")}) {
    const TestPort port = port_files({{"a.cu", text}}, {.mode = Mode::kHip, .warp = Warp::kNative});
    EXPECT_NE(port.files.at("a.cu").find("HIP_COMPAT_WAVE_SIZE"), std::string::npos);
  }
}

const Case kBlocks[] = {
    {"of_32", launched("void f(float* p, int* q) { k<<<1, 32>>>(p, q); }\n")},
    {"of_96", launched("void f(float* p, int* q) { k<<<1, 96>>>(p, q); }\n")},
    {"of_0", launched("void f(float* p, int* q) { k<<<1, 0>>>(p, q); }\n")},
    {"unknown", launched("void f(float* p, int* q, int n) { k<<<1, n>>>(p, q); }\n")},
    {"variable",
     launched("void f(float* p, int* q) { int n = 64; n -= 33; k<<<1, n>>>(p, q); }\n")},
    {"two_dimensions", launched("void f(float* p, int* q) { k<<<1, dim3(64, 4)>>>(p, q); }\n")},
    {"two_dimensions_named",
     launched("void f(float* p, int* q) { dim3 b(8, 8); k<<<1, b>>>(p, q); }\n")},
    {"changed",
     launched("void f(float* p, int* q) { dim3 b(64); b.x = 48; k<<<1, b>>>(p, q); }\n")},
    {"passed_on",
     launched(
         "void g(dim3&); void f(float* p, int* q) { dim3 b(64); g(b); k<<<1, b>>>(p, q); }\n")},
    {"conditional",
     launched("#ifdef BIG\n#define N 64\n#else\n#define N 48\n#endif\nvoid f(float* p, int* q) { "
              "k<<<1, N>>>(p, q); }\n")},
    {"overridable",
     launched(
         "#ifndef N\n#define N 64\n#endif\nvoid f(float* p, int* q) { k<<<1, N>>>(p, q); }\n")},
    {"overridable_behind_a_constant",
     launched(
         "#ifndef N\n#define N 64\n#endif\nconst int n = N;\nvoid f(float* p, int* q) { k<<<1, "
         "n>>>(p, q); }\n")},
    {"none", launched("")},
    {"by_pointer",
     launched(kLaunch + "void g(void** a) { cudaLaunchKernel((void*)k, 1, 64, a); }\n")},
    {"one_of_two", launched(kLaunch + "void g(float* p, int* q) { k<<<1, 32>>>(p, q); }\n")},
    {"in_a_macro", launched(kLaunch + "#define GO(p, q) k<<<1, 64>>>(p, q)\n")},
    {"warp_per_row",
     launched("void f(float* p, int* q, int n) { k<<<(n * 32 + 255) / 256, 256>>>(p, q); }\n")},
};
INSTANTIATE_TEST_SUITE_P(Blocks, WaveKeeps32, ::testing::ValuesIn(kBlocks));

const Case kResults[] = {
    {"stored", kernel("p[threadIdx.x] = sum(p[threadIdx.x]);")},
    {"stored_by_warps", kernel("float v = sum(p[threadIdx.x]); if (lane == 0) p[warp] = v;")},
    {"of_the_first_warp", kernel("float v = sum(p[threadIdx.x]); if (threadIdx.x == 0) p[0] = v;")},
    {"squared", kernel("float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(p, v * v);")},
    {"squared_before",
     kernel("float v = sum(p[threadIdx.x]); v = v * v; if (lane == 0) atomicAdd(p, v);")},
    {"largest_sum", kernel("float v = sum(p[threadIdx.x]); if (lane == 0) atomicMax(p, v);")},
    {"added_by_all", kernel("float v = sum(p[threadIdx.x]); atomicAdd(p, v);")},
    {"added_by_two", kernel("float v = sum(p[threadIdx.x]); if (lane < 2) atomicAdd(p, v);")},
    {"added_by_half", kernel("float v = sum(p[threadIdx.x]); if (lane < 16) atomicAdd(p, v);")},
    {"added_elsewhere",
     kernel("float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(&p[warp], v);")},
    {"added_by_thread",
     kernel("float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(&p[threadIdx.x], v);")},
    {"added_to_a_moved_pointer",
     kernel("p += threadIdx.x; float v = sum(p[0]); if (lane == 0) atomicAdd(p, v);")},
    {"old_value", kernel("float v = sum(p[threadIdx.x]); if (lane == 0) q[0] = atomicAdd(p, v);")},
    {"truncated", kernel("int v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(q, v);")},
    {"truncated_when_added",
     kernel("float v = sum(p[threadIdx.x]); if (lane == 0) atomicAdd(q, v);")},
    {"decides", kernel("if (sum(p[threadIdx.x]) > 1) q[0] = 1;")},
    {"counted", kernel(kAdd + "if (lane == 0) atomicAdd(q, 1);")},
    {"aliased", kernel("float v = 0; float& w = v; w = sum(p[threadIdx.x]); p[threadIdx.x] = v;")},
    {"by_reference",
     "__device__ void sum(float& v) {\n  for (int o = 16; o > 0; o >>= 1) v += "
     "__shfl_xor_sync(~0u, v, o);\n}\n__global__ void k(float* p, int*) { float v = "
     "p[threadIdx.x]; sum(v); p[threadIdx.x] = v; }\n" +
         kLaunch},
    {"by_pointer",
     "__device__ void sum(float v, float* out) {\n  for (int o = 16; o > 0; o >>= 1) v += "
     "__shfl_xor_sync(~0u, v, o);\n  *out = v;\n}\n__global__ void k(float* p, int*) { float v; "
     "sum(p[threadIdx.x], &v); p[threadIdx.x] = v; }\n" +
         kLaunch},
    {"twice", kernel("float v = sum(sum(p[threadIdx.x])); if (lane == 0) atomicAdd(p, v);")},
    {"twice_in_steps",
     kernel("float v = sum(p[threadIdx.x]); v = sum(v); if (lane == 0) atomicAdd(p, v);")},
    {"in_a_loop", kernel("float v; for (int i = 0; i < 4; ++i) { v = sum(p[i]); } if (lane == 0) "
                         "atomicAdd(p, v);")},
    {"average", kernel("float v = sum(p[threadIdx.x]) / 32; if (lane == 0) atomicAdd(p, v);")},
    {"captured",
     kernel("float v = sum(p[threadIdx.x]); auto g = [&] { p[threadIdx.x] = v; }; g();")},
};
INSTANTIATE_TEST_SUITE_P(Results, WaveKeeps32, ::testing::ValuesIn(kResults));

const std::string kStore =
    "__shared__ float s[32]; float v = sum(p[threadIdx.x]); if (lane == 0) s[warp] = v; "
    "__syncthreads(); ";
const Case kSlots[] = {
    {"read_by_all_lanes",
     kernel(kStore + "if (warp == 0) { v = s[lane]; v = sum(v); if (lane == 0) p[0] = v; }")},
    {"read_by_eight",
     kernel(
         kStore +
         "v = lane < 8 ? s[lane] : 0; if (warp == 0) v = sum(v); if (threadIdx.x == 0) p[0] = v;")},
    {"summed_by_one_thread",
     kernel(kStore + "if (threadIdx.x == 0) for (int i = 0; i < 8; ++i) p[0] += s[i];")},
    {"filled_with_one", kernel(kStore + "v = lane < blockDim.x / 32 ? s[lane] : 1; if (warp == 0) "
                                        "v = sum(v); if (threadIdx.x == 0) p[0] = v;")},
    {"seen_by_all", kernel(kStore + "v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) v = "
                                    "sum(v); p[threadIdx.x] = v;")},
    {"one_warps_only", kernel(kStore + "if (threadIdx.x == 0) p[0] = s[1];")},
    {"before_they_are_combined", kernel("float w = sum(p[threadIdx.x]); " + kStore +
                                        "v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) "
                                        "v = sum(v); if (threadIdx.x == 0) p[0] = w;")},
    {"of_another_type",
     kernel("__shared__ int s[32]; float v = sum(p[threadIdx.x]); if (lane == 0) s[warp] = v; "
            "__syncthreads(); v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) v = sum(v); "
            "if (threadIdx.x == 0) p[0] = v;")},
    {"first_warp_does_more",
     kernel(kStore + "v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) { v = sum(v); "
                     "q[threadIdx.x] = 1; } if (threadIdx.x == 0) p[0] = v;")},
    {"prefix", kernel(kStore + "for (int i = 0; i < warp; ++i) v += s[i]; p[threadIdx.x] = v;")},
    {"two_dimensions",
     kernel("__shared__ float s[8][32]; s[warp][lane] = p[threadIdx.x]; " + kAdd)},
    {"largest_of_negatives",
     "__device__ float most(float v) {\n  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, "
     "__shfl_xor_sync(~0u, v, o));\n  return v;\n}\n"
     "__global__ void k(float* p, int*) { __shared__ float s[32]; int lane = threadIdx.x & 31, "
     "warp = "
     "threadIdx.x / 32; float v = most(p[threadIdx.x]); if (lane == 0) s[warp] = v; "
     "__syncthreads(); v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) v = most(v); if "
     "(threadIdx.x == 0) p[0] = v; }\n"
     "void f(float* p, int* q) { k<<<1, 1024>>>(p, q); }\n"},
    {"sum_of_maxima",
     kSum +
         "__device__ float most(float v) {\n  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, "
         "__shfl_xor_sync(~0u, v, o));\n  return v;\n}\n"
         "__global__ void k(float* p, int*) { __shared__ float s[32]; int lane = threadIdx.x & 31, "
         "warp = threadIdx.x / 32; float v = most(p[threadIdx.x]); if (lane == 0) s[warp] = v; "
         "__syncthreads(); v = lane < blockDim.x / 32 ? s[lane] : 0; if (warp == 0) v = sum(v); if "
         "(threadIdx.x == 0) p[0] = v; }\n" +
         kLaunch},
};
INSTANTIATE_TEST_SUITE_P(Slots, WaveKeeps32, ::testing::ValuesIn(kSlots));

const Case kWords[] = {
    {"lane_in_the_value", kernel("float v = sum(p[lane]); if (lane == 0) atomicAdd(p, v);")},
    {"warp_in_the_value", kernel("float v = sum(p[warp]); if (lane == 0) atomicAdd(p, v);")},
    {"lane_as_an_index", kernel("q[lane] = 1; " + kAdd)},
    {"warp_as_an_index", kernel("q[warp] = 1; " + kAdd)},
    {"lane_is_a_column", kernel("for (int i = lane; i < 100; i += 32) q[i] = 1; " + kAdd)},
    {"upper_half", kernel("float v = sum(p[threadIdx.x]); if (lane == 16) atomicAdd(p, v);")},
    {"last_lane", kernel("float v = sum(p[threadIdx.x]); if (lane == 31) atomicAdd(p, v);")},
    {"leader_changes",
     kernel("int t = threadIdx.x; t += 1; float v = sum(p[t]); if (t % 32 == 0) atomicAdd(p, v);")},
    {"leader_is_incremented",
     kernel("int t = threadIdx.x; ++t; float v = sum(p[t]); if (t % 32 == 0) atomicAdd(p, v);")},
    {"leader_is_decremented",
     kernel("int t = threadIdx.x; t--; float v = sum(p[t]); if (t % 32 == 0) atomicAdd(p, v);")},
    {"leader_is_declared_twice",
     kernel("int t = q[0]; { int t = threadIdx.x; p[t] += 1; } float v = sum(p[threadIdx.x]); if "
            "(t % 32 == 0) atomicAdd(p, v);")},
    {"leader_is_handed_over", with("__device__ void move(int& t) { t += 1; }\n",
                                   kernel("int t = threadIdx.x; move(t); float v = sum(p[t]); if "
                                          "(t % 32 == 0) atomicAdd(p, v);"))},
    {"leader_is_another", kernel("float v = sum(p[threadIdx.x]); if ((threadIdx.x * blockDim.x) % "
                                 "32 == 0) atomicAdd(p, v);")},
    {"early_exit", kernel("if (threadIdx.x >= 100) return; " + kAdd)},
    {"early_exit_in_a_macro",
     with("#define LEAVE(c) if (c) return\n", kernel("LEAVE(threadIdx.x >= 100); " + kAdd))},
    {"early_exit_in_a_strange_macro", kernel("LEAVE_IF(threadIdx.x >= 100); " + kAdd)},
    {"some_lanes", kernel("if (p[threadIdx.x] > 0) { " + kAdd + " }")},
    {"other_branch", kernel("if (threadIdx.x == 0) { q[0] = 1; } else { " + kAdd + " }")},
    {"partial_mask",
     kernel("float v = p[threadIdx.x]; if (lane < 16) for (int o = 8; o > 0; o /= 2) v += "
            "__shfl_down_sync(0xffff, v, o); if (lane == 0) atomicAdd(p, v);")},
    {"width_16", kernel("float v = p[threadIdx.x]; for (int o = 8; o > 0; o /= 2) v += "
                        "__shfl_xor_sync(~0u, v, o, 16); if (lane == 0) atomicAdd(p, v);")},
    {"width_given",
     "template <int W> __device__ float part(float v) { for (int o = W / 2; o > 0; o /= 2) v += "
     "__shfl_xor_sync(~0u, v, o, W); return v; }\n__global__ void k(float* p, int*) { float v = "
     "part<32>(p[threadIdx.x]); if (threadIdx.x % 32 == 0) atomicAdd(p, v); }\n" +
         kLaunch},
    {"half_of_a_reduction", kernel("float v = p[threadIdx.x]; for (int o = 8; o > 0; o /= 2) v += "
                                   "__shfl_xor_sync(~0u, v, o); if (lane == 0) atomicAdd(p, v);")},
    {"weighted", kernel("float v = p[threadIdx.x]; for (int o = 16; o > 0; o /= 2) v = 2 * v + "
                        "__shfl_xor_sync(~0u, v, o); if (lane == 0) atomicAdd(p, v);")},
    {"difference", kernel("float v = p[threadIdx.x]; for (int o = 16; o > 0; o /= 2) v -= "
                          "__shfl_xor_sync(~0u, v, o); if (lane == 0) atomicAdd(p, v);")},
    {"broadcast", kernel("float v = __shfl_sync(~0u, p[threadIdx.x], 0); p[threadIdx.x] = v;")},
    {"scan", kernel("float v = p[threadIdx.x]; for (int o = 1; o < 32; o *= 2) { float w = "
                    "__shfl_up_sync(~0u, v, o); if (lane >= o) v += w; } p[threadIdx.x] = v;")},
    {"ballot_stored",
     kernel("unsigned m = __ballot_sync(~0u, p[threadIdx.x] > 0); if (lane == 0) q[warp] = m;")},
    {"ballot_in_a_struct",
     with("struct M { unsigned m; };\n", kernel("M m = {__ballot_sync(~0u, p[threadIdx.x] > 0)}; "
                                                "if (lane == 0) atomicAdd(q, __popc(m.m));"))},
    {"ballot_passed", with("__device__ int rank(unsigned m) { return __popc(m); }\n",
                           kernel("unsigned m = __ballot_sync(~0u, p[threadIdx.x] > 0); if (lane "
                                  "== 0) atomicAdd(q, rank(m));"))},
    {"rank_of_a_lane", kernel("unsigned m = __ballot_sync(~0u, p[threadIdx.x] > 0); q[threadIdx.x] "
                              "= __popc(m & ((1u << lane) - 1));")},
    {"match", kernel("q[threadIdx.x] = __match_any_sync(~0u, q[threadIdx.x]);")},
    {"activemask", kernel("unsigned m = __activemask(); if (lane == 0) atomicAdd(q, __popc(m));")},
    {"activemask_loop",
     kernel("bool done = false; while (!done) { unsigned m = __activemask(); int l = __ffs(m) - 1; "
            "if (lane == l) { atomicAdd(q, 1); done = true; } }")},
    {"any", kernel("if (__any_sync(~0u, p[threadIdx.x] > 0)) q[threadIdx.x] = 1;")},
    {"reduce_sync",
     kernel("int v = __reduce_add_sync(~0u, q[threadIdx.x]); if (lane == 0) atomicAdd(q, v);")},
    {"warp_size_elsewhere",
     with("#define WARP_SIZE 32\n", kernel("p[threadIdx.x * WARP_SIZE] = 1; " + kAdd))},
    {"warp_size_of_a_tile", with("#define WARP_SIZE 32\n__global__ void t(float* p) { __shared__ "
                                 "float s[WARP_SIZE][WARP_SIZE]; s[0][0] = p[0]; }\n",
                                 kernel(kAdd))},
    {"warp_size_of_the_host",
     with("constexpr int kWarpSize = 32;\nint rows(int n) { return n / kWarpSize; }\n",
          kernel(kAdd))},
    {"warp_size_computed_with",
     with("constexpr int kWarpSize = 32;\nconstexpr int kWarps = 256 / kWarpSize;\n",
          kernel(kAdd))},
    {"warp_size_of_a_build",
     with("#ifndef WARP_SIZE\n#define WARP_SIZE 32\n#endif\n", kernel(kAdd))},
    {"builtin_size", kernel("q[threadIdx.x % warpSize] = 1; " + kAdd)},
    {"tile", with("namespace cg = cooperative_groups;\n",
                  kernel("auto t = cg::tiled_partition<32>(cg::this_thread_block()); " + kAdd))},
    {"cub", kernel("typedef cub::WarpReduce<float> R; __shared__ R::TempStorage t; " + kAdd)},
    {"ptx", kernel("unsigned l; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(l)); q[l] = 1; " + kAdd)},
    {"volatile_memory",
     kernel("volatile __shared__ float s[64]; s[threadIdx.x % 64] = 1; " + kAdd)},
    {"in_a_macro",
     "#define SUM(v) for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o)\n__global__ "
     "void k(float* p, int*) { float v = p[threadIdx.x]; SUM(v); p[threadIdx.x] = v; }\n" +
         kLaunch},
    {"two_versions",
     "__device__ float sum(float v) {\n#if __CUDA_ARCH__ >= 800\n  return __reduce_add_sync(~0u, "
     "(int)v);\n#else\n  for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(~0u, v, o);\n  "
     "return v;\n#endif\n}\n__global__ void k(float* p, int*) { float v = sum(p[threadIdx.x]); if "
     "(threadIdx.x % 32 == 0) atomicAdd(p, v); }\n" +
         kLaunch},
    {"overloads", with("__device__ int sum(int v) {\n  for (int o = 16; o > 0; o >>= 1) v = max(v, "
                       "__shfl_xor_sync(~0u, v, o));\n  return v;\n}\n",
                       kernel(kAdd))},
    {"returns_another_type",
     "__device__ int sum(float v) {\n  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(~0u, "
     "v, o);\n  return v;\n}\n__global__ void k(float* p, int* q) { int v = sum(p[threadIdx.x]); "
     "if (threadIdx.x % 32 == 0) atomicAdd(q, v); }\n" +
         kLaunch},
    {"template_with_another_type",
     "template <typename T> __device__ T sum(T v) {\n  for (int o = 16; o > 0; o >>= 1) v += "
     "__shfl_xor_sync(~0u, v, o);\n  return v;\n}\n__global__ void k(float* p, int* q) { int v = "
     "sum(p[threadIdx.x]); if (threadIdx.x % 32 == 0) atomicAdd(q, v); }\n" +
         kLaunch},
};
INSTANTIATE_TEST_SUITE_P(Words, WaveKeeps32, ::testing::ValuesIn(kWords));

// What other files do with it counts, too.
TEST(WaveSafety, OtherFilesAreLookedAt) {
  const auto is_half = [](const std::string& other) {
    const TestPort port = port_files({{"a.cu", kernel(kAdd)}, {"b.cu", other}},
                                     {.mode = Mode::kHip, .warp = Warp::kNative});
    return port.files.at("a.cu").find("HIP_COMPAT_WAVE_SIZE") == std::string::npos;
  };
  EXPECT_FALSE(is_half("void unrelated();\n"));
  EXPECT_TRUE(
      is_half("__global__ void k(float*, int*);\nvoid g(float* p) { k<<<1, 32>>>(p, 0); }\n"));
  EXPECT_TRUE(is_half(
      "extern __device__ float sum(float);\n__device__ float t(float v) { return sum(v); }\n"));
}

}  // namespace
}  // namespace hipwright::port
