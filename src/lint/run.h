// SPDX-License-Identifier: MIT
// One run over a tree, in two rounds: all files are read, and those whose findings depend on how
// they are compiled wait until the build lists and includes of the whole project are known.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_pool.h"
#include "lint/file_pass.h"
#include "project/build/build_graph.h"
#include "project/ignore.h"
#include "project/vendor_folders.h"
#include "project/walk.h"

namespace hipwright::lint {

// Paths from the root, as they are reported, to paths from the project's folder.
class ProjectPaths {
 public:
  explicit ProjectPaths(const Options& options);
  std::string operator()(std::string_view path) const;
  bool are_the_same() const { return prefix_.empty(); }

 private:
  std::filesystem::path root_, project_;  // absolute; empty: they are the same
  std::string prefix_;                    // from the project to the root
};

class Run {
 public:
  Run(const Options& options, const Selection& selection);
  Result<Report> report();

 private:
  // A source that waits for the second round.
  struct Waiting {
    Waiting(const std::string& path, std::string content)
        : text(std::move(content)), source(path, text) {}
    std::string text;
    Source source;
  };
  struct Work {
    std::string path;          // as reported
    std::string project_path;  // from the project's folder
    bool is_linted = true;     // otherwise only its includes matter
    std::unique_ptr<Waiting> waiting;
    std::optional<project::IncludingFile> includes;
    FileResult result;
  };

  Status find_files();
  void add_own_module(std::string_view path);
  Result<project::WalkResult> walk_from(const std::filesystem::path& root,
                                        const ProjectPaths& project_paths, bool everything) const;
  void each(std::size_t count, const std::function<void(std::size_t, std::string&)>& body);
  void first_round(Work& work, std::string& buffer);
  void look_at(Work& work, std::string& text);
  void second_round();
  FileFacts facts_of(const Work& work) const;
  project::BuiltFiles read_lists(project::MacroWords& words);
  project::FileSet tree(project::MacroWords& words) const;
  void read_hipify_maps(std::vector<project::IncludingFile>& including) const;
  Report gather();

  const Options& options_;
  const Selection& selection_;
  const ProjectPaths project_paths_;
  const std::filesystem::path root_, project_;
  project::IgnorePatterns exclude_;
  bool needs_project_ = false;  // a rule checks compiled sources
  ThreadPool pool_;
  std::vector<Work> files_;  // linted ones first, by path
  std::vector<project::NotWalked> skipped_;
  std::set<std::string, std::less<>> own_modules_;
  project::BuildGraph built_;
  project::VendorFolders vendor_folders_;
  std::vector<std::string> hipify_maps_;  // from the project's folder
};

}  // namespace hipwright::lint
