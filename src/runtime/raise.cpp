// SPDX-License-Identifier: MIT
#include "runtime/raise.h"

namespace hipwright::runtime {

void raise(const device::Failure& failure) {
  const std::string what = failure.message();
  ErrorDetails details{.code = failure.code,
                       .code_name = failure.code_name,
                       .call = failure.call,
                       .device = failure.device,
                       .advice = failure.advice,
                       .device_usable = !failure.device_lost};
  switch (failure.kind) {
    case device::FailureKind::kNotAvailable:
      throw ROCmNotAvailableError(what, std::move(details));
    case device::FailureKind::kDevice:
      throw AMDDeviceError(what, std::move(details));
    case device::FailureKind::kCapture:
      throw GraphCaptureError(what, std::move(details));
    case device::FailureKind::kMemory:
      throw ROCmMemoryError(what, std::move(details));
    case device::FailureKind::kCompilation:
      throw HIPCompilationError(what, failure.why, {}, std::move(details));
    case device::FailureKind::kConfiguration:
      throw AMDConfigurationError(what, {}, std::move(details));
  }
  bug("a failure without a kind", __FILE__, __LINE__);
}

void raise_misuse(std::string call, std::string device, std::string why, std::string advice) {
  raise(device::Failure(device::FailureKind::kDevice, std::move(call), std::move(device),
                        std::move(why), std::move(advice)));
}

}  // namespace hipwright::runtime
