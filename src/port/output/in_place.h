// SPDX-License-Identifier: MIT
// A port in place. Whenever it is interrupted, every file is either original or ported, and undo()
// restores the originals, with mode and times.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "port/ported_file.h"

namespace hipwright::port {

struct InPlaceOptions {
  bool force = false;  // even if git could not restore it, or edits would be lost
  // Called before each step; for tests, which end the process there.
  std::function<void(std::string_view step)> before_step;
};

// Returns the number of files written. On an error none was, or the message says what to do.
Result<std::size_t> write_in_place(const Ported& ported, const InPlaceOptions& options);

// Reverts the newest port of the tree, even an interrupted one, and returns the number of restored
// files. `path`: the ported folder or file. Files edited after the port are an error before
// anything is changed; with `force` their edits are discarded.
Result<std::size_t> undo(const std::filesystem::path& path, const InPlaceOptions& options);

// Folders of other repositories, such as git submodules, with changed files; sorted.
std::vector<std::string> submodules_in(const Ported& ported);

// Files to be changed that have further names (hard links), in the tree or elsewhere. After the
// port each name is a separate file; undo() links them again. Call it before writing.
std::vector<std::string> hard_links_in(const Ported& ported);

// An error unless everything below this folder is committed, including submodules.
Status check_clean(const std::filesystem::path& folder);

}  // namespace hipwright::port
