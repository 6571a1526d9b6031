// SPDX-License-Identifier: MIT
// From values to the exceptions of the façade.
#pragma once

#include "device/failure.h"
#include "hipwright/error.h"

namespace hipwright::runtime {

[[noreturn]] void raise(const device::Failure& failure);

// Throws AMDDeviceError for an invalid call. `device` may be empty.
[[noreturn]] void raise_misuse(std::string call, std::string device, std::string why,
                               std::string advice);

// The value, or the failure's exception.
template <class T>
T value_or_raise(device::Outcome<T> outcome) {
  if (!outcome) raise(outcome.error());
  if constexpr (!std::is_void_v<T>) return *std::move(outcome);
}

}  // namespace hipwright::runtime
