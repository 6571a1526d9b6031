// SPDX-License-Identifier: MIT
// The project's tree, under the names that every pass uses.
#pragma once

#include "project/tree.h"

namespace hipwright::port {

using project::Language;
using project::language_of;
using project::SourceFile;
using project::Tree;

}  // namespace hipwright::port
