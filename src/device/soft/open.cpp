// SPDX-License-Identifier: MIT
#include "device/device.h"

namespace hipwright::device {

Outcome<std::vector<std::shared_ptr<Device>>> open_soft(const std::vector<std::string>&) {
  return std::unexpected(Failure(FailureKind::kNotAvailable, "open", "soft", "not written yet"));
}

}  // namespace hipwright::device
