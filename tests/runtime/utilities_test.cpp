// SPDX-License-Identifier: MIT
#include "hipwright/utilities.h"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <numeric>
#include <thread>

#include "runtime/on_device.h"
#include "runtime/pool/self_test.h"

namespace hipwright {

namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Utilities : public OnDevice {};

INSTANTIATE_TEST_SUITE_P(Devices, Utilities, testing::ValuesIn(kDevices), device_name);

TEST_P(Utilities, NameTheirDevice) {
  EXPECT_EQ(utils->device(), device);
  EXPECT_THAT(utils->get_device_properties().id, HasSubstr(GetParam()));  // "cuda": "cuda:0"
  const DeviceMemoryInfo info = utils->get_memory_info();
  EXPECT_GT(info.free_mb, 0);
  EXPECT_LE(info.free_mb, info.total_mb);
  EXPECT_NEAR(info.total_mb, device.info().total_memory_mb, 1.0);
}

TEST_P(Utilities, StreamsHaveNames) {
  const Stream compute = utils->create_stream("compute");
  utils->create_stream("copies");
  EXPECT_THAT(utils->stream_names(), ElementsAre("compute", "copies"));
  EXPECT_EQ(utils->get_stream("compute"), compute);
  EXPECT_EQ(compute.name(), "compute");
  EXPECT_THAT(message_of([&] { utils->create_stream("compute"); }), HasSubstr("'compute' already"));
  EXPECT_THAT(message_of([&] { utils->get_stream("cmopute"); }), HasSubstr("compute, copies"));
}

TEST_P(Utilities, PrioritiesAreClampedToTheDevicesRange) {
  const device::PriorityRange range = device.driver()->priorities();
  EXPECT_EQ(utils->create_stream("urgent", -1000).priority(), range.highest);
  EXPECT_EQ(utils->create_stream("patient", 1000).priority(), range.lowest);
  EXPECT_EQ(utils->create_stream("plain").priority(), 0);
}

TEST_P(Utilities, AStreamIsCurrentWhileItsScopeIsOpen) {
  const Stream outer = utils->create_stream("outer");
  const Stream inner = utils->create_stream("inner");
  EXPECT_EQ(utils->current_stream(), Stream());
  {
    const auto outer_scope = utils->stream_context(outer);
    EXPECT_EQ(utils->current_stream(), outer);
    {
      const auto inner_scope = utils->stream_context(inner);
      EXPECT_EQ(utils->current_stream(), inner);
      std::thread([&] { EXPECT_EQ(utils->current_stream(), Stream()); }).join();
    }
    EXPECT_EQ(utils->current_stream(), outer);
  }
  EXPECT_EQ(utils->current_stream(), Stream());
}

TEST_P(Utilities, WorkGoesToTheCurrentStreamInOrder) {
  const Kernel add_to = kernel("add_to");
  const Kernel times = kernel("times");
  const DeviceBuffer data = ints(1);
  const DeviceBuffer copy = ints(0);
  const Stream compute = utils->create_stream("compute");
  {
    const auto scope = utils->stream_context(compute);
    launch(add_to, data, 4);
    launch(times, data, 3);
    utils->copy_on_device(copy.data(), data.data(), data.size());
    utils->fill(data.data(), 0, data.size());
  }
  compute.synchronize();
  EXPECT_TRUE(compute.idle());
  EXPECT_THAT(content(copy), Each(15));
  EXPECT_THAT(content(data), Each(0));
}

TEST_P(Utilities, EventsOrderStreams) {
  const Kernel add_to = kernel("add_to");
  const Kernel times = kernel("times");
  const DeviceBuffer data = ints(1);
  const Stream first = utils->create_stream("first");
  const Stream second = utils->create_stream("second");
  const Event begin = utils->create_event();
  const Event end = utils->create_event();
  begin.record(first);
  for (int i = 0; i < 10; ++i) launch(add_to, data, 1, first);
  end.record(first);
  second.wait(end);
  launch(times, data, 2, second);
  second.synchronize();
  EXPECT_TRUE(end.reached());
  EXPECT_GT(begin.elapsed_ms(end), 0);
  EXPECT_THAT(content(data), Each(22));
}

// Larger than a chunk, larger than all chunks, and odd sizes.
TEST_P(Utilities, CopiesOfAnySizeArrive) {
  constexpr std::size_t kMiB = 1 << 20;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, 64 * 1024 + std::size_t{3},
                                  4 * kMiB, 4 * kMiB + 1, 21 * kMiB + 7}) {
    std::vector<unsigned char> from(bytes);
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 4096);
    const DeviceBuffer buffer = memory->allocate(bytes);
    utils->copy_to_device(buffer.data(), from.data(), bytes);
    const std::vector<unsigned char> expected = from;
    std::fill(from.begin(), from.end(), 0xee);  // it was read already
    std::vector<unsigned char> to(bytes);
    utils->copy_to_host(to.data(), buffer.data(), bytes);
    utils->synchronize();
    EXPECT_TRUE(to == expected) << bytes << " bytes";
  }
}

TEST_P(Utilities, CopiesToPinnedBuffersDoNotBlockTheCaller) {
  const DeviceBuffer data = ints(5);
  PinnedBuffer host = utils->allocate_pinned(2 * data.size());
  ASSERT_EQ(host.size(), 2 * data.size());
  std::fill_n(host.as<int>(), 2 * kCount, 0);
  const Stream copies = utils->create_stream("copies");
  utils->copy_to_host(host, data.data(), data.size(), copies, data.size());
  copies.synchronize();
  EXPECT_EQ(host.as<int>()[kCount - 1], 0);
  EXPECT_EQ(host.as<int>()[kCount], 5);
  EXPECT_EQ(host.as<int>()[2 * kCount - 1], 5);

  EXPECT_THAT(message_of([&] { utils->copy_to_host(host, data.data(), 8, {}, host.size() - 4); }),
              HasSubstr("do not fit"));
  EXPECT_THAT(message_of([&] { utils->copy_to_host(host, data.data(), 8, {}, SIZE_MAX); }),
              HasSubstr("do not fit"));
  PinnedBuffer moved = std::move(host);
  EXPECT_FALSE(host);
  EXPECT_EQ(moved.as<int>()[kCount], 5);
  EXPECT_FALSE(utils->allocate_pinned(0));
}

TEST_P(Utilities, RegisteredMemoryStaysTheProgramsAndIsReleasedAfterTheWork) {
  const DeviceBuffer data = ints(5);
  std::vector<int> host(data.size() / sizeof(int), 0);
  {
    const PinnedBuffer registered = utils->register_host(host.data(), data.size());
    EXPECT_EQ(registered.data(), host.data());
    utils->copy_to_host(registered.data(), data.data(), data.size());
  }
  EXPECT_EQ(host.front(), 5);
  EXPECT_EQ(host.back(), 5);
  EXPECT_FALSE(utils->register_host(host.data(), 0));
}

TEST_P(Utilities, TheDevicesOwnAllocatorPassesItsSelfTest) {
  const auto tested = runtime::test_stream_ordered_allocator(*device.driver());
  if (tested) return;
  EXPECT_EQ(tested.error().kind, device::FailureKind::kNotAvailable);
  EXPECT_THAT(tested.error().message(), testing::Not(HasSubstr("self-test"))) << "it has none";
}

TEST_P(Utilities, ManyThreadsCopyAtOnce) {
  constexpr std::size_t kBytes = 9 << 20;
  std::vector<std::thread> threads;
  for (int i = 1; i <= 4; ++i)
    threads.emplace_back([&, i] {
      const Stream own = utils->create_stream("thread " + std::to_string(i));
      const DeviceBuffer buffer = memory->allocate(kBytes, {.stream = own});
      std::vector<unsigned char> to(kBytes);
      for (int round = 0; round < 3; ++round) {
        const std::vector<unsigned char> from(kBytes, static_cast<unsigned char>(16 * i + round));
        utils->copy_to_device(buffer.data(), from.data(), kBytes, own);
        utils->copy_to_host(to.data(), buffer.data(), kBytes, own);
        own.synchronize();
        EXPECT_TRUE(to == from);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Utilities, KernelsOfOtherDevicesAndEmptyKernelsAreRejected) {
  EXPECT_THAT(message_of([&] { utils->launch(Kernel(), {1}, {1}); }), HasSubstr("empty"));
  EXPECT_THROW(HIPUtilities(Device(), {}), AMDDeviceError);
  EXPECT_THROW(StreamScope(Device(), Stream()), AMDDeviceError);
}

TEST_P(Utilities, CleanupClosesTheStreamsAndWorkCanContinue) {
  const Kernel add_to = kernel("add_to");
  const DeviceBuffer data = ints(0);
  const Stream compute = utils->create_stream("compute");
  launch(add_to, data, 1, compute);
  utils->cleanup();
  EXPECT_THAT(utils->stream_names(), IsEmpty());
  EXPECT_THAT(content(data), Each(1));
  launch(add_to, data, 1, compute);  // who holds a stream may use it
  compute.synchronize();
  utils->create_stream("compute");
  EXPECT_THAT(content(data), Each(2));
}

TEST_P(Utilities, CanBeMoved) {
  HIPUtilities moved = std::move(*utils);
  moved.create_stream("compute");
  HIPUtilities other(device, config);
  other = std::move(moved);
  EXPECT_THAT(other.stream_names(), ElementsAre("compute"));
  *utils = std::move(other);
  EXPECT_THAT(utils->stream_names(), ElementsAre("compute"));
}

// --- On the CPU, where a kernel can wait for the test ---

struct Gate {
  std::promise<void> open;
};
const CpuKernel kGate("utilities_gate",
                      [](const CpuBlock&, Gate* gate) { gate->open.get_future().wait(); });

class CpuUtilities : public OnDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, CpuUtilities, testing::Values("cpu"), device_name);

TEST_P(CpuUtilities, CopiesKeepTheStreamsOrderAndDoNotBlockTheCaller) {
  const Kernel gate_kernel = kernel("utilities_gate");
  const DeviceBuffer data = ints(1);
  const Stream busy = utils->create_stream("busy");
  Gate gate;
  utils->launch_with(gate_kernel, {}, {}, 0, busy, KernelArguments<Gate*>(&gate));
  std::vector<int> before(kCount), values(kCount, 2), after(kCount);
  utils->copy_to_host(before.data(), data.data(), data.size(), busy);
  utils->copy_to_device(data.data(), values.data(), data.size(), busy);
  std::fill(values.begin(), values.end(), 3);
  utils->copy_to_host(after.data(), data.data(), data.size(), busy);
  EXPECT_FALSE(busy.idle());
  EXPECT_THAT(before, Each(0));
  gate.open.set_value();
  busy.synchronize();
  EXPECT_THAT(before, Each(1));
  EXPECT_THAT(after, Each(2));
}

TEST_P(CpuUtilities, APinnedBufferOutlivesTheCopiesIntoIt) {
  const Kernel gate_kernel = kernel("utilities_gate");
  const DeviceBuffer data = ints(1);
  const Stream busy = utils->create_stream("busy");
  Gate gate;
  utils->launch_with(gate_kernel, {}, {}, 0, busy, KernelArguments<Gate*>(&gate));
  auto host = std::make_unique<PinnedBuffer>(utils->allocate_pinned(data.size()));
  utils->copy_to_host(*host, data.data(), data.size(), busy);
  EXPECT_FALSE(busy.idle()) << "the caller did not wait";
  std::thread opener([&] { gate.open.set_value(); });
  host.reset();  // a write to freed memory if it does not wait
  EXPECT_TRUE(busy.idle());
  opener.join();
}

TEST_P(CpuUtilities, AKernelThatThrowsIsReportedAndTheDeviceStaysUsable) {
  const CpuKernel throws("utilities_throws",
                         [](const CpuBlock&) { throw std::runtime_error("no more paper"); });
  utils->launch(kernel("utilities_throws"), {1}, {1});
  EXPECT_THAT(message_of([&] { utils->synchronize(); }), HasSubstr("no more paper"));
  utils->synchronize();
}

TEST_P(CpuUtilities, StreamsOfAnotherDeviceAreRejected) {
  Device other;
  try {
    other = Device::open("soft:gfx942");
  } catch (const ROCmNotAvailableError& error) {
    GTEST_SKIP() << "not run: " << error.what();
  }
  const Stream foreign = HIPUtilities(other, {}).create_stream("foreign");
  const DeviceBuffer data = ints(0);
  EXPECT_THAT(message_of([&] { utils->fill(data.data(), 0, 4, foreign); }),
              AllOf(HasSubstr("'foreign'"), HasSubstr("soft:gfx942")));
  EXPECT_THAT(message_of([&] { static_cast<void>(utils->stream_context(foreign)); }),
              HasSubstr("'foreign'"));
  AMDMemoryManager its_memory(other, {});
  EXPECT_THROW(HIPUtilities(device, {}, &its_memory), AMDDeviceError);

  const Event ours = utils->create_event();
  const Event theirs = HIPUtilities(other, {}).create_event();
  ours.record();
  theirs.record();
  EXPECT_THAT(message_of([&] { ours.record(foreign); }),
              AllOf(HasSubstr("Event::record"), HasSubstr("'foreign'"), HasSubstr("soft:gfx942")));
  EXPECT_THAT(message_of([&] { foreign.wait(ours); }),
              AllOf(HasSubstr("Stream::wait"), HasSubstr("'foreign'"), HasSubstr("soft:gfx942")));
  EXPECT_THAT(message_of([&] { static_cast<void>(ours.elapsed_ms(theirs)); }),
              AllOf(HasSubstr("Event::elapsed_ms"), HasSubstr("soft:gfx942")));
}

TEST_P(CpuUtilities, AnEmptyStreamMeansTheCurrentOneInRecordAndWaitAlike) {
  const Kernel gate_kernel = kernel("utilities_gate");
  const Stream first = utils->create_stream("first");
  const Stream second = utils->create_stream("second");
  const Event event = utils->create_event();
  Gate gate;
  {
    const auto scope = utils->stream_context(first);
    utils->launch_with(gate_kernel, {}, {}, 0, {}, KernelArguments<Gate*>(&gate));
    event.record();
  }
  EXPECT_FALSE(event.reached());
  {
    const auto scope = utils->stream_context(second);
    Stream().wait(event);
  }
  EXPECT_FALSE(second.idle());
  gate.open.set_value();
  second.synchronize();
  EXPECT_TRUE(event.reached());
}

TEST(HipUtilities, ChooseTheSameDeviceAsTheBackend) {
  ::setenv("HIPWRIGHT_DEVICE", "cpu", 1);
  const HIPUtilities utils(AMDConfig{});
  EXPECT_TRUE(utils.device().is_cpu());
  ::unsetenv("HIPWRIGHT_DEVICE");
}

}  // namespace

}  // namespace hipwright
