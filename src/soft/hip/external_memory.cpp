// SPDX-License-Identifier: MIT
// Memory of other interfaces, through a file descriptor that can be mapped. Semaphores and arrays
// of other interfaces are refused (refused.cpp).
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>

#include "soft/hip/external_memory.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/shared_file.h"

namespace hipwright::soft::hip {

namespace {

struct External {
  std::shared_ptr<SharedFile> file;
  std::uint64_t size = 0;
};
Registry<External, hipExternalMemory_t>& externals() {
  static auto* const registry = new Registry<External, hipExternalMemory_t>;
  return *registry;
}

struct Buffer {
  std::shared_ptr<External> memory;
  void* mapped = nullptr;  // begins at a page
  std::uint64_t bytes = 0;
};
struct Buffers {
  std::mutex mutex;
  std::map<std::uint64_t, Buffer> by_begin;
};
Buffers& buffers() {
  static auto* const all = new Buffers;
  return *all;
}

hipError_t import(hipExternalMemory_t* out, const hipExternalMemoryHandleDesc* wanted) {
  constexpr unsigned kDedicated = 1;
  if (!out || !wanted || wanted->size == 0 || (wanted->flags & ~kDedicated))
    return hipErrorInvalidValue;
  if (wanted->type < hipExternalMemoryHandleTypeOpaqueFd ||
      wanted->type > hipExternalMemoryHandleTypeNvSciBuf)
    return hipErrorInvalidValue;
  if (wanted->type != hipExternalMemoryHandleTypeOpaqueFd)
    return refuse(hipErrorNotSupported,
                  {"cannot import external memory", "", "only file descriptors can be imported",
                   "Use hipExternalMemoryHandleTypeOpaqueFd."});
  auto external = std::make_shared<External>();
  external->file = SharedFile::duplicate(wanted->handle.fd);
  external->size = wanted->size;
  if (!external->file || wanted->size > external->file->bytes()) return hipErrorInvalidValue;
  ::close(wanted->handle.fd);  // it is ours now
  *out = externals().add(std::move(external));
  return hipSuccess;
}

hipError_t map_buffer(void** out, hipExternalMemory_t handle,
                      const hipExternalMemoryBufferDesc* wanted) {
  const auto external = externals().find(handle);
  if (!out || !external || !wanted || wanted->flags != 0 || wanted->size == 0 ||
      wanted->offset > external->size || wanted->size > external->size - wanted->offset)
    return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const std::uint64_t first = wanted->offset / kSharedPage * kSharedPage;
  Buffer buffer{.memory = external, .bytes = wanted->offset + wanted->size - first};
  buffer.mapped = external->file->map(first, buffer.bytes);
  if (!buffer.mapped) return hipErrorOutOfMemory;
  const std::uint64_t begin = address_of(buffer.mapped) + wanted->offset - first;
  if (!runtime.memory().register_range(begin, wanted->size, MemoryKind::kDevice, true,
                                       runtime.owner())) {
    munmap(buffer.mapped, buffer.bytes);
    return hipErrorOutOfMemory;
  }
  const std::lock_guard lock(buffers().mutex);
  buffers().by_begin[begin] = std::move(buffer);
  *out = pointer_to(begin);
  return hipSuccess;
}

hipError_t destroy(hipExternalMemory_t handle) {
  HIP_TRY(finish_everything());
  const auto external = externals().remove(handle);
  if (!external) return hipErrorInvalidValue;
  // Its buffers end with it.
  std::vector<void*> mapped;
  {
    const std::lock_guard lock(buffers().mutex);
    for (const auto& [begin, buffer] : buffers().by_begin)
      if (buffer.memory == external) mapped.push_back(pointer_to(begin));
  }
  for (void* const each : mapped) static_cast<void>(free_external(each));
  return hipSuccess;
}

}  // namespace

std::optional<hipError_t> free_external(void* pointer) {
  Buffer buffer;
  {
    const std::lock_guard lock(buffers().mutex);
    const auto found = buffers().by_begin.find(address_of(pointer));
    if (found == buffers().by_begin.end()) return std::nullopt;
    buffer = std::move(found->second);
    buffers().by_begin.erase(found);
  }
  if (Runtime* const runtime = any_runtime())
    static_cast<void>(runtime->memory().unregister(address_of(pointer)));
  munmap(buffer.mapped, buffer.bytes);
  return hipSuccess;
}

extern "C" {

hipError_t hipImportExternalMemory(hipExternalMemory_t* memory,
                                   const hipExternalMemoryHandleDesc* wanted) {
  return api([&] { return import(memory, wanted); });
}
hipError_t hipExternalMemoryGetMappedBuffer(void** pointer, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc* wanted) {
  return api([&] { return map_buffer(pointer, memory, wanted); });
}
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory) {
  return api([&] { return destroy(memory); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
