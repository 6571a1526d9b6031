// SPDX-License-Identifier: MIT
// A port over the sources themselves. Whoever ends it, and when: every file is either as it was or
// ported, and undo() makes it as it was, with mode and times.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "port/port.h"

namespace hipwright::port {

struct InPlaceOptions {
  bool force = false;  // also where git could not bring it back, or edits would be lost
  // Called before each step; for tests, which end the process there.
  std::function<void(std::string_view step)> before_step;
};

// How many files were written. An error: none was, or the message says what to do.
Result<std::size_t> write_in_place(const Ported& ported, const InPlaceOptions& options);

// Takes back the newest port of the tree, also one that was ended in the middle. How many files are
// as they were. `path`: what was ported, folder or file. Files that were edited after the port are
// an error, before anything is changed; with `force` their edits are lost.
Result<std::size_t> undo(const std::filesystem::path& path, const InPlaceOptions& options);

// Folders of other repositories, as git's submodules are, in which files are changed; sorted.
std::vector<std::string> submodules_in(const Ported& ported);

// Files to be changed that have further names (hard links), in the tree or elsewhere. Each name is
// a file of its own once it is ported; undo() makes them one again. Ask before writing.
std::vector<std::string> hard_links_in(const Ported& ported);

// An error unless all below this folder is committed, in submodules too.
Status check_clean(const std::filesystem::path& folder);

}  // namespace hipwright::port
