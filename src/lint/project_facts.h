// SPDX-License-Identifier: MIT
// What the rest of a project says of its files: read once, kept up to date file by file. For those
// who look at one file many times, as editors do; a run over a tree reads everything anyway.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "lint/engine.h"
#include "syntax/build/project.h"

namespace hipwright::lint {

// Of a path from the project's folder. Points into `project`, which must outlive it.
FileFacts facts_in(const syntax::build::Project& project, std::string_view path);

class ProjectFacts {
 public:
  // Nothing is known but paths.
  ProjectFacts() = default;
  // Of the options: project (where it begins), exclude, use_gitignore, threads.
  static Result<ProjectFacts> read(const Options& options);

  // Paths are from the project's folder here and below. The answer points into this object and
  // holds until it changes.
  FileFacts of(std::string_view path) const;

  enum class Change { kNone, kFacts, kFiles };
  // A file was written or removed. kFacts: what is known of other files may have changed. kFiles:
  // it is a new one or gone, so that all is to be read again.
  Change refresh(const std::string& path);

 private:
  void read_lists();
  void connect();

  std::filesystem::path folder_;
  std::vector<std::string> paths_;                                // sorted
  std::map<std::string, syntax::build::IncludingFile> includes_;  // of those that are C++
  syntax::build::BuiltFiles lists_;
  syntax::build::BuildWords words_;
  syntax::build::Project built_;
};

}  // namespace hipwright::lint
