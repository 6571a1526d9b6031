// SPDX-License-Identifier: MIT
// The names of project/ that every pass uses, in this namespace.
#pragma once

#include "project/tree.h"

namespace hipwright::port {

using project::Language;
using project::language_of;
using project::SourceFile;
using project::Tree;

}  // namespace hipwright::port
