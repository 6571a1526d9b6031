// SPDX-License-Identifier: MIT
// Copies between arrays and memory. A is an array, D device memory, H host memory.
#include <limits>
#include <vector>

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
  const std::size_t row = array->row_bytes();
  if (spot.x > row || width > row - spot.x || spot.y > rows || height > rows - spot.y)
    return hipErrorInvalidValue;
  out.base += spot.x + spot.y * out.pitch;
  return hipSuccess;
}

// So many bytes that follow each other as the array's texels do: the end of a row, whole rows, the
// beginning of one.
struct Line {
  std::size_t offset = 0;  // from the line's first byte
  Region region;
  Extent extent;
};
hipError_t lines_at(const Spot& spot, std::size_t bytes, std::vector<Line>& out) {
  const auto array = find_array(spot.array);
  if (!array) return hipErrorInvalidHandle;
  const std::size_t row = array->row_bytes();
  const std::size_t rows = std::max<std::size_t>(array->extent.height, 1) *
                           std::max<std::size_t>(array->extent.depth, 1);
  if (spot.x > row * rows || spot.y > rows) return hipErrorInvalidValue;
  const std::size_t begin = spot.x + spot.y * row;
  if (begin > row * rows || bytes > row * rows - begin) return hipErrorInvalidValue;
  out.clear();
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t at = begin + done, x = at % row;
    Line line{
        .offset = done,
        .region = {array->region.base + at / row * array->region.pitch + x, array->region.pitch, 0},
        .extent = {std::min(row - x, bytes - done), 1, 1}};
    if (x == 0 && bytes - done >= row) line.extent.rows = (bytes - done) / row;
    done += line.extent.bytes * line.extent.rows;
    out.push_back(line);
  }
  return hipSuccess;
}

// Copies between arrays and the host by offset stay in the first row.
bool in_first_row(hipArray_const_t handle, std::size_t offset, std::size_t bytes) {
  const auto array = find_array(handle);
  return !array || (offset <= array->row_bytes() && bytes <= array->row_bytes() - offset);
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

// The lines of one array to those of another, piece by piece.
hipError_t copy_between(const std::vector<Line>& targets, const std::vector<Line>& sources) {
  struct Piece {
    std::uint64_t address;
    std::size_t bytes;
  };
  const auto pieces = [](const std::vector<Line>& lines) {
    std::vector<Piece> out;
    for (const Line& line : lines)
      for (std::size_t row = 0; row < line.extent.rows; ++row)
        out.push_back({line.region.base + row * line.region.pitch, line.extent.bytes});
    return out;
  };
  std::vector<Piece> to = pieces(targets), from = pieces(sources);
  for (std::size_t t = 0, s = 0; t < to.size() && s < from.size();) {
    const std::size_t bytes = std::min(to[t].bytes, from[s].bytes);
    HIP_TRY(copy_rows({to[t].address, 0, 0}, {from[s].address, 0, 0}, {bytes, 1, 1},
                      hipMemcpyDeviceToDevice, nullptr));
    to[t].address += bytes;
    from[s].address += bytes;
    if ((to[t].bytes -= bytes) == 0) ++t;
    if ((from[s].bytes -= bytes) == 0) ++s;
  }
  return hipSuccess;
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
    std::vector<Line> lines;
    if (!from || !spot.array) return hipErrorInvalidValue;
    HIP_TRY(lines_at(spot, bytes, lines));
    HIP_TRY(check_kind(kind));
    for (const Line& line : lines)
      HIP_TRY(copy_rows(line.region, {address_of(from) + line.offset, line.extent.bytes, 0},
                        line.extent, kind, stream));
    return hipSuccess;
  });
}

hipError_t copy_line_from(void* to, const Spot& spot, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return async_api([&] {
    std::vector<Line> lines;
    if (!to || !spot.array) return hipErrorInvalidValue;
    HIP_TRY(lines_at(spot, bytes, lines));
    HIP_TRY(check_kind(kind));
    for (const Line& line : lines)
      HIP_TRY(copy_rows({address_of(to) + line.offset, line.extent.bytes, 0}, line.region,
                        line.extent, kind, stream));
    return hipSuccess;
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
  if (!in_first_row(from, offset, bytes)) return api([] { return hipErrorInvalidValue; });
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
  if (!in_first_row(to, offset, bytes)) return api([] { return hipErrorInvalidValue; });
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
    std::vector<Line> targets, sources;
    HIP_TRY(lines_at({to, to_offset}, bytes, targets));
    HIP_TRY(lines_at({from, from_offset}, bytes, sources));
    return copy_between(targets, sources);
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
