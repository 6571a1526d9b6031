// SPDX-License-Identifier: MIT
// A failed device call: an Error with the native code, the call, the device, and the exception that
// it becomes at the façade.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace hipwright::device {

enum class FailureKind {
  kNotAvailable,   // ROCmNotAvailableError
  kDevice,         // AMDDeviceError
  kCapture,        // GraphCaptureError
  kMemory,         // ROCmMemoryError
  kCompilation,    // HIPCompilationError
  kConfiguration,  // AMDConfigurationError
};
std::string_view to_string(FailureKind kind);

struct Failure {
  FailureKind kind = FailureKind::kDevice;
  int code = 0;           // native; 0 if hipwright detected the failure
  std::string code_name;  // "hipErrorOutOfMemory"
  std::string call;       // "hipMalloc"
  std::string device;     // "hip:0"
  std::string why;
  std::string advice;
  bool device_lost = false;  // no further call on the device can succeed in this process

  Failure() = default;
  Failure(FailureKind failure_kind, std::string failed_call, std::string on, std::string reason,
          std::string what_to_do = {})
      : kind(failure_kind),
        call(std::move(failed_call)),
        device(std::move(on)),
        why(std::move(reason)),
        advice(std::move(what_to_do)) {}
  // From a failure below the device layer: a library that cannot be loaded, a file.
  Failure(Error error)
      : kind(FailureKind::kNotAvailable),
        call(std::move(error.what)),
        device(std::move(error.on)),
        why(std::move(error.why)),
        advice(std::move(error.fix)) {}

  // One paragraph: "hipMalloc failed on hip:0: out of memory (hipErrorOutOfMemory, 2). Advice."
  std::string message() const;
};

template <class T>
using Outcome = std::expected<T, Failure>;
using Done = Outcome<void>;

// One row of a runtime's error table: hip/errors.cpp, cuda/errors.cpp.
struct NativeError {
  int code;
  const char* name;
  FailureKind kind;
  bool device_lost;
  const char* meaning;  // "the kernel read or wrote memory that is not its own"
  const char* advice;
};

}  // namespace hipwright::device
