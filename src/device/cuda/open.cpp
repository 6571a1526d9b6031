// SPDX-License-Identifier: MIT
#include "device/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_cuda() {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "open", "cuda", "not written yet"));
}

}  // namespace hipwright::device
