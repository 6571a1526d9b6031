// SPDX-License-Identifier: MIT
// Commits of a git repository, and copies of them to build and measure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::perf {

struct Revision {
  std::string id;  // full hash
  std::string author, date, subject;
};

class Repository {
 public:
  // The repository that `directory` is in.
  static Result<Repository> open(const std::filesystem::path& directory);

  Result<Revision> revision(const std::string& name) const;
  // The commits after `good` up to `bad`, oldest first, along the first parents. An error if good
  // is not an ancestor of bad.
  Result<std::vector<Revision>> between(const Revision& good, const Revision& bad) const;

  const std::filesystem::path& root() const { return root_; }

 private:
  friend class Worktree;
  explicit Repository(std::filesystem::path root) : root_(std::move(root)) {}
  Result<std::string> git(std::vector<std::string> arguments) const;
  std::filesystem::path root_;
};

// A working tree of its own for one commit at a time; removed with the object. The repository must
// live longer.
class Worktree {
 public:
  static Result<Worktree> create(const Repository& repository, std::filesystem::path directory,
                                 const Revision& revision);
  Worktree(Worktree&& other) noexcept;
  Worktree& operator=(Worktree&&) = delete;
  ~Worktree();

  // Files that git does not know (build outputs) stay.
  Status check_out(const Revision& revision) const;
  const std::filesystem::path& directory() const { return directory_; }

 private:
  Worktree(const Repository& repository, std::filesystem::path directory)
      : repository_(&repository), directory_(std::move(directory)) {}
  const Repository* repository_;
  std::filesystem::path directory_;  // empty: moved from
};

}  // namespace hipwright::perf
