// SPDX-License-Identifier: MIT
// launch() of a backend and of its utilities.
#pragma once

#include <stdexcept>
#include <vector>

#include <nanobind/nanobind.h>

#include "arguments.h"
#include "hipwright/backend.h"

namespace hipwright::python {

inline Dim3 extent_of(nanobind::handle value, const char* what) {
  unsigned sizes[3] = {1, 1, 1};
  if (nanobind::isinstance<nanobind::int_>(value)) {
    sizes[0] = nanobind::cast<unsigned>(value);
  } else {
    const std::size_t count = nanobind::len(value);
    if (count < 1 || count > 3)
      throw nanobind::value_error((std::string(what) + " has one to three sizes").c_str());
    for (std::size_t i = 0; i < count; ++i)
      sizes[i] = nanobind::cast<unsigned>(nanobind::object(value[i]));
  }
  return {sizes[0], sizes[1], sizes[2]};
}

inline const auto kLaunchSignature = nanobind::sig(
    "def launch(self, kernel: Kernel, grid: int | tuple[int, ...], block: int | tuple[int, ...], "
    "*arguments: "
    "object, shared_bytes: int = 0, stream: Stream = ...) -> None");
inline constexpr const char* kLaunchDoc =
    "Arrays and buffers stand for their address; a number becomes what the kernel's signature "
    "says. Where that is "
    "unknown (extern \"C\"), an int is an integer and a float a floating-point number of the "
    "parameter's size; "
    "ctypes and numpy scalars say their type.";

inline HIPUtilities& utilities_of(HIPUtilities& utilities) {
  return utilities;
}
inline HIPUtilities& utilities_of(Backend& backend) {
  return backend.utilities();
}

template <class Target>
void launch(const Target& target, const Kernel& kernel, nanobind::handle grid,
            nanobind::handle block, const nanobind::args& values, unsigned shared_bytes,
            const Stream& stream) {
  HIPUtilities& utilities = utilities_of(target.get());
  const Dim3 blocks = extent_of(grid, "grid");
  const Dim3 threads = extent_of(block, "block");
  const Arguments arguments(kernel, utilities.device(), values);
  const nanobind::gil_scoped_release unlocked;
  utilities.launch_with(kernel, blocks, threads, shared_bytes, stream, arguments.list());
  for (const auto& buffer : arguments.buffers())
    if (buffer->data() != nullptr) buffer->record_use(stream);
}

}  // namespace hipwright::python
