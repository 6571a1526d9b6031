// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightLists.cmake generates from the files below passes/.
#pragma once

#include "graph/pass.h"

namespace hipwright::graph {

struct PassEntry {
  const char* source;  // "cleanup/dead_code.cpp"
  Pass (*make)();
};
extern const PassEntry kPassEntries[];
extern const unsigned kPassEntryCount;

}  // namespace hipwright::graph
