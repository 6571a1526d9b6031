// SPDX-License-Identifier: MIT
// What the rest of a project implies for its files: read once, kept up to date file by file. For
// callers that check one file many times, such as editors; a run over a tree reads everything
// anyway.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "project/file_facts.h"

namespace hipwright::project {

class ProjectFacts {
 public:
  // Knows only paths.
  ProjectFacts() = default;
  struct Request {
    std::filesystem::path folder;  // where the project begins
    std::vector<std::string> exclude;
    bool use_gitignore = true;
    std::size_t threads = 0;  // 0: all
  };
  static Result<ProjectFacts> read(const Request& request);

  // Paths are relative to the project's folder here and below. The answer points into this object
  // and is valid until it changes.
  FileFacts of(std::string_view path) const;

  enum class Change { kNone, kFacts, kFiles };
  // A file was written or removed. kFacts: facts about other files may have changed. kFiles: the
  // file is new or removed, so everything must be read again.
  Change refresh(const std::string& path);

 private:
  void read_lists();
  void connect();

  std::filesystem::path folder_;
  std::vector<std::string> paths_;                 // sorted
  std::map<std::string, IncludingFile> includes_;  // of those that are C++
  BuiltFiles lists_;
  MacroWords words_;
  BuildGraph built_;
};

}  // namespace hipwright::project
