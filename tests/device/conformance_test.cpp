// SPDX-License-Identifier: MIT
// What holds on every device, whoever made it. Devices that this machine lacks are not run.
#include <cstring>
#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "hipwright/compiler.h"
#include "hipwright/cpu_kernel.h"

namespace hipwright::device {

namespace {

using testing::HasSubstr;

constexpr const char* kSource = R"(
extern "C" __global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
extern "C" __global__ void scale(int* data, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
)";

const CpuKernel kAdd("add", [](const CpuBlock& block, const int* a, const int* b, int* out, int n) {
  block.each_thread([&](Dim3 thread) {
    const int i = static_cast<int>(block.index.x * block.size.x + thread.x);
    if (i < n) out[i] = a[i] + b[i];
  });
});
const CpuKernel kScale("scale", [](const CpuBlock& block, int* data, int factor, int n) {
  block.each_thread([&](Dim3 thread) {
    const int i = static_cast<int>(block.index.x * block.size.x + thread.x);
    if (i < n) data[i] *= factor;
  });
});

template <class... Args>
struct Pack {
  explicit Pack(const Args&... arguments) : list{Argument{&arguments, sizeof arguments}...} {}
  std::array<Argument, sizeof...(Args)> list;
};

constexpr int kCount = 1000;
constexpr std::size_t kBytes = kCount * sizeof(int);

class Conformance : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto selector = parse_selector(GetParam());
    ASSERT_TRUE(selector) << selector.error().message();
    auto devices = open_all(*selector);
    if (!devices) {
      ASSERT_EQ(devices.error().kind, FailureKind::kNotAvailable) << devices.error().message();
      ASSERT_TRUE(selector->kind == Kind::kCuda || selector->kind == Kind::kHip)
          << devices.error().message();
      GTEST_SKIP() << "not run: no device " << GetParam();
    }
    device = devices->front();
  }

  void TearDown() override {
    if (!device) return;
    for (void* pointer : allocated) EXPECT_TRUE(device->free(pointer));
    if (module != nullptr) {
      EXPECT_TRUE(device->unload(module));
    }
  }

  Function function(const std::string& name) {
    if (module == nullptr) {
      std::string code;
      if (device->properties().kind != Kind::kCpu) {
        ROCmCompiler compiler({.architecture = device->properties().architecture});
        code = compiler.compile_kernel(kSource, "add").code_object();
      }
      module = value(device->load(code));
    }
    return value(device->find(module, name));
  }

  template <class T>
  static T value(Outcome<T> outcome) {
    if (!outcome) throw std::runtime_error(outcome.error().message());
    return *outcome;
  }
  static void done(const Done& outcome) {
    if (!outcome) throw std::runtime_error(outcome.error().message());
  }

  int* buffer(int first, int step) {
    auto* pointer = static_cast<int*>(value(device->allocate(kBytes)));
    allocated.push_back(pointer);
    std::vector<int> values(kCount);
    for (int i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = first + step * i;
    done(device->copy(pointer, values.data(), kBytes, Direction::kToDevice));
    return pointer;
  }
  std::vector<int> content(const void* pointer) {
    std::vector<int> values(kCount);
    done(device->copy(values.data(), pointer, kBytes, Direction::kToHost));
    return values;
  }
  Launch shape(Stream stream) { return {.grid = {8}, .block = {128}, .stream = stream}; }

  std::shared_ptr<Device> device;
  Module module = nullptr;
  std::vector<void*> allocated;
};

TEST_P(Conformance, SaysWhatItIs) {
  const Properties& properties = device->properties();
  EXPECT_THAT(properties.id, testing::StartsWith(std::string(to_string(properties.kind))));
  EXPECT_FALSE(properties.name.empty());
  EXPECT_GT(properties.memory_bytes, 1ULL << 28);
  EXPECT_GE(properties.compute_units, 1u);
  EXPECT_GE(properties.max_threads_per_block, 256u);
  const MemoryInfo info = value(device->memory_info());
  EXPECT_GT(info.free_bytes, 0u);
  EXPECT_LE(info.free_bytes, info.total_bytes);
}

TEST_P(Conformance, OpenedTwiceIsTheSameDevice) {
  EXPECT_EQ(open_all(*parse_selector(GetParam()))->front(), device);
}

TEST_P(Conformance, RunsAKernelOverCopiedData) {
  const Function add = function("add");
  int* a = buffer(1, 1);
  int* b = buffer(100, 2);
  int* out = buffer(0, 0);
  done(device->launch(add, shape(nullptr), Pack(a, b, out, kCount).list));
  done(device->synchronize());
  const std::vector<int> values = content(out);
  for (int i = 0; i < kCount; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], 101 + 3 * i);
}

TEST_P(Conformance, CopiesAndFillsKeepTheStreamsOrder) {
  const Stream stream = value(device->create_stream(0));
  int* a = buffer(7, 1);
  int* b = buffer(0, 0);
  auto* host = static_cast<int*>(value(device->allocate_pinned(kBytes)));
  done(device->copy_async(b, a, kBytes, Direction::kOnDevice, stream));
  done(device->fill(a, 0xff, kBytes, stream));
  done(device->copy_async(host, b, kBytes, Direction::kToHost, stream));
  done(device->copy_async(b, host, 4, Direction::kToDevice, stream));
  done(device->synchronize(stream));
  EXPECT_TRUE(value(device->idle(stream)));
  EXPECT_EQ(host[0], 7);
  EXPECT_EQ(host[kCount - 1], 7 + kCount - 1);
  EXPECT_EQ(content(a)[500], -1);
  done(device->free_pinned(host));
  done(device->destroy_stream(stream));
}

TEST_P(Conformance, EventsOrderStreamsAndMeasure) {
  const Stream first = value(device->create_stream(0));
  const Stream second = value(device->create_stream(0));
  const Event begin = value(device->create_event(true));
  const Event end = value(device->create_event(true));
  const Function scale = function("scale");
  int* data = buffer(1, 0);
  const int three = 3;
  const int minus = -1;
  done(device->record(begin, first));
  for (int i = 0; i < 5; ++i)
    done(device->launch(scale, shape(first), Pack(data, three, kCount).list));
  done(device->record(end, first));
  done(device->wait(second, end));
  done(device->launch(scale, shape(second), Pack(data, minus, kCount).list));
  done(device->synchronize(second));
  EXPECT_TRUE(value(device->reached(end)));
  EXPECT_GT(value(device->elapsed_ms(begin, end)), 0);
  EXPECT_EQ(content(data)[kCount - 1], -243);
  done(device->synchronize(end));
  for (const Event event : {begin, end}) done(device->destroy_event(event));
  for (const Stream stream : {first, second}) done(device->destroy_stream(stream));
}

TEST_P(Conformance, ALaunchThatDoesNotFitItsKernelIsRejectedAndExplained) {
  const Function scale = function("scale");
  int* data = buffer(1, 1);
  const int two = 2;
  const double wrong = 2;
  const auto refused = [&](const Done& outcome, const char* text) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, FailureKind::kDevice);
    EXPECT_THAT(outcome.error().message(), HasSubstr(text));
    EXPECT_THAT(outcome.error().message(), HasSubstr("scale"));
    EXPECT_FALSE(outcome.error().device_lost);
  };
  refused(device->launch(scale, shape(nullptr), Pack(data, two).list),
          "expected 3 arguments, got 2");
  refused(device->launch(scale, shape(nullptr), Pack(data, wrong, kCount).list),
          "argument 2 has 8 bytes");
  Launch large = shape(nullptr);
  large.block = {4096};
  refused(device->launch(scale, large, Pack(data, two, kCount).list), "4096 threads");
  large.block = {0};
  refused(device->launch(scale, large, Pack(data, two, kCount).list), "no dimension may be 0");
  // The device works on.
  done(device->launch(scale, shape(nullptr), Pack(data, two, kCount).list));
  done(device->synchronize());
  EXPECT_EQ(content(data)[0], 2);
}

TEST_P(Conformance, AKernelTellsTheSizesOfItsArguments) {
  const auto sizes = device->argument_sizes(function("scale"));
  if (!sizes) {
    EXPECT_EQ(sizes.error().kind, FailureKind::kNotAvailable) << sizes.error().message();
    GTEST_SKIP() << "not run: this driver does not report the sizes of arguments";
  }
  EXPECT_EQ(*sizes, (std::vector<std::size_t>{8, 4, 4}));
}

TEST_P(Conformance, KernelsUseRegisteredMemoryOfTheProgram) {
  std::vector<int> host(kCount, 7);
  done(device->register_pinned(host.data(), kBytes));
  int* data = host.data();
  const int three = 3;
  done(device->launch(function("scale"), shape(nullptr), Pack(data, three, kCount).list));
  done(device->synchronize());
  EXPECT_EQ(host.front(), 21);
  EXPECT_EQ(host.back(), 21);
  done(device->unregister_pinned(host.data()));
  EXPECT_FALSE(device->unregister_pinned(host.data()));
  done(device->register_pinned(host.data(), kBytes));
  done(device->unregister_pinned(host.data()));
}

TEST_P(Conformance, AMissingKernelIsNamed) {
  function("add");
  const auto missing = device->find(module, "subtract");
  ASSERT_FALSE(missing);
  EXPECT_FALSE(missing.error().device_lost);
}

TEST_P(Conformance, AllocatingTooMuchIsAMemoryFailure) {
  const auto huge = device->allocate(std::size_t{1} << 46);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().kind, FailureKind::kMemory) << huge.error().message();
  EXPECT_THAT(huge.error().message(), HasSubstr(device->id()));
  buffer(1, 1);
}

TEST_P(Conformance, ACapturedGraphReplaysAndTakesNewArguments) {
  const Stream stream = value(device->create_stream(0));
  const Function scale = function("scale");
  const Function add = function("add");
  int* data = buffer(1, 0);
  int* other = buffer(10, 0);
  const int two = 2;
  const int five = 5;
  const auto record = [&](int factor) {
    done(device->begin_capture(stream));
    EXPECT_EQ(value(device->capture_state(stream)), CaptureState::kActive);
    done(device->launch(scale, shape(stream), Pack(data, factor, kCount).list));
    done(device->launch(add, shape(stream), Pack(data, other, data, kCount).list));
    return value(device->end_capture(stream));
  };
  const Graph graph = record(two);
  EXPECT_EQ(value(device->capture_state(stream)), CaptureState::kNone);
  EXPECT_EQ(content(data)[3], 1) << "recorded, not run";

  const auto nodes = value(device->kernel_nodes(graph));
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].kernel, "scale");
  EXPECT_EQ(nodes[1].kernel, "add");
  EXPECT_EQ(nodes[0].launch.block.x, 128u);

  done(device->launch(graph, stream));
  done(device->launch(graph, stream));
  done(device->synchronize(stream));
  EXPECT_EQ(content(data)[3], (1 * 2 + 10) * 2 + 10);

  done(device->set_arguments(graph, 0, Pack(data, five, kCount).list));
  done(device->launch(graph, stream));
  done(device->synchronize(stream));
  EXPECT_EQ(content(data)[3], 34 * 5 + 10);
  EXPECT_FALSE(device->set_arguments(graph, 0, Pack(data, five).list));
  EXPECT_FALSE(device->set_arguments(graph, 2, Pack(data, five, kCount).list));

  const Graph newer = record(-1);
  done(device->update(graph, newer));
  done(device->destroy(newer));
  done(device->launch(graph, stream));
  done(device->synchronize(stream));
  EXPECT_EQ(content(data)[3], -180 + 10);
  done(device->destroy(graph));
  done(device->destroy_stream(stream));
}

TEST_P(Conformance, AnUpdateOfAnotherShapeIsRejected) {
  const Stream stream = value(device->create_stream(0));
  const Function scale = function("scale");
  int* data = buffer(1, 0);
  const int two = 2;
  const auto record = [&](int times) {
    done(device->begin_capture(stream));
    for (int i = 0; i < times; ++i)
      done(device->launch(scale, shape(stream), Pack(data, two, kCount).list));
    return value(device->end_capture(stream));
  };
  const Graph one = record(1);
  const Graph two_launches = record(2);
  const Done refused = device->update(one, two_launches);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("shape"));
  done(device->launch(one, stream));
  done(device->synchronize(stream));
  EXPECT_EQ(content(data)[0], 2);
  for (const Graph graph : {one, two_launches}) done(device->destroy(graph));
  done(device->destroy_stream(stream));
}

TEST_P(Conformance, WaitingBreaksACaptureAndIsReported) {
  const Stream stream = value(device->create_stream(0));
  EXPECT_EQ(device->begin_capture(nullptr).error().kind, FailureKind::kCapture);
  done(device->begin_capture(stream));
  const Done waited = device->synchronize(stream);
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().kind, FailureKind::kCapture) << waited.error().message();
  EXPECT_EQ(value(device->capture_state(stream)), CaptureState::kInvalidated);
  const auto ended = device->end_capture(stream);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, FailureKind::kCapture) << ended.error().message();
  // The stream can be used again.
  EXPECT_EQ(value(device->capture_state(stream)), CaptureState::kNone);
  done(device->synchronize(stream));
  done(device->destroy_stream(stream));
}

// In the relaxed mode too, which lets other calls of other threads through.
TEST_P(Conformance, WaitingForTheWholeDeviceBreaksTheCapturesOfOtherThreads) {
  const Stream stream = value(device->create_stream(0));
  done(device->begin_capture(stream));
  std::thread([&] {
    const Done waited = device->synchronize();
    ASSERT_FALSE(waited);
    EXPECT_EQ(waited.error().kind, FailureKind::kCapture) << waited.error().message();
  }).join();
  const auto ended = device->end_capture(stream);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, FailureKind::kCapture) << ended.error().message();
  done(device->synchronize());
  done(device->destroy_stream(stream));
}

TEST_P(Conformance, PrioritiesAreARangeAndStreamsTakeThem) {
  const PriorityRange range = device->priorities();
  EXPECT_LE(range.highest, range.lowest);
  for (const int priority : {range.lowest, range.highest})
    done(device->destroy_stream(value(device->create_stream(priority))));
}

TEST_P(Conformance, StreamOrderedMemoryWorksOrIsReportedMissing) {
  const Stream stream = value(device->create_stream(0));
  const auto pointer = device->allocate_async(kBytes, stream);
  if (!pointer) {
    EXPECT_EQ(pointer.error().kind, FailureKind::kNotAvailable) << pointer.error().message();
  } else {
    done(device->fill(*pointer, 1, kBytes, stream));
    std::vector<int> values(kCount);
    done(device->copy_async(values.data(), *pointer, kBytes, Direction::kToHost, stream));
    done(device->free_async(*pointer, stream));
    done(device->synchronize(stream));
    EXPECT_EQ(values[kCount - 1], 0x01010101);
  }
  done(device->destroy_stream(stream));
}

TEST_P(Conformance, ADeviceCanAccessItsOwnMemory) {
  EXPECT_TRUE(value(device->can_access_peer(*device)));
  done(device->enable_peer_access(*device));
  int* a = buffer(5, 1);
  int* b = buffer(0, 0);
  done(device->copy_peer(b, *device, a, kBytes, nullptr));
  done(device->synchronize());
  EXPECT_EQ(content(b)[9], 14);
}

INSTANTIATE_TEST_SUITE_P(Devices, Conformance,
                         testing::Values("cpu", "soft:gfx942", "soft:gfx1100", "cuda", "hip"),
                         [](const auto& selector) {
                           std::string name = selector.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

}  // namespace

}  // namespace hipwright::device
