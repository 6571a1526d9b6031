// SPDX-License-Identifier: MIT
// Pools of stream-ordered allocation. Those that are made for other processes, too, have their
// memory in a file.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "soft/hip/registry.h"
#include "soft/hip/runtime.h"
#include "soft/hip/shared_file.h"

namespace hipwright::soft::hip {

struct Pool {
  explicit Pool(const hipMemPoolProps& given) : properties(given), device(given.location.id) {}
  const hipMemPoolProps properties;
  const int device;
  std::atomic<std::uint64_t> used{0}, used_high{0}, threshold{0};
  std::atomic<int> reuse_events{1}, reuse_opportunistic{1}, reuse_internal{1};

  std::shared_ptr<SharedFile> file;  // of a pool with a handle type
  bool imported = false;             // the file's owner is another pool, perhaps another process's
  std::mutex mutex;
  std::uint64_t end = 0;  // of what is in use in the file
};

Registry<Pool, hipMemPool_t>& pools();

// For pools with a file.
hipError_t allocate_in_file(Runtime& runtime, const std::shared_ptr<Pool>& pool, std::size_t size,
                            void** out);
// nullopt: not memory of such a pool.
std::optional<hipError_t> free_in_file(void* pointer);

}  // namespace hipwright::soft::hip
