// SPDX-License-Identifier: MIT
// The output of a port: a diff, or a separate tree. in_place.h has the third form.
#pragma once

#include <filesystem>
#include <string>

#include "port/output/merge.h"
#include "port/ported_file.h"

namespace hipwright::port {

// hipwright's own folder in a ported tree. It is never read as a source, and never copied.
constexpr std::string_view kOwnFolder = ".hipwright";

// All changes and new files in `diff -u` form: `patch -p1` turns the tree into what write_tree
// writes (except for UTF-16 files, which are shown as UTF-8).
std::string diff_of(const Ported& ported);

// The bytes of a ported file, in its encoding.
std::string bytes_of(const PortedFile& file);

// Whether write_tree() can write a port of `root` to `folder`; checked before the work begins.
Status check_output(const std::filesystem::path& root, const std::filesystem::path& folder);

// Writes the whole ported tree to `folder`, which must be empty or missing, and appears when it is
// complete. Modes, times and links are kept; the .git folder is omitted. If one file was ported, it
// is the only one. The folder of an earlier port is updated instead, and users' changes there are
// kept (merge.h).
Result<Merged> write_tree(const Ported& ported, const std::filesystem::path& folder);

}  // namespace hipwright::port
