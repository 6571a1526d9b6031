// SPDX-License-Identifier: MIT
// Runs rules over a tree: finds the files, reads each once, gives it to the rules that concern it.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/diagnostic.h"
#include "base/error.h"
#include "lint/rule.h"

namespace hipwright::lint {

struct Options {
  std::vector<std::filesystem::path> paths;  // files and folders; empty: the root
  std::filesystem::path root;               // paths are relative to it, and reported so; empty: "."
  std::vector<std::string> select, ignore;  // codes, prefixes ("HW2"), names, areas; none: all
  std::vector<std::string> exclude;         // patterns as in .gitignore
  std::vector<arch::Target> targets;        // findings that matter for none of them are left out
  Confidence min_confidence = Confidence::kLow;
  bool use_gitignore = true;
  std::size_t threads = 0;  // 0: all
  // Read in place of the file of this path (as reported): buffers of an editor, fixed texts.
  std::map<std::string, std::string> overlay;
};

struct Finding : Diagnostic {
  const Rule* rule = nullptr;
  // The line it begins in, without its break; of a longer one the part around the column.
  std::string line_text;
  std::uint32_t line_text_column = 1;  // of the first byte of line_text
};

struct FileNote {
  std::string path;
  std::string what;  // "binary: not read", "this bracket is never closed (line 12)"
};

struct Statistics {
  std::size_t files = 0, bytes = 0;
  double seconds = 0;
  std::size_t suppressed = 0, in_baseline = 0;
};

struct Report {
  std::vector<Finding> findings;  // by path, then position, then code
  std::vector<FileNote> notes;    // by path
  Statistics statistics;
};

// An error is about the request (a path that is not there, an unknown code), never about the code
// that is read.
Result<Report> lint(const Options& options);

// One text that is not in a file: an editor's buffer, a fixture. `path` decides the language.
Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text);

}  // namespace hipwright::lint
