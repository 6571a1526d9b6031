// SPDX-License-Identifier: MIT
#include "lint/engine.h"

#include <algorithm>
#include <chrono>

#include "lint/file_pass.h"
#include "lint/run.h"
#include "project/language.h"

namespace hipwright::lint {

Result<Report> lint(const Options& options) {
  const auto began = std::chrono::steady_clock::now();
  HW_TRY(const Selection selection, make_selection(options));
  HW_TRY(Report report, Run(options, selection).report());
  report.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return report;
}

Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text) {
  HW_TRY(const Selection selection, make_selection(options));
  const std::string project_path = ProjectPaths(options)(path);
  FileFacts facts = project::facts_of_path(project_path);
  facts.path = path;
  FileResult result = check_source(selection, facts, project_path, Source(path, text));
  return Report{.findings = std::move(result.findings),
                .notes = std::move(result.notes),
                .statistics = {.files = 1,
                               .bytes = result.bytes,
                               .suppressed = result.suppressed,
                               .in_baseline = result.in_baseline}};
}

}  // namespace hipwright::lint
