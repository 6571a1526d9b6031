// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightLists.cmake generates from the files below checks/.
#pragma once

#include "ci/check.h"

namespace hipwright::ci {

struct CheckEntry {
  const char* source;  // "gpu/gpu_access.cpp"
  Check (*make)();
};
extern const CheckEntry kCheckEntries[];
extern const unsigned kCheckEntryCount;

}  // namespace hipwright::ci
