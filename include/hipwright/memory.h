// SPDX-License-Identifier: MIT
// Device memory from a caching pool: freed memory is kept and reused in stream order, without a
// call to the device.
//
//   hipwright::AMDMemoryManager manager(config);
//   hipwright::DeviceBuffer weights = manager.allocate(bytes, {.purpose = "weights"});
//   std::cout << manager.get_memory_stats().allocated_mb;
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hipwright/config.h"
#include "hipwright/device.h"

namespace hipwright {

class AMDMemoryManager;
namespace runtime {
class Pool;
struct PinnedState;
struct PoolBlock;
struct PrivatePoolState;
}  // namespace runtime

// Owns a block of device memory and frees it. The stream it was allocated for may reuse freed
// memory at once, because its later work comes after. If another stream used it, too, call
// record_use().
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    std::swap(block_, taken.block_);
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~DeviceBuffer() {
    if (block_ != nullptr) reset();
  }

  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }  // bytes, as requested
  explicit operator bool() const { return data_ != nullptr; }
  void reset();  // frees it now

  // Work submitted to `stream` (empty: this thread's current one) uses this memory: it is not
  // reused before that work has finished. Throws AMDDeviceError for a buffer without memory and for
  // a stream of another device.
  void record_use(const Stream& stream);

 private:
  friend class AMDMemoryManager;
  runtime::PoolBlock* block_ = nullptr;  // keeps its pool alive
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

// Page-locked host memory, which a device reads and writes directly. Created by
// HIPUtilities::allocate_pinned(), or from memory of the program by register_host(). Its destructor
// waits for the copies that HIPUtilities::copy_to_host() makes into it, and before it releases
// memory of the program for all work of the device.
class PinnedBuffer {
 public:
  PinnedBuffer();
  PinnedBuffer(PinnedBuffer&&) noexcept;
  PinnedBuffer& operator=(PinnedBuffer&&) noexcept;
  ~PinnedBuffer();

  void* data() const { return data_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class HIPUtilities;
  std::unique_ptr<runtime::PinnedState> state_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

struct AllocationOptions {
  std::string_view purpose = "other";  // groups the summary
  Stream stream{};                     // empty: this thread's current stream of the device
};

// Megabytes are MiB (2^20 bytes).
struct MemoryStats {
  double total_mb = 0;           // of the device
  double free_mb = 0;            // of the device, as it reports
  double allocated_mb = 0;       // in live buffers, rounding included
  double reserved_mb = 0;        // allocated from the device: in use and cached
  double peak_allocated_mb = 0;  // since the start or reset_peak_stats()
  double peak_reserved_mb = 0;
  double limit_mb = 0;       // max_memory_fraction of total
  double fragmentation = 0;  // 0…1: share of kept memory outside the largest free block
  double hit_rate_percent = 0;
  std::uint64_t allocations = 0;  // calls so far
  std::uint64_t hits = 0;         // served without the device
  std::uint64_t device_allocations = 0;
  std::uint64_t device_frees = 0;
  std::uint64_t oom_retries = 0;  // cached memory was released and the allocation retried
  std::uint64_t live_buffers = 0;
};

struct AllocationSummary {
  std::string purpose;
  std::uint64_t live_buffers = 0;
  double allocated_mb = 0;
  double peak_mb = 0;
  std::uint64_t allocations = 0;
};

struct Leak {
  std::string purpose;
  std::size_t bytes = 0;
  std::string file;
  unsigned line = 0;
  std::string function;
  void* address = nullptr;
};

// Separate memory for a captured graph, which must not move or be shared. Buffers come from it
// while one of its scopes is open on this thread; their freed memory is reused only inside it. It
// is returned to the device after the last handle and the last buffer are destroyed.
//
// A scope is treated as a capture: while one is open on any thread, the manager queries no events
// and returns no memory to the device.
class PrivatePool {
 public:
  // Must end on the thread where it began. Throws AMDDeviceError for an empty pool.
  class Scope {
   public:
    explicit Scope(std::shared_ptr<runtime::PrivatePoolState> state);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

    const runtime::PrivatePoolState& state() const { return *state_; }
    const Scope* outer() const { return outer_; }
    static const Scope* innermost_of_this_thread();

   private:
    std::shared_ptr<runtime::PrivatePoolState> state_;
    mutable const Scope* outer_ = nullptr;
  };
  PrivatePool() = default;
  explicit PrivatePool(std::shared_ptr<runtime::PrivatePoolState> state)
      : state_(std::move(state)) {}
  [[nodiscard]] Scope use() const { return Scope(state_); }
  explicit operator bool() const { return state_ != nullptr; }

 private:
  std::shared_ptr<runtime::PrivatePoolState> state_;
};

// Thread-safe. Buffers may outlive the manager.
class AMDMemoryManager {
 public:
  // On the device that AMDBackend would choose.
  explicit AMDMemoryManager(const AMDConfig& config = {});
  AMDMemoryManager(Device device, const AMDConfig& config);
  AMDMemoryManager(AMDMemoryManager&&) noexcept;
  AMDMemoryManager& operator=(AMDMemoryManager&&) noexcept;
  // With enable_strict_validation, prints a report of the buffers that are still alive. During a
  // capture on the device, its memory is returned after the capture has ended.
  ~AMDMemoryManager();

  // 0 bytes give a buffer without memory. Throws ROCmMemoryError if the device is out of memory or
  // max_memory_fraction is reached.
  DeviceBuffer allocate(std::size_t bytes, const AllocationOptions& options = {},
                        std::source_location where = std::source_location::current());

  MemoryStats get_memory_stats() const;
  std::vector<AllocationSummary> get_allocation_summary() const;  // largest first
  std::vector<Leak> get_live_allocations() const;                 // oldest first
  std::string get_leak_report() const;                            // empty when nothing is alive
  // Every segment and block, as JSON.
  std::string snapshot() const;
  void reset_peak_stats();
  // Returns all memory that no buffer uses to the device.
  void empty_cache();
  PrivatePool create_private_pool();

  Device device() const;
  const std::shared_ptr<runtime::Pool>& pool() const { return pool_; }

 private:
  std::shared_ptr<runtime::Pool> pool_;
  bool strict_ = false;
};

}  // namespace hipwright
