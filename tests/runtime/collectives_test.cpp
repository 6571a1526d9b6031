// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/device.h"
#include "hipwright/multi_gpu.h"
#include "runtime/collectives/small_float.h"
#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright {

namespace {

using runtime::value_or_raise;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// Memory of one rank.
template <class T>
class RankBuffer {
 public:
  RankBuffer(const Device& device, const std::vector<T>& values)
      : device_(device), count_(values.size()) {
    memory_ = value_or_raise(device_.driver()->allocate(bytes()));
    value_or_raise(
        device_.driver()->copy(memory_, values.data(), bytes(), device::Direction::kToDevice));
  }
  RankBuffer(RankBuffer&& other) noexcept
      : device_(other.device_),
        count_(other.count_),
        memory_(std::exchange(other.memory_, nullptr)) {}
  ~RankBuffer() { static_cast<void>(device_.driver()->free(memory_)); }

  void* data() const { return memory_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    value_or_raise(
        device_.driver()->copy(values.data(), memory_, bytes(), device::Direction::kToHost));
    return values;
  }

 private:
  std::size_t bytes() const { return count_ * sizeof(T); }
  Device device_;
  std::size_t count_;
  void* memory_;
};

template <class T>
std::vector<T> all_reduced(const std::vector<std::vector<T>>& inputs, DataType type,
                           Reduction reduction = Reduction::kSum) {
  const std::vector<Device> devices(inputs.size(), Device::open("cpu"));
  std::vector<RankBuffer<T>> buffers;
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    pointers.push_back(buffers.emplace_back(devices[i], inputs[i]).data());
  Collectives group(devices);
  group.all_reduce(pointers, inputs[0].size(), type, reduction);
  group.synchronize();
  for (const RankBuffer<T>& buffer : buffers)
    EXPECT_EQ(std::memcmp(buffer.values().data(), buffers[0].values().data(),
                          inputs[0].size() * sizeof(T)),
              0);
  return buffers[0].values();
}

TEST(Collectives, AllReduceComputesWithEveryType) {
  EXPECT_THAT(all_reduced<std::uint8_t>({{200, 1}, {100, 2}}, DataType::kU8), ElementsAre(44, 3));
  EXPECT_THAT(all_reduced<std::int8_t>({{100}, {100}}, DataType::kI8), ElementsAre(-56));
  EXPECT_THAT(all_reduced<std::uint16_t>({{65535}, {65535}}, DataType::kU16, Reduction::kProduct),
              ElementsAre(1));
  EXPECT_THAT(all_reduced<std::int16_t>({{-5}, {3}}, DataType::kI16, Reduction::kMin),
              ElementsAre(-5));
  EXPECT_THAT(all_reduced<std::int32_t>({{2147483647}, {1}}, DataType::kI32),
              ElementsAre(std::numeric_limits<std::int32_t>::min()));
  EXPECT_THAT(all_reduced<std::uint32_t>({{7}, {9}}, DataType::kU32, Reduction::kMax),
              ElementsAre(9));
  EXPECT_THAT(all_reduced<std::int64_t>({{-1, 4}, {2, -8}}, DataType::kI64, Reduction::kProduct),
              ElementsAre(-2, -32));
  EXPECT_THAT(all_reduced<std::uint64_t>({{1ULL << 63}, {1}}, DataType::kU64, Reduction::kMin),
              ElementsAre(1));
  EXPECT_THAT(all_reduced<float>({{1.5F}, {2.25F}}, DataType::kF32), ElementsAre(3.75F));
  EXPECT_THAT(all_reduced<double>({{1e300}, {1e-300}}, DataType::kF64, Reduction::kProduct),
              ElementsAre(1.0));
  EXPECT_THAT(all_reduced<std::uint8_t>({{0, 0, 1, 5}, {0, 1, 1, 0}}, DataType::kBool),
              ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(
      all_reduced<std::uint8_t>({{0, 0, 1}, {0, 1, 9}}, DataType::kBool, Reduction::kProduct),
      ElementsAre(0, 0, 1));
}

TEST(Collectives, SmallFloatsAreRoundedOnceAtTheEnd) {
  using runtime::BFloat16;
  using runtime::Fp8E4M3;
  using runtime::Fp8E5M2;
  using runtime::Half;
  const auto half = [](float value) { return Half::encode(value, false); };
  // 2048 + 1 + 1 would stay 2048, rounded after every step.
  EXPECT_THAT(all_reduced<std::uint16_t>({{half(2048)}, {half(1)}, {half(1)}}, DataType::kF16),
              ElementsAre(half(2050)));
  const auto brain = [](float value) { return BFloat16::encode(value, false); };
  EXPECT_THAT(all_reduced<std::uint16_t>({{brain(256)}, {brain(1)}, {brain(1)}}, DataType::kBF16),
              ElementsAre(brain(258)));
  const auto e4m3 = [](float value) { return Fp8E4M3::encode(value, true); };
  EXPECT_THAT(
      all_reduced<std::uint8_t>({{e4m3(16), e4m3(448)}, {e4m3(1), e4m3(448)}, {e4m3(1), e4m3(1)}},
                                DataType::kF8E4M3),
      ElementsAre(e4m3(18), e4m3(448)));
  const auto e5m2 = [](float value) { return Fp8E5M2::encode(value, true); };
  EXPECT_THAT(
      all_reduced<std::uint8_t>({{e5m2(3)}, {e5m2(-2)}}, DataType::kF8E5M2, Reduction::kMin),
      ElementsAre(e5m2(-2)));
}

TEST(Collectives, MinAndMaxIgnoreNanAndSumsPropagateIt) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(all_reduced<float>({{nan}, {2}}, DataType::kF32, Reduction::kMax), ElementsAre(2));
  EXPECT_THAT(all_reduced<float>({{2}, {nan}}, DataType::kF32, Reduction::kMin), ElementsAre(2));
  EXPECT_TRUE(std::isnan(all_reduced<float>({{nan}, {2}}, DataType::kF32)[0]));
}

class Ranks : public ::testing::TestWithParam<std::tuple<const char*, std::size_t>> {
 protected:
  // The software GPU has a device for each target that is named; the one CPU is shared.
  std::vector<Device> devices() const {
    const auto& [selector, count] = GetParam();
    if (std::string_view(selector) == "cpu") return std::vector(count, Device::open("cpu"));
    return list_devices(selector);
  }
};

TEST_P(Ranks, ExchangeMoreThanOneChunk) {
  const bool is_cuda = std::string_view(std::get<0>(GetParam())) == "cuda";
  if (is_cuda && !device::open_cuda()) GTEST_SKIP() << "not run: no device cuda";
  const std::vector<Device> group_devices = devices();
  const std::size_t count = group_devices.size();
  EXPECT_EQ(count, std::get<1>(GetParam()));
  constexpr std::size_t kElements = 600'001;
  Collectives group(group_devices);
  EXPECT_EQ(group.size(), count);
  EXPECT_THAT(group.transport(), is_cuda ? HasSubstr("NCCL") : HasSubstr("host memory"));

  std::vector<RankBuffer<std::int32_t>> buffers, gathered;
  std::vector<void*> pointers, receive;
  std::vector<const void*> send;
  for (std::size_t rank = 0; rank < count; ++rank) {
    std::vector<std::int32_t> values(kElements);
    for (std::size_t i = 0; i < kElements; ++i)
      values[i] = static_cast<std::int32_t>(i * (rank + 1));
    pointers.push_back(buffers.emplace_back(group_devices[rank], values).data());
    send.push_back(pointers.back());
    receive.push_back(
        gathered.emplace_back(group_devices[rank], std::vector<std::int32_t>(kElements * count))
            .data());
  }
  group.all_gather(send, receive, kElements, DataType::kI32);
  group.synchronize();
  for (const auto& buffer : gathered) {
    const auto values = buffer.values();
    for (std::size_t i = 0; i < values.size(); i += 997)
      ASSERT_EQ(values[i], static_cast<std::int32_t>(i % kElements * (i / kElements + 1)));
  }

  group.all_reduce(pointers, kElements, DataType::kI32);
  const auto sum = static_cast<std::int32_t>(count * (count + 1) / 2);
  for (const auto& buffer : buffers) {
    const auto values = buffer.values();
    for (std::size_t i = 0; i < kElements; ++i)
      ASSERT_EQ(values[i], static_cast<std::int32_t>(i) * sum);
  }

  const std::size_t root = count - 1;
  const std::vector<std::int32_t> news(kElements, 42);
  value_or_raise(group_devices[root].driver()->copy(
      pointers[root], news.data(), kElements * sizeof(std::int32_t), device::Direction::kToDevice));
  group.broadcast(pointers, kElements, DataType::kI32, root);
  for (const auto& buffer : buffers) EXPECT_EQ(buffer.values(), news);
}

INSTANTIATE_TEST_SUITE_P(Collectives, Ranks,
                         ::testing::Values(std::tuple("cpu", 1), std::tuple("cpu", 2),
                                           std::tuple("cpu", 4),
                                           std::tuple("soft:gfx942,gfx1100", 2),
                                           std::tuple("cuda", 1)));

TEST(Collectives, RunAfterTheWorkOfTheCurrentStream) {
  const Device cpu = Device::open("cpu");
  const std::vector<std::uint8_t> zeros(4 << 20);
  RankBuffer<std::uint8_t> a(cpu, zeros), b(cpu, zeros);
  const Stream stream(runtime::make_stream(cpu.driver(), "work", 0));
  const Stream before = runtime::exchange_current_stream(*cpu.driver(), stream);
  for (const unsigned char byte : {9, 7, 3})
    value_or_raise(cpu.driver()->fill(a.data(), byte, zeros.size(), stream.state()->native));
  Collectives group({cpu, cpu});
  group.all_reduce({a.data(), b.data()}, zeros.size(), DataType::kU8);
  group.synchronize();
  runtime::exchange_current_stream(*cpu.driver(), before);
  EXPECT_EQ(b.values(), std::vector<std::uint8_t>(zeros.size(), 3));
}

TEST(Collectives, InvalidArgumentsAreNamed) {
  const Device cpu = Device::open("cpu");
  Collectives group({cpu, cpu});
  RankBuffer<float> buffer(cpu, {1});
  void* const data = buffer.data();
  EXPECT_THAT(message_of([&] { group.all_reduce({data}, 1, DataType::kF32); }),
              HasSubstr("1 buffers for 2 ranks"));
  EXPECT_THAT(message_of([&] {
                group.all_reduce({data, nullptr}, 1, DataType::kF32);
              }),
              HasSubstr("rank 1 is null"));
  EXPECT_THAT(message_of([&] {
                group.broadcast({data, data}, 1, DataType::kF32, 2);
              }),
              HasSubstr("invalid rank 2"));
  EXPECT_THAT(message_of([&] {
                group.all_reduce({data, data}, 1ULL << 62, DataType::kF32);
              }),
              HasSubstr("exceed the address space"));
  EXPECT_THAT(message_of([&] {
                group.all_gather({data, data}, {data}, 1, DataType::kF32);
              }),
              HasSubstr("1 buffers for 2 ranks"));
  EXPECT_NO_THROW(group.all_reduce({nullptr, nullptr}, 0, DataType::kF32));
  EXPECT_THROW(Collectives({}), AMDDeviceError);
  EXPECT_THROW(Collectives({Device()}), AMDDeviceError);
}

TEST(Collectives, DevicesOfDifferentKindsAreRejected) {
  EXPECT_THAT(message_of([] {
                Collectives({Device::open("cpu"), Device::open("soft:gfx942")});
              }),
              HasSubstr("soft:gfx942 is of a different kind"));
}

TEST(Collectives, AreRejectedByNameInACapture) {
  const Device cpu = Device::open("cpu");
  AMDMemoryManager memory(cpu, {});
  HIPUtilities utils(cpu, {}, &memory);
  Collectives group({cpu});
  const DeviceBuffer data = memory.allocate(64), other = memory.allocate(64);
  const std::vector<std::pair<std::string, std::function<void()>>> calls{
      {"all_reduce()", [&] { group.all_reduce({data.data()}, 4, DataType::kF32); }},
      {"broadcast()", [&] { group.broadcast({data.data()}, 4, DataType::kF32, 0); }},
      {"all_gather()", [&] { group.all_gather({data.data()}, {other.data()}, 4, DataType::kF32); }},
      {"Collectives::synchronize()", [&] { group.synchronize(); }},
  };
  const Graph graph = utils.capture_graph("step", [&](const Stream&) {
    for (const auto& [name, call] : calls)
      EXPECT_THAT(message_of(call), AllOf(HasSubstr(name), HasSubstr("graph 'step'")));
    utils.fill(data.data(), 0, data.size());
  });
  graph.replay();
  utils.synchronize();
  for (const auto& [name, call] : calls) EXPECT_EQ(message_of(call), "nothing was thrown") << name;
}

}  // namespace

}  // namespace hipwright
