// SPDX-License-Identifier: MIT
// The pass over one file: it is parsed once and shared by all rules that apply.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/engine.h"
#include "lint/selection.h"
#include "lint/source.h"

namespace hipwright::lint {

struct FileResult {
  std::vector<Finding> findings;  // by position, then code
  std::vector<FileNote> notes;
  std::size_t bytes = 0;
  std::size_t suppressed = 0, in_baseline = 0;
};

// Does any rule apply to files of this name? If not, the file need not be read.
bool concerns(const Selection& selection, std::string_view path);

// Does the source contain a name that triggers a rule? If not, facts about the file cannot change
// the result.
bool is_triggered(const Selection& selection, const Source& source);

// `project_path`: the file's path from the project's folder.
FileResult check_source(const Selection& selection, const FileFacts& facts,
                        std::string_view project_path, const Source& source);

}  // namespace hipwright::lint
