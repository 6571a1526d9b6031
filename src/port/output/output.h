// SPDX-License-Identifier: MIT
// What is done with a port: shown as a diff, or written as a tree of its own. in_place.h has the
// third.
#pragma once

#include <filesystem>
#include <string>

#include "port/output/merge.h"
#include "port/port.h"

namespace hipwright::port {

// What hipwright keeps in a ported tree. It is never read as a source, and never copied.
constexpr std::string_view kOwnFolder = ".hipwright";

// All changes and new files in `diff -u` form: `patch -p1` makes of the tree what write_tree writes
// (files in UTF-16 excepted, which are shown as UTF-8).
std::string diff_of(const Ported& ported);

// The bytes of a ported file, in the encoding that it has.
std::string bytes_of(const PortedFile& file);

// The whole tree, ported, below `folder`, which must be empty or not be there, and appears when it
// is complete. Modes, times and links are kept; git's own folder is left out. Where one file was
// ported, it is the only one. A folder that an earlier port made is brought up to date instead, and
// what people changed there is kept (merge.h).
Result<Merged> write_tree(const Ported& ported, const std::filesystem::path& folder);

}  // namespace hipwright::port
