// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightLists.cmake generates from the files below passes/.
#pragma once

#include "port/pass.h"

namespace hipwright::port {

struct PassEntry {
  const char* source;  // "source/names.cpp"
  Pass (*make)();
};
extern const PassEntry kPassEntries[];
extern const unsigned kPassEntryCount;

}  // namespace hipwright::port
