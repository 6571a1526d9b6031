// SPDX-License-Identifier: MIT
// How fast the software GPU runs: wave-instructions per second on one thread, for kernels bound by
// arithmetic, by memory and by the matrix unit, as they are and with all checks of `hipwright run
// --check`; and the time of the same work compiled for the host with -O3. MFMA is measured in its
// exact mode and, by a second process, in its fast one.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/process.h"
#include "soft/check/checks.h"
#include "soft/launch/launch.h"
#include "toolchain/probe.h"

namespace {

using namespace hipwright;
using namespace hipwright::soft;

// One text for both sides: `work` is the kernel, FOR_EACH runs it over threads on the host.
constexpr const char* kSource = R"(
typedef unsigned u32;
#ifdef __AMDGCN__
#define KERNEL(name) \
  extern "C" __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(256, 256))) void name( \
      float* out, const float* in, u32 n) { \
    const u32 i = __builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x(); \
    if (i < n) name##_work(out, in, i, n); \
  }
#else
#define KERNEL(name) \
  extern "C" void name(float* out, const float* in, u32 n) { \
    for (u32 i = 0; i < n; ++i) name##_work(out, in, i, n); \
  }
#endif
#define INLINE static inline __attribute__((always_inline))

INLINE void alu_work(float* out, const float* in, u32 i, u32) {
  u32 x = i * 2654435761u + 1;
  float f = in[i];
#pragma clang loop unroll_count(8)
  for (int k = 0; k < 512; ++k) {
    x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    f = f * 0.999f + (float)(x & 255u);
  }
  out[i] = f + (float)x;
}
KERNEL(alu)

INLINE void stream_work(float* __restrict out, const float* __restrict in, u32 i, u32 n) {
  float sum = 0;
#pragma clang loop unroll_count(8)
  for (u32 k = 0; k < 64; ++k) sum += in[(i + k * 4096u) & (n - 1)];
  out[i] = sum;
}
KERNEL(stream)

#ifdef __AMDGCN__
typedef float f4 __attribute__((ext_vector_type(4)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
INLINE void matrix_work(float* out, const float* in, u32 i, u32) {
  const h4 a = (h4)(_Float16)in[i], b = a;
  f4 c = 0.f, d = 1.f;
  for (int k = 0; k < 128; ++k) {
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_16x16x16f16(b, a, d, 0, 0, 0);
  }
  out[i] = c.x + d.y;
}
KERNEL(matrix)
#else
// What the waves do, as loops: row r and column k of a are in lane r + 16 * (k / 4).
extern "C" void matrix(float* out, const float* in, u32 n) {
  for (u32 wave = 0; wave < n; wave += 64) {
    float a[16][16], b[16][16], c[16][16] = {}, d[16][16];
    for (int r = 0; r < 16; ++r)
      for (int k = 0; k < 16; ++k) {
        a[r][k] = b[k][r] = (float)(_Float16)in[wave + r + 16 * (k / 4)];
        d[r][k] = 1;
      }
    for (int round = 0; round < 128; ++round)
      for (int r = 0; r < 16; ++r)
        for (int k = 0; k < 16; ++k)
          for (int col = 0; col < 16; ++col) {
            c[r][col] += a[r][k] * b[k][col];
            d[r][col] += a[r][k] * b[k][col];
          }
    for (int lane = 0; lane < 64; ++lane)
      out[wave + lane] = c[4 * (lane / 16)][lane % 16] + d[4 * (lane / 16) + 1][lane % 16];
  }
}
#endif
)";

constexpr std::uint32_t kThreads = 1 << 16;

struct Bench {
  TemporaryDirectory folder = TemporaryDirectory::create().value();
  Memory memory{std::uint64_t{1} << 30};
  std::shared_ptr<Image> image;
  void* host = nullptr;
  std::uint64_t in = 0, out = 0;

  Bench() {
    const auto source = folder.path() / "bench.cpp";
    check(write_file_atomic(source, kSource).has_value(), "writing the source");
    build(source, "device.co",
          {"-O3", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-nogpulib", "-fuse-ld=lld"});
    build(source, "host.so", {"-O3", "-march=native", "-shared", "-fPIC"});
    host = ::dlopen((folder.path() / "host.so").c_str(), RTLD_NOW);
    check(host != nullptr, "opening the host library");
    const auto file = folder.path() / "device.co";
    auto object = toolchain::CodeObject::parse(read_file(file).value(), file.string());
    check(object.has_value(), "reading the code object");
    image = Image::load(std::move(*object), "gfx942", memory).value();
    in = memory.allocate(kThreads * sizeof(float), MemoryKind::kDevice).value();
    out = memory.allocate(kThreads * sizeof(float), MemoryKind::kDevice).value();
    std::memset(reinterpret_cast<void*>(in), 0, kThreads * sizeof(float));
  }

  void build(const std::filesystem::path& source, const char* name,
             std::vector<std::string> flags) {
    const auto clang = toolchain::find_clang();
    check(clang.has_value(), "finding clang");
    ProcessCommand command{.argv = {clang->cxx.string(), "-std=c++17", "-w", "-ffp-contract=fast",
                                    "-o", (folder.path() / name).string(), source.string()}};
    command.argv.insert(command.argv.end(), flags.begin(), flags.end());
    const auto done = run(command);
    check(done && done->ok(), done ? done->err.c_str() : "starting clang");
  }

  static void check(bool ok, const char* what) {
    if (ok) return;
    std::fprintf(stderr, "soft_bench: %s failed\n", what);
    std::exit(1);
  }

  // Instructions that all waves ran.
  std::uint64_t launch_once(const char* kernel, unsigned threads, WatchFactory watch) const {
    struct {
      std::uint64_t out, in;
      std::uint32_t n;
    } arguments{out, in, kThreads};
    const Engine engine{.memory = const_cast<Memory*>(&memory),
                        .schedule = {.threads = threads},
                        .watch = std::move(watch)};
    const auto outcome =
        soft::launch(engine, {.kernel = image->kernel(kernel),
                              .grid = {kThreads / 256, 1, 1},
                              .block = {256, 1, 1},
                              .arguments = std::as_bytes(std::span(&arguments, 1)).first(20)});
    check(outcome && !outcome->failure, "the launch");
    return outcome->wave_instructions;
  }

  static Bench& shared() {
    static Bench bench;
    return bench;
  }
};

void on_soft(benchmark::State& state, const char* kernel, unsigned threads, bool checked) {
  Bench& bench = Bench::shared();
  Checks checks({});
  std::uint64_t instructions = 0;
  for (auto _ : state)
    instructions +=
        bench.launch_once(kernel, threads, checked ? checks.watch_factory() : WatchFactory());
  Bench::check(checks.findings().empty(), checks.findings().text().c_str());
  state.counters["wave_inst/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void on_host(benchmark::State& state, const char* kernel) {
  Bench& bench = Bench::shared();
  using Run = void (*)(float*, const float*, std::uint32_t);
  Run run_all = nullptr;
  void* symbol = ::dlsym(bench.host, kernel);
  Bench::check(symbol != nullptr, "finding the host kernel");
  std::memcpy(&run_all, &symbol, sizeof(run_all));
  for (auto _ : state)
    run_all(reinterpret_cast<float*>(bench.out), reinterpret_cast<const float*>(bench.in),
            kThreads);
}

bool fast_mfma() {
  const char* mode = std::getenv("HIPWRIGHT_SOFT_MFMA");
  return mode && std::string_view(mode) == "fast";
}

void add_soft(const std::string& name, const char* kernel, unsigned threads, bool checked) {
  benchmark::RegisterBenchmark(("soft/" + name).c_str(), on_soft, kernel, threads, checked)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void add_all() {
  if (fast_mfma()) {
    add_soft("matrix_fast/threads:1", "matrix", 1, false);
    add_soft("matrix_fast/checked/threads:1", "matrix", 1, true);
    return;
  }
  for (const char* kernel : {"alu", "stream", "matrix"}) {
    const std::string name = kernel;
    add_soft(name + "/threads:1", kernel, 1, false);
    add_soft(name + "/threads:2", kernel, 2, false);
    add_soft(name + "/checked/threads:1", kernel, 1, true);
    benchmark::RegisterBenchmark(("host/" + name).c_str(), on_host, kernel)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc + 1);
  benchmark::Initialize(&argc, argv);
  add_all();
  benchmark::RunSpecifiedBenchmarks();
  if (fast_mfma()) return 0;
  // The mode is read once per process.
  std::fflush(nullptr);
  ::setenv("HIPWRIGHT_SOFT_MFMA", "fast", 1);
  ::execv("/proc/self/exe", arguments.data());
  std::perror("soft_bench: cannot run again");
  return 1;
}
