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

// Paths from the root, as they are reported, to paths from the project's folder.
class ProjectPaths {
 public:
  explicit ProjectPaths(const Options& options) {
    if (options.project.empty()) return;
    namespace fs = std::filesystem;
    const fs::path root = fs::absolute(options.root.empty() ? "." : options.root);
    const fs::path project = fs::absolute(options.project).lexically_normal();
    const fs::path between = root.lexically_normal().lexically_relative(project);
    prefix_ = between == "." ? "" : between.generic_string() + "/";
    if (prefix_.ends_with("//")) prefix_.pop_back();
  }

  std::string operator()(const std::string& path) const {
    if (path.starts_with('/')) return path;
    if (!path.starts_with("../") && !prefix_.starts_with("../")) return prefix_ + path;
    return std::filesystem::path(prefix_ + path).lexically_normal().generic_string();
  }

 private:
  std::string prefix_;
};

FileFacts facts_of(const std::string& path, const std::string& project_path) {
  FileFacts facts = facts_of_path(project_path);
  facts.path = path;
  return facts;
}

FileResult check(const Selection& selection, const ProjectPaths& project_paths,
                 const std::string& path, std::string_view text) {
  const std::string project_path = project_paths(path);
  return check_source(selection, facts_of(path, project_path), project_path, Source(path, text));
}

// The files of one run. Threads take the next one when they are done with theirs; the results stay
// in the order of the paths.
class Run {
 public:
  Run(const Options& options, const Selection& selection)
      : options_(options),
        selection_(selection),
        project_paths_(options),
        root_(options.root.empty() ? "." : options.root) {
    for (const std::string& pattern : options.exclude) exclude_.add(pattern);
  }

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
    request.excludes = [this](std::string_view path, bool is_folder) {
      return !exclude_.empty() && exclude_.ignores(project_paths_(std::string(path)), is_folder);
    };
    request.wants = [this](std::string_view path) { return concerns(selection_, path); };
    return request;
  }

  void look_at(std::size_t index, std::string& buffer) {
    const std::string& path = files_[index];
    if (const auto changed = options_.overlay.find(path); changed != options_.overlay.end()) {
      results_[index] = check(selection_, project_paths_, path, changed->second);
      return;
    }
    ReadText read = read_source(root_ / path, std::move(buffer));
    if (read.why_not.empty())
      results_[index] = check(selection_, project_paths_, path, read.text.bytes);
    else
      results_[index].notes.push_back({path, "not read: " + read.why_not});
    buffer = std::move(read.text.bytes);
  }

  Report gather(std::vector<NotWalked> skipped) {
    Report report;
    for (NotWalked& each : skipped)
      report.notes.push_back({std::move(each.path), std::move(each.why)});
    for (FileResult& result : results_) {
      report.statistics.bytes += result.bytes;
      report.statistics.suppressed += result.suppressed;
      report.statistics.in_baseline += result.in_baseline;
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
  const ProjectPaths project_paths_;
  std::filesystem::path root_;
  IgnorePatterns exclude_;
  std::vector<std::string> files_;
  std::vector<FileResult> results_;
};

}  // namespace

Result<Report> lint(const Options& options) {
  HW_TRY(const Selection selection, make_selection(options));
  return Run(options, selection).report();
}

Result<Report> lint_text(const Options& options, const std::string& path, std::string_view text) {
  HW_TRY(const Selection selection, make_selection(options));
  FileResult result = check(selection, ProjectPaths(options), path, text);
  return Report{.findings = std::move(result.findings),
                .notes = std::move(result.notes),
                .statistics = {.files = 1,
                               .bytes = result.bytes,
                               .suppressed = result.suppressed,
                               .in_baseline = result.in_baseline}};
}

}  // namespace hipwright::lint
