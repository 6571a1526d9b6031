// SPDX-License-Identifier: MIT
// Kernel arguments by value, as launches take them. A DeviceBuffer stands for its address.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>

#include "hipwright/device.h"
#include "hipwright/memory.h"

namespace hipwright {

template <class T>
const T& kernel_value(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are copied as bytes");
  return value;
}
inline void* kernel_value(const DeviceBuffer& buffer) {
  return buffer.data();
}

template <class... Args>
class KernelArguments {
 public:
  explicit KernelArguments(const Args&... arguments) : values_(kernel_value(arguments)...) {
    std::apply(
        [this](const auto&... value) {
          std::size_t i = 0;
          ((list_[i++] = {&value, sizeof value}), ...);
        },
        values_);
  }
  KernelArguments(const KernelArguments&) = delete;
  KernelArguments& operator=(const KernelArguments&) = delete;
  operator std::span<const KernelArgument>() const { return list_; }

 private:
  std::tuple<std::decay_t<decltype(kernel_value(std::declval<const Args&>()))>...> values_;
  std::array<KernelArgument, sizeof...(Args)> list_{};
};

}  // namespace hipwright
