// SPDX-License-Identifier: MIT
#include "device/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_cpu() {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "open", "cpu", "not written yet"));
}

}  // namespace hipwright::device
