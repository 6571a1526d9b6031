// SPDX-License-Identifier: MIT
// The statements that a Python file captures in graphs.
#pragma once

#include <vector>

#include "syntax/python/file.h"
#include "syntax/python/graph_capture.h"

namespace hipwright::port {

// The captured statements; empty if the file does not capture.
std::vector<syntax::python::Captured> captures_in(const syntax::python::File& file);

}  // namespace hipwright::port
