// SPDX-License-Identifier: MIT
// Other releases of HIP: what an older library lacks, played by the software GPU's with functions
// taken out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/hip/device.h"

namespace hipwright::device::hip {

namespace {

using testing::AllOf;
using testing::HasSubstr;

Api today() {
  const auto opened = open_soft({"gfx942"});
  EXPECT_TRUE(opened) << opened.error().message();
  const auto library = toolchain::DynamicLibrary::open(opened->front()->properties().library);
  return **load_api(*library);
}

std::shared_ptr<HipDevice> open_with(Api api) {
  auto device =
      HipDevice::open(std::make_shared<const Api>(std::move(api)), Kind::kHip, 0, 0, "hip:0");
  EXPECT_TRUE(device) << device.error().message();
  return *device;
}

TEST(HipRelease, FiveHasPropertiesInAnotherLayout) {
  const Properties now = open_with(today())->properties();
  Api old = today();
  old.hipGetDevicePropertiesR0600.function = nullptr;
  const Properties then = open_with(old)->properties();
  EXPECT_EQ(then.name, now.name);
  EXPECT_EQ(then.architecture, now.architecture);
  EXPECT_EQ(then.memory_bytes, now.memory_bytes);
  EXPECT_EQ(then.wave_size, now.wave_size);
  EXPECT_EQ(then.compute_units, now.compute_units);
  EXPECT_EQ(then.max_threads_per_block, now.max_threads_per_block);
  EXPECT_EQ(then.shared_bytes_per_block, now.shared_bytes_per_block);
  EXPECT_EQ(then.clock_mhz, now.clock_mhz);
  EXPECT_EQ(then.memory_clock_mhz, now.memory_clock_mhz);
  EXPECT_EQ(then.memory_bus_bits, now.memory_bus_bits);
}

TEST(HipRelease, MissingFunctionsAreNamedWhenCalled) {
  Api old = today();
  old.hipMallocAsync.function = nullptr;
  old.hipStreamBeginCapture.function = nullptr;
  const auto device = open_with(old);
  const auto memory = device->allocate_async(16, nullptr);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, FailureKind::kNotAvailable);
  EXPECT_THAT(memory.error().message(),
              AllOf(HasSubstr("hipMallocAsync"), HasSubstr("hip:0"), HasSubstr(old.path)));
  const auto stream = device->create_stream(0);
  ASSERT_TRUE(stream);
  const auto capture = device->begin_capture(*stream);
  ASSERT_FALSE(capture);
  EXPECT_THAT(capture.error().message(), HasSubstr("hipStreamBeginCapture"));
  EXPECT_TRUE(device->destroy_stream(*stream));
}

TEST(HipRelease, UnknownCodesUseTheLibrarysText) {
  Api newer = today();
  newer.hipMalloc.function = [](void**, std::size_t) { return static_cast<hipError_t>(4711); };
  newer.hipGetErrorName.function = [](hipError_t) { return "hipErrorTomorrow"; };
  newer.hipGetErrorString.function = [](hipError_t) { return "not invented yet"; };
  const auto memory = open_with(newer)->allocate(16);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().kind, FailureKind::kDevice);
  EXPECT_FALSE(memory.error().device_lost);
  EXPECT_THAT(memory.error().message(),
              HasSubstr("hipMalloc failed on hip:0: not invented yet (hipErrorTomorrow, 4711)"));
}

TEST(HipRelease, AnErrorThatPersistsMeansTheDeviceIsLost) {
  Api broken = today();
  broken.hipDeviceSynchronize.function = [] { return hipErrorUnknown; };
  const auto usable = open_with(broken)->synchronize();
  ASSERT_FALSE(usable);
  EXPECT_FALSE(usable.error().device_lost);
  broken.hipMemGetInfo.function = [](std::size_t*, std::size_t*) { return hipErrorUnknown; };
  const auto lost = open_with(broken)->synchronize();
  ASSERT_FALSE(lost);
  EXPECT_TRUE(lost.error().device_lost);
}

// Polls are frequent: they ask for nothing but the answer.
TEST(HipRelease, UnfinishedWorkIsNotAFailure) {
  static int other_calls = 0;
  Api busy = today();
  busy.hipStreamQuery.function = [](hipStream_t) { return hipErrorNotReady; };
  busy.hipEventQuery.function = [](hipEvent_t) { return hipErrorNotReady; };
  const auto device = open_with(busy);
  const auto event = device->create_event(false);
  ASSERT_TRUE(event);

  busy.hipMemGetInfo.function = [](std::size_t*, std::size_t*) {
    ++other_calls;
    return hipSuccess;
  };
  busy.hipGetErrorName.function = [](hipError_t) {
    ++other_calls;
    return "name";
  };
  const auto polled = open_with(busy);
  other_calls = 0;
  for (int i = 0; i < 10; ++i) {
    const auto idle = polled->idle(nullptr);
    ASSERT_TRUE(idle) << idle.error().message();
    EXPECT_FALSE(*idle);
    const auto reached = polled->reached(*event);
    ASSERT_TRUE(reached) << reached.error().message();
    EXPECT_FALSE(*reached);
  }
  EXPECT_EQ(other_calls, 0);
  EXPECT_TRUE(device->destroy_event(*event));
}

}  // namespace

}  // namespace hipwright::device::hip
