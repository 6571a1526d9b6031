// SPDX-License-Identifier: MIT
// What a file is, by its name and place alone.
#pragma once

#include <string_view>

#include "lint/rule.h"

namespace hipwright::lint {

enum class Language { kNone, kCuda, kPython };
Language language_of(std::string_view path);

// The file name of `path` against a pattern with '*' ("requirements*.txt"); one with a '/' is
// matched against the end of the path (".github/workflows/*.yml").
bool fits(std::string_view path, std::string_view pattern);

// Does it say what is compiled?
bool is_build_file(std::string_view path);
// Is it read to know who compiles whom?
bool is_of_project(std::string_view path);

// What the path says; build lists are not asked.
FileFacts facts_of_path(std::string path);

}  // namespace hipwright::lint
