// SPDX-License-Identifier: MIT
// A launch that does not match its kernel reads past the caller's arguments, or the device rejects
// it without details: these checks catch and explain it first.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "device/device.h"

namespace hipwright::device {

// The limits of a kernel.
struct KernelLimits {
  unsigned threads_per_block = 0;           // 0: unknown, not checked
  std::optional<std::size_t> shared_bytes;  // dynamic; 0: the kernel's own take all there is
};

// `sizes` are those of the kernel's parameters, in order.
Done check_arguments(const Device& device, std::string_view kernel,
                     std::span<const std::size_t> sizes, std::span<const Argument> arguments);
Done check_shape(const Device& device, std::string_view kernel, const KernelLimits& limits,
                 const Launch& launch);
// Does the captured graph have such a launch?
Done check_kernel_node(const Device& device, std::size_t node, std::size_t count);

}  // namespace hipwright::device
