// SPDX-License-Identifier: MIT
// Pools of stream-ordered allocation. Those that are made for other processes, too, have their
// memory in a file.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "soft/hip/registry.h"
#include "soft/hip/runtime.h"
#include "soft/hip/shared_file.h"

namespace hipwright::soft::hip {

struct Stream;

// Memory that the program has freed, and that the pool may hand out again.
struct HeldBlock {
  void* address = nullptr;
  std::size_t size = 0;
  std::weak_ptr<Stream> stream;  // that freed it
  std::uint64_t serial = 0;      // of the free, for its FreeWork
  std::uint64_t number = 0;      // of the free among the pending work (pending_work.h)
  bool done = false;             // the stream has reached it
};

struct Pool {
  explicit Pool(const hipMemPoolProps& given) : properties(given), device(given.location.id) {}
  const hipMemPoolProps properties;
  const int device;
  std::atomic<std::uint64_t> threshold{0};
  std::atomic<int> reuse_events{1}, reuse_opportunistic{1}, reuse_internal{1};

  std::shared_ptr<SharedFile> file;  // of a pool with a handle type
  bool imported = false;             // the file's owner is another pool, perhaps another process's

  std::mutex mutex;       // of all below
  std::uint64_t end = 0;  // of what is in use in the file
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t reserved = 0, reserved_high = 0;  // used and held
  std::multimap<std::size_t, HeldBlock> held;     // by size
};

Registry<Pool, hipMemPool_t>& pools();

// A stream has come to the free with that serial: the memory is unused from here on.
void reach_free(Pool& pool, std::uint64_t serial);
// Gives held memory back to the device, down to each pool's threshold: the host has waited.
void release_held_memory();
// hipFree of a pool's memory: the pool no longer counts it. False: the pool holds it, so that it is
// freed already.
bool leave_pool(void* pointer);

// For pools with a file.
hipError_t allocate_in_file(Runtime& runtime, const std::shared_ptr<Pool>& pool, std::size_t size,
                            void** out);
// nullopt: not memory of such a pool.
std::optional<hipError_t> free_in_file(void* pointer);

}  // namespace hipwright::soft::hip
