// SPDX-License-Identifier: MIT
// Random programs. What must hold after every step: live buffers do not overlap, the numbers add
// up, and no two streams use the same memory in no order (the device notices).
#include <iterator>
#include <map>
#include <random>

#include "base/json.h"
#include "runtime/pool_fixture.h"

namespace hipwright {

namespace {

class Program {
 public:
  Program(unsigned seed, const AMDConfig& config, std::size_t device_bytes)
      : random_(seed),
        fake_(std::make_shared<device::FakeDevice>(device_bytes)),
        manager_(Device(fake_), config) {
    streams_.emplace_back();
    for (int i = 0; i < 3; ++i) add_stream();
    for (int i = 0; i < 2; ++i) private_pools_.push_back(manager_.create_private_pool());
  }

  void step() {
    const unsigned dice = below(100);
    if (dice < 40)
      allocate();
    else if (dice < 75)
      free_one();
    else if (dice < 85)
      use_elsewhere();
    else if (dice < 93)
      fake_->complete(native(any_stream()));
    else if (dice < 95)
      replace_stream();
    else if (dice < 97)
      capture();
    else if (dice < 98)
      manager_.empty_cache();
    else
      add_private_pool();
    check();
  }

  void finish() {
    buffers_.clear();
    private_pools_.clear();
    ASSERT_TRUE(fake_->synchronize());
    // A look at what is done needs an allocation that finds nothing; this one cannot be served.
    EXPECT_THROW(manager_.allocate(std::size_t{1} << 60), ROCmMemoryError);
    ++allocations_;
    MemoryStats stats = manager_.get_memory_stats();
    EXPECT_EQ(stats.allocated_mb, 0);
    EXPECT_EQ(stats.live_buffers, 0U);
    manager_.empty_cache();
    EXPECT_EQ(fake_->live_bytes(), 0U);
    stats = manager_.get_memory_stats();
    EXPECT_EQ(stats.reserved_mb, 0);
    EXPECT_EQ(stats.device_allocations, stats.device_frees);
    EXPECT_EQ(stats.allocations, allocations_);
    EXPECT_THAT(fake_->violations(), testing::IsEmpty());
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  static device::Stream native(const Stream& stream) { return runtime::native(stream); }
  const Stream& any_stream() { return streams_[below(static_cast<unsigned>(streams_.size()))]; }
  void add_stream() {
    streams_.emplace_back(runtime::make_stream(fake_, "s" + std::to_string(++names_), 0));
  }
  void replace_stream() {
    const std::size_t index = 1 + below(static_cast<unsigned>(streams_.size()) - 1);
    // Its work may still run when it is closed; the program hands it on to the default stream.
    order(streams_[index], {});
    add_stream();
    std::swap(streams_[index], streams_.back());
    streams_.pop_back();
  }
  void add_private_pool() {
    private_pools_.erase(private_pools_.begin());
    private_pools_.push_back(manager_.create_private_pool());
  }
  std::size_t any_size() {
    switch (below(4)) {
      case 0:
        return 1 + below(2000);
      case 1:
        return 1 + below(1 << 20);
      case 2:
        return 1 + below(12 << 20);
      default:
        return 512U << below(12);
    }
  }

  void allocate() {
    const Stream stream = any_stream();
    const std::size_t bytes = any_size();
    ++allocations_;
    DeviceBuffer buffer;
    try {
      buffer = manager_.allocate(bytes, {.purpose = "program", .stream = stream});
    } catch (const ROCmMemoryError&) {
      const MemoryStats stats = manager_.get_memory_stats();
      const double room_mb = std::min(stats.limit_mb - stats.reserved_mb, stats.free_mb);
      EXPECT_LT(room_mb * (1 << 20), static_cast<double>(bytes + 511));
      return;
    }
    ASSERT_EQ(buffer.size(), bytes);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 512, 0U);
    const std::byte* begin = buffer.as<std::byte>();
    const auto after = buffers_.lower_bound(begin);
    if (after != buffers_.end()) {
      ASSERT_LE(begin + bytes, after->first);
    }
    if (after != buffers_.begin()) {
      ASSERT_LE(std::prev(after)->first + std::prev(after)->second.size(), begin);
    }
    fake_->touch(begin, bytes, native(stream));
    requested_ += bytes;
    buffers_[begin] = std::move(buffer);
  }
  auto any_buffer() {
    return std::next(buffers_.begin(), below(static_cast<unsigned>(buffers_.size())));
  }
  void free_one() {
    if (buffers_.empty()) return;
    const auto victim = any_buffer();
    requested_ -= victim->second.size();
    buffers_.erase(victim);
  }
  // As a program must: ordered after the owner, recorded, and the owner does not look at it again
  // before the other stream is done.
  void use_elsewhere() {
    if (buffers_.empty()) return;
    DeviceBuffer& buffer = any_buffer()->second;
    const Stream& other = any_stream();
    for (const Stream& each : streams_) order(each, other);  // any may have used it before
    fake_->touch(buffer.data(), buffer.size(), native(other));
    buffer.record_use(other);
  }
  void order(const Stream& earlier, const Stream& later) {
    const device::Event event = *fake_->create_event(false);
    ASSERT_TRUE(fake_->record(event, native(earlier)));
    ASSERT_TRUE(fake_->wait(native(later), event));
    ASSERT_TRUE(fake_->destroy_event(event));
  }
  void capture() {
    if (streams_.size() < 2) return;
    const Stream stream = streams_[1 + below(static_cast<unsigned>(streams_.size()) - 1)];
    const PrivatePool pool = private_pools_[below(static_cast<unsigned>(private_pools_.size()))];
    const PrivatePool::Scope scope = pool.use();
    ASSERT_TRUE(fake_->begin_capture(native(stream)));
    for (unsigned i = below(8); i > 0; --i) below(2) == 0 ? allocate_on(stream) : free_one();
    ASSERT_TRUE(fake_->end_capture(native(stream)));
  }
  void allocate_on(const Stream& stream) {
    std::swap(streams_.front(), streams_.back());
    const auto kept = std::exchange(streams_, {stream});
    allocate();
    streams_ = kept;
    std::swap(streams_.front(), streams_.back());
  }

  void check() {
    const MemoryStats stats = manager_.get_memory_stats();
    ASSERT_EQ(stats.live_buffers, buffers_.size());
    ASSERT_GE(stats.allocated_mb * (1 << 20), static_cast<double>(requested_));
    ASSERT_GE(stats.reserved_mb, stats.allocated_mb);
    ASSERT_LE(stats.reserved_mb, stats.limit_mb);
    ASSERT_EQ(stats.reserved_mb * (1 << 20), static_cast<double>(fake_->live_bytes()));
    ASSERT_GE(stats.fragmentation, 0);
    ASSERT_LE(stats.fragmentation, 1);
    ASSERT_THAT(fake_->violations(), testing::IsEmpty());
    if (++steps_ % 64 == 0) check_snapshot();
  }
  // Segments are covered from end to end, and free neighbours of one stream are one block.
  void check_snapshot() {
    const auto snapshot = parse_json(manager_.snapshot(), "snapshot");
    ASSERT_TRUE(snapshot);
    std::size_t live = 0;
    for (const Json& pool : (*snapshot)["pools"])
      for (const Json& segment : pool["segments"]) {
        std::uint64_t offset = 0;
        const Json* before = nullptr;
        for (const Json& block : segment["blocks"]) {
          ASSERT_EQ(block["offset"], offset);
          offset += block["bytes"].get<std::uint64_t>();
          live += block["state"] == "live";
          if (before != nullptr && block["state"] == "free" && (*before)["state"] == "free") {
            ASSERT_NE(block["stream"], (*before)["stream"]);
          }
          before = &block;
        }
        ASSERT_EQ(segment["bytes"], offset);
      }
    ASSERT_EQ(live, buffers_.size());
  }

  std::mt19937 random_;
  std::shared_ptr<device::FakeDevice> fake_;
  AMDMemoryManager manager_;
  std::vector<Stream> streams_;
  std::vector<PrivatePool> private_pools_;
  std::map<const std::byte*, DeviceBuffer> buffers_;
  std::uint64_t requested_ = 0;
  std::uint64_t allocations_ = 0;
  unsigned names_ = 0;
  std::uint64_t steps_ = 0;
};

TEST(PoolProperty, RandomProgramsKeepTheirMemoryApart) {
  const double gb = 1.0 / 1024;  // MiB
  const AMDConfig configs[] = {
      {},
      {.memory_pool_size_gb = 50 * gb},
      {.memory_pool_size_gb = 0.0},
      {.max_memory_fraction = 0.5, .enable_oom_protection = false},
  };
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    // A roomy device, and one that is full most of the time.
    Program program(seed, configs[seed % 4], seed % 3 == 0 ? 300_MiB : 8_GiB);
    for (int i = 0; i < 1500 && !testing::Test::HasFailure(); ++i) program.step();
    program.finish();
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace

}  // namespace hipwright
