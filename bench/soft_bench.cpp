// SPDX-License-Identifier: MIT
// How fast the software GPU runs: wave-instructions per second on one thread, for kernels bound by
// arithmetic, by memory and by the matrix unit, and the ratio to the same source compiled for the
// host with -O3.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/file.h"
#include "base/process.h"
#include "soft/exec/launch.h"
#include "soft/exec/ops/ops.h"
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

#if defined(__gfx942__) || defined(__gfx90a__)
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
    Command command{.argv = {clang->cxx.string(), "-std=c++17", "-w", "-ffp-contract=fast", "-o",
                             (folder.path() / name).string(), source.string()}};
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
  std::uint64_t launch_once(const char* kernel, unsigned threads) const {
    struct {
      std::uint64_t out, in;
      std::uint32_t n;
    } arguments{out, in, kThreads};
    const Engine engine{.memory = const_cast<Memory*>(&memory), .schedule = {.threads = threads}};
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

void on_soft(benchmark::State& state, const char* kernel, unsigned threads) {
  Bench& bench = Bench::shared();
  std::uint64_t instructions = 0;
  for (auto _ : state) instructions += bench.launch_once(kernel, threads);
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

#define ON_SOFT(kernel, threads)                                   \
  BENCHMARK_CAPTURE(on_soft, kernel##_##threads, #kernel, threads) \
      ->Unit(benchmark::kMillisecond)                              \
      ->UseRealTime()
ON_SOFT(alu, 1);
ON_SOFT(alu, 2);
ON_SOFT(stream, 1);
ON_SOFT(matrix, 1);
BENCHMARK_CAPTURE(on_host, alu, "alu")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(on_host, stream, "stream")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
