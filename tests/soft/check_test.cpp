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

// Each bug is on the line that names its kernel after BUG.
constexpr std::string_view kPlanted = R"(
extern "C" __global__ void local_array(const float* in, float* out, int n) {
  float values[200];
  for (int i = 0; i < n; ++i) values[i] = in[i];
  float sum = 0;
  for (int i = 0; i < 200; ++i) sum += values[i];
  out[tid_x] = sum;  // BUG local_array
}
extern "C" __global__ void uniform_read(int* p, int* out) {
  out[tid_x] = p[0];
  if (tid_x == 0) p[0] += 10;  // BUG uniform_read
}
extern "C" __global__ void same_value(int* flag) {
  if (tid_x == 0) *flag = 7;  // BUG same_value
}
extern "C" __global__ void shared_stored(int* out) {
  __shared__ static int line[256];
  if (tid_x < 60) line[tid_x] = 1;
  sync();
  out[tid_x] = line[tid_x];  // BUG shared_stored
}
extern "C" __global__ void shared_branch(int* out) {
  __shared__ static int line[256];
  if (tid_x < 60) line[tid_x] = 1;
  sync();
  if (line[tid_x] > 3)  // BUG shared_branch
    out[tid_x] = 1;
}
extern "C" __global__ void shared_address(int* out) {
  __shared__ static int line[256];
  if (tid_x < 60) line[tid_x] = 1;
  sync();
  out[line[tid_x] & 63] = 1;  // BUG shared_address
}
extern "C" __global__ void past_end(int* out, int n) {
  int i = group_x * size_x + tid_x;
  if (i <= n) out[i] = i;  // BUG past_end
}
extern "C" __global__ void freed(int* p) {
  p[tid_x] = 1;  // BUG freed
}
extern "C" __global__ void null(int* p) {
  if (tid_x == 5) p[2] = 1;  // BUG null
}
extern "C" __shared__ int dynamic[];
extern "C" __global__ void shared_overrun(int* out, int n) {
  dynamic[tid_x + n] = tid_x;  // BUG shared_overrun
  sync();
  out[tid_x] = 1;
}
extern "C" __global__ void odd_pointer(char* p, int n) {
  *(volatile int*)(p + 4 * tid_x + n) = 7;  // BUG odd_pointer
}
extern "C" __global__ void shared_race(int* p) {
  __shared__ static int line[256];
  line[tid_x] = p[tid_x];
  p[tid_x] = line[255 - tid_x];  // BUG shared_race
}
extern "C" __global__ void global_race(int* p, int* q) {
  p[tid_x] = tid_x;
  q[tid_x] = p[255 - tid_x];  // BUG global_race
}
extern "C" __global__ void grid_race(int* p) {
  p[tid_x] = group_x;  // BUG grid_race
}
extern "C" __global__ void missing_fence(int* part, u32* arrived, int* out, int groups) {
  if (tid_x != 0) return;
  part[group_x] = group_x;
  if (__hip_atomic_fetch_add(arrived, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) ==
      (u32)groups - 1) {
    int sum = 0;
    for (int i = 0; i < groups; ++i)
      sum += part[i];  // BUG missing_fence
    *out = sum;
  }
}
extern "C" __global__ void one_address(int* p) {
  *p = tid_x;  // BUG one_address
}
extern "C" __global__ void half_barrier(int* p) {
  int v = p[tid_x];
  if (tid_x % 64 < 20)
    __builtin_amdgcn_s_barrier();  // BUG half_barrier
  p[tid_x] = v + 1;
}
extern "C" __global__ void inactive(const int* in, int* out) {
  int v = in[tid_x], r = 0;
  if (tid_x < 16) {
    r = from_lane(lane_id() + 16, v);
    out[tid_x] = r;  // BUG inactive
  }
}
)";

unsigned line_of_bug(std::string_view source, std::string_view kernel) {
  const std::string marker = "// BUG " + std::string(kernel);
  std::string_view rest = source;
  for (unsigned line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    if (rest.substr(0, end).ends_with(marker)) return line;
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return 0;
}

TEST_P(Check, PlantedBugsAreFoundAndLocated) {
  // Lines are counted from the string's first one.
  const std::string source =
      std::string(kShuffle) + "#line 1 \"planted.hip\"\n" + std::string(kPlanted);
  Machine machine(GetParam().target, source, options());
  machine.engine.schedule.kind = Schedule::Kind::kDeterministic;
  std::unique_ptr<Checks> checks;
  const auto expect = [&](FindingKind kind, const std::string& kernel, std::string_view words,
                          LaunchRequest request, auto... arguments) {
    machine.engine.exact_bounds = true;
    machine.engine.watch = fresh(checks).watch_factory();
    const auto outcome = machine.launch(kernel, request, arguments...);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_FALSE(outcome->failure) << outcome->failure->message();
    const std::vector<CheckFinding> all = checks->findings().all();
    const auto found = std::ranges::find(all, kind, &CheckFinding::kind);
    ASSERT_NE(found, all.end()) << kernel << ": not found. " << checks->findings().text();
    EXPECT_EQ(found->kernel, kernel);
    EXPECT_THAT(found->what, HasSubstr(words)) << kernel;
    const std::string place = "planted.hip:" + std::to_string(line_of_bug(kPlanted, kernel));
    // Which side of a race comes second is the scheduler's choice.
    EXPECT_TRUE(found->place.source.ends_with(place) ||
                (found->other_actor && found->other->source.ends_with(place)))
        << kernel << "\n"
        << text_of(*found);
  };
  int* in = machine.zeros<int>(4096);
  int* out = machine.zeros<int>(4096);
  expect(FindingKind::kUninitialisedStore, "local_array", "never written", over(1, 64),
         machine.zeros<float>(256), machine.zeros<float>(64), 150);
  expect(FindingKind::kUninitialisedStore, "shared_stored", "shared memory that was never written",
         over(1, 64), out);
  expect(FindingKind::kUninitialisedBranch, "shared_branch", "shared memory", over(1, 64), out);
  expect(FindingKind::kUninitialisedAddress, "shared_address", "shared memory", over(1, 64), out);
  expect(FindingKind::kOutOfBounds, "past_end", "0 bytes after the end of allocation #",
         over(2, 64), machine.zeros<int>(100), 100);
  int* gone = machine.zeros<int>(64);
  ASSERT_TRUE(machine.memory.release(reinterpret_cast<std::uint64_t>(gone)));
  expect(FindingKind::kUseAfterFree, "freed", "which was freed", over(1, 64), gone);
  expect(FindingKind::kNullPointer, "null", "null pointer", over(1, 64),
         static_cast<int*>(nullptr));
  expect(FindingKind::kLdsOverrun, "shared_overrun", "256 bytes of shared memory", over(1, 64, 256),
         out, 1);
  expect(FindingKind::kMisaligned, "odd_pointer", "not a multiple of 4", over(1, 64),
         reinterpret_cast<char*>(out), 1);
  expect(FindingKind::kLdsRace, "shared_race", "offset", over(1, 256), out);
  expect(FindingKind::kGlobalRace, "global_race", "into allocation #", over(1, 256), in, out);
  expect(FindingKind::kGridRace, "grid_race", "into allocation #", over(3, 64), out);
  expect(FindingKind::kGridRace, "missing_fence", "into allocation #", over(8, 64),
         machine.zeros<int>(8), machine.zeros<unsigned>(1), machine.zeros<int>(1), 8);
  expect(FindingKind::kGlobalRace, "uniform_read", "into allocation #", over(1, 256),
         machine.zeros<int>(1), out);
  expect(FindingKind::kSameValueRace, "same_value", "into allocation #", over(3, 64),
         machine.zeros<int>(1));
  EXPECT_EQ(checks->findings().errors(), 0U);
  expect(FindingKind::kLaneConflict, "one_address", "writes", over(1, 64), out);
  expect(FindingKind::kBarrierDivergence, "half_barrier", "", over(1, 128), out);
  expect(FindingKind::kInactiveLane, "inactive", "an inactive lane", over(1, 64), in, out);
}

// A reduction that takes waves for 32 lanes wide is right on gfx1100 and wrong on gfx942.
TEST(CheckWaves, A32LaneReductionDiffersBetweenTargets) {
  constexpr std::string_view kSource = R"(
extern "C" __global__ void warp_sum(const int* in, int* out) {
  int v = in[tid_x];
  for (int s = 16; s > 0; s /= 2) v += from_lane(lane_id() + s, v);
  if (tid_x % __builtin_amdgcn_wavefrontsize() == 0)
    __atomic_fetch_add(out, v, __ATOMIC_RELAXED);
}
)";
  const auto sum_on = [&](const std::string& target) {
    Machine machine(target, std::string(kShuffle) + std::string(kSource));
    int* out = machine.zeros<int>(1);
    machine.run("warp_sum", over(1, 64), machine.upload(std::vector<int>(64, 1)), out);
    return *out;
  };
  EXPECT_EQ(sum_on("gfx1100"), 64);
  EXPECT_EQ(sum_on("gfx942"), 32);
}

// --- hand-written code: waits ---

struct WaitCase {
  const char* gfx;
  const char* text;
  const char* words;  // of the finding; nullptr: none
};

class CheckWaits : public testing::TestWithParam<WaitCase> {};

TEST_P(CheckWaits, FollowTheCounters) {
  Lab lab(GetParam().gfx);
  const auto memory = lab.memory().allocate(4096, MemoryKind::kDevice);
  ASSERT_TRUE(memory);
  for (unsigned lane = 0; lane < lab.lanes(); ++lane) {
    lab.set_v64(2, lane, *memory + 8 * lane);
    lab.set_v(4, lane, 8 * lane);
  }
  lab.set_s64(2, *memory);
  CheckOptions options;
  options.registers = options.races = false;
  Checks checks(options);
  const auto watch = checks.watch();
  watch->begin(lab.group());
  lab.wave().watch = watch.get();
  lab.run(GetParam().text);
  lab.wave().watch = nullptr;
  EXPECT_NE(lab.wave().state, WaveState::kFault) << lab.wave().fault.what;
  if (!GetParam().words) {
    EXPECT_EQ(checks.findings().text(), "");
    return;
  }
  const auto all = checks.findings().all();
  ASSERT_EQ(all.size(), 1U) << checks.findings().text();
  EXPECT_EQ(all[0].kind, FindingKind::kMissingWait);
  EXPECT_THAT(all[0].what, HasSubstr(GetParam().words));
  ASSERT_TRUE(all[0].other);
  EXPECT_THAT(all[0].other->instruction, HasSubstr("load"));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, CheckWaits,
    testing::Values(
        WaitCase{"gfx942", "global_load_dword v1, v[2:3], off\nv_mov_b32 v5, v1", "vmcnt"},
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(0)\nv_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v5, v1",
                 "v1 is read"},
        // Loads come in order: the older of two is there when one is left.
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\nglobal_load_dword v6, v[2:3], off\n"
                 "s_waitcnt vmcnt(1)\nv_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\nglobal_load_dword v6, v[2:3], off\n"
                 "s_waitcnt vmcnt(1)\nv_mov_b32 v5, v6",
                 "v6"},
        // gfx9 counts stores too, gfx11 has a counter of their own.
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\nglobal_store_dword v[2:3], v4, off\n"
                 "s_waitcnt vmcnt(1)\nv_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx1100",
                 "global_load_b32 v1, v[2:3], off\nglobal_store_b32 v[2:3], v4, off\n"
                 "s_waitcnt vmcnt(1)\nv_mov_b32 v5, v1",
                 "vmcnt"},
        // Scalar loads come in any order.
        WaitCase{"gfx942",
                 "s_load_dword s10, s[2:3], 0x0\ns_load_dword s11, s[2:3], 0x8\n"
                 "s_waitcnt lgkmcnt(1)\ns_mov_b32 s12, s10",
                 "s10 is read"},
        WaitCase{"gfx942",
                 "s_load_dword s10, s[2:3], 0x0\ns_load_dword s11, s[2:3], 0x8\n"
                 "s_waitcnt lgkmcnt(0)\ns_mov_b32 s12, s10",
                 nullptr},
        // LDS comes in order, unless scalar loads are under way with it.
        WaitCase{"gfx942",
                 "ds_read_b32 v1, v4\nds_read_b32 v6, v4\ns_waitcnt lgkmcnt(1)\n"
                 "v_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx1100",
                 "ds_load_b32 v1, v4\ns_load_b32 s10, s[2:3], 0x0\ns_waitcnt lgkmcnt(1)\n"
                 "v_mov_b32 v5, v1",
                 "lgkmcnt"},
        // gfx12 tells them apart.
        WaitCase{"gfx1201",
                 "ds_load_b32 v1, v4\ns_load_b32 s10, s[2:3], 0x0\ns_wait_dscnt 0x0\n"
                 "v_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx1201",
                 "ds_load_b32 v1, v4\ns_load_b32 s10, s[2:3], 0x0\ns_wait_dscnt 0x0\n"
                 "s_mov_b32 s12, s10",
                 "kmcnt"},
        WaitCase{"gfx1201",
                 "global_load_b32 v1, v[2:3], off\nds_load_b32 v6, v4\n"
                 "s_wait_loadcnt_dscnt 0x0\nv_add_nc_u32 v5, v1, v6",
                 nullptr},
        // FLAT needs both counters.
        WaitCase{"gfx942", "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0)\nv_mov_b32 v5, v1",
                 "lgkmcnt"},
        WaitCase{"gfx942",
                 "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32 v5, v1",
                 nullptr},
        // FLAT operations of gfx9 return in any order, those of others in order.
        WaitCase{"gfx942",
                 "flat_load_dword v1, v[2:3]\nflat_load_dword v6, v[2:3]\n"
                 "s_waitcnt vmcnt(1) lgkmcnt(1)\nv_mov_b32 v5, v1",
                 "vmcnt and lgkmcnt"},
        WaitCase{"gfx1100",
                 "flat_load_b32 v1, v[2:3]\nflat_load_b32 v6, v[2:3]\n"
                 "s_waitcnt vmcnt(1) lgkmcnt(1)\nv_mov_b32 v5, v1",
                 nullptr},
        WaitCase{"gfx942",
                 "flat_load_dword v6, v[2:3]\nglobal_load_dword v1, v[2:3], off\n"
                 "global_load_dword v1, v[2:3], off",
                 "overwritten"},
        WaitCase{"gfx942", "global_load_dword v1, v[2:3], off\nv_mov_b32 v1, 0", "overwritten"},
        WaitCase{"gfx942",
                 "global_load_dword v1, v[2:3], off\nglobal_load_dword v1, v[2:3], off\n"
                 "s_waitcnt vmcnt(0)",
                 nullptr}));

INSTANTIATE_TEST_SUITE_P(Targets, Check, testing::ValuesIn(settings()), name_of_setting);

}  // namespace
}  // namespace hipwright::soft
