// SPDX-License-Identifier: MIT
#include "lint/engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/thread_pool.h"
#include "lint/file_pass.h"
#include "lint/read.h"
#include "lint/source_kind.h"
#include "lint/walk.h"

namespace hipwright::lint {

namespace {

Choice choice_of(const Options& options) {
  return {options.select, options.ignore, options.targets, options.min_confidence};
}

// The files of one run. Threads take the next one when they are done with theirs; the results stay
// in the order of the paths.
class Run {
 public:
  Run(const Options& options, const Selection& selection)
      : options_(options),
        selection_(selection),
        root_(options.root.empty() ? "." : options.root) {}

  Result<Report> report() {
    const auto began = std::chrono::steady_clock::now();
    HW_TRY(WalkResult walked, walk(request()));
    files_ = std::move(walked.files);
    results_.resize(files_.size());
    ThreadPool pool(options_.threads);
    std::atomic<std::size_t> next = 0;
    pool.parallel_for(pool.size(), [&](std::size_t) {
      std::string buffer;
      for (std::size_t i = next++; i < files_.size(); i = next++) look_at(i, buffer);
    });
    Report report = gather(std::move(walked.skipped));
    report.statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return report;
  }

 private:
  WalkRequest request() const {
    WalkRequest request{
        .root = root_, .paths = options_.paths, .use_gitignore = options_.use_gitignore};
    for (const std::string& pattern : options_.exclude) request.exclude.add(pattern);
    request.wants = [this](std::string_view path) { return concerns(selection_, path); };
    return request;
  }

  void look_at(std::size_t index, std::string& buffer) {
    const std::string& path = files_[index];
    if (const auto changed = options_.overlay.find(path); changed != options_.overlay.end()) {
      results_[index] = check(path, changed->second);
      return;
    }
    ReadText read = read_source(root_ / path, std::move(buffer));
    if (read.why_not.empty())
      results_[index] = check(path, read.text.bytes);
    else
      results_[index].notes.push_back({path, "not read: " + read.why_not});
    buffer = std::move(read.text.bytes);
  }

  FileResult check(const std::string& path, std::string_view text) const {
    return check_source(selection_, facts_of_path(path), Source(path, text));
  }

  Report gather(std::vector<NotWalked> skipped) {
    Report report;
    for (NotWalked& each : skipped)
      report.notes.push_back({std::move(each.path), std::move(each.why)});
    for (FileResult& result : results_) {
      report.statistics.bytes += result.bytes;
      report.statistics.suppressed += result.suppressed;
      std::move(result.findings.begin(), result.findings.end(),
                std::back_inserter(report.findings));
      std::move(result.notes.begin(), result.notes.end(), std::back_inserter(report.notes));
    }
    report.statistics.files = results_.size();
    std::stable_sort(report.notes.begin(), report.notes.end(),
                     [](const FileNote& a, const FileNote& b) { return a.path < b.path; });
    return report;
  }

  const Options& options_;
  const Selection& selection_;
  std::filesystem::path root_;
  std::vector<std::string> files_;
  std::vector<FileResult> results_;
};

}  // namespace

Result<Report> lint(const Options& options) {
  HW_TRY(const Selection selection, make_selection(choice_of(options)));
  return Run(options, selection).report();
}

Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text) {
  HW_TRY(const Selection selection, make_selection(choice_of(options)));
  FileResult result = check_source(selection, facts_of_path(path), Source(path, text));
  return Report{.findings = std::move(result.findings),
                .notes = std::move(result.notes),
                .statistics = {.files = 1, .bytes = result.bytes, .suppressed = result.suppressed}};
}

}  // namespace hipwright::lint
