// SPDX-License-Identifier: MIT
// What is done with a port: shown as a diff, or written as a tree of its own.
#pragma once

#include <filesystem>
#include <string>

#include "port/port.h"

namespace hipwright::port {

// All changes and new files in `diff -u` form.
std::string diff_of(const Ported& ported);

// The whole tree, ported, below `folder`, which must be empty or not be there. Git's own folder and
// what cannot be read is left out; links are kept as links.
Status write_tree(const Ported& ported, const std::filesystem::path& folder);

}  // namespace hipwright::port
