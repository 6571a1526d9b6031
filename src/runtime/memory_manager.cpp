// SPDX-License-Identifier: MIT
#include <cstdio>

#include <fmt/format.h>

#include "hipwright/memory.h"
#include "runtime/capture.h"
#include "runtime/pool/human_bytes.h"
#include "runtime/pool/pool.h"
#include "runtime/pool/private_pool.h"
#include "runtime/pool/self_test.h"
#include "runtime/raise.h"
#include "runtime/select.h"

namespace hipwright {

namespace {

using runtime::value_or_raise;

runtime::PoolOptions pool_options(const EffectiveConfig& config) {
  using runtime::Source;
  return {.source = !config.enable_memory_pooling            ? Source::kDevice
                    : config.enable_stream_ordered_allocator ? Source::kStreamOrdered
                                                             : Source::kPool,
          .keep_bytes = static_cast<std::uint64_t>(config.memory_pool_size_gb *
                                                   static_cast<double>(runtime::kGiB)),
          .max_fraction = config.max_memory_fraction,
          .oom_protection = config.enable_oom_protection};
}

std::shared_ptr<runtime::Pool> open_pool(const std::shared_ptr<device::Device>& driver,
                                         const EffectiveConfig& config) {
  runtime::PoolOptions options = pool_options(config);
  if (options.source == runtime::Source::kStreamOrdered) {
    if (const auto tested = runtime::test_stream_ordered_allocator(*driver); !tested) {
      if (config.enable_strict_validation || tested.error().device_lost)
        runtime::raise(tested.error());
      runtime::warn_once("enable_stream_ordered_allocator is ignored on " + driver->id() +
                         ", using the memory pool: " + tested.error().message());
      options.source = runtime::Source::kPool;
    }
  }
  return value_or_raise(runtime::Pool::open(driver, options));
}

[[noreturn]] void raise_allocation(const device::Failure& failure) {
  if (failure.kind != device::FailureKind::kMemory) runtime::raise(failure);
  throw ROCmMemoryError(failure.why + "\n" + failure.advice,
                        {.code = failure.code,
                         .code_name = failure.code_name,
                         .call = failure.call,
                         .device = failure.device,
                         .advice = failure.advice,
                         .device_usable = !failure.device_lost});
}

runtime::Pool& pool_of(const std::shared_ptr<runtime::Pool>& pool) {
  if (!pool)
    runtime::raise_misuse("AMDMemoryManager", {}, "use of a moved-from memory manager",
                          "Use the memory manager that it was moved to.");
  return *pool;
}

}  // namespace

void DeviceBuffer::reset() {
  if (block_ != nullptr) block_->segment->pool->free(block_);
  block_ = nullptr;
  data_ = nullptr;
  size_ = 0;
}

void DeviceBuffer::record_use(const Stream& stream) {
  if (block_ == nullptr)
    runtime::raise_misuse("record_use", {}, "the buffer has no memory", "Allocate it first.");
  runtime::Pool& pool = *block_->segment->pool;
  value_or_raise(pool.record_use(block_, runtime::resolve(stream, *pool.driver())));
}

AMDMemoryManager::AMDMemoryManager(const AMDConfig& config) {
  const runtime::Selection selection = runtime::select_device(runtime::Vendor::kAmd, config);
  strict_ = selection.config.enable_strict_validation;
  pool_ = open_pool(selection.device(), selection.config);
}

AMDMemoryManager::AMDMemoryManager(Device device, const AMDConfig& config) {
  if (!device)
    runtime::raise_misuse("AMDMemoryManager", {}, "empty device", "Open one with Device::open().");
  const EffectiveConfig effective = runtime::effective_on(*device.driver(), config);
  strict_ = effective.enable_strict_validation;
  pool_ = open_pool(device.driver(), effective);
}

AMDMemoryManager::AMDMemoryManager(AMDMemoryManager&&) noexcept = default;

AMDMemoryManager& AMDMemoryManager::operator=(AMDMemoryManager&& other) noexcept {
  AMDMemoryManager old(std::move(*this));  // reports its leaks when destroyed
  pool_ = std::move(other.pool_);
  strict_ = other.strict_;
  return *this;
}

AMDMemoryManager::~AMDMemoryManager() {
  if (!strict_ || !pool_) return;
  const std::string report = get_leak_report();
  if (!report.empty()) fmt::print(stderr, "{}", report);
}

DeviceBuffer AMDMemoryManager::allocate(std::size_t bytes, const AllocationOptions& options,
                                        std::source_location where) {
  runtime::Pool& pool = pool_of(pool_);
  DeviceBuffer buffer;
  if (bytes == 0) return buffer;
  const Stream& stream = runtime::resolve(options.stream, *pool.driver());
  runtime::check_stream(stream, *pool.driver(), "AMDMemoryManager::allocate");
  if (runtime::private_group_of_this_thread(&pool) == nullptr)
    runtime::check_not_recorded(
        *pool.driver(), runtime::native(stream), "AMDMemoryManager::allocate()",
        "the graph would not own the memory, which could be reused while it is replayed",
        "Pass the memory manager to the HIPUtilities that captures and allocate on the capturing "
        "thread, or allocate before the capture.");
  const auto block =
      pool.allocate({.bytes = bytes, .stream = stream, .purpose = options.purpose, .where = where});
  if (!block) raise_allocation(block.error());
  buffer.block_ = *block;
  buffer.data_ = (*block)->address;
  buffer.size_ = bytes;
  return buffer;
}

MemoryStats AMDMemoryManager::get_memory_stats() const {
  return value_or_raise(pool_of(pool_).statistics());
}

std::vector<AllocationSummary> AMDMemoryManager::get_allocation_summary() const {
  return pool_of(pool_).summary();
}

std::vector<Leak> AMDMemoryManager::get_live_allocations() const {
  return pool_of(pool_).live_allocations();
}

std::string AMDMemoryManager::get_leak_report() const {
  const std::vector<Leak> leaks = get_live_allocations();
  if (leaks.empty()) return {};
  std::uint64_t bytes = 0;
  for (const Leak& leak : leaks) bytes += leak.bytes;
  std::string report =
      fmt::format("hipwright: {} buffer{} with {} still alive on {}, oldest first:\n", leaks.size(),
                  leaks.size() == 1 ? "" : "s", runtime::human_bytes(bytes), pool_->driver()->id());
  for (const Leak& leak : leaks)
    report += fmt::format("  {} for '{}' at {}\n    allocated at {}:{} in {}\n",
                          runtime::human_bytes(leak.bytes), leak.purpose, fmt::ptr(leak.address),
                          leak.file, leak.line, leak.function);
  return report;
}

std::string AMDMemoryManager::snapshot() const {
  return pool_of(pool_).snapshot();
}

void AMDMemoryManager::reset_peak_stats() {
  pool_of(pool_).reset_peaks();
}

void AMDMemoryManager::empty_cache() {
  value_or_raise(pool_of(pool_).empty_cache());
}

PrivatePool AMDMemoryManager::create_private_pool() {
  runtime::Pool& pool = pool_of(pool_);
  return PrivatePool(std::make_shared<runtime::PrivatePoolState>(pool_, pool.add_group()));
}

Device AMDMemoryManager::device() const {
  return Device(pool_of(pool_).driver());
}

}  // namespace hipwright
