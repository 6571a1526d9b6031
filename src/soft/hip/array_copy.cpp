// SPDX-License-Identifier: MIT
// Copies between arrays and memory. A is an array, D device memory, H host memory.
#include <limits>

#include "soft/hip/array.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

// A place in an array, by bytes and rows.
struct Spot {
  hipArray_const_t array;
  std::size_t x = 0, y = 0;
};

// The rows from the spot on; `width` bytes of each must lie in the array.
hipError_t region_at(const Spot& spot, std::size_t width, std::size_t height, Region& out) {
  const auto array = find_array(spot.array);
  if (!array) return hipErrorInvalidHandle;
  out = array->region;
  const std::size_t rows = std::max<std::size_t>(array->extent.height, 1);
  if (spot.x > out.pitch || width > out.pitch - spot.x || spot.y > rows || height > rows - spot.y)
    return hipErrorInvalidValue;
  out.base += spot.x + spot.y * out.pitch;
  return hipSuccess;
}

// So many bytes that follow each other, in rows of the array.
hipError_t line_at(const Spot& spot, std::size_t bytes, Region& out) {
  const auto array = find_array(spot.array);
  if (!array) return hipErrorInvalidHandle;
  const std::size_t all = array->region.slice_pitch * std::max<std::size_t>(array->extent.depth, 1);
  if (spot.x > all || spot.y > all / array->region.pitch) return hipErrorInvalidValue;
  const std::size_t begin = spot.x + spot.y * array->region.pitch;
  if (begin > all || bytes > all - begin) return hipErrorInvalidValue;
  out = {array->region.base + begin, 0, 0};
  return hipSuccess;
}

hipError_t check_kind(hipMemcpyKind kind) {
  return is_copy_kind(kind) ? hipSuccess : hipErrorInvalidMemcpyDirection;
}

hipError_t copy_rows(Region to, Region from, Extent extent, hipMemcpyKind kind,
                     hipStream_t stream) {
  HIP_TRY(check_kind(kind));
  if (!stream_of(stream)) return no_stream();
  if (extent.empty()) return hipSuccess;
  return submit(stream, CopyWork{.to = to, .from = from, .extent = extent, .kind = kind});
}

bool is_pitch(std::size_t pitch, std::size_t width) {
  return pitch >= width && pitch < static_cast<std::size_t>(std::numeric_limits<int>::max());
}

hipError_t copy_to_array(const Spot& spot, const void* from, std::size_t pitch, std::size_t width,
                         std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return async_api([&] {
    Region to;
    if (!from) return hipErrorInvalidValue;
    HIP_TRY(region_at(spot, width, height, to));
    if (!is_pitch(pitch, width)) return hipErrorInvalidPitchValue;
    return copy_rows(to, {address_of(from), pitch, 0}, {width, height, 1}, kind, stream);
  });
}

hipError_t copy_from_array(void* to, std::size_t pitch, const Spot& spot, std::size_t width,
                           std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return async_api([&] {
    Region from;
    if (!to) return hipErrorInvalidValue;
    HIP_TRY(region_at(spot, width, height, from));
    if (!is_pitch(pitch, width)) return hipErrorInvalidPitchValue;
    return copy_rows({address_of(to), pitch, 0}, from, {width, height, 1}, kind, stream);
  });
}

hipError_t copy_line_to(const Spot& spot, const void* from, std::size_t bytes, hipMemcpyKind kind,
                        hipStream_t stream) {
  return async_api([&] {
    Region to;
    if (!from) return hipErrorInvalidValue;
    HIP_TRY(line_at(spot, bytes, to));
    return copy_rows(to, {address_of(from), 0, 0}, {bytes, 1, 1}, kind, stream);
  });
}

hipError_t copy_line_from(void* to, const Spot& spot, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return async_api([&] {
    Region from;
    if (!to) return hipErrorInvalidValue;
    HIP_TRY(line_at(spot, bytes, from));
    return copy_rows({address_of(to), 0, 0}, from, {bytes, 1, 1}, kind, stream);
  });
}

}  // namespace

extern "C" {

hipError_t hipMemcpy2DToArray(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t pitch, std::size_t width, std::size_t height,
                              hipMemcpyKind kind) {
  return copy_to_array({to, x, y}, from, pitch, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DToArray_spt(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                                  std::size_t pitch, std::size_t width, std::size_t height,
                                  hipMemcpyKind kind) {
  return copy_to_array({to, x, y}, from, pitch, width, height, kind, hipStreamPerThread);
}
hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                                   std::size_t pitch, std::size_t width, std::size_t height,
                                   hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_array({to, x, y}, from, pitch, width, height, kind, stream);
}
hipError_t hipMemcpy2DToArrayAsync_spt(hipArray_t to, std::size_t x, std::size_t y,
                                       const void* from, std::size_t pitch, std::size_t width,
                                       std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_to_array({to, x, y}, from, pitch, width, height, kind, per_thread(stream));
}
hipError_t hipMemcpy2DFromArray(void* to, std::size_t pitch, hipArray_const_t from, std::size_t x,
                                std::size_t y, std::size_t width, std::size_t height,
                                hipMemcpyKind kind) {
  return copy_from_array(to, pitch, {from, x, y}, width, height, kind, nullptr);
}
hipError_t hipMemcpy2DFromArray_spt(void* to, std::size_t pitch, hipArray_const_t from,
                                    std::size_t x, std::size_t y, std::size_t width,
                                    std::size_t height, hipMemcpyKind kind) {
  return copy_from_array(to, pitch, {from, x, y}, width, height, kind, hipStreamPerThread);
}
hipError_t hipMemcpy2DFromArrayAsync(void* to, std::size_t pitch, hipArray_const_t from,
                                     std::size_t x, std::size_t y, std::size_t width,
                                     std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return copy_from_array(to, pitch, {from, x, y}, width, height, kind, stream);
}
hipError_t hipMemcpy2DFromArrayAsync_spt(void* to, std::size_t pitch, hipArray_const_t from,
                                         std::size_t x, std::size_t y, std::size_t width,
                                         std::size_t height, hipMemcpyKind kind,
                                         hipStream_t stream) {
  return copy_from_array(to, pitch, {from, x, y}, width, height, kind, per_thread(stream));
}
hipError_t hipMemcpy2DArrayToArray(hipArray_t to, std::size_t to_x, std::size_t to_y,
                                   hipArray_const_t from, std::size_t from_x, std::size_t from_y,
                                   std::size_t width, std::size_t height, hipMemcpyKind kind) {
  return async_api([&] {
    Region target, source;
    HIP_TRY(region_at({to, to_x, to_y}, width, height, target));
    HIP_TRY(region_at({from, from_x, from_y}, width, height, source));
    return copy_rows(target, source, {width, height, 1}, kind, nullptr);
  });
}

hipError_t hipMemcpyToArray(hipArray_t to, std::size_t x, std::size_t y, const void* from,
                            std::size_t bytes, hipMemcpyKind kind) {
  return copy_line_to({to, x, y}, from, bytes, kind, nullptr);
}
hipError_t hipMemcpyFromArray(void* to, hipArray_const_t from, std::size_t x, std::size_t y,
                              std::size_t bytes, hipMemcpyKind kind) {
  return copy_line_from(to, {from, x, y}, bytes, kind, nullptr);
}
hipError_t hipMemcpyFromArray_spt(void* to, hipArray_const_t from, std::size_t x, std::size_t y,
                                  std::size_t bytes, hipMemcpyKind kind) {
  return copy_line_from(to, {from, x, y}, bytes, kind, hipStreamPerThread);
}
hipError_t hipMemcpyAtoH(void* to, hipArray_t from, std::size_t offset, std::size_t bytes) {
  return copy_line_from(to, {from, offset}, bytes, hipMemcpyDeviceToHost, nullptr);
}
hipError_t hipMemcpyAtoHAsync(void* to, hipArray_t from, std::size_t offset, std::size_t bytes,
                              hipStream_t stream) {
  return copy_line_from(to, {from, offset}, bytes, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyAtoD(hipDeviceptr_t to, hipArray_t from, std::size_t offset,
                         std::size_t bytes) {
  return copy_line_from(to, {from, offset}, bytes, hipMemcpyDeviceToDevice, nullptr);
}
hipError_t hipMemcpyHtoA(hipArray_t to, std::size_t offset, const void* from, std::size_t bytes) {
  return copy_line_to({to, offset}, from, bytes, hipMemcpyHostToDevice, nullptr);
}
hipError_t hipMemcpyHtoAAsync(hipArray_t to, std::size_t offset, const void* from,
                              std::size_t bytes, hipStream_t stream) {
  return copy_line_to({to, offset}, from, bytes, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoA(hipArray_t to, std::size_t offset, hipDeviceptr_t from,
                         std::size_t bytes) {
  return copy_line_to({to, offset}, from, bytes, hipMemcpyDeviceToDevice, nullptr);
}
hipError_t hipMemcpyAtoA(hipArray_t to, std::size_t to_offset, hipArray_t from,
                         std::size_t from_offset, std::size_t bytes) {
  return async_api([&] {
    Region target, source;
    HIP_TRY(line_at({to, to_offset}, bytes, target));
    HIP_TRY(line_at({from, from_offset}, bytes, source));
    return copy_rows(target, source, {bytes, 1, 1}, hipMemcpyDeviceToDevice, nullptr);
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
