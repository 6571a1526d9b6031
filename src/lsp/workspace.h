// SPDX-License-Identifier: MIT
// The projects that open files belong to. Each is read when its first file is linted, and updated
// when files change.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "lint/engine.h"
#include "lint/file_pass.h"
#include "project/ignore.h"
#include "project/project_facts.h"

namespace hipwright::lsp {

class Workspace {
 public:
  // Without files only the text is known: for tests and fuzzers.
  explicit Workspace(bool has_files) : has_files_(has_files) {}

  void set_folders(std::vector<std::filesystem::path> folders);
  void set_options(lint::Options options);  // of the editor; they override hipwright.toml

  // Lints the text of this file. An empty path means that the text is not in a file, and `name` is
  // the name it would have. An error: the project's configuration is invalid.
  Result<lint::FileResult> check(const std::filesystem::path& path, const std::string& name,
                                 std::string_view text);

  // A file changed. True: results of other files may have changed as well.
  bool file_changed(const std::filesystem::path& path);

  // What was read and what was not, for the log; reported once.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 private:
  struct Project {
    std::filesystem::path folder;
    lint::Selection selection;
    project::IgnorePatterns exclude;
    project::ProjectFacts facts;
    std::vector<std::filesystem::path> files;  // hipwright.toml, the baseline
  };
  using Opened = Result<std::unique_ptr<Project>>;

  Result<Project*> project_for(const std::filesystem::path& path);
  std::filesystem::path root_of(const std::filesystem::path& folder) const;
  Opened open(const std::filesystem::path& root);
  bool may_walk(const std::filesystem::path& root) const;
  void forget();

  bool has_files_;
  std::vector<std::filesystem::path> folders_;
  lint::Options options_;
  std::map<std::filesystem::path, std::filesystem::path> roots_;  // of folders
  std::map<std::filesystem::path, Opened> projects_;              // by root folder
  std::vector<std::string> notes_;
};

}  // namespace hipwright::lsp
