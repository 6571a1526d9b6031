// SPDX-License-Identifier: MIT
#include "device/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_hip() {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "open", "hip", "not written yet"));
}

}  // namespace hipwright::device
