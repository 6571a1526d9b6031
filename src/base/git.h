// SPDX-License-Identifier: MIT
// Asks git about a repository of somebody else: nothing that its settings and attributes name is
// started, be it a monitor, hook, filter, signature check, transport, pager or editor. Who asks for
// a diff turns off external programs for it: --no-ext-diff, --no-textconv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"

namespace hipwright {

// `words` are git's arguments. `folder`: where it looks for the repository; empty: here. It takes
// at most five minutes, because git waits for ever where .gitignore is a pipe.
Result<Finished> ask_git(const std::filesystem::path& folder, std::vector<std::string> words);

}  // namespace hipwright
