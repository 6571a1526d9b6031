// SPDX-License-Identifier: MIT
// Kernels as the compiler makes them, on every target, without optimisation and with it.
#include "soft/launch/launch.h"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "soft/exec/watch.h"
#include "soft/machine.h"

namespace hipwright::soft {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr std::string_view kSource = R"(
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  int i = group_x * size_x + tid_x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void ids(u32* out) {
  u32 group = (group_z * (grid_y / size_y) + group_y) * (grid_x / size_x) + group_x;
  u32 thread = (tid_z * size_y + tid_y) * size_x + tid_x;
  u32* mine = out + (group * size_x * size_y * size_z + thread) * 6;
  mine[0] = group_x; mine[1] = group_y; mine[2] = group_z;
  mine[3] = tid_x; mine[4] = tid_y; mine[5] = tid_z;
}

extern "C" __global__ void sizes(u32* out) {
  out[0] = size_x; out[1] = size_y; out[2] = size_z;
  out[3] = grid_x; out[4] = grid_y; out[5] = grid_z;
}

// Counts threads: grids that are no multiple of the workgroup.
extern "C" __global__ void mark(u32* out, u32 width) {
  u32 x = group_x * 16 + tid_x, y = group_y * 8 + tid_y;
  __atomic_fetch_add(&out[y * width + x], 1, __ATOMIC_RELAXED);
}

extern "C" __global__ void reverse(int* p) {
  __shared__ static int line[256];
  int i = tid_x;
  for (int round = 0; round < 3; ++round) {
    line[i] = p[group_x * 256 + i];
    sync();
    p[group_x * 256 + i] = line[255 - i];
    sync();
  }
}

extern "C" __shared__ int dynamic[];
extern "C" __global__ void rotate(int* p, int n) {
  int i = tid_x;
  dynamic[i] = p[i];
  sync();
  p[i] = dynamic[(i + 1) % n];
}

extern "C" __global__ void sort_locally(int* p) {
  int values[16];
  for (int i = 0; i < 16; ++i) values[i] = p[(group_x * size_x + tid_x) * 16 + i];
  for (int i = 1; i < 16; ++i)
    for (int j = i; j > 0 && values[j - 1] > values[j]; --j) {
      int t = values[j]; values[j] = values[j - 1]; values[j - 1] = t;
    }
  for (int i = 0; i < 16; ++i) p[(group_x * size_x + tid_x) * 16 + i] = values[i];
}

__noinline __device__ int collatz(int n) {
  if (n == 1) return 0;
  return 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}
__noinline __device__ int twice(int n) { return 2 * n; }
__noinline __device__ int square(int n) { return n * n; }
typedef int (*function)(int);
__device__ function table[3] = {collatz, twice, square};
extern "C" __global__ void calls(int* out, int which) {
  out[tid_x] = table[which](tid_x + 1);
}

__device__ int counter = 5;
__device__ int* to_counter = &counter;
__constant__ int scale[4] = {1, 10, 100, 1000};
extern "C" __global__ void globals(int* out) {
  out[tid_x] = scale[tid_x & 3];
  __atomic_fetch_add(to_counter, 1, __ATOMIC_RELAXED);
}

static __device__ void grid_sync(u32* arrived, u32 groups, bool polite) {
  sync();
  if (tid_x == 0) {
    u32 round = __atomic_fetch_add(arrived, 1, __ATOMIC_ACQ_REL) / groups;
    while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < (round + 1) * groups)
      if (polite) __builtin_amdgcn_s_sleep(2);
  }
  sync();
}
extern "C" __global__ void cooperate(u32* data, u32* arrived, u32 groups, int polite) {
  u32 n = groups * size_x, i = group_x * size_x + tid_x;
  for (u32 round = 0; round < 4; ++round) {
    u32 next = __atomic_load_n(&data[round % 2 * n + (i + 1) % n], __ATOMIC_RELAXED);
    __atomic_store_n(&data[(round + 1) % 2 * n + i], next + 1, __ATOMIC_RELAXED);
    grid_sync(arrived, groups, polite != 0);
  }
}

extern "C" __global__ void wait_for_last(u32* flag, u32 groups) {
  if (group_x == groups - 1) __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {}
}

// Waves of one workgroup that wait for each other.
extern "C" __global__ void keep_pace(volatile u32* done, u32* least, u32 n) {
  const u32 part = tid_x / 64;
  for (u32 i = 1; i <= n; ++i) done[part] = i;
  u32 slowest = n;
  for (u32 i = 0; i < 4; ++i) {
    const u32 other = done[i];
    slowest = other < slowest ? other : slowest;
  }
  least[part] = slowest;
}

extern "C" __global__ void wave_lock(u32* out) {
  __shared__ static u32 turn;
  if (tid_x == 0) turn = 0;
  sync();
  u32 wave = tid_x / 64, waves = size_x / 64;
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) < waves - 1 - wave) {}
  if (tid_x % 64 == 0) {
    out[waves - 1 - wave] = wave;
    __atomic_store_n(&turn, waves - wave, __ATOMIC_RELEASE);
  }
}

extern "C" __global__ void tickets(u32* next, u32* out) {
  if (tid_x % 32 == 0)
    for (int i = 0; i < 4; ++i)
      out[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = group_x * 32 + tid_x / 32;
}

extern "C" __global__ void store_at(int* p, long offset) {
  if (tid_x == 3) p[offset] = 1;
}
extern "C" __global__ void load_lds(int* p, int i) {
  __shared__ static int line[64];
  line[tid_x & 63] = 1;
  sync();
  p[0] = line[i];
}
extern "C" __global__ void trap_in(int which) { if (group_x == which) __builtin_trap(); }
extern "C" __global__ void forever(int* p) { for (;;) __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
extern "C" __global__ void leave_early(int* p) {
  if (tid_x < 64) return;
  sync();
  p[tid_x] = 1;
}
extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(1, 64))) void small(int* p) { p[tid_x] = 1; }
extern "C" __global__ void clock(u64* out) { out[tid_x] = __builtin_readcyclecounter(); }
)";

struct Build {
  std::string target;
  std::vector<std::string> options;
};

std::vector<Build> builds() {
  std::vector<Build> all;
  for (const std::string& target : all_targets()) {
    all.push_back({target, {"-O3"}});
    all.push_back({target, {"-O0"}});
  }
  for (const char* target : {"gfx1030", "gfx1100", "gfx1201"})
    all.push_back({target, {"-O3", "-mwavefrontsize64"}});
  for (const char* target : {"gfx908", "gfx90a", "gfx942", "gfx950"})
    all.push_back({target, {"-O3", "-mllvm", "-amdgpu-kernarg-preload-count=16"}});
  return all;
}

class Launch : public ::testing::TestWithParam<Build> {};

INSTANTIATE_TEST_SUITE_P(All, Launch, ::testing::ValuesIn(builds()), [](const auto& build) {
  std::string name = build.param.target;
  for (const std::string& option : build.param.options)
    if (option != "-mllvm") name += "_" + option.substr(option.starts_with("-am") ? 8 : 1, 12);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

void vector_add(Machine& machine) {
  constexpr int kCount = 1000;
  std::vector<float> a(kCount), b(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = 0.5F * static_cast<float>(i);
    b[i] = 3.0F - static_cast<float>(i);
  }
  float* c = machine.zeros<float>(kCount);
  const auto outcome =
      machine.run("add", over(4, 256), machine.upload(a), machine.upload(b), c, kCount);
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(c[i], a[i] + b[i]) << i;
  EXPECT_EQ(outcome.waves, 1024 / machine.image->kernels().front().wave_size);
  EXPECT_GT(outcome.wave_instructions, outcome.waves * 5);
}

void threads_know_where_they_are(Machine& machine) {
  const LaunchRequest request = over({3, 2, 4}, {5, 3, 7});
  std::uint32_t* out = machine.zeros<std::uint32_t>(3 * 2 * 4 * 5 * 3 * 7 * 6);
  machine.run("ids", request, out);
  const std::uint32_t* at = out;
  for (std::uint32_t gz = 0; gz < 4; ++gz)
    for (std::uint32_t gy = 0; gy < 2; ++gy)
      for (std::uint32_t gx = 0; gx < 3; ++gx)
        for (std::uint32_t z = 0; z < 7; ++z)
          for (std::uint32_t y = 0; y < 3; ++y)
            for (std::uint32_t x = 0; x < 5; ++x, at += 6) {
              const std::uint32_t expected[] = {gx, gy, gz, x, y, z};
              ASSERT_TRUE(std::equal(expected, expected + 6, at)) << at - out;
            }
  std::uint32_t* sizes = machine.zeros<std::uint32_t>(6);
  machine.run("sizes", request, sizes);
  EXPECT_THAT(std::vector(sizes, sizes + 6), ::testing::ElementsAre(5, 3, 7, 15, 6, 28));
}

void partial_workgroups(Machine& machine) {
  constexpr std::uint32_t kWidth = 37, kHeight = 19;
  std::uint32_t* out = machine.zeros<std::uint32_t>(kWidth * kHeight);
  LaunchRequest request = over({3, 3, 1}, {16, 8, 1});
  request.threads = {kWidth, kHeight, 1};
  machine.run("mark", request, out, kWidth);
  EXPECT_THAT(std::vector(out, out + kWidth * kHeight), Each(1U));
}

void waves_meet_at_barriers(Machine& machine) {
  std::vector<int> values(256 * 5);
  std::iota(values.begin(), values.end(), 7);
  int* p = machine.upload(values);
  machine.run("reverse", over(5, 256), p);
  for (int group = 0; group < 5; ++group)
    for (int i = 0; i < 256; ++i) ASSERT_EQ(p[group * 256 + i], values[group * 256 + 255 - i]);
}

void dynamic_lds(Machine& machine) {
  for (const int count : {64, 192, 1000}) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), 3);
    int* p = machine.upload(values);
    machine.run("rotate", over(1, count, count * 4), p, count);
    for (int i = 0; i < count; ++i) ASSERT_EQ(p[i], values[(i + 1) % count]) << i;
  }
}

void scratch_is_each_threads_own(Machine& machine) {
  std::vector<int> values(16 * 2 * 100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 7919 % 1009);
  int* p = machine.upload(values);
  machine.run("sort_locally", over(2, 100), p);
  for (std::size_t i = 0; i < values.size(); i += 16)
    std::sort(values.begin() + static_cast<std::ptrdiff_t>(i),
              values.begin() + static_cast<std::ptrdiff_t>(i) + 16);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), p));
}

void calls_and_recursion(Machine& machine) {
  const auto collatz = [](int n) {
    int steps = 0;
    for (; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) ++steps;
    return steps;
  };
  for (int which = 0; which < 3; ++which) {
    int* out = machine.zeros<int>(100);
    machine.run("calls", over(1, 100), out, which);
    for (int i = 0; i < 100; ++i) {
      const int n = i + 1;
      ASSERT_EQ(out[i], which == 0 ? collatz(n) : which == 1 ? 2 * n : n * n) << i;
    }
  }
}

void global_and_constant_variables(Machine& machine) {
  int* out = machine.zeros<int>(128);
  machine.run("globals", over(1, 128), out);
  for (int i = 0; i < 128; ++i)
    ASSERT_EQ(out[i], i % 4 == 0 ? 1 : i % 4 == 1 ? 10 : i % 4 == 2 ? 100 : 1000);
  const LoadedVariable* counter = machine.image->variable("counter");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(counter->size, 4U);
  EXPECT_EQ(*reinterpret_cast<const int*>(counter->address), 5 + 128);
}

void workgroups_cooperate(Machine& machine) {
  for (const int polite : {1, 0}) {
    const std::uint32_t groups = polite ? 40 : 6;
    const std::uint32_t n = groups * 96;
    std::vector<std::uint32_t> start(2 * n);
    std::iota(start.begin(), start.begin() + n, 0);
    for (const auto kind : {Schedule::Kind::kParallel, Schedule::Kind::kDeterministic}) {
      machine.engine.schedule.kind = kind;
      std::uint32_t* data = machine.upload(start);
      LaunchRequest request = over(groups, 96);
      request.cooperative = true;
      machine.run("cooperate", request, data, machine.zeros<std::uint32_t>(1), groups, polite);
      for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(data[i], (i + 4) % n + 4) << i;
    }
  }
}

void early_workgroups_may_wait_for_late_ones(Machine& machine) {
  for (const auto kind : {Schedule::Kind::kParallel, Schedule::Kind::kDeterministic}) {
    machine.engine.schedule.kind = kind;
    machine.run("wait_for_last", over(3, 64), machine.zeros<std::uint32_t>(1), 3U);
  }
}

void waves_may_wait_for_each_other(Machine& machine) {
  std::uint32_t* out = machine.zeros<std::uint32_t>(4);
  machine.run("wave_lock", over(1, 256), out);
  EXPECT_THAT(std::vector(out, out + 4), ::testing::ElementsAre(3, 2, 1, 0));
}

// As on hardware, where all of them run at the same time.
void waves_run_side_by_side(Machine& machine) {
  constexpr std::uint32_t kSteps = 3000;
  for (const auto kind : {Schedule::Kind::kParallel, Schedule::Kind::kDeterministic}) {
    machine.engine.schedule.kind = kind;
    std::uint32_t* least = machine.zeros<std::uint32_t>(4);
    machine.run("keep_pace", over(1, 256), machine.zeros<std::uint32_t>(4), least, kSteps);
    EXPECT_THAT(std::vector(least, least + 4), Each(::testing::Ge(kSteps * 4 / 5)));
  }
}

void a_wave_that_ended_holds_nobody_up(Machine& machine) {
  int* p = machine.zeros<int>(256);
  machine.run("leave_early", over(1, 256), p);
  EXPECT_THAT(std::vector(p, p + 64), Each(0));
  EXPECT_THAT(std::vector(p + 64, p + 256), Each(1));
}

// --- what goes wrong ---

void faults_are_located(Machine& machine) {
  int* p = machine.zeros<int>(100);
  const auto outcome = machine.launch("store_at", over({1, 4, 1}, {64, 1, 1}), p, 102L);
  ASSERT_TRUE(outcome && outcome->failure);
  const LaunchFailure& failure = *outcome->failure;
  EXPECT_EQ(failure.fault.kind, Fault::Kind::kBadAddress);
  EXPECT_EQ(failure.fault.lane, 3U);
  EXPECT_EQ(failure.fault.bytes, 4U);
  EXPECT_TRUE(failure.fault.write);
  EXPECT_EQ(failure.kernel, "store_at");
  EXPECT_THAT(failure.instruction, HasSubstr("_store_"));
  EXPECT_THAT(failure.location, HasSubstr("store_at+0x"));
  EXPECT_THAT(failure.message(),
              AllOf(HasSubstr("invalid memory access in kernel store_at"),
                    HasSubstr("8 bytes after the end of the allocation of 400 bytes"),
                    HasSubstr("lane 3")));
}

void lds_overrun(Machine& machine) {
  int* p = machine.zeros<int>(1);
  machine.run("load_lds", over(1, 64), p, 63);
  EXPECT_EQ(*p, 1);
  // Past the array, but in the last granule that the workgroup gets.
  machine.run("load_lds", over(1, 64), p, 100);
  EXPECT_EQ(*p, 0);
  EXPECT_TRUE(machine.launch("load_lds", over(1, 64), p, 5000)->failure);

  machine.engine.exact_bounds = true;
  EXPECT_TRUE(machine.launch("load_lds", over(1, 64), p, 100)->failure);
  const auto outcome = machine.launch("load_lds", over(1, 64), p, 5000);
  ASSERT_TRUE(outcome && outcome->failure);
  EXPECT_THAT(outcome->failure->message(),
              HasSubstr("offset 0x4e20 of LDS: the workgroup has 256"));
}

void trap_names_the_workgroup(Machine& machine) {
  const auto outcome = machine.launch("trap_in", over(9, 64), 7);
  ASSERT_TRUE(outcome && outcome->failure);
  EXPECT_EQ(outcome->failure->fault.kind, Fault::Kind::kTrap);
  EXPECT_EQ(outcome->failure->workgroup[0], 7U);
  EXPECT_THAT(outcome->failure->message(), HasSubstr("abort()"));
}

void step_limit_ends_what_never_ends(Machine& machine) {
  machine.engine.limits.steps_per_wave = 12345;
  const auto outcome = machine.launch("forever", over(2, 64), machine.zeros<int>(1));
  ASSERT_TRUE(outcome && outcome->failure);
  EXPECT_EQ(outcome->failure->fault.kind, Fault::Kind::kStepLimit);
  EXPECT_THAT(outcome->failure->message(), HasSubstr("12345 instructions"));
}

void wrong_requests_are_errors(Machine& machine) {
  int* p = machine.zeros<int>(1024);
  const auto message = [](const Result<LaunchOutcome>& result) {
    return result ? "no error" : result.error().message();
  };
  EXPECT_THAT(message(machine.launch("small", over(1, 65), p)),
              HasSubstr("65 threads per workgroup, but it was compiled for at most 64"));
  EXPECT_THAT(message(machine.launch("small", over(0, 64), p)), HasSubstr("a grid of 0×1×1"));
  EXPECT_THAT(message(machine.launch("small", over(1, 0), p)), HasSubstr("workgroups of 0×1×1"));
  EXPECT_THAT(message(machine.launch("reverse", over(1, 256, 200 * 1024), p)),
              HasSubstr("bytes of LDS"));
  EXPECT_THAT(message(machine.launch("small", over(1, 64))),
              HasSubstr("its arguments take 8 bytes, but 0 were given"));
}

// --- schedules ---

void deterministic_runs_are_alike(Machine& machine) {
  machine.engine.schedule.kind = Schedule::Kind::kDeterministic;
  std::vector<std::vector<std::uint32_t>> orders;
  std::vector<std::vector<std::uint64_t>> clocks;
  for (int i = 0; i < 2; ++i) {
    std::uint32_t* out = machine.zeros<std::uint32_t>(20 * 4 * 4);
    machine.run("tickets", over(20, 128), machine.zeros<std::uint32_t>(1), out);
    orders.emplace_back(out, out + 20 * 4 * 4);
    std::uint64_t* times = machine.zeros<std::uint64_t>(64);
    machine.run("clock", over(1, 64), times);
    clocks.emplace_back(times, times + 64);
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_EQ(clocks[0], clocks[1]);
}

void seeds_give_orders(Machine& machine) {
  machine.engine.schedule.kind = Schedule::Kind::kRandom;
  std::set<std::vector<std::uint32_t>> orders;
  for (int seed = 0; seed < 4; ++seed) {
    machine.engine.schedule.seed = static_cast<std::uint64_t>(seed);
    std::vector<std::uint32_t> same[2];
    for (auto& order : same) {
      std::uint32_t* out = machine.zeros<std::uint32_t>(20 * 4 * 4);
      machine.run("tickets", over(20, 128), machine.zeros<std::uint32_t>(1), out);
      order.assign(out, out + 20 * 4 * 4);
    }
    EXPECT_EQ(same[0], same[1]);
    orders.insert(same[0]);
    // Right programs are right in every order.
    std::vector<int> values(256 * 5);
    std::iota(values.begin(), values.end(), 7);
    int* p = machine.upload(values);
    machine.run("reverse", over(5, 256), p);
    for (int i = 0; i < 256; ++i) ASSERT_EQ(p[256 + i], values[256 + 255 - i]);
    std::vector<std::uint32_t> start(2 * 4 * 96);
    std::iota(start.begin(), start.begin() + 4 * 96, 0);
    std::uint32_t* data = machine.upload(start);
    LaunchRequest request = over(4, 96);
    request.cooperative = true;
    machine.run("cooperate", request, data, machine.zeros<std::uint32_t>(1), 4U, 1);
    for (std::uint32_t i = 0; i < 4 * 96; ++i) ASSERT_EQ(data[i], (i + 4) % (4 * 96) + 4) << i;
  }
  EXPECT_EQ(orders.size(), 4U);
}

// Waits without a signal: only gfx12 can.
void deadlocks_are_seen(Machine& machine) {
  constexpr std::string_view kStuck = R"(
extern "C" __global__ void stuck() { asm volatile("s_barrier_wait -1"); }
)";
  if (machine.image->program(machine.image->kernels().front().wave_size).isa() != Isa::kGfx12)
    return;
  Machine other("gfx1201", kStuck);
  other.run("stuck", over(1, 32));
  const auto outcome = other.launch("stuck", over(1, 128));
  ASSERT_TRUE(outcome && outcome->failure);
  EXPECT_EQ(outcome->failure->fault.kind, Fault::Kind::kDeadlock);
  EXPECT_THAT(outcome->failure->message(), HasSubstr("s_barrier_wait"));
}

// Everything that a check can see is shown to it.
class Counting : public Watch {
 public:
  struct Counts {
    std::atomic<std::uint64_t> begun{0}, ended{0}, before{0}, after{0}, loads{0}, stores{0},
        barriers{0};
  };
  explicit Counting(Counts& counts) : counts_(counts) {}
  void begin(Workgroup&) override { ++counts_.begun; }
  void end(Workgroup&) override { ++counts_.ended; }
  void before(Wave&, const Inst&) override { ++counts_.before; }
  void after(Wave&, const Inst&) override { ++counts_.after; }
  void access(Wave&, const Inst&, const Access& access) override {
    if (access.space != Space::kGlobal || access.scalar) return;
    ++(access.kind == AccessKind::kLoad ? counts_.loads : counts_.stores);
  }
  bool bad_address(Wave&, const Inst&, const Access&, std::uint64_t) override { return true; }
  void barrier(Workgroup&) override { ++counts_.barriers; }
  void stuck(Workgroup&, const Wave&) override {}

 private:
  Counts& counts_;
};

void checks_see_everything(Machine& machine) {
  Counting::Counts counts;
  machine.engine.watch = [&](const LaunchRequest&) { return std::make_unique<Counting>(counts); };
  std::vector<int> values(256 * 5, 1);
  const auto outcome = machine.run("reverse", over(5, 256), machine.upload(values));
  EXPECT_EQ(counts.begun, 5U);
  EXPECT_EQ(counts.ended, 5U);
  EXPECT_EQ(counts.before, counts.after);
  EXPECT_EQ(counts.barriers, 5U * 6);
  EXPECT_GE(counts.before, outcome.waves * 10);
  EXPECT_LE(counts.before, outcome.wave_instructions);
  EXPECT_GE(counts.loads, outcome.waves * 3);
  EXPECT_GE(counts.stores, outcome.waves * 3);
  // A check may let the wave go on without the lanes that are outside.
  int* p = machine.zeros<int>(100);
  machine.run("store_at", over(1, 64), p, 102L);
  EXPECT_THAT(std::vector(p, p + 100), Each(0));
}

// All of them in one test: they share what the compiler made.
TEST_P(Launch, Kernels) {
  using namespace toolchain;
  HIPWRIGHT_NEEDS_CLANG();
  const struct {
    const char* name;
    void (*run)(Machine&);
  } scenarios[] = {
      {"VectorAdd", vector_add},
      {"ThreadsKnowWhereTheyAre", threads_know_where_they_are},
      {"PartialWorkgroups", partial_workgroups},
      {"WavesMeetAtBarriers", waves_meet_at_barriers},
      {"DynamicLds", dynamic_lds},
      {"ScratchIsEachThreadsOwn", scratch_is_each_threads_own},
      {"CallsAndRecursion", calls_and_recursion},
      {"GlobalAndConstantVariables", global_and_constant_variables},
      {"WorkgroupsCooperate", workgroups_cooperate},
      {"EarlyWorkgroupsMayWaitForLateOnes", early_workgroups_may_wait_for_late_ones},
      {"WavesMayWaitForEachOther", waves_may_wait_for_each_other},
      {"WavesRunSideBySide", waves_run_side_by_side},
      {"AWaveThatEndedHoldsNobodyUp", a_wave_that_ended_holds_nobody_up},
      {"FaultsAreLocated", faults_are_located},
      {"LdsOverrun", lds_overrun},
      {"TrapNamesTheWorkgroup", trap_names_the_workgroup},
      {"StepLimitEndsWhatNeverEnds", step_limit_ends_what_never_ends},
      {"WrongRequestsAreErrors", wrong_requests_are_errors},
      {"DeterministicRunsAreAlike", deterministic_runs_are_alike},
      {"SeedsGiveOrders", seeds_give_orders},
      {"DeadlocksAreSeen", deadlocks_are_seen},
      {"ChecksSeeEverything", checks_see_everything},
  };
  for (const auto& scenario : scenarios) {
    SCOPED_TRACE(scenario.name);
    Machine machine(GetParam().target, kSource, GetParam().options);
    scenario.run(machine);
  }
}

}  // namespace
}  // namespace hipwright::soft
