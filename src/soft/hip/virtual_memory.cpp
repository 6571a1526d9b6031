// SPDX-License-Identifier: MIT
// Virtual memory management: address ranges without memory, memory without an address, and the
// mappings between them. Physical memory is an anonymous file, so that it can be mapped twice and
// handed to another process.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "soft/hip/pending_work.h"

namespace hipwright::soft::hip {

namespace {

constexpr std::uint64_t kGranularity = 4096;

// One allocation of physical memory. Handles and mappings share it.
struct Physical {
  int file = -1;
  std::uint64_t size = 0;
  hipMemAllocationProp properties{};
  Physical() = default;
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  ~Physical() {
    if (file >= 0) ::close(file);
  }
};
using PhysicalRef = std::shared_ptr<Physical>;

struct Mapping {
  std::uint64_t size = 0;
  PhysicalRef physical;
  std::map<int, hipMemAccessFlags> access;  // by device
};

struct Reservation {
  std::uint64_t size = 0;
  std::map<std::uint64_t, Mapping> mappings;     // by begin
  std::vector<std::uint64_t> registered_ranges;  // that kernels may touch
};

struct VirtualMemory {
  std::mutex mutex;
  struct Handle {
    PhysicalRef physical;
    unsigned references = 1;
  };
  std::map<hipMemGenericAllocationHandle_t, Handle> handles;
  std::map<std::uint64_t, Reservation> reservations;  // by begin
};
VirtualMemory& virtual_memory() {
  static auto* const all = new VirtualMemory;
  return *all;
}

bool is_whole(std::uint64_t size) {
  return size != 0 && size % kGranularity == 0;
}

// The reservation that holds all of the range; nullptr: none does.
Reservation* reservation_of(VirtualMemory& all, std::uint64_t begin, std::uint64_t size) {
  auto next = all.reservations.upper_bound(begin);
  if (next == all.reservations.begin()) return nullptr;
  const auto found = std::prev(next);
  const std::uint64_t distance = begin - found->first;
  return distance < found->second.size && size <= found->second.size - distance ? &found->second
                                                                                : nullptr;
}

hipMemGenericAllocationHandle_t add_handle(VirtualMemory& all, PhysicalRef physical) {
  // The address of a byte that nothing else has.
  auto* const handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(new char);
  all.handles.emplace(handle, VirtualMemory::Handle{std::move(physical)});
  return handle;
}

// The handle that the memory has already, or a new one.
hipMemGenericAllocationHandle_t retained_handle(VirtualMemory& all, const PhysicalRef& physical) {
  for (auto& [handle, entry] : all.handles)
    if (entry.physical == physical) {
      ++entry.references;
      return handle;
    }
  return add_handle(all, physical);
}

// The only device that has access, and how; several devices or none: no device.
struct Access {
  int device = -1;
  unsigned devices = 0;
  bool writes = false;
  bool operator==(const Access&) const = default;
};
Access access_of(const Mapping& mapping) {
  Access access;
  for (const auto& [device, flags] : mapping.access) {
    if (flags == hipMemAccessFlagsProtNone) continue;
    access.device = device;
    ++access.devices;
    access.writes = access.writes || flags == hipMemAccessFlagsProtReadWrite;
  }
  if (access.devices > 1) access.device = -1;
  return access;
}

// Registers what kernels and copies may touch: neighbours with the same access are one range.
hipError_t publish(Memory& memory, Reservation& reservation) {
  for (const std::uint64_t begin : reservation.registered_ranges)
    static_cast<void>(memory.unregister(begin));
  reservation.registered_ranges.clear();
  for (auto at = reservation.mappings.begin(); at != reservation.mappings.end();) {
    const std::uint64_t begin = at->first;
    const Access access = access_of(at->second);
    std::uint64_t end = begin;
    for (; at != reservation.mappings.end() && at->first == end && access_of(at->second) == access;
         ++at)
      end += at->second.size;
    if (access.devices == 0) continue;
    const MemoryKind kind = access.devices > 1 ? MemoryKind::kManaged : MemoryKind::kDevice;
    const unsigned owner = access.devices > 1 ? 0 : static_cast<unsigned>(access.device);
    if (!memory.register_range(begin, end - begin, kind, access.writes, owner))
      return hipErrorInvalidValue;
    reservation.registered_ranges.push_back(begin);
  }
  return hipSuccess;
}

hipError_t reserve(void** out, std::size_t size, std::size_t alignment, void* wish,
                   unsigned long long flags) {
  if (!out || flags != 0) return hipErrorInvalidValue;
  if (!is_whole(size) || (alignment & (alignment - 1)) != 0) return hipErrorOutOfMemory;
  const std::uint64_t unit = std::max<std::uint64_t>(alignment, kGranularity);
  if (size > SIZE_MAX / 2 || unit > SIZE_MAX / 4) return hipErrorOutOfMemory;
  // The wish is a hint; more than asked for, so that an aligned part is inside.
  void* const mapped =
      mmap(wish, size + unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return hipErrorOutOfMemory;
  const std::uint64_t first = address_of(mapped);
  const std::uint64_t begin = (first + unit - 1) / unit * unit;
  if (begin != first) munmap(mapped, begin - first);
  if (const std::uint64_t rest = first + unit - begin; rest != 0)
    munmap(pointer_to(begin + size), rest);
  const std::lock_guard lock(virtual_memory().mutex);
  virtual_memory().reservations[begin].size = size;
  *out = pointer_to(begin);
  return hipSuccess;
}

hipError_t free_address(void* pointer, std::size_t size) {
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.reservations.find(address_of(pointer));
  if (found == all.reservations.end() || found->second.size != size ||
      !found->second.mappings.empty())
    return hipErrorInvalidValue;
  munmap(pointer, size);
  all.reservations.erase(found);
  return hipSuccess;
}

hipError_t check_properties(const hipMemAllocationProp* properties) {
  if (!properties || properties->type != hipMemAllocationTypePinned ||
      properties->location.type != hipMemLocationTypeDevice)
    return hipErrorInvalidValue;
  return check_device(properties->location.id) == hipSuccess ? hipSuccess : hipErrorInvalidValue;
}

hipError_t create(hipMemGenericAllocationHandle_t* handle, std::size_t size,
                  const hipMemAllocationProp* properties, unsigned long long flags) {
  if (!handle || !is_whole(size) || flags != 0) return hipErrorInvalidValue;
  HIP_TRY(check_properties(properties));
  const Runtime* const runtime = runtime_of(properties->location.id);
  if (!runtime || size > runtime->free_bytes()) return hipErrorOutOfMemory;
  auto physical = std::make_shared<Physical>();
  physical->file = memfd_create("hipwright", MFD_CLOEXEC);
  physical->size = size;
  physical->properties = *properties;
  if (physical->file < 0 || ftruncate(physical->file, static_cast<off_t>(size)) != 0)
    return hipErrorOutOfMemory;
  const std::lock_guard lock(virtual_memory().mutex);
  *handle = add_handle(virtual_memory(), std::move(physical));
  return hipSuccess;
}

hipError_t release_handle(hipMemGenericAllocationHandle_t handle) {
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.handles.find(handle);
  if (found == all.handles.end()) return hipErrorInvalidValue;
  if (--found->second.references > 0) return hipSuccess;
  all.handles.erase(found);
  delete reinterpret_cast<char*>(handle);
  return hipSuccess;
}

// hipErrorInvalidValue for a handle that does not exist.
hipError_t find_handle(VirtualMemory& all, hipMemGenericAllocationHandle_t handle,
                       PhysicalRef& out) {
  const auto found = all.handles.find(handle);
  if (found == all.handles.end()) return hipErrorInvalidValue;
  out = found->second.physical;
  return hipSuccess;
}

hipError_t map(void* pointer, std::size_t size, std::size_t offset,
               hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
  const std::uint64_t begin = address_of(pointer);
  if (!is_whole(size) || offset != 0 || flags != 0 || begin % kGranularity != 0)
    return hipErrorInvalidValue;
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  PhysicalRef physical;
  HIP_TRY(find_handle(all, handle, physical));
  Reservation* const reservation = reservation_of(all, begin, size);
  if (!reservation || size > physical->size) return hipErrorInvalidValue;
  const auto next = reservation->mappings.lower_bound(begin);
  const bool hits_next = next != reservation->mappings.end() && next->first < begin + size;
  const bool hits_last = next != reservation->mappings.begin() &&
                         std::prev(next)->first + std::prev(next)->second.size > begin;
  if (hits_next || hits_last) return hipErrorInvalidValue;
  if (mmap(pointer, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical->file, 0) ==
      MAP_FAILED)
    return hipErrorOutOfMemory;
  reservation->mappings[begin] = {.size = size, .physical = std::move(physical), .access = {}};
  return hipSuccess;
}

// Calls visit(begin, mapping) for the mappings that together are exactly the range.
template <class Visit>
hipError_t for_each_mapping(Reservation& reservation, std::uint64_t begin, std::size_t size,
                            Visit visit) {
  std::vector<std::uint64_t> wanted;
  std::uint64_t covered = begin;
  for (auto at = reservation.mappings.find(begin);
       at != reservation.mappings.end() && at->first == covered && covered < begin + size; ++at) {
    wanted.push_back(at->first);
    covered += at->second.size;
  }
  if (covered != begin + size) return hipErrorInvalidValue;
  for (const std::uint64_t each : wanted) visit(each, reservation.mappings.at(each));
  return hipSuccess;
}

hipError_t unmap(Memory& memory, void* pointer, std::size_t size) {
  const std::uint64_t begin = address_of(pointer);
  if (size == 0) return hipErrorInvalidValue;
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  Reservation* const reservation = reservation_of(all, begin, size);
  if (!reservation) return hipErrorInvalidValue;
  std::vector<std::uint64_t> gone;
  HIP_TRY(for_each_mapping(*reservation, begin, size,
                           [&](std::uint64_t each, Mapping&) { gone.push_back(each); }));
  for (const std::uint64_t each : gone) reservation->mappings.erase(each);
  const hipError_t published = publish(memory, *reservation);
  // The addresses stay reserved.
  mmap(pointer, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return published;
}

hipError_t set_access(Memory& memory, void* pointer, std::size_t size,
                      const hipMemAccessDesc* descriptions, std::size_t count) {
  if (!descriptions || count == 0 || size == 0) return hipErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i)
    if (descriptions[i].location.type != hipMemLocationTypeDevice ||
        check_device(descriptions[i].location.id) != hipSuccess)
      return hipErrorInvalidValue;
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  const std::uint64_t begin = address_of(pointer);
  Reservation* const reservation = reservation_of(all, begin, size);
  if (!reservation) return hipErrorInvalidValue;
  HIP_TRY(for_each_mapping(*reservation, begin, size, [&](std::uint64_t, Mapping& mapping) {
    for (std::size_t i = 0; i < count; ++i)
      mapping.access[descriptions[i].location.id] = descriptions[i].flags;
  }));
  return publish(memory, *reservation);
}

// The mapping that holds the address; nullptr: none does.
const Mapping* mapping_at(VirtualMemory& all, std::uint64_t address) {
  Reservation* const reservation = reservation_of(all, address, 1);
  if (!reservation) return nullptr;
  const auto next = reservation->mappings.upper_bound(address);
  if (next == reservation->mappings.begin()) return nullptr;
  const auto found = std::prev(next);
  return address - found->first < found->second.size ? &found->second : nullptr;
}

hipError_t get_access(unsigned long long* flags, const hipMemLocation* location, void* pointer) {
  if (!flags || !location || location->type != hipMemLocationTypeDevice ||
      check_device(location->id) != hipSuccess)
    return hipErrorInvalidValue;
  VirtualMemory& all = virtual_memory();
  const std::lock_guard lock(all.mutex);
  const Mapping* const mapping = mapping_at(all, address_of(pointer));
  if (!mapping) return hipErrorInvalidValue;
  const auto found = mapping->access.find(location->id);
  *flags = static_cast<unsigned long long>(
      found == mapping->access.end() ? hipMemAccessFlagsProtNone : found->second);
  return hipSuccess;
}

hipError_t import_file(hipMemGenericAllocationHandle_t* handle, int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !is_whole(static_cast<std::uint64_t>(status.st_size)))
    return hipErrorInvalidValue;
  auto physical = std::make_shared<Physical>();
  physical->file = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (physical->file < 0) return hipErrorInvalidValue;
  physical->size = static_cast<std::uint64_t>(status.st_size);
  physical->properties.type = hipMemAllocationTypePinned;
  physical->properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  physical->properties.location = {hipMemLocationTypeDevice, current_device()};
  const std::lock_guard lock(virtual_memory().mutex);
  *handle = add_handle(virtual_memory(), std::move(physical));
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMemGetAllocationGranularity(std::size_t* granularity,
                                          const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags option) {
  return api([&] {
    if (!granularity || (option != hipMemAllocationGranularityMinimum &&
                         option != hipMemAllocationGranularityRecommended))
      return hipErrorInvalidValue;
    HIP_TRY(check_properties(properties));
    *granularity = kGranularity;
    return hipSuccess;
  });
}
hipError_t hipMemAddressReserve(void** pointer, std::size_t size, std::size_t alignment, void* wish,
                                unsigned long long flags) {
  return api([&] { return reserve(pointer, size, alignment, wish, flags); });
}
hipError_t hipMemAddressFree(void* pointer, std::size_t size) {
  return api([&] { return free_address(pointer, size); });
}
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, std::size_t size,
                        const hipMemAllocationProp* properties, unsigned long long flags) {
  return api([&] { return create(handle, size, properties, flags); });
}
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return api([&] { return release_handle(handle); });
}
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* address) {
  return api([&] {
    if (!handle || !address) return hipErrorInvalidValue;
    VirtualMemory& all = virtual_memory();
    const std::lock_guard lock(all.mutex);
    const Mapping* const mapping = mapping_at(all, address_of(address));
    if (!mapping) return hipErrorInvalidValue;
    *handle = retained_handle(all, mapping->physical);
    return hipSuccess;
  });
}
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  return api([&] {
    if (!properties) return hipErrorInvalidValue;
    VirtualMemory& all = virtual_memory();
    const std::lock_guard lock(all.mutex);
    PhysicalRef physical;
    HIP_TRY(find_handle(all, handle, physical));
    *properties = physical->properties;
    return hipSuccess;
  });
}
hipError_t hipMemMap(void* pointer, std::size_t size, std::size_t offset,
                     hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
  return api([&] { return map(pointer, size, offset, handle, flags); });
}
hipError_t hipMemUnmap(void* pointer, std::size_t size) {
  return api([&] {
    HIP_RUNTIME(runtime);
    HIP_TRY(finish_everything());
    return unmap(runtime.memory(), pointer, size);
  });
}
hipError_t hipMemSetAccess(void* pointer, std::size_t size, const hipMemAccessDesc* descriptions,
                           std::size_t count) {
  return api([&] {
    HIP_RUNTIME(runtime);
    return set_access(runtime.memory(), pointer, size, descriptions, count);
  });
}
hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location,
                           void* pointer) {
  return api([&] { return get_access(flags, location, pointer); });
}
hipError_t hipMemExportToShareableHandle(void* out, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type,
                                         unsigned long long flags) {
  return api([&] {
    if (!out || flags != 0 || type != hipMemHandleTypePosixFileDescriptor)
      return hipErrorInvalidValue;
    VirtualMemory& all = virtual_memory();
    const std::lock_guard lock(all.mutex);
    PhysicalRef physical;
    HIP_TRY(find_handle(all, handle, physical));
    const int file = fcntl(physical->file, F_DUPFD_CLOEXEC, 0);
    if (file < 0) return hipErrorInvalidValue;
    *static_cast<int*>(out) = file;
    return hipSuccess;
  });
}
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* file,
                                           hipMemAllocationHandleType type) {
  return api([&] {
    if (!handle || type != hipMemHandleTypePosixFileDescriptor) return hipErrorInvalidValue;
    // ROCm takes the address of the descriptor, CUDA the descriptor itself; programs do either.
    constexpr std::uint64_t kMostDescriptors = 1 << 16;
    const bool is_value = address_of(file) < kMostDescriptors;
    return import_file(handle,
                       is_value ? static_cast<int>(address_of(file)) : *static_cast<int*>(file));
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
