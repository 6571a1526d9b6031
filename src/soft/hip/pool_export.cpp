// SPDX-License-Identifier: MIT
// Memory pools in files, which processes hand to each other.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "soft/hip/pool.h"

namespace hipwright::soft::hip {

namespace {

struct Block {
  std::shared_ptr<Pool> pool;
  std::uint64_t offset = 0, size = 0;
};
struct Blocks {
  std::mutex mutex;
  std::map<std::uint64_t, Block> by_begin;
};
Blocks& blocks() {
  static auto* const all = new Blocks;
  return *all;
}

// What hipMemPoolPtrExportData holds.
constexpr std::uint64_t kMark = 0x6877'706f'6f6c'7074;
struct Place {
  std::uint64_t mark = 0, offset = 0, size = 0;
};
static_assert(sizeof(Place) <= sizeof(hipMemPoolPtrExportData));

hipError_t map_block(Runtime& runtime, Block block, void** out) {
  void* const mapped = block.pool->file->map(block.offset, whole_pages(block.size));
  if (!mapped) return hipErrorOutOfMemory;
  const std::uint64_t begin = address_of(mapped);
  if (!runtime.memory().register_range(begin, block.size, MemoryKind::kDevice, true,
                                       runtime.owner())) {
    munmap(mapped, whole_pages(block.size));
    return hipErrorOutOfMemory;
  }
  const std::lock_guard lock(blocks().mutex);
  blocks().by_begin[begin] = std::move(block);
  *out = mapped;
  return hipSuccess;
}

hipError_t export_pool(void* out, hipMemPool_t handle, hipMemAllocationHandleType type,
                       unsigned flags) {
  const auto pool = pools().find(handle);
  if (!pool || !out || flags != 0 || type == hipMemHandleTypeNone ||
      type != pool->properties.handleTypes)
    return hipErrorInvalidValue;
  const int copy = dup(pool->file->descriptor());
  if (copy < 0) return hipErrorOutOfMemory;
  *static_cast<int*>(out) = copy;
  return hipSuccess;
}

hipError_t import_pool(hipMemPool_t* out, void* handle, hipMemAllocationHandleType type,
                       unsigned flags) {
  if (!out || !handle || flags != 0 || type != hipMemHandleTypePosixFileDescriptor)
    return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.handleTypes = type;
  properties.location = {hipMemLocationTypeDevice, runtime.ordinal()};
  auto pool = std::make_shared<Pool>(properties);
  // The descriptor itself, not its address.
  pool->file = SharedFile::duplicate(static_cast<int>(address_of(handle)));
  if (!pool->file) return hipErrorOutOfMemory;
  pool->imported = true;
  *out = pools().add(std::move(pool));
  return hipSuccess;
}

hipError_t export_pointer(hipMemPoolPtrExportData* out, void* pointer) {
  if (!out || !pointer) return hipErrorInvalidValue;
  const std::lock_guard lock(blocks().mutex);
  const auto found = blocks().by_begin.find(address_of(pointer));
  if (found == blocks().by_begin.end()) return hipErrorInvalidValue;
  const Place place{.mark = kMark, .offset = found->second.offset, .size = found->second.size};
  *out = {};
  std::memcpy(out, &place, sizeof place);
  return hipSuccess;
}

hipError_t import_pointer(void** out, hipMemPool_t handle, const hipMemPoolPtrExportData* data) {
  const auto pool = pools().find(handle);
  if (!out || !data || !pool || !pool->imported) return hipErrorInvalidValue;
  Place place;
  std::memcpy(&place, data, sizeof place);
  if (place.mark != kMark || place.offset % kSharedPage != 0) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  return map_block(runtime, {.pool = pool, .offset = place.offset, .size = place.size}, out);
}

}  // namespace

hipError_t allocate_in_file(Runtime& runtime, const std::shared_ptr<Pool>& pool, std::size_t size,
                            void** out) {
  // An imported pool is for the memory of its owner.
  if (pool->imported) return hipErrorInvalidValue;
  if (size > runtime.free_bytes()) return hipErrorOutOfMemory;
  Block block{.pool = pool, .offset = 0, .size = size};
  {
    const std::lock_guard lock(pool->mutex);
    block.offset = pool->end;
    if (!pool->file->grow(pool->end + whole_pages(size))) return hipErrorOutOfMemory;
    pool->end += whole_pages(size);
  }
  return map_block(runtime, std::move(block), out);
}

std::optional<hipError_t> free_in_file(void* pointer) {
  Block block;
  {
    const std::lock_guard lock(blocks().mutex);
    const auto found = blocks().by_begin.find(address_of(pointer));
    if (found == blocks().by_begin.end()) return std::nullopt;
    block = std::move(found->second);
    blocks().by_begin.erase(found);
  }
  if (Runtime* const runtime = any_runtime())
    static_cast<void>(runtime->memory().unregister(address_of(pointer)));
  munmap(pointer, whole_pages(block.size));
  if (!block.pool->imported) block.pool->file->discard(block.offset, whole_pages(block.size));
  return hipSuccess;
}

extern "C" {

hipError_t hipMemPoolExportToShareableHandle(void* out, hipMemPool_t pool,
                                             hipMemAllocationHandleType type, unsigned flags) {
  return api([&] { return export_pool(out, pool, type, flags); });
}
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* pool, void* handle,
                                               hipMemAllocationHandleType type, unsigned flags) {
  return api([&] { return import_pool(pool, handle, type, flags); });
}
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* data, void* pointer) {
  return api([&] { return export_pointer(data, pointer); });
}
hipError_t hipMemPoolImportPointer(void** pointer, hipMemPool_t pool,
                                   hipMemPoolPtrExportData* data) {
  return api([&] { return import_pointer(pointer, pool, data); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
