// SPDX-License-Identifier: MIT
// A kernel's arguments from Python values.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "array.h"
#include "hipwright/device.h"

namespace hipwright::python {

// The parameters' types of a symbol with a mangled name ("float const*", "int"); empty for others.
std::vector<std::string> parameter_types(const std::string& symbol);

// Arrays and buffers stand for their address. A number becomes what the kernel's signature says;
// where that is unknown (extern "C"), an int is an integer and a float a floating-point number of
// the parameter's size. ctypes and numpy scalars are taken as they are.
class Arguments {
 public:
  Arguments(const Kernel& kernel, const Device& device, const nanobind::args& values);
  const std::vector<KernelArgument>& list() const { return list_; }
  // Device memory of ours among them.
  const std::vector<std::shared_ptr<DeviceBuffer>>& buffers() const { return buffers_; }

 private:
  using Bytes = std::array<unsigned char, 16>;

  std::vector<Bytes> scalars_;
  std::vector<std::string> structures_;
  std::vector<KernelArgument> list_;
  std::vector<std::shared_ptr<DeviceBuffer>> buffers_;
  std::vector<std::shared_ptr<void>> owners_;
};

}  // namespace hipwright::python
