// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "port/isolation/lookups.h"

namespace hipwright::port {

// Of a Python source: what it imports, the patterns by which it looks for files, the packages that
// a setup.py collects.
std::vector<Lookup> python_lookups(const SourceFile& source, const syntax::python::File& file);

}  // namespace hipwright::port
