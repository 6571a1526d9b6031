// SPDX-License-Identifier: MIT
// The list that cmake/HipwrightLists.cmake generates from the files below ops/.
#pragma once

#include "graph/op.h"

namespace hipwright::graph {

extern const OperatorsEntry kOperatorsEntries[];
extern const unsigned kOperatorsEntryCount;

}  // namespace hipwright::graph
