// SPDX-License-Identifier: MIT
#include "lint/engine.h"

#include <algorithm>

#include "base/file.h"
#include "lint/file_pass.h"
#include "lint/source_kind.h"

namespace hipwright::lint {

namespace {

Choice choice_of(const Options& options) {
  return {options.select, options.ignore, options.targets, options.min_confidence};
}

void add(Report& report, FileResult result) {
  ++report.statistics.files;
  report.statistics.bytes += result.bytes;
  report.statistics.suppressed += result.suppressed;
  std::move(result.findings.begin(), result.findings.end(), std::back_inserter(report.findings));
  std::move(result.notes.begin(), result.notes.end(), std::back_inserter(report.notes));
}

}  // namespace

Result<Report> lint(const Options& options) {
  HW_TRY(const Selection selection, make_selection(choice_of(options)));
  Report report;
  std::vector<std::string> paths;
  const std::filesystem::path root = options.root.empty() ? "." : options.root;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_regular_file()) paths.push_back(entry.path().lexically_relative(root).string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    if (!concerns(selection, path)) continue;
    const auto changed = options.overlay.find(path);
    std::string bytes;
    if (changed != options.overlay.end()) {
      bytes = changed->second;
    } else {
      HW_TRY(bytes, read_file(root / path));
      bytes = syntax::decode(std::move(bytes)).bytes;
    }
    add(report, check_source(selection, facts_of_path(path), Source(path, bytes)));
  }
  return report;
}

Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text) {
  HW_TRY(const Selection selection, make_selection(choice_of(options)));
  Report report;
  add(report, check_source(selection, facts_of_path(path), Source(path, text)));
  return report;
}

}  // namespace hipwright::lint
