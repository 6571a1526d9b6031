// SPDX-License-Identifier: MIT
// Planted bugs are found where they are, and correct programs give no finding: every kernel is
// compiled for every target, without optimisation and with it.
#include <gmock/gmock.h>

#include <algorithm>

#include "soft/check/checks.h"
#include "soft/check/report.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kShuffle = R"(
static __device__ int from_lane(int lane, int value) {
  return __builtin_amdgcn_ds_bpermute(lane * 4, value);
}
static __device__ u32 lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
static __device__ void device_fence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
)";

constexpr std::string_view kClean = R"(
extern "C" __global__ void add(const float* a, float* b, int n) {
  int i = group_x * size_x + tid_x;
  if (i < n) b[i] = a[i] + 1.0f;
}
extern "C" __global__ void tree(const int* in, int* out, int n) {
  __shared__ static int part[256];
  int i = group_x * 256 + tid_x;
  part[tid_x] = i < n ? in[i] : 0;
  sync();
  for (int s = 128; s > 0; s /= 2) {
    if (tid_x < s) part[tid_x] += part[tid_x + s];
    sync();
  }
  if (tid_x == 0) out[group_x] = part[0];
}
extern "C" __global__ void shuffle_sum(const int* in, int* out, int n) {
  int v = in[group_x * size_x + tid_x];
  for (int s = __builtin_amdgcn_wavefrontsize() / 2; s > 0; s /= 2)
    v += from_lane(lane_id() ^ s, v);
  if (lane_id() == 0) __atomic_fetch_add(out, v, __ATOMIC_RELAXED);
}
extern "C" __global__ void histogram(const unsigned char* in, u32* bins, int n) {
  __shared__ static u32 mine[256];
  mine[tid_x] = 0;
  sync();
  for (int i = group_x * 256 + tid_x; i < n; i += 4 * 256)
    __hip_atomic_fetch_add(&mine[in[i]], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  sync();
  __atomic_fetch_add(&bins[tid_x], mine[tid_x], __ATOMIC_RELAXED);
}
// The last workgroup adds up what the others left.
__device__ u32 arrived;
extern "C" __global__ void last_block(const int* in, int* part, int* out, int groups) {
  __shared__ static bool last;
  __shared__ static int sums[64];
  int v = in[group_x * 64 + tid_x];
  sums[tid_x] = v;
  sync();
  if (tid_x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += sums[i];
    part[group_x] = sum;
    device_fence();
    last = __hip_atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) ==
           (u32)groups - 1;
  }
  sync();
  if (last) {
    device_fence();
    if (tid_x == 0) {
      int sum = 0;
      for (int i = 0; i < groups; ++i) sum += part[i];
      *out = sum;
    }
  }
}
static __device__ void grid_sync(u32* count, u32 groups) {
  sync();
  if (tid_x == 0) {
    u32 round = __atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL) / groups;
    while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < (round + 1) * groups)
      __builtin_amdgcn_s_sleep(2);
  }
  sync();
}
extern "C" __global__ void stencil(int* data, u32* count, u32 groups) {
  u32 n = groups * size_x, i = group_x * size_x + tid_x;
  for (int round = 0; round < 4; ++round) {
    data[(round + 1) % 2 * n + i] = data[round % 2 * n + (i + 1) % n] + 1;
    grid_sync(count, groups);
  }
}
extern "C" __global__ void divergent(const int* in, int* out, int n) {
  int i = group_x * size_x + tid_x;
  if (i >= n) return;
  int v = in[i], steps = 0;
  while (v > 1 && steps < 200) {
    if (v % 3 == 0) { v /= 3; if (v % 5 == 1) continue; }
    else if (v & 1) v = 3 * v + 1;
    else v >>= 1;
    ++steps;
    if (steps == 150 && v > 1000) break;
  }
  switch (v & 3) {
    case 0: out[i] = steps; break;
    case 1: out[i] = -steps; break;
    default: out[i] = v;
  }
}
extern "C" __global__ void bytes(const unsigned char* in, unsigned char* out, short* shorts) {
  int i = tid_x;
  unsigned char a = in[i], b = in[(i * 7) & 63];
  out[i] = (a > b ? a - b : b - a) ^ (unsigned char)(a * b);
  shorts[i] = (short)(a * 3 - b);
  out[64 + i] = (unsigned char)(shorts[i] >> 2);
}
struct Pair { char tag; short id; int value[3]; };
__noinline __device__ Pair make(int i) { Pair p; p.tag = i; p.id = i * 2; p.value[0] = i; p.value[1] = p.value[2] = -i; return p; }
__noinline __device__ int sum(const Pair* p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += p[i].tag + p[i].id + p[i].value[i % 3];
  return s;
}
extern "C" __global__ void structs(int* out) {
  Pair p[4];
  for (int i = 0; i < 4; ++i) p[i] = make(tid_x + i);
  out[tid_x] = sum(p, 1 + tid_x % 4);
}
extern "C" __global__ void halves(const _Float16* in, _Float16* out, float* f) {
  _Float16 v = in[tid_x];
  out[tid_x] = v * (_Float16)2 + in[tid_x ^ 1];
  f[tid_x] = (float)v / 3.0f;
}
extern "C" __global__ void doubles(const double* in, double* out, u64* bits) {
  double v = in[tid_x];
  out[tid_x] = v / 7.0 + __builtin_sqrt(v);
  bits[tid_x] = (u64)v * 1234567ull / (tid_x + 1);
}
extern "C" __global__ void early_return(int* out, int n) {
  __shared__ static int line[256];
  if (tid_x >= n) return;
  line[tid_x] = tid_x;
  sync();
  out[tid_x] = line[n - 1 - tid_x];
}
// One lane of each wave: lanes of one wave cannot wait for each other.
extern "C" __global__ void spin_lock(int* lock, int* total) {
  if (lane_id() != 0) return;
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0) __builtin_amdgcn_s_sleep(1);
  *total = *total + (int)tid_x;
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}
extern "C" __global__ void uniform(const int* in, int* out, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += in[i] * in[(i * 5) % n];
  out[group_x * size_x + tid_x] = s;
}
)";

Checks& fresh(std::unique_ptr<Checks>& checks, bool report = false) {
  CheckOptions options;
  options.report = report;
  checks = std::make_unique<Checks>(options);
  return *checks;
}

struct Setting {
  std::string target, level;
};
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const std::string& target : all_targets())
    for (const char* level : {"-O0", "-O3"}) all.push_back({target, level});
  return all;
}

class Check : public testing::TestWithParam<Setting> {
 protected:
  std::vector<std::string> options() const { return {GetParam().level, "-g"}; }
};
std::string name_of_setting(const testing::TestParamInfo<Setting>& info) {
  return info.param.target + "_" + info.param.level.substr(1);
}

TEST_P(Check, CorrectProgramsGiveNoFinding) {
  Machine machine(GetParam().target, std::string(kShuffle) + std::string(kClean), options());
  std::unique_ptr<Checks> checks;
  const auto expect_clean = [&](const char* kernel) {
    EXPECT_EQ(checks->findings().text(), "") << kernel;
    machine.engine.watch = fresh(checks).watch_factory();
  };
  machine.engine.watch = fresh(checks).watch_factory();
  std::vector<int> numbers(1024);
  for (int i = 0; i < 1024; ++i) numbers[i] = i * 7 + 3;
  int* in = machine.upload(numbers);
  int* out = machine.zeros<int>(4096);

  machine.run("add", over(5, 64), machine.upload(std::vector<float>(300, 2)),
              machine.zeros<float>(300), 300);
  expect_clean("add");
  machine.run("tree", over(4, 256), in, out, 1000);
  expect_clean("tree");
  machine.run("shuffle_sum", over(4, 128), in, machine.zeros<int>(1), 512);
  expect_clean("shuffle_sum");
  machine.run("histogram", over(4, 256), reinterpret_cast<unsigned char*>(in),
              machine.zeros<unsigned>(256), 4096);
  expect_clean("histogram");
  int* sum = machine.zeros<int>(1);
  machine.run("last_block", over(16, 64), in, machine.zeros<int>(16), sum, 16);
  int expected = 0;
  for (const int each : numbers) expected += each;
  EXPECT_EQ(*sum, expected);
  expect_clean("last_block");
  LaunchRequest cooperative = over(4, 64);
  cooperative.cooperative = true;
  machine.run("stencil", cooperative, machine.zeros<int>(512), machine.zeros<unsigned>(1), 4U);
  expect_clean("stencil");
  machine.run("divergent", over(5, 200), in, out, 1000);
  expect_clean("divergent");
  machine.run("bytes", over(1, 64), reinterpret_cast<unsigned char*>(in),
              machine.zeros<unsigned char>(128), machine.zeros<short>(64));
  expect_clean("bytes");
  machine.run("structs", over(1, 100), out);
  expect_clean("structs");
  machine.run("halves", over(1, 64), reinterpret_cast<short*>(in), machine.zeros<short>(64),
              machine.zeros<float>(64));
  expect_clean("halves");
  machine.run("doubles", over(1, 64), machine.upload(std::vector<double>(64, 3.5)),
              machine.zeros<double>(64), machine.zeros<std::uint64_t>(64));
  expect_clean("doubles");
  machine.run("early_return", over(1, 256), out, 100);
  expect_clean("early_return");
  machine.run("spin_lock", over(2, 128), machine.zeros<int>(1), machine.zeros<int>(1));
  expect_clean("spin_lock");
  machine.run("uniform", over(2, 64), in, out, 100);
  expect_clean("uniform");
}

INSTANTIATE_TEST_SUITE_P(Targets, Check, testing::ValuesIn(settings()), name_of_setting);

}  // namespace
}  // namespace hipwright::soft
