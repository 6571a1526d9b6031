// SPDX-License-Identifier: MIT
// What the software GPU's records (base/device_event.h) mean for a verdict.
#pragma once

#include <string>

#include "base/device_event.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct Ending {
  Verdict verdict = Verdict::kPass;
  std::string evidence;  // empty if it passes
};

/**
 * The first record with a consequence decides, because later ones may result from it: a kernel
 * fault or a rejected request fails; what the software GPU lacks is not checked. Records that
 * cannot be read, or that no process of the software GPU began, are not checked either.
 */
Ending ending_of(const DeviceEvents& events);

// Everything that the records tell people, one below the other.
std::string text_of(const DeviceEvents& events);

}  // namespace hipwright::verify
