// SPDX-License-Identifier: MIT
// The HIP device on the software GPU's runtime: real code objects, every call of the interface.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "device/device.h"
#include "hipwright/compiler.h"

namespace hipwright::device {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kSource = R"(
extern "C" __global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
extern "C" __global__ void scale(float* data, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
extern "C" __global__ void __launch_bounds__(64) small_blocks(float* data) {
  data[threadIdx.x] = threadIdx.x;
}
extern "C" __global__ void reverse(float* data, int n) {
  extern __shared__ float copy[];
  __shared__ float fixed[16];
  if (threadIdx.x < 16) fixed[threadIdx.x] = data[threadIdx.x] - threadIdx.x;  // zeroes
  copy[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = copy[n - 1 - threadIdx.x] + fixed[n % 16];
}
extern "C" __global__ void __launch_bounds__(64) all_static(float* data) {
  __shared__ float all[16384];  // 64 KiB: all there is
  for (int i = threadIdx.x; i < 16384; i += 64) all[i] = data[i % 64];
  __syncthreads();
  data[threadIdx.x] = all[16383 - threadIdx.x];
}
extern "C" __global__ void nothing() {}
)";

std::string compiled(const std::string& architecture) {
  static auto* const compiler = new ROCmCompiler({.backend = CompilerBackend::kClang});
  return std::string(
      compiler->compile_kernel(kSource, "add", {.architecture = architecture}).code_object());
}

template <class T>
T must(Outcome<T> outcome) {
  if (!outcome) throw std::runtime_error(outcome.error().message());
  if constexpr (!std::is_void_v<T>) return *outcome;
}

template <class T>
Argument arg(const T& value) {
  return {&value, sizeof value};
}

// One target, its kernels, and buffers of floats.
class HipDevice : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int kCount = 1000;
  static constexpr std::size_t kBytes = kCount * sizeof(float);

  void SetUp() override {
    device = must(open_soft({GetParam()})).front();
    module = must(device->load(compiled(GetParam())));
  }
  void TearDown() override {
    for (float* buffer : buffers) EXPECT_TRUE(device->free(buffer));
    EXPECT_TRUE(device->unload(module));
  }

  Function kernel(const std::string& name) { return must(device->find(module, name)); }
  float* buffer(float first = 0, float step = 0) {
    std::vector<float> values(kCount);
    for (int i = 0; i < kCount; ++i) values[i] = first + step * static_cast<float>(i);
    buffers.push_back(static_cast<float*>(must(device->allocate(kBytes))));
    must(device->copy(buffers.back(), values.data(), kBytes, Direction::kToDevice));
    return buffers.back();
  }
  std::vector<float> read(const float* from) {
    std::vector<float> values(kCount);
    must(device->copy(values.data(), from, kBytes, Direction::kToHost));
    return values;
  }
  Done scale(float* data, float factor, Stream stream = nullptr) {
    const int n = kCount;
    const std::array arguments{arg(data), arg(factor), arg(n)};
    return device->launch(kernel("scale"), {.grid = {4}, .block = {256}, .stream = stream},
                          arguments);
  }

  std::shared_ptr<Device> device;
  Module module = nullptr;
  std::vector<float*> buffers;
};

INSTANTIATE_TEST_SUITE_P(Soft, HipDevice, testing::Values("gfx942", "gfx1100"));

TEST_P(HipDevice, SaysWhatItIs) {
  const Properties& p = device->properties();
  EXPECT_EQ(p.kind, Kind::kSoft);
  EXPECT_EQ(p.id, "soft:" + GetParam());
  EXPECT_THAT(p.architecture, testing::StartsWith(GetParam()));
  EXPECT_THAT(p.name, HasSubstr("software GPU"));
  EXPECT_EQ(p.wave_size, GetParam() == "gfx942" ? 64U : 32U);
  EXPECT_EQ(p.compute_units, GetParam() == "gfx942" ? 304U : 96U);
  EXPECT_EQ(p.bandwidth_gbs, GetParam() == "gfx942" ? 5300 : 960);
  EXPECT_THAT(p.bandwidth_from, HasSubstr("data sheet"));
  EXPECT_EQ(p.max_threads_per_block, 1024U);
  EXPECT_EQ(p.shared_bytes_per_block, 65536U);
  EXPECT_GT(p.memory_bytes, 1U << 30);
  EXPECT_THAT(p.runtime, testing::StartsWith("HIP 6.4"));
  EXPECT_THAT(p.library, testing::EndsWith("libhipwright_soft.so"));
  EXPECT_EQ(must(open_soft({GetParam()})).front(), device) << "opened twice";
}

TEST_P(HipDevice, RunsKernels) {
  float *a = buffer(0, 1), *b = buffer(2.5F), *out = buffer();
  const int n = kCount;
  const std::array arguments{arg(a), arg(b), arg(out), arg(n)};
  must(device->launch(kernel("add"), {.grid = {4}, .block = {256}}, arguments));
  must(device->synchronize());
  const auto sum = read(out);
  for (int i = 0; i < n; ++i) ASSERT_EQ(sum[i], static_cast<float>(i) + 2.5F);
  must(device->launch(kernel("nothing"), {}, {}));
}

TEST_P(HipDevice, ProvidesDynamicSharedMemory) {
  float* data = buffer(0, 1);
  const int n = 256;
  const std::array arguments{arg(data), arg(n)};
  const Launch launch{.block = {256}, .shared_bytes = n * sizeof(float)};
  must(device->launch(kernel("reverse"), launch, arguments));
  const auto values = read(data);
  for (int i = 0; i < n; ++i) ASSERT_EQ(values[i], static_cast<float>(n - 1 - i));
}

TEST_P(HipDevice, CopiesEveryWay) {
  const Stream stream = must(device->create_stream(0));
  auto* pinned = static_cast<float*>(must(device->allocate_pinned(kBytes)));
  std::iota(pinned, pinned + kCount, 1.0F);
  float *first = buffer(), *second = buffer();
  must(device->copy_async(first, pinned, kBytes, Direction::kToDevice, stream));
  must(device->copy_async(second, first, kBytes, Direction::kOnDevice, stream));
  must(device->fill(pinned, 0xff, kBytes, stream));
  must(device->copy_async(pinned, second, kBytes, Direction::kToHost, stream));
  must(device->synchronize(stream));
  EXPECT_TRUE(must(device->idle(stream)));
  EXPECT_EQ(pinned[0], 1);
  EXPECT_EQ(pinned[kCount - 1], kCount);
  must(device->fill(first, 0, kBytes, nullptr));
  must(device->copy(second, first, kBytes, Direction::kOnDevice));
  EXPECT_EQ(read(second), std::vector<float>(kCount, 0));
  must(device->free_pinned(pinned));
  must(device->destroy_stream(stream));
  EXPECT_FALSE(device->copy(first, read(second).data(), kBytes + 4, Direction::kToDevice));
}

TEST_P(HipDevice, CountsItsMemory) {
  const MemoryInfo before = must(device->memory_info());
  EXPECT_EQ(before.total_bytes, device->properties().memory_bytes);
  void* memory = must(device->allocate(64U << 20));
  EXPECT_EQ(must(device->memory_info()).free_bytes, before.free_bytes - (64U << 20));
  must(device->free(memory));
  EXPECT_EQ(must(device->memory_info()).free_bytes, before.free_bytes);
  const auto much = device->allocate(before.total_bytes + 1);
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().kind, FailureKind::kMemory);
  EXPECT_EQ(much.error().code_name, "hipErrorOutOfMemory");
  EXPECT_FALSE(much.error().device_lost);
  EXPECT_THAT(much.error().message(),
              AllOf(HasSubstr("hipMalloc failed on soft:"),
                    HasSubstr(std::to_string(before.total_bytes + 1) + " bytes")));
  const Stream stream = must(device->create_stream(0));
  void* ordered = must(device->allocate_async(4096, stream));
  must(device->free_async(ordered, stream));
  must(device->destroy_stream(stream));
}

TEST_P(HipDevice, MeasuresBetweenEvents) {
  const Stream stream = must(device->create_stream(device->priorities().highest));
  const Event start = must(device->create_event(true)), stop = must(device->create_event(true));
  const Event untimed = must(device->create_event(false));
  float* data = buffer(1);
  must(device->record(start, stream));
  must(scale(data, 2, stream));
  must(device->record(stop, stream));
  must(device->record(untimed, stream));
  const Stream other = must(device->create_stream(0));
  must(device->wait(other, stop));
  must(device->synchronize(stop));
  EXPECT_TRUE(must(device->reached(stop)));
  EXPECT_GT(must(device->elapsed_ms(start, stop)), 0);
  const auto wrong = device->elapsed_ms(start, untimed);
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), HasSubstr("without timing"));
  for (const Event event : {start, stop, untimed}) must(device->destroy_event(event));
  for (const Stream made : {stream, other}) must(device->destroy_stream(made));
  EXPECT_LE(device->priorities().highest, device->priorities().lowest);
}

TEST_P(HipDevice, ReplaysWhatWasCaptured) {
  const Stream stream = must(device->create_stream(0));
  float *first = buffer(1), *second = buffer(1);
  const auto capture = [&](float factor) {
    must(device->begin_capture(stream));
    EXPECT_EQ(must(device->capture_state(stream)), CaptureState::kActive);
    must(scale(first, factor, stream));
    must(scale(first, factor, stream));
    must(device->copy_async(second, first, kBytes, Direction::kOnDevice, stream));
    const Graph graph = must(device->end_capture(stream));
    EXPECT_EQ(must(device->capture_state(stream)), CaptureState::kNone);
    return graph;
  };
  const Graph graph = capture(2);
  EXPECT_EQ(read(first)[0], 1) << "recorded, not run";
  must(device->launch(graph, stream));
  must(device->launch(graph, stream));
  must(device->synchronize(stream));
  EXPECT_EQ(read(second)[kCount - 1], 16);

  const auto nodes = must(device->kernel_nodes(graph));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[1].kernel, "scale");
  EXPECT_EQ(nodes[1].launch.grid.x, 4U);
  EXPECT_EQ(nodes[1].launch.block.x, 256U);

  const float third = 3;
  const int n = kCount;
  must(device->set_arguments(graph, 1, std::array{arg(first), arg(third), arg(n)}));
  must(device->launch(graph, stream));
  must(device->synchronize(stream));
  EXPECT_EQ(read(second)[0], 16 * 2 * 3);

  // The parameters of another capture; afterwards arguments can still be set one by one.
  const Graph newer = capture(10);
  must(device->update(graph, newer));
  must(device->destroy(newer));
  must(device->launch(graph, stream));
  EXPECT_EQ(read(second)[0], 96 * 100);
  must(device->set_arguments(graph, 0, std::array{arg(second), arg(third), arg(n)}));
  must(device->launch(graph, stream));
  EXPECT_EQ(read(first)[0], 96000);

  const double wide = 3;
  const auto wrong = device->set_arguments(graph, 1, std::array{arg(first), arg(wide), arg(n)});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(),
              HasSubstr("argument 2 has 8 bytes, but the kernel's parameter has 4"));
  EXPECT_FALSE(device->set_arguments(graph, 2, {}));
  must(device->destroy(graph));
  must(device->destroy_stream(stream));
}

TEST_P(HipDevice, GraphsOfAnotherShapeAreRejected) {
  const Stream stream = must(device->create_stream(0));
  float* data = buffer(1);
  const auto capture = [&](int kernels, int fills) {
    must(device->begin_capture(stream));
    for (int i = 0; i < kernels; ++i) must(scale(data, 2, stream));
    for (int i = 0; i < fills; ++i) must(device->fill(data, 0, kBytes, stream));
    return must(device->end_capture(stream));
  };
  const Graph one = capture(1, 1), two = capture(2, 0), three = capture(2, 1);
  const auto other_kind = device->update(one, two);
  ASSERT_FALSE(other_kind);
  EXPECT_EQ(other_kind.error().kind, FailureKind::kCapture);
  EXPECT_THAT(other_kind.error().message(),
              HasSubstr("node 1 is a fill, but a kernel in the newer graph"));
  const auto other_size = device->update(one, three);
  ASSERT_FALSE(other_size);
  EXPECT_THAT(other_size.error().message(), HasSubstr("2 nodes instead of 3 in the newer graph"));
  for (const Graph graph : {one, two, three}) must(device->destroy(graph));
  must(device->destroy_stream(stream));
}

TEST_P(HipDevice, BrokenCapturesAreReported) {
  const auto of_default = device->begin_capture(nullptr);
  ASSERT_FALSE(of_default);
  EXPECT_EQ(of_default.error().kind, FailureKind::kCapture);
  const Stream stream = must(device->create_stream(0));
  must(device->begin_capture(stream));
  const auto waited = device->synchronize(stream);
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().kind, FailureKind::kCapture);
  EXPECT_EQ(must(device->capture_state(stream)), CaptureState::kInvalidated);
  const auto ended = device->end_capture(stream);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, FailureKind::kCapture);
  EXPECT_EQ(ended.error().code_name, "hipErrorStreamCaptureInvalidated");
  // Afterwards the stream works as before.
  EXPECT_EQ(must(device->capture_state(stream)), CaptureState::kNone);
  EXPECT_FALSE(device->end_capture(stream));
  float* data = buffer(2);
  must(scale(data, 2, stream));
  must(device->synchronize(stream));
  EXPECT_EQ(read(data)[0], 4);
  must(device->destroy_stream(stream));
}

TEST_P(HipDevice, ACaptureDoesNotDisturbOtherThreads) {
  const Stream stream = must(device->create_stream(0));
  float* data = buffer(1);
  must(device->begin_capture(stream));
  must(scale(data, 2, stream));
  std::thread([&] {
    void* memory = must(device->allocate(4096));
    must(device->synchronize(Stream{}));
    must(device->free(memory));
  }).join();
  // Nor does it keep the memory pool from growing.
  must(device->free(must(device->allocate(4096))));
  must(device->destroy(must(device->end_capture(stream))));
  must(device->destroy_stream(stream));
  // A stream that goes away takes its capture with it.
  const Stream lost = must(device->create_stream(0));
  must(device->begin_capture(lost));
  must(device->destroy_stream(lost));
  must(device->free(must(device->allocate(4096))));
}

TEST_P(HipDevice, WrongArgumentsAreNamedBeforeTheLaunch) {
  float* data = buffer();
  const int n = kCount;
  const double factor = 2;
  const auto few = device->launch(kernel("scale"), {}, std::array{arg(data), arg(n)});
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().kind, FailureKind::kDevice);
  EXPECT_EQ(few.error().code, 0);
  EXPECT_THAT(few.error().message(), AllOf(HasSubstr("'scale' on "), HasSubstr(device->id())));
  const auto wide = device->launch(kernel("scale"), {}, std::array{arg(data), arg(factor), arg(n)});
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.error().message(),
              HasSubstr("argument 2 has 8 bytes, but the kernel's parameter has 4"));
  const Argument none[] = {arg(data), {nullptr, 4}, arg(n)};
  EXPECT_FALSE(device->launch(kernel("scale"), {}, none));
  must(device->synchronize());
}

TEST_P(HipDevice, WrongShapesAreNamedBeforeTheLaunch) {
  float* data = buffer();
  const int n = 1;
  const auto refused = [&](const std::string& name, const Launch& launch,
                           std::span<const Argument> arguments) {
    const auto done = device->launch(kernel(name), launch, arguments);
    return done ? "" : done.error().message();
  };
  const std::array one{arg(data)};
  const std::array two{arg(data), arg(n)};
  EXPECT_THAT(refused("small_blocks", {.block = {65}}, one),
              AllOf(HasSubstr("small_blocks"),
                    HasSubstr("65x1x1 has 65 threads, but at most 64 are allowed")));
  EXPECT_THAT(refused("reverse", {.block = {1024, 2}}, two),
              HasSubstr("2048 threads, but at most 1024"));
  EXPECT_THAT(refused("reverse", {.block = {16}, .shared_bytes = 65536}, two),
              HasSubstr("65536 bytes of dynamic shared memory exceed the limit of 65472"));
  EXPECT_THAT(refused("all_static", {.block = {64}, .shared_bytes = 4}, one),
              HasSubstr("4 bytes of dynamic shared memory exceed the limit of 0"));
  EXPECT_EQ(refused("all_static", {.block = {64}}, one), "");
  EXPECT_THAT(refused("small_blocks", {.grid = {0}}, one), HasSubstr("no dimension may be 0"));
  EXPECT_THAT(refused("small_blocks", {.grid = {1U << 31}, .block = {64}}, one),
              HasSubstr("threads in one dimension"));
  EXPECT_EQ(refused("small_blocks", {.block = {64}}, one), "");
}

TEST_P(HipDevice, MissingThingsAreNamed) {
  const auto kernel_name = device->find(module, "sub");
  ASSERT_FALSE(kernel_name);
  EXPECT_THAT(kernel_name.error().message(), AllOf(HasSubstr("'sub'"), HasSubstr("add, scale")));
  int on_stack = 0;
  const auto wild = device->free(&on_stack);
  ASSERT_FALSE(wild);
  EXPECT_EQ(wild.error().kind, FailureKind::kDevice);
  EXPECT_FALSE(wild.error().device_lost);
  EXPECT_THAT(wild.error().message(), HasSubstr("is not the start of a live allocation"));
  const auto damaged = device->load("no code object");
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().kind, FailureKind::kCompilation);
  const std::string other = GetParam() == "gfx942" ? "gfx1100" : "gfx942";
  const auto foreign = device->load(compiled(other));
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().kind, FailureKind::kCompilation);
  EXPECT_THAT(foreign.error().message(), AllOf(HasSubstr("it is compiled for " + other),
                                               HasSubstr("Compile it for " + GetParam())));
  must(device->synchronize());  // no error was left behind
}

TEST_P(HipDevice, WorksFromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const Stream stream = must(device->create_stream(0));
      auto* data = static_cast<float*>(must(device->allocate(kBytes)));
      std::vector<float> values(kCount, static_cast<float>(t));
      for (int round = 0; round < 10; ++round) {
        must(device->copy_async(data, values.data(), kBytes, Direction::kToDevice, stream));
        must(scale(data, 2, stream));
        must(device->copy_async(values.data(), data, kBytes, Direction::kToHost, stream));
        must(device->synchronize(stream));
      }
      EXPECT_EQ(values, std::vector<float>(kCount, static_cast<float>(t) * 1024));
      must(device->free(data));
      must(device->destroy_stream(stream));
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(HipDevices, SeveralTargetsInOneProcess) {
  const auto devices = must(open_soft({"gfx942", "gfx1100", "gfx942"}));
  ASSERT_EQ(devices.size(), 3U);
  EXPECT_EQ(devices[0]->id(), "soft:gfx942");
  EXPECT_EQ(devices[1]->id(), "soft:gfx1100");
  EXPECT_EQ(devices[2]->id(), "soft:gfx942#1");
  EXPECT_NE(devices[0], devices[2]);
  EXPECT_EQ(must(open_soft({"gfx942#1"})).front(), devices[2]);
  EXPECT_EQ(must(open_all(must(parse_selector("soft:gfx942#1")))).front(), devices[2]);
  // Handles are of the device that made them.
  const Module module = must(devices[0]->load(compiled("gfx942")));
  const Function nothing = must(devices[0]->find(module, "nothing"));
  const Stream other = must(devices[2]->create_stream(0));
  EXPECT_FALSE(devices[0]->launch(nothing, {.stream = other}, {}));
  must(devices[0]->launch(nothing, {}, {}));
  must(devices[2]->destroy_stream(other));
  must(devices[0]->unload(module));
}

TEST(HipDevices, AreOpenedAndUsedByManyThreads) {
  const std::array<std::string, 4> names = {"gfx1101", "gfx950", "gfx1101#1", "gfx1200"};
  const std::string code = compiled("gfx950");
  std::array<std::shared_ptr<Device>, 12> opened;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < opened.size(); ++t)
    threads.emplace_back([&, t] {
      Device& device = *(opened[t] = must(open_soft({names[t % names.size()]})).front());
      const Stream stream = must(device.create_stream(0));
      const Event event = must(device.create_event(true));
      std::vector<int> values(64, static_cast<int>(t)), back(64);
      void* memory = must(device.allocate(256));
      must(device.copy_async(memory, values.data(), 256, Direction::kToDevice, stream));
      must(device.begin_capture(stream));
      must(device.fill(memory, 0, 128, stream));
      const Graph graph = must(device.end_capture(stream));
      must(device.launch(graph, stream));
      must(device.record(event, stream));
      must(device.synchronize(event));
      if (device.properties().architecture.starts_with("gfx950")) {
        const Module module = must(device.load(code));
        must(device.launch(must(device.find(module, "nothing")), {.stream = stream}, {}));
        must(device.unload(module));
      }
      must(device.copy(back.data(), memory, 256, Direction::kToHost));
      EXPECT_EQ(back[0], 0);
      EXPECT_EQ(back[63], static_cast<int>(t));
      must(device.free(memory));
      must(device.destroy(graph));
      must(device.destroy_event(event));
      must(device.destroy_stream(stream));
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < opened.size(); ++t)
    EXPECT_EQ(opened[t], opened[t % names.size()]) << t;
}

TEST(HipDevices, PeersCopyAndReachEachOther) {
  const auto devices = must(open_soft({"gfx90a", "gfx90a"}));
  Device &first = *devices[0], &second = *devices[1];
  constexpr std::size_t bytes = 256 * sizeof(float);
  auto* from = static_cast<float*>(must(first.allocate(bytes)));
  auto* to = static_cast<float*>(must(second.allocate(bytes)));
  std::vector<float> values(256, 7), back(256);
  must(first.copy(from, values.data(), bytes, Direction::kToDevice));
  must(first.copy_peer(to, second, from, bytes, nullptr));
  must(first.synchronize());
  must(second.copy(back.data(), to, bytes, Direction::kToHost));
  EXPECT_EQ(back, values);

  EXPECT_TRUE(must(first.can_access_peer(second)));
  must(first.enable_peer_access(second));
  must(first.enable_peer_access(second));
  const Module module = must(first.load(compiled("gfx90a")));
  const float factor = 3;
  const int n = 256;
  must(first.launch(must(first.find(module, "scale")), {.block = {256}},
                    std::array{arg(to), arg(factor), arg(n)}));
  must(second.copy(back.data(), to, bytes, Direction::kToHost));
  EXPECT_EQ(back[0], 21);
  must(first.unload(module));
  must(first.free(from));
  must(second.free(to));
}

// Faults end a device for the process: each has a process of its own.
class HipFault : public testing::Test {
 protected:
  static void fault_and_exit(bool peer) {
    const auto devices = must(open_soft({"gfx942", "gfx942", "gfx1100"}));
    Device& device = *devices[0];
    const Module module = must(device.load(compiled("gfx942")));
    auto* memory = static_cast<float*>(must(devices[peer ? 1 : 0]->allocate(4096)));
    const float factor = 2;
    const int n = 1 << 20;
    const auto launched = device.launch(must(device.find(module, "scale")),
                                        {.grid = {peer ? 1U : 4096U}, .block = {256}},
                                        std::array{arg(memory), arg(factor), arg(n)});
    const auto done = launched ? device.synchronize() : launched;
    if (done) std::_Exit(1);
    const Failure& failure = done.error();
    if (failure.code_name != "hipErrorIllegalAddress" || !failure.device_lost) std::_Exit(2);
    const auto after = device.allocate(16);
    if (after || !after.error().device_lost) std::_Exit(3);
    if (!devices[2]->allocate(16)) std::_Exit(4);  // the others go on
    std::fputs(failure.message().c_str(), stderr);
    std::_Exit(0);
  }
};

TEST_F(HipFault, LosesTheDeviceAndReportsIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      fault_and_exit(false), testing::ExitedWithCode(0),
      "after the end of the allocation of 4096 bytes(.|\n)*hipErrorIllegalAddress, 700(.|\n)*"
      "is lost for this process");
}

TEST_F(HipFault, MemoryOfAPeerNeedsAccess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fault_and_exit(true), testing::ExitedWithCode(0),
              "belong to device 1, to which this one has no peer access");
}

TEST(OpenSoft, UnsupportedTargetsAreNamed) {
  const auto devices = open_soft({"gfx1010"});
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().kind, FailureKind::kNotAvailable);
  EXPECT_THAT(devices.error().message(), AllOf(HasSubstr("gfx1010"), HasSubstr("gfx1201")));
}

TEST(OpenSoft, AMissingLibraryIsNamed) {
  ::setenv("HIPWRIGHT_SOFT_LIBRARY", "/nowhere/libhipwright_soft.so", 1);
  const auto devices = open_soft({"gfx942"});
  ::unsetenv("HIPWRIGHT_SOFT_LIBRARY");
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().kind, FailureKind::kNotAvailable);
  EXPECT_THAT(devices.error().message(), AllOf(HasSubstr("/nowhere/libhipwright_soft.so"),
                                               HasSubstr("HIPWRIGHT_SOFT_LIBRARY")));
}

}  // namespace

}  // namespace hipwright::device
