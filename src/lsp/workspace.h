// SPDX-License-Identifier: MIT
// The projects that open files belong to. Each is read when the first of its files is looked at,
// and again where files change.
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
#include "lint/ignore.h"
#include "lint/project_facts.h"

namespace hipwright::lsp {

class Workspace {
 public:
  // Without files nothing is known but the text: for tests and fuzzers.
  explicit Workspace(bool has_files) : has_files_(has_files) {}

  void set_folders(std::vector<std::filesystem::path> folders);
  void set_options(lint::Options options);  // of the editor: they come before hipwright.toml

  // What is found in the text of this file; an empty path is a text that is in no file, and `name`
  // says what it would be called. An error: the project's configuration cannot be used.
  Result<lint::FileResult> check(const std::filesystem::path& path, const std::string& name,
                                 std::string_view text);

  // Something happened to a file. True: results of other files may be others now.
  bool file_changed(const std::filesystem::path& path);

  // What was read and what was not, for the log; once.
  std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

 private:
  struct Project {
    std::filesystem::path folder;
    lint::Selection selection;
    lint::IgnorePatterns exclude;
    lint::ProjectFacts facts;
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
  std::map<std::filesystem::path, Opened> projects_;              // by where they begin
  std::vector<std::string> notes_;
};

}  // namespace hipwright::lsp
