// SPDX-License-Identifier: MIT
// Copies and fills of linear and pitched memory, and of device variables.
#include <algorithm>
#include <climits>
#include <cstring>

#include "soft/hip/array.h"
#include "soft/hip/graph.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/stream.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

// One past the last byte that a region touches; 0: it wraps.
std::uint64_t end_of(const Region& region, const Extent& extent) {
  const auto wide = static_cast<unsigned __int128>(region.base) +
                    static_cast<unsigned __int128>(region.slice_pitch) * (extent.slices - 1) +
                    static_cast<unsigned __int128>(region.pitch) * (extent.rows - 1) + extent.bytes;
  return wide >> 64 ? 0 : static_cast<std::uint64_t>(wide);
}

enum class Place { kHost, kDevice, kBroken };

// Device memory must hold all of the region; memory that the device does not know is the host's.
Place place_of(Runtime& runtime, const Region& region, const Extent& extent) {
  const std::uint64_t end = end_of(region, extent);
  if (region.base == 0 || end == 0) return Place::kBroken;
  const auto allocation = runtime.memory().find(region.base);
  if (!allocation) return Place::kHost;
  if (end <= allocation->end()) return Place::kDevice;
  // A part of the program's own memory may be registered, and the rest is still there.
  return allocation->kind == MemoryKind::kRegistered ? Place::kHost : Place::kBroken;
}

hipError_t submit_copy(hipStream_t stream, CopyWork copy) {
  HIP_RUNTIME(runtime);
  if (!is_copy_kind(copy.kind)) return hipErrorInvalidMemcpyDirection;
  if (copy.extent.empty()) return stream_of(stream) ? hipSuccess : no_stream();
  return submit(stream, std::move(copy));
}

hipError_t copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                hipStream_t stream) {
  return async_api([&] {
    if (bytes != 0 && (!to || !from)) return hipErrorInvalidValue;
    return submit_copy(stream, linear_copy(to, from, bytes, kind));
  });
}

hipError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return async_api([&] {
    if (width == 0 || height == 0) return hipSuccess;
    if (!to || !from) return hipErrorInvalidValue;
    if (width > to_pitch || width > from_pitch) return hipErrorInvalidPitchValue;
    return submit_copy(stream, CopyWork{.to = {address_of(to), to_pitch, 0},
                                        .from = {address_of(from), from_pitch, 0},
                                        .extent = {width, height, 1},
                                        .kind = kind});
  });
}

hipError_t copy_3d(const hipMemcpy3DParms* parameters, hipStream_t stream) {
  return async_api([&] {
    if (!parameters) return hipErrorInvalidValue;
    CopyWork work;
    HIP_TRY(copy_work(*parameters, work));
    return submit_copy(stream, std::move(work));
  });
}

// The driver's descriptors name one of three places on each side.
struct Side {
  hipMemoryType type;
  const void* host;
  const void* device;
  hipArray_t array;
  std::size_t x, y, z, pitch, height;
};
hipError_t region_of(const Side& side, Region& out) {
  if (side.type == hipMemoryTypeArray) {
    if (!side.array) return hipErrorInvalidValue;
    HIP_TRY(array_region(side.array, out));
  } else {
    const bool host = side.type == hipMemoryTypeHost;
    out.base = address_of(host ? side.host : side.device);
    const std::uint64_t first = out.base + side.x + side.y * side.pitch;
    if (side.type == hipMemoryTypeDevice && out.base != 0 && !is_device_memory(first))
      return hipErrorInvalidValue;
    out.pitch = side.pitch;
    out.slice_pitch = side.pitch * side.height;
    if (out.base == 0) return hipErrorInvalidValue;
  }
  out.base += side.x + side.y * out.pitch + side.z * out.slice_pitch;
  return hipSuccess;
}

hipError_t driver_work(const Side& to, const Side& from, const Extent& extent, CopyWork& work) {
  work = {};
  work.extent = extent;
  if (extent.empty()) return hipSuccess;
  const auto too_narrow = [&](const Region& region, const Side& side) {
    const bool has_pitch = extent.rows > 1 || region.pitch != 0;
    std::size_t row = region.pitch;
    if (side.type == hipMemoryTypeArray)
      if (const auto array = find_array(side.array)) row = array->row_bytes();
    return has_pitch && (extent.bytes > row || side.x > row - extent.bytes);
  };
  HIP_TRY(region_of(to, work.to));
  HIP_TRY(region_of(from, work.from));
  const auto too_low = [&](const Side& side) {
    return side.type != hipMemoryTypeArray && side.height != 0 &&
           (extent.rows > side.height || side.y > side.height - extent.rows);
  };
  if (too_low(to) || too_low(from)) return hipErrorInvalidValue;
  // hipDeviceAttributeMaxPitch
  if (work.to.pitch >= INT_MAX || work.from.pitch >= INT_MAX) return hipErrorInvalidValue;
  return too_narrow(work.to, to) || too_narrow(work.from, from) ? hipErrorInvalidValue : hipSuccess;
}

hipError_t copy_driver(const hip_Memcpy2D* p, hipStream_t stream) {
  return async_api([&] {
    if (!p) return hipErrorInvalidValue;
    CopyWork work;
    HIP_TRY(
        driver_work({p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes,
                     p->dstY, 0, p->dstPitch ? p->dstPitch : p->dstXInBytes + p->WidthInBytes, 0},
                    {p->srcMemoryType, p->srcHost, p->srcDevice, p->srcArray, p->srcXInBytes,
                     p->srcY, 0, p->srcPitch ? p->srcPitch : p->srcXInBytes + p->WidthInBytes, 0},
                    {p->WidthInBytes, p->Height, 1}, work));
    return submit_copy(stream, std::move(work));
  });
}
hipError_t copy_driver(const HIP_MEMCPY3D* p, hipStream_t stream) {
  return async_api([&] {
    if (!p) return hipErrorInvalidValue;
    CopyWork work;
    HIP_TRY(driver_copy_work(*p, work));
    return submit_copy(stream, std::move(work));
  });
}

hipError_t fill(const Region& to, const Extent& extent, std::uint32_t value, unsigned element,
                hipStream_t stream) {
  return async_api([&] {
    HIP_RUNTIME(runtime);
    if (extent.empty()) return stream_of(stream) ? hipSuccess : no_stream();
    return submit(stream, FillWork{to, extent, value, element});
  });
}
// The calls without a stream wait, except for memory of a device.
hipError_t finish_fill(hipError_t submitted, const void* to) {
  Runtime* const runtime = any_runtime();
  if (submitted != hipSuccess || !runtime) return submitted;
  const auto allocation = runtime->memory().find(address_of(to));
  if (!allocation || allocation->kind == MemoryKind::kDevice) {
    // Programs rely on it nevertheless: the check of races between streams lets them.
    host_saw(*runtime->null_stream());
    return submitted;
  }
  return record(finish_stream(*runtime->null_stream()));
}
hipError_t fill(void* to, std::uint32_t value, unsigned element, std::size_t count,
                hipStream_t stream) {
  if (count > SIZE_MAX / element) return record(hipErrorInvalidValue);
  return fill(Region{.base = address_of(to)}, {count * element}, value, element, stream);
}
hipError_t fill_2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                   hipStream_t stream) {
  if (width > pitch && height > 1) return record(hipErrorInvalidValue);
  return fill(Region{address_of(to), pitch, 0}, {width, height}, static_cast<std::uint32_t>(value),
              1, stream);
}
hipError_t fill_3d(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  if (extent.width > to.pitch && extent.height > 1) return record(hipErrorInvalidValue);
  return fill(Region{address_of(to.ptr), to.pitch, to.pitch * to.ysize},
              {extent.width, extent.height, extent.depth}, static_cast<std::uint32_t>(value), 1,
              stream);
}

// The part of a variable that a copy names.
hipError_t part_of_symbol(const void* symbol, std::size_t bytes, std::size_t offset,
                          void** address) {
  const FoundVariable variable = variable_of_host(symbol);
  HIP_TRY(variable.error);
  if (offset > variable.size || bytes > variable.size - offset) return hipErrorInvalidValue;
  *address = pointer_to(variable.address + offset);
  return hipSuccess;
}

hipError_t copy_to_symbol(const void* symbol, const void* from, std::size_t bytes,
                          std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return async_api([&] {
    void* to = nullptr;
    if (kind != hipMemcpyHostToDevice && kind != hipMemcpyDeviceToDevice &&
        kind != hipMemcpyDefault)
      return hipErrorInvalidMemcpyDirection;
    HIP_TRY(part_of_symbol(symbol, bytes, offset, &to));
    return submit_copy(stream, linear_copy(to, from, bytes, kind));
  });
}
hipError_t copy_from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                            hipMemcpyKind kind, hipStream_t stream) {
  return async_api([&] {
    void* from = nullptr;
    if (kind != hipMemcpyDeviceToHost && kind != hipMemcpyDeviceToDevice &&
        kind != hipMemcpyDefault)
      return hipErrorInvalidMemcpyDirection;
    HIP_TRY(part_of_symbol(symbol, bytes, offset, &from));
    return submit_copy(stream, linear_copy(to, from, bytes, kind));
  });
}

}  // namespace

CopyWork linear_copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return {.to = {.base = address_of(to)},
          .from = {.base = address_of(from)},
          .extent = {.bytes = bytes},
          .kind = kind,
          .parameters = {.srcPtr = {const_cast<void*>(from), bytes, bytes, 1},
                         .dstPtr = {to, bytes, bytes, 1},
                         .extent = {bytes, 1, 1},
                         .kind = kind}};
}

hipError_t copy_work(const hipMemcpy3DParms& p, CopyWork& out) {
  out = CopyWork{.extent = {p.extent.width, p.extent.height, p.extent.depth}, .kind = p.kind};
  out.parameters = p;
  if (out.extent.empty()) return hipSuccess;
  // Widths are bytes, except where an array takes part: then they are its elements.
  std::size_t element = 1;
  if (p.srcArray) element = array_element(p.srcArray);
  if (p.dstArray) element = array_element(p.dstArray);
  if (element == 0) return hipErrorInvalidHandle;
  out.extent.bytes *= element;
  const auto side = [&](hipArray_t array, const hipPitchedPtr& pointer, const hipPos& at,
                        Region& region) -> hipError_t {
    std::size_t x = at.x;
    if (array) {
      if (pointer.ptr) return hipErrorInvalidValue;
      HIP_TRY(array_region(array, region));
      x *= element;
    } else {
      if (!pointer.ptr) return hipErrorInvalidValue;
      if (pointer.pitch >= INT_MAX) return hipErrorInvalidValue;  // hipDeviceAttributeMaxPitch
      if (pointer.pitch < out.extent.bytes && out.extent.rows > 1) return hipErrorInvalidPitchValue;
      region = {address_of(pointer.ptr), pointer.pitch, pointer.pitch * pointer.ysize};
    }
    region.base += x + at.y * region.pitch + at.z * region.slice_pitch;
    return hipSuccess;
  };
  HIP_TRY(side(p.srcArray, p.srcPtr, p.srcPos, out.from));
  return side(p.dstArray, p.dstPtr, p.dstPos, out.to);
}

hipError_t driver_copy_work(const HIP_MEMCPY3D& p, CopyWork& out) {
  // Without a height, slices are as high as the copy needs them.
  const std::size_t to_height = p.dstHeight ? p.dstHeight : p.dstY + p.Height;
  const std::size_t from_height = p.srcHeight ? p.srcHeight : p.srcY + p.Height;
  HIP_TRY(driver_work({p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray, p.dstXInBytes, p.dstY,
                       p.dstZ, p.dstPitch, to_height},
                      {p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray, p.srcXInBytes, p.srcY,
                       p.srcZ, p.srcPitch, from_height},
                      {p.WidthInBytes, p.Height, p.Depth}, out));
  out.driver_parameters = p;
  return hipSuccess;
}

bool fits(const Region& region, const Extent& extent) {
  Runtime* const runtime = any_runtime();
  return !runtime || place_of(*runtime, region, extent) != Place::kBroken;
}

bool is_device_memory(std::uint64_t address) {
  Runtime* const runtime = any_runtime();
  return runtime && (runtime->memory().find(address) || is_graph_memory(address));
}

hipError_t fill_work(const hipMemsetParams& p, FillWork& out) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return hipErrorInvalidValue;
  if (!p.dst || p.width == 0 || p.height == 0) return hipErrorInvalidValue;
  if (p.height > 1 && p.pitch < p.width * p.elementSize) return hipErrorInvalidValue;
  out = {{address_of(p.dst), p.pitch, 0},
         {p.width * p.elementSize, p.height, 1},
         p.value,
         p.elementSize};
  return fits(out.to, out.extent) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t check_copy(Runtime& runtime, const CopyWork& work) {
  const Place to = place_of(runtime, work.to, work.extent);
  const Place from = place_of(runtime, work.from, work.extent);
  if (to == Place::kBroken || from == Place::kBroken) return hipErrorInvalidValue;
  // What the caller calls device memory must be that; registered host memory may be either.
  const bool to_device = work.kind == hipMemcpyHostToDevice ||
                         work.kind == hipMemcpyDeviceToDevice ||
                         work.kind == hipMemcpyDeviceToDeviceNoCU;
  const bool from_device = work.kind == hipMemcpyDeviceToHost ||
                           work.kind == hipMemcpyDeviceToDevice ||
                           work.kind == hipMemcpyDeviceToDeviceNoCU;
  if ((to_device && to != Place::kDevice) || (from_device && from != Place::kDevice))
    return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t check_fill(Runtime& runtime, const FillWork& work) {
  return place_of(runtime, work.to, work.extent) == Place::kDevice ? hipSuccess
                                                                   : hipErrorInvalidValue;
}

extern "C" {

hipError_t hipMemcpy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return copy(to, from, bytes, kind, nullptr);
}
hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return copy(to, from, bytes, kind, stream);
}
hipError_t hipMemcpyWithStream(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream) {
  const hipError_t result = copy(to, from, bytes, kind, stream);
  const auto waits = stream_of(stream);
  return result == hipSuccess && waits ? record(finish_stream(*waits)) : result;
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, std::size_t bytes) {
  return copy(to, from, bytes, hipMemcpyHostToDevice, nullptr);
}
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, std::size_t bytes,
                              hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, std::size_t bytes) {
  return copy(to, from, bytes, hipMemcpyDeviceToHost, nullptr);
}
hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, std::size_t bytes,
                              hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, std::size_t bytes) {
  return copy(to, from, bytes, hipMemcpyDeviceToDevice, nullptr);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, std::size_t bytes,
                              hipStream_t stream) {
  return copy(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                         std::size_t bytes) {
  if (check_device(to_device) != hipSuccess || check_device(from_device) != hipSuccess)
    return record(hipErrorInvalidDevice);
  return copy(to, from, bytes, hipMemcpyDeviceToDevice, nullptr);
}
hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                              std::size_t bytes, hipStream_t stream) {
  if (check_device(to_device) != hipSuccess || check_device(from_device) != hipSuccess)
    return record(hipErrorInvalidDevice);
  return copy(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                       std::size_t width, std::size_t height, hipMemcpyKind kind) {
  return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, std::size_t width, std::size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
hipError_t hipMemcpy3D(const hipMemcpy3DParms* parameters) {
  return copy_3d(parameters, nullptr);
}
hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* parameters, hipStream_t stream) {
  return copy_3d(parameters, stream);
}
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* parameters) {
  return copy_driver(parameters, nullptr);
}
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* parameters, hipStream_t stream) {
  return copy_driver(parameters, stream);
}
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* parameters) {
  return copy_driver(parameters, nullptr);
}
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* parameters) {
  return copy_driver(parameters, nullptr);
}
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* parameters, hipStream_t stream) {
  return copy_driver(parameters, stream);
}

hipError_t hipMemset(void* to, int value, std::size_t bytes) {
  return finish_fill(fill(to, static_cast<std::uint32_t>(value), 1, bytes, nullptr), to);
}
hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream) {
  return fill(to, static_cast<std::uint32_t>(value), 1, bytes, stream);
}
hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, std::size_t count) {
  return finish_fill(fill(to, value, 1, count, nullptr), to);
}
hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, std::size_t count,
                            hipStream_t stream) {
  return fill(to, value, 1, count, stream);
}
hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, std::size_t count) {
  return finish_fill(fill(to, value, 2, count, nullptr), to);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, std::size_t count,
                             hipStream_t stream) {
  return fill(to, value, 2, count, stream);
}
hipError_t hipMemsetD32(hipDeviceptr_t to, int value, std::size_t count) {
  return finish_fill(fill(to, static_cast<std::uint32_t>(value), 4, count, nullptr), to);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, std::size_t count, hipStream_t stream) {
  return fill(to, static_cast<std::uint32_t>(value), 4, count, stream);
}
hipError_t hipMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                       std::size_t height) {
  return finish_fill(fill_2d(to, pitch, value, width, height, nullptr), to);
}
hipError_t hipMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width,
                            std::size_t height, hipStream_t stream) {
  return fill_2d(to, pitch, value, width, height, stream);
}
hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  return finish_fill(fill_3d(to, value, extent, nullptr), to.ptr);
}
hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return fill_3d(to, value, extent, stream);
}

hipError_t hipGetSymbolAddress(void** address, const void* symbol) {
  return api([&] {
    if (!address) return hipErrorInvalidValue;
    const FoundVariable variable = variable_of_host(symbol);
    HIP_TRY(variable.error);
    *address = pointer_to(variable.address);
    return hipSuccess;
  });
}
hipError_t hipGetSymbolSize(std::size_t* size, const void* symbol) {
  return api([&] {
    if (!size) return hipErrorInvalidValue;
    const FoundVariable variable = variable_of_host(symbol);
    HIP_TRY(variable.error);
    *size = variable.size;
    return hipSuccess;
  });
}
hipError_t hipMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                             std::size_t offset, hipMemcpyKind kind) {
  return copy_to_symbol(symbol, from, bytes, offset, kind, nullptr);
}
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                                  std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_symbol(symbol, from, bytes, offset, kind, stream);
}
hipError_t hipMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                               hipMemcpyKind kind) {
  return copy_from_symbol(to, symbol, bytes, offset, kind, nullptr);
}
hipError_t hipMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes,
                                    std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return copy_from_symbol(to, symbol, bytes, offset, kind, stream);
}

}  // extern "C"

}  // namespace hipwright::soft::hip
