// SPDX-License-Identifier: MIT
// Runs rules over a tree: finds the files, reads each once, and passes it to the rules that apply.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/diagnostic.h"
#include "base/error.h"
#include "base/line_text.h"
#include "lint/rule.h"

namespace hipwright::lint {

struct PerFileIgnore {
  std::string pattern;             // as in .gitignore, from the project's folder
  std::vector<std::string> rules;  // codes, prefixes, names, areas
};

struct Options {
  std::vector<std::filesystem::path> paths;  // files and folders; empty: the root
  std::filesystem::path root;  // paths are relative to it, and reported so; empty: "."
  // Where the project begins: patterns, path heuristics and fingerprints count from here, so that
  // they do not depend on where the tool is started. Empty: the root.
  std::filesystem::path project;
  std::vector<std::string> select, ignore;  // codes, prefixes ("HW2"), names, areas; none: all
  std::vector<std::string> exclude;         // patterns as in .gitignore
  std::vector<PerFileIgnore> per_file_ignores;
  std::vector<arch::Target> targets;  // findings that matter for none of them are dropped
  Confidence min_confidence = Confidence::kLow;
  std::vector<std::string> baseline;  // fingerprints of known findings, which are dropped
  bool use_gitignore = true;
  std::size_t threads = 0;  // 0: all
  // gfx names in the project's documents and build files, and where: for rules about workflows.
  std::map<std::string, std::string> documented_targets;
  // Read instead of the file of this path (as reported): editor buffers, fixed texts.
  std::map<std::string, std::string> overlay;
};

struct PositionRange {
  Position begin, end;
};

// The ranges of a finding and of its fixes' edits, with columns in code points.
struct CodePointRanges {
  PositionRange range;
  std::vector<std::vector<PositionRange>> fixes;
};

struct Finding : Diagnostic {
  const Rule* rule = nullptr;
  Position end;
  std::vector<std::vector<PositionRange>> fix_ranges;  // where the edits of each fix are
  CodePointRanges code_points;
  LineExcerpt line;  // that it begins in
  std::string fingerprint;
};

struct FileNote {
  std::string path;
  std::string what;       // "binary: not read", "unclosed bracket (line 12)"
  bool is_error = false;  // it should have been read: the report is incomplete
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

// An error concerns the request (a missing path, an unknown code), never the linted code.
Result<Report> lint(const Options& options);

// Lints a text that is not in a file: an editor's buffer, a fixture. `path` decides the language.
Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text);

}  // namespace hipwright::lint
