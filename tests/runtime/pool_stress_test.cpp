// SPDX-License-Identifier: MIT
// Many threads at once. HIPWRIGHT_POOL_OPERATIONS says how many operations (default 200000).
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

#include "base/json.h"
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

constexpr unsigned kThreads = 16;
constexpr std::size_t kMostSmall = 32;  // alive per thread
constexpr std::size_t kMostLarge = 6;
// Room for every large buffer, even when each gap between them is just too small: the pool never
// has to grow, if it merges and takes over as it should.
constexpr std::size_t kLargeReserve = 1_GiB;

std::uint64_t operations() {
  const char* text = std::getenv("HIPWRIGHT_POOL_OPERATIONS");
  return text == nullptr ? 200'000 : std::strtoull(text, nullptr, 10);
}

// A buffer with its own serial number in its first and last bytes.
struct Marked {
  DeviceBuffer buffer;
  std::uint64_t mark;
  bool used_elsewhere = false;  // by another stream than its own, after that

  Marked(DeviceBuffer given, std::uint64_t serial) : buffer(std::move(given)), mark(serial) {
    std::memcpy(buffer.as<char>(), &mark, sizeof mark);
    std::memcpy(buffer.as<char>() + buffer.size() - sizeof mark, &mark, sizeof mark);
  }
  bool intact() const {
    std::uint64_t first = 0, last = 0;
    std::memcpy(&first, buffer.as<char>(), sizeof first);
    std::memcpy(&last, buffer.as<char>() + buffer.size() - sizeof last, sizeof last);
    return first == mark && last == mark;
  }
  bool large() const { return buffer.size() > 1_MiB; }
};

class Worker {
 public:
  // With `fake`, the streams have work: buffers are used on them, and they come on when they like.
  Worker(unsigned number, AMDMemoryManager& manager, std::vector<Stream>& streams,
         std::array<Worker*, kThreads>& all, device::FakeDevice* fake)
      : number_(number),
        random_(number),
        manager_(manager),
        streams_(streams),
        all_(all),
        fake_(fake),
        pool_(manager.create_private_pool()) {}

  void run(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) step();
  }
  std::uint64_t corrupted() const { return corrupted_; }
  int events() const { return events_; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  void step() {
    const auto dice = below(1000);
    if (dice < 490)
      allocate();
    else if (dice < 970)
      free_one();
    else if (dice < 985)
      give_away();
    else if (dice < 995)
      take_in();
    else if (!held_.empty() && fake_ == nullptr)
      held_[below(held_.size())].buffer.record_use(streams_[below(streams_.size())]);
    if (fake_ != nullptr) work();
  }
  // What streams and other parts of a program do meanwhile.
  void work() {
    const auto dice = below(1000);
    if (dice < 100)
      use_elsewhere();
    else if (dice < 150)
      fake_->complete(runtime::native(streams_[below(streams_.size())]));
    else if (dice < 160)
      EXPECT_TRUE(fake_->synchronize(runtime::native(streams_[below(streams_.size())])));
    else if (dice < 163)
      allocate_in_scope();
    else if (dice < 164)
      empty_cache();
  }
  const Stream& own_stream() const { return streams_[number_ % streams_.size()]; }
  void touch(const Marked& marked, const Stream& on) {
    if (fake_ != nullptr)
      fake_->touch(marked.buffer.data(), marked.buffer.size(), runtime::native(on));
  }
  void use_elsewhere() {
    const Stream& other = streams_[below(streams_.size())];
    if (held_.empty() || other == own_stream()) return;
    Marked& marked = held_[below(held_.size())];
    if (marked.used_elsewhere) return;
    marked.used_elsewhere = true;
    const device::Event event = *fake_->create_event(false);
    ++events_;
    EXPECT_TRUE(fake_->record(event, runtime::native(own_stream())));
    EXPECT_TRUE(fake_->wait(runtime::native(other), event));
    EXPECT_TRUE(fake_->destroy_event(event));
    touch(marked, other);
    marked.buffer.record_use(other);
  }
  void allocate_in_scope() {
    const auto scope = pool_.use();
    for (int i = 0; i < 4; ++i) {
      const Marked marked(manager_.allocate(16 + below(16_KiB), {.stream = own_stream()}), i);
      touch(marked, own_stream());
      free_one();
    }
  }
  void empty_cache() {
    try {
      manager_.empty_cache();
    } catch (const GraphCaptureError&) {  // another thread has a scope open
    }
  }
  void allocate() {
    const bool large = below(10) == 0;
    if ((large ? large_ : held_.size() - large_) >= (large ? kMostLarge : kMostSmall)) return;
    const std::size_t bytes = large           ? 1_MiB + 1 + below(3_MiB)
                              : below(4) == 0 ? 16 + below(1_MiB - 16)
                                              : 16 + below(16_KiB);
    large_ += large;
    held_.emplace_back(
        manager_.allocate(bytes, {.purpose = large ? "large" : "small", .stream = own_stream()}),
        number_ * (std::uint64_t{1} << 40) + ++serial_);
    touch(held_.back(), own_stream());
  }
  Marked remove_one() {
    const std::size_t index = below(held_.size());
    std::swap(held_[index], held_.back());
    Marked marked = std::move(held_.back());
    held_.pop_back();
    large_ -= marked.large();
    return marked;
  }
  void free_one() {
    if (held_.empty()) return;
    const Marked marked = remove_one();
    corrupted_ += !marked.intact();
    if (!marked.used_elsewhere) touch(marked, own_stream());
  }
  // Buffers are freed by other threads than those that asked for them.
  void give_away() {
    if (held_.empty()) return;
    Worker& other = *all_[below(kThreads)];
    const std::lock_guard lock(other.inbox_mutex_);
    if (other.inbox_.empty()) other.inbox_.push_back(remove_one());
  }
  void take_in() {
    std::vector<Marked> received;
    {
      const std::lock_guard lock(inbox_mutex_);
      received.swap(inbox_);
    }
    for (const Marked& marked : received) corrupted_ += !marked.intact();
  }

  const unsigned number_;
  std::mt19937_64 random_;
  AMDMemoryManager& manager_;
  std::vector<Stream>& streams_;
  std::array<Worker*, kThreads>& all_;
  device::FakeDevice* const fake_;
  const PrivatePool pool_;
  std::vector<Marked> held_;
  int events_ = 0;
  std::size_t large_ = 0;
  std::uint64_t serial_ = 0;
  std::uint64_t corrupted_ = 0;
  std::mutex inbox_mutex_;
  std::vector<Marked> inbox_;
};

class PoolStress : public testing::TestWithParam<const char*> {
 protected:
  bool busy() const { return std::string_view(GetParam()) == "busy"; }
  Device open() {
    if (std::string_view(GetParam()) == "cpu") return Device::open("cpu");
    fake_ = std::make_shared<device::FakeDevice>(256_GiB, /*manual=*/busy());
    return Device(fake_);
  }

  std::shared_ptr<device::FakeDevice> fake_;
};

TEST_P(PoolStress, NothingIsCorruptedAndEverySegmentMerges) {
  const Device device = open();
  AMDMemoryManager manager(device, {.max_memory_fraction = 1.0, .enable_oom_protection = false});
  manager.allocate(kLargeReserve);
  std::vector<Stream> streams(1);
  for (const char* name : {"a", "b", "c"})
    streams.emplace_back(runtime::make_stream(device.driver(), name, 0));
  int events = 0;
  {
    std::array<Worker*, kThreads> all{};
    std::vector<std::unique_ptr<Worker>> workers;
    for (unsigned i = 0; i < kThreads; ++i) {
      workers.push_back(
          std::make_unique<Worker>(i, manager, streams, all, busy() ? fake_.get() : nullptr));
      all[i] = workers.back().get();
    }
    std::vector<std::thread> threads;
    for (auto& worker : workers)
      threads.emplace_back([&] { worker->run(operations() / kThreads); });
    for (std::thread& thread : threads) thread.join();
    for (auto& worker : workers) {
      EXPECT_EQ(worker->corrupted(), 0U);
      events += worker->events();
    }
  }
  if (fake_) {
    EXPECT_THAT(fake_->violations(), testing::IsEmpty());
  }
  if (busy()) {
    EXPECT_GT(fake_->calls().record, events) << "frees waited for work of other streams";
    device.synchronize();
  }
  MemoryStats stats = manager.get_memory_stats();
  EXPECT_EQ(stats.live_buffers, 0U);
  EXPECT_EQ(stats.allocated_mb, 0);

  streams.clear();
  // Finds nothing, so it looks what is done and takes the closed streams' memory in.
  EXPECT_THROW(manager.allocate(std::size_t{1} << 60), ROCmMemoryError);
  const auto snapshot = parse_json(manager.snapshot(), "snapshot");
  ASSERT_TRUE(snapshot);
  std::size_t large_segments = 0;
  for (const Json& segment : (*snapshot)["pools"][0]["segments"]) {
    large_segments += segment["kind"] == "large";
    EXPECT_EQ(segment["blocks"].size(), 1U);
    EXPECT_EQ(segment["blocks"][0]["state"], "free");
  }
  // Where streams have work, memory waits for it and more is needed.
  if (!busy()) {
    EXPECT_EQ(large_segments, 1U) << "all large buffers came from the first segment";
  }
  manager.empty_cache();
  if (fake_) {
    EXPECT_THAT(fake_->violations(), testing::IsEmpty());
  }
  EXPECT_EQ(manager.get_memory_stats().reserved_mb, 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, PoolStress, testing::Values("fake", "cpu", "busy"));

// Freed while the device still works on it, handed out again, filled again: each stream must find
// its own bytes. On the cpu device streams are real threads.
TEST(PoolStressCpu, StreamsFindTheirOwnBytes) {
  const Device device = Device::open("cpu");
  device::Device& driver = *device.driver();
  AMDMemoryManager manager(device, {});
  constexpr std::size_t kBytes = 64_KiB;
  constexpr int kRounds = 500;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Stream own(runtime::make_stream(device.driver(), "own", 0));
      const Stream reader(runtime::make_stream(device.driver(), "reader", 0));
      const device::Event made = *driver.create_event(false);
      auto* host = static_cast<unsigned char*>(*driver.allocate_pinned(kBytes * kRounds));
      std::mt19937 random(t);
      for (int round = 0; round < kRounds; ++round) {
        DeviceBuffer buffer = manager.allocate(kBytes, {.stream = own});
        const auto byte = static_cast<unsigned char>(round % 250 + static_cast<int>(t));
        EXPECT_TRUE(driver.fill(buffer.data(), byte, kBytes, runtime::native(own)));
        const Stream& by = random() % 2 == 0 ? reader : own;
        if (by == reader) {
          EXPECT_TRUE(driver.record(made, runtime::native(own)));
          EXPECT_TRUE(driver.wait(runtime::native(reader), made));
          buffer.record_use(reader);
        }
        EXPECT_TRUE(driver.copy_async(host + static_cast<std::size_t>(round) * kBytes,
                                      buffer.data(), kBytes, device::Direction::kToHost,
                                      runtime::native(by)));
      }
      own.synchronize();
      reader.synchronize();
      for (int round = 0; round < kRounds; ++round)
        for (std::size_t i = 0; i < kBytes; i += 61)
          wrong += host[static_cast<std::size_t>(round) * kBytes + i] !=
                   static_cast<unsigned char>(round % 250 + static_cast<int>(t));
      EXPECT_TRUE(driver.free_pinned(host));
      EXPECT_TRUE(driver.destroy_event(made));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace

}  // namespace hipwright
