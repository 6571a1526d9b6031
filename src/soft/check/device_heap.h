// SPDX-License-Identifier: MIT
// The heap that kernels allocate from (malloc, new): accesses outside its blocks or to freed ones,
// and frees of what is not allocated. Calls of the device libraries' functions tell which blocks
// there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "soft/check/findings.h"
#include "soft/exec/access.h"

namespace hipwright::soft {

class Image;

// All blocks of a process: they outlive launches.
class DeviceHeap {
 public:
  explicit DeviceHeap(Findings& findings) : findings_(findings) {}

  // Whether a kernel has ever allocated.
  bool is_used() const { return used_.load(std::memory_order_acquire); }
  void allocated(const Memory& memory, std::uint64_t address, std::uint64_t size);
  // `call`: the instruction that called free.
  void freed(const Wave& wave, std::uint64_t call, unsigned lane, std::uint64_t address);
  void check(const Wave& wave, const Inst& inst, const Access& access);

 private:
  struct Block {
    std::uint64_t end = 0;
    bool freed = false;
  };
  // With the mutex held: the block that begins at or before the address.
  const std::pair<const std::uint64_t, Block>* block_before(std::uint64_t address) const;
  bool is_heap(std::uint64_t address) const;
  void report(const Wave& wave, const Inst& inst, const Access& access, unsigned lane);

  Findings& findings_;
  std::atomic<bool> used_{false};
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Block> blocks_;         // by begin
  std::map<std::uint64_t, std::uint64_t> slabs_;  // begin and end of the memory that blocks lie in
};

// The calls of one workgroup's waves.
class HeapCalls {
 public:
  explicit HeapCalls(DeviceHeap& heap) : heap_(heap) {}
  void begin(const Workgroup& group);
  void before(Wave& wave, const Inst& inst);
  void access(const Wave& wave, const Inst& inst, const Access& access);

 private:
  // A wave is in malloc.
  struct Call {
    std::uint64_t back = 0;  // where it returns to; 0: none
    std::uint64_t lanes = 0;
    std::vector<std::uint64_t> sizes;  // by lane
  };
  bool is_library(const Inst& inst);

  DeviceHeap& heap_;
  const Image* image_ = nullptr;
  std::uint64_t allocate_ = 0, free_ = 0;  // entries of the functions; 0: the code has none
  std::vector<Call> calls_;                // by wave
  std::unordered_map<const Inst*, bool> libraries_;
};

}  // namespace hipwright::soft
