// SPDX-License-Identifier: MIT
// A launch that does not fit its kernel reads past the caller's arguments or is refused by the
// device with one word: it is caught before, and explained.
#pragma once

#include <span>
#include <string_view>

#include "device/device.h"

namespace hipwright::device {

// What a kernel takes and may use. 0: not known, not checked.
struct KernelLimits {
  unsigned threads_per_block = 0;
  std::size_t shared_bytes = 0;  // dynamic
};

// `sizes` are those of the kernel's parameters, in order.
Done check_arguments(const Device& device, std::string_view kernel,
                     std::span<const std::size_t> sizes, std::span<const Argument> arguments);
Done check_shape(const Device& device, std::string_view kernel, const KernelLimits& limits,
                 const Launch& launch);
// Of a captured graph: is there such a launch?
Done check_kernel_node(const Device& device, std::size_t node, std::size_t count);

}  // namespace hipwright::device
