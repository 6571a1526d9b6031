// SPDX-License-Identifier: MIT
#include "soft/hip/array.h"

#include "soft/hip/graph.h"
#include "soft/hip/memory.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

struct Array {
  hipChannelFormatDesc format{};
  hipExtent extent{};  // elements; 0: that dimension is not there
  unsigned flags = 0;
  std::size_t element = 0;
  Region region;
  ~Array() {
    if (region.base) static_cast<void>(release(pointer_to(region.base)));
  }
};

Registry<Array, hipArray_t>& arrays() {
  static auto* const registry = new Registry<Array, hipArray_t>;
  return *registry;
}

std::shared_ptr<Array> find(hipArray_const_t array) {
  return arrays().find(const_cast<hipArray_t>(array));
}

hipError_t make_array(hipArray_t* out, const hipChannelFormatDesc* format, hipExtent extent,
                      unsigned flags) {
  if (!out || !format || extent.width == 0) return hipErrorInvalidValue;
  auto array = std::make_shared<Array>();
  array->format = *format;
  array->extent = extent;
  array->flags = flags;
  array->element = static_cast<std::size_t>(format->x + format->y + format->z + format->w) / 8;
  if (array->element == 0 || array->element > 16) return hipErrorInvalidChannelDescriptor;
  const std::size_t rows = std::max<std::size_t>(extent.height, 1);
  const std::size_t slices = std::max<std::size_t>(extent.depth, 1);
  const auto bytes = static_cast<unsigned __int128>(extent.width) * array->element * rows * slices;
  if (bytes >> 48) return hipErrorOutOfMemory;
  array->region.pitch = extent.width * array->element;
  array->region.slice_pitch = array->region.pitch * rows;
  void* memory = nullptr;
  HIP_TRY(allocate(&memory, static_cast<std::size_t>(bytes), MemoryKind::kDevice));
  array->region.base = address_of(memory);
  *out = arrays().add(std::move(array));
  return hipSuccess;
}

hipError_t free_array(hipArray_t array) {
  if (!array) return hipErrorInvalidValue;
  return arrays().remove(array) ? hipSuccess : hipErrorContextIsDestroyed;
}

hipError_t copy_rows(Region to, Region from, Extent extent, hipMemcpyKind kind,
                     hipStream_t stream) {
  if (extent.empty()) return hipSuccess;
  return submit(stream, CopyWork{.to = to, .from = from, .extent = extent, .kind = kind});
}

hipError_t copy_to_array(hipArray_t array, std::size_t x, std::size_t y, const void* from,
                         std::size_t pitch, std::size_t width, std::size_t height,
                         hipMemcpyKind kind, hipStream_t stream) {
  return api([&] {
    Region to;
    HIP_TRY(array_region(array, to));
    if (!from || x + width > to.pitch) return hipErrorInvalidValue;
    to.base += x + y * to.pitch;
    return copy_rows(to, {address_of(from), pitch, 0}, {width, height, 1}, kind, stream);
  });
}

hipError_t copy_from_array(void* to, std::size_t pitch, hipArray_const_t array, std::size_t x,
                           std::size_t y, std::size_t width, std::size_t height, hipMemcpyKind kind,
                           hipStream_t stream) {
  return api([&] {
    Region from;
    HIP_TRY(array_region(array, from));
    if (!to || x + width > from.pitch) return hipErrorInvalidValue;
    from.base += x + y * from.pitch;
    return copy_rows({address_of(to), pitch, 0}, from, {width, height, 1}, kind, stream);
  });
}

}  // namespace

hipError_t array_region(hipArray_const_t array, Region& out) {
  const auto found = find(array);
  if (!found) return hipErrorInvalidHandle;
  out = found->region;
  return hipSuccess;
}

std::size_t array_element(hipArray_const_t array) {
  const auto found = find(array);
  return found ? found->element : 0;
}

extern "C" {

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* format, std::size_t width,
                          std::size_t height, unsigned flags) {
  return api([&] { return make_array(array, format, {width, height, 0}, flags); });
}
hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* format, hipExtent extent,
                            unsigned flags) {
  return api([&] { return make_array(array, format, extent, flags); });
}
hipError_t hipFreeArray(hipArray_t array) {
  return api([&] { return free_array(array); });
}
hipError_t hipArrayDestroy(hipArray_t array) {
  return api([&] { return free_array(array); });
}
hipError_t hipArrayGetInfo(hipChannelFormatDesc* format, hipExtent* extent, unsigned* flags,
                           hipArray_t array) {
  return api([&] {
    const auto found = find(array);
    if (!found) return hipErrorInvalidHandle;
    if (format) *format = found->format;
    if (extent) *extent = found->extent;
    if (flags) *flags = found->flags;
    return hipSuccess;
  });
}
hipError_t hipGetChannelDesc(hipChannelFormatDesc* format, hipArray_const_t array) {
  return api([&] {
    const auto found = find(array);
    if (!format) return hipErrorInvalidValue;
    if (!found) return hipErrorInvalidHandle;
    *format = found->format;
    return hipSuccess;
  });
}

hipError_t hipMemcpy2DToArray(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t pitch, std::size_t width, std::size_t height,
                              hipMemcpyKind kind) {
  return copy_to_array(to, x, y, from, pitch, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t pitch, std::size_t width, std::size_t height,
                                   hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_array(to, x, y, from, pitch, width, height, kind, stream);
}
hipError_t hipMemcpy2DFromArray(void* to, std::size_t pitch, hipArray_const_t from, std::size_t x,
                                std::size_t y, std::size_t width, std::size_t height,
                                hipMemcpyKind kind) {
  return copy_from_array(to, pitch, from, x, y, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DFromArrayAsync(void* to, std::size_t pitch, hipArray_const_t from,
                                     std::size_t x, std::size_t y, std::size_t width,
                                     std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_from_array(to, pitch, from, x, y, width, height, kind, stream);
}
hipError_t hipMemcpyToArray(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                            std::size_t bytes, hipMemcpyKind kind) {
  return api([&] {
    Region region;
    HIP_TRY(array_region(to, region));
    region.base += x + y * region.pitch;
    return copy_rows({region.base, 0, 0}, {address_of(from), 0, 0}, {bytes, 1, 1}, kind, nullptr);
  });
}
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, std::size_t x, std::size_t y,
                              std::size_t bytes, hipMemcpyKind kind) {
  return api([&] {
    Region region;
    HIP_TRY(array_region(from, region));
    region.base += x + y * region.pitch;
    return copy_rows({address_of(to), 0, 0}, {region.base, 0, 0}, {bytes, 1, 1}, kind, nullptr);
  });
}
hipError_t hipMemcpyAtoH(void* to, hipArray_t from, std::size_t offset, std::size_t bytes) {
  return hipMemcpyFromArray(to, from, offset, 0, bytes, hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyHtoA(hipArray_t to, std::size_t offset, const void* from, std::size_t bytes) {
  return hipMemcpyToArray(to, offset, 0, from, bytes, hipMemcpyHostToDevice);
}

}  // extern "C"

}  // namespace hipwright::soft::hip
