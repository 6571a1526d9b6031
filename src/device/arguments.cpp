// SPDX-License-Identifier: MIT
#include "device/arguments.h"

#include <fmt/format.h>

namespace hipwright::device {

namespace {

std::unexpected<Failure> refuse(const Device& device, std::string_view kernel, std::string why,
                                std::string advice = {}) {
  return std::unexpected(Failure(FailureKind::kDevice, fmt::format("cannot launch '{}' on", kernel),
                                 device.id(), std::move(why), std::move(advice)));
}

std::string text(const Extent& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

}  // namespace

Done check_arguments(const Device& device, std::string_view kernel,
                     std::span<const std::size_t> sizes, std::span<const Argument> arguments) {
  if (sizes.size() != arguments.size())
    return refuse(device, kernel,
                  fmt::format("expected {} argument{}, got {}", sizes.size(),
                              sizes.size() == 1 ? "" : "s", arguments.size()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != arguments[i].size)
      return refuse(device, kernel,
                    fmt::format("argument {} has {} bytes, but the kernel's parameter has {}",
                                i + 1, arguments[i].size, sizes[i]),
                    "Pass exactly the kernel's type: an int literal is not a float or a size_t.");
    if (arguments[i].value == nullptr)
      return refuse(device, kernel, fmt::format("argument {} has no value", i + 1));
  }
  return {};
}

Done check_shape(const Device& device, std::string_view kernel, const KernelLimits& limits,
                 const Launch& launch) {
  const auto threads = [](const Extent& e) { return static_cast<std::uint64_t>(e.x) * e.y * e.z; };
  if (threads(launch.grid) == 0 || threads(launch.block) == 0)
    return refuse(device, kernel,
                  fmt::format("the grid is {} and the block {}: no dimension may be 0",
                              text(launch.grid), text(launch.block)));
  if (limits.threads_per_block != 0 && threads(launch.block) > limits.threads_per_block)
    return refuse(device, kernel,
                  fmt::format("a block of {} has {} threads, but at most {} are allowed",
                              text(launch.block), threads(launch.block), limits.threads_per_block),
                  "Use smaller blocks, or raise __launch_bounds__ where it is the limit.");
  if (limits.shared_bytes && launch.shared_bytes > *limits.shared_bytes)
    return refuse(device, kernel,
                  fmt::format("{} bytes of dynamic shared memory exceed the limit of {}",
                              launch.shared_bytes, *limits.shared_bytes));
  return {};
}

Done check_kernel_node(const Device& device, std::size_t node, std::size_t count) {
  if (node < count) return {};
  return std::unexpected(
      Failure(FailureKind::kDevice, "cannot change the graph on", device.id(),
              fmt::format("no kernel launch {}: the graph has {}, counted from 0", node, count)));
}

}  // namespace hipwright::device
