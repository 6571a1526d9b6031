// SPDX-License-Identifier: MIT
#include "soft/hip/ipc.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "soft/hip/pending_work.h"

namespace hipwright::soft::hip {

namespace {

// What the handles hold.
constexpr std::uint64_t kMemoryMark = 0x6877'6d65'6d6f'7279, kEventMark = 0x6877'6576'656e'7400;
struct Ticket {
  std::uint64_t mark = 0;
  FileTicket file;
  std::uint64_t offset = 0, size = 0;  // of the pointer in its allocation; of the allocation
};
static_assert(sizeof(Ticket) <= HIP_IPC_HANDLE_SIZE);

template <class Handle>
void write_ticket(Handle& handle, const Ticket& ticket) {
  handle = {};
  std::memcpy(&handle, &ticket, sizeof ticket);
}
template <class Handle>
Ticket read_ticket(const Handle& handle) {
  Ticket ticket;
  std::memcpy(&ticket, &handle, sizeof ticket);
  return ticket;
}
bool is_own(const Ticket& ticket) {
  return ticket.file.process == static_cast<std::uint64_t>(getpid());
}

struct Opened {  // memory of another process
  FileTicket file;
  std::uint64_t size = 0;
  unsigned references = 0;
};
struct Shared {
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<SharedFile>> given;  // by begin
  std::map<std::uint64_t, Opened> opened;                      // by begin
};
Shared& shared() {
  static auto* const all = new Shared;
  return *all;
}

// Moves the pages of an allocation into a file, in place. Kernels have ended.
std::shared_ptr<SharedFile> share(const Allocation& allocation) {
  const std::uint64_t bytes = whole_pages(allocation.size);
  auto file = SharedFile::create(bytes);
  if (!file) return nullptr;
  void* const copy = file->map(0, bytes);
  if (!copy) return nullptr;
  std::memcpy(copy, pointer_to(allocation.begin), allocation.size);
  munmap(copy, bytes);
  return file->map(0, bytes, pointer_to(allocation.begin)) ? file : nullptr;
}

hipError_t get_memory_handle(hipIpcMemHandle_t* handle, void* pointer) {
  if (!handle || !pointer) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  const auto allocation = runtime.memory().find(address_of(pointer));
  if (!allocation || !allocation->owned || allocation->kind != MemoryKind::kDevice)
    return hipErrorInvalidValue;
  HIP_TRY(finish_everything());
  const std::lock_guard lock(shared().mutex);
  std::shared_ptr<SharedFile>& file = shared().given[allocation->begin];
  if (!file) file = share(*allocation);
  if (!file) {
    shared().given.erase(allocation->begin);
    return hipErrorOutOfMemory;
  }
  write_ticket(*handle, {.mark = kMemoryMark,
                         .file = file->ticket(),
                         .offset = address_of(pointer) - allocation->begin,
                         .size = allocation->size});
  return hipSuccess;
}

hipError_t map_memory(Runtime& runtime, const Ticket& ticket, std::uint64_t& begin) {
  const auto file = SharedFile::open(ticket.file);
  if (!file || ticket.size == 0 || ticket.offset >= ticket.size)
    return hipErrorInvalidDevicePointer;
  const std::uint64_t bytes = whole_pages(ticket.size);
  void* const mapped = file->map(0, bytes);
  if (!mapped) return hipErrorInvalidDevicePointer;
  begin = address_of(mapped);
  if (!runtime.memory().register_range(begin, ticket.size, MemoryKind::kDevice, true,
                                       runtime.owner())) {
    munmap(mapped, bytes);
    return hipErrorOutOfMemory;
  }
  shared().opened[begin] = {.file = ticket.file, .size = ticket.size};
  return hipSuccess;
}

hipError_t open_memory(void** out, const hipIpcMemHandle_t& handle, unsigned flags) {
  if (!out || flags != hipIpcMemLazyEnablePeerAccess) return hipErrorInvalidValue;
  const Ticket ticket = read_ticket(handle);
  if (ticket.mark != kMemoryMark) return hipErrorInvalidValue;
  if (is_own(ticket)) return hipErrorInvalidContext;
  HIP_RUNTIME(runtime);
  const std::lock_guard lock(shared().mutex);
  std::uint64_t begin = 0;
  for (const auto& [address, opened] : shared().opened)
    if (opened.file == ticket.file) begin = address;
  if (begin == 0) HIP_TRY(map_memory(runtime, ticket, begin));
  ++shared().opened[begin].references;
  *out = pointer_to(begin + ticket.offset);
  return hipSuccess;
}

hipError_t close_memory(void* pointer) {
  if (!pointer) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  HIP_TRY(finish_everything());
  const std::lock_guard lock(shared().mutex);
  const auto next = shared().opened.upper_bound(address_of(pointer));
  if (next == shared().opened.begin()) return hipErrorInvalidValue;
  const auto found = std::prev(next);
  if (address_of(pointer) - found->first >= found->second.size) return hipErrorInvalidValue;
  if (--found->second.references > 0) return hipSuccess;
  static_cast<void>(runtime.memory().unregister(found->first));
  munmap(pointer_to(found->first), whole_pages(found->second.size));
  shared().opened.erase(found);
  return hipSuccess;
}

hipError_t get_event_handle(hipIpcEventHandle_t* handle, hipEvent_t event) {
  if (!handle || !event) return hipErrorInvalidValue;
  const auto found = events().find(event);
  if (!found) return hipErrorInvalidValue;
  if (!found->shared) return hipErrorInvalidConfiguration;
  write_ticket(*handle, {.mark = kEventMark, .file = found->shared->ticket()});
  return hipSuccess;
}

hipError_t open_event(hipEvent_t* out, const hipIpcEventHandle_t& handle) {
  if (!out) return hipErrorInvalidValue;
  const Ticket ticket = read_ticket(handle);
  if (ticket.mark != kEventMark) return hipErrorInvalidValue;
  if (is_own(ticket)) return hipErrorInvalidContext;
  HIP_RUNTIME(runtime);
  auto event = std::make_shared<Event>();
  event->device = runtime.ordinal();
  event->flags = hipEventDisableTiming | hipEventInterprocess;
  event->shared = SharedEvent::open(ticket.file);
  if (!event->shared) return hipErrorInvalidValue;
  *out = events().add(std::move(event));
  return hipSuccess;
}

}  // namespace

void end_sharing(std::uint64_t begin) {
  const std::lock_guard lock(shared().mutex);
  const auto found = shared().given.find(begin);
  if (found == shared().given.end()) return;
  mmap(pointer_to(begin), found->second->bytes(), PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  shared().given.erase(found);
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
  auto file = SharedFile::create(kSharedPage);
  void* const counts = file ? file->map(0, kSharedPage) : nullptr;
  return counts ? std::make_shared<SharedEvent>(std::move(file), counts) : nullptr;
}
std::shared_ptr<SharedEvent> SharedEvent::open(const FileTicket& ticket) {
  auto file = SharedFile::open(ticket);
  void* const counts = file ? file->map(0, kSharedPage) : nullptr;
  return counts ? std::make_shared<SharedEvent>(std::move(file), counts) : nullptr;
}
SharedEvent::~SharedEvent() {
  munmap(counts_, kSharedPage);
}

void SharedEvent::recorded() {
  std::atomic_ref(counts_->recorded).fetch_add(1);
}
void SharedEvent::happened() {
  std::atomic_ref(counts_->happened).fetch_add(1);
}
std::uint64_t SharedEvent::records() const {
  return std::atomic_ref(counts_->recorded).load();
}
bool SharedEvent::is_past(std::uint64_t record) const {
  return std::atomic_ref(counts_->happened).load() >= record;
}
void SharedEvent::wait_for(std::uint64_t record) const {
  while (!is_past(record)) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

extern "C" {

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer) {
  return api([&] { return get_memory_handle(handle, pointer); });
}
hipError_t hipIpcOpenMemHandle(void** pointer, hipIpcMemHandle_t handle, unsigned flags) {
  return api([&] { return open_memory(pointer, handle, flags); });
}
hipError_t hipIpcCloseMemHandle(void* pointer) {
  return api([&] { return close_memory(pointer); });
}
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event) {
  return async_api([&] { return get_event_handle(handle, event); });
}
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
  return async_api([&] { return open_event(event, handle); });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
