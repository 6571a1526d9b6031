// SPDX-License-Identifier: MIT
// Memory that Python and the library share: no array is copied.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>

#include "hipwright/device.h"
#include "hipwright/memory.h"
#include "hipwright/utilities.h"

namespace hipwright::python {

// A DeviceBuffer in Python. Views share its memory: it lives as long as the last of them.
struct Buffer {
  std::shared_ptr<DeviceBuffer> memory;
  Device device;

  DeviceBuffer& get() const;  // raises after free()
};

// Page-locked memory: the device's own, or of an array that stays alive with it.
struct Pinned {
  Pinned(PinnedBuffer buffer, Device of, nanobind::object array = {});
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned();

  PinnedBuffer& get() const;  // raises after release()
  void release();             // waits for the device

  std::shared_ptr<PinnedBuffer> memory;
  Device device;
  nanobind::object owner;
};

// An array argument: a Buffer, a Pinned, or anything with DLPack or the buffer protocol.
struct Array {
  void* data = nullptr;
  std::size_t bytes = 0;
  bool on_host = false;
  std::string device;           // "hip:0"; of host memory "cpu"
  std::shared_ptr<void> owner;  // keeps the memory

  // Throws TypeError if it is no array, ValueError if its elements are not contiguous.
  static Array of(nanobind::handle value, const char* call, bool written);
  static bool is_array(nanobind::handle value);
};

// Throws unless a kernel of `device` may access the array's memory.
void check_reachable(const Array& array, const Device& device);

// Memory as an object with DLPack and, on the host, the buffer protocol.
nanobind::object view_of(void* data, std::size_t bytes, const Device& device, bool on_host,
                         nanobind::object owner, const std::string& dtype,
                         std::optional<std::vector<std::size_t>> shape);

}  // namespace hipwright::python
