// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "port/isolation/lookups.h"

namespace hipwright::port {

// For a Python source: its imports, the patterns it uses to find files, the packages that
// a setup.py collects.
std::vector<Lookup> python_lookups(const SourceFile& source, const syntax::python::File& file);

}  // namespace hipwright::port
