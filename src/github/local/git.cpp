// SPDX-License-Identifier: MIT
#include "github/local/git.h"

#include <charconv>
#include <ranges>

#include <fmt/format.h>

#include "base/git.h"
#include "base/words.h"

namespace fs = std::filesystem;

namespace hipwright::github {

namespace {

Result<std::string> git(const fs::path& directory, std::vector<std::string> words) {
  words.insert(words.begin(), {"-c", "core.quotePath=false"});
  HW_TRY(Finished finished, ask_git(directory, words));
  if (finished.ok()) return std::move(finished.out);
  const std::string_view why = trimmed(finished.err);
  if (why.find("not a git repository") != why.npos)
    return fail("cannot read the branch in", directory.empty() ? "." : directory.string(),
                "not a git repository", "Run this in a clone of the project.");
  words.insert(words.begin(), {"git", "-C", directory.empty() ? "." : directory.string()});
  return fail("cannot run", shell_quoted(words),
              finished.timed_out ? "timed out" : std::string(why),
              "Name a base that this clone has, for example upstream/main.");
}

std::string line_of(const Result<std::string>& text) {
  return text ? std::string(trimmed(*text)) : std::string();
}

// "refs/remotes/upstream/HEAD" points to its default branch; clones of one remote have it.
Result<std::string> find_base(const fs::path& top) {
  for (const char* remote : {"upstream", "origin"}) {
    const std::string head =
        line_of(git(top, {"rev-parse", "--abbrev-ref", fmt::format("{}/HEAD", remote)}));
    if (!head.empty()) return head;
    for (const char* branch : {"main", "master", "develop"}) {
      const std::string name = fmt::format("{}/{}", remote, branch);
      if (git(top, {"rev-parse", "--verify", "--quiet", name + "^{commit}"})) return name;
    }
  }
  for (const char* branch : {"main", "master"})
    if (git(top, {"rev-parse", "--verify", "--quiet", std::string(branch) + "^{commit}"}))
      return std::string(branch);
  return fail("cannot find the base branch of", top.string(),
              "no remote named upstream or origin, and no branch main or master",
              "Name the base as the command's argument.");
}

unsigned number_in(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;  // "-" of binary files: 0
}

// "12\t3\tpath", each ended by a NUL.
std::vector<ChangedFile> read_numstat(std::string_view text) {
  std::vector<ChangedFile> files;
  for (const auto part : std::views::split(text, '\0')) {
    const std::string_view line(part.begin(), part.end());
    const std::size_t one = line.find('\t');
    const std::size_t two = one == line.npos ? one : line.find('\t', one + 1);
    if (two == line.npos) continue;
    files.push_back(
        {std::string(line.substr(two + 1)), number_in(line), number_in(line.substr(one + 1))});
  }
  return files;
}

// Fields and records are separated by control characters that git removes from messages.
Result<std::vector<LocalCommit>> read_commits(const fs::path& top, const std::string& base) {
  HW_TRY(const std::string log,
         git(top, {"log", "--reverse", "--no-merges", "--format=%H%x1f%s%x1f%an%x1f%ae%x1f%B%x1e",
                   base + "..HEAD"}));
  std::vector<LocalCommit> commits;
  for (const auto record : std::views::split(log, '\x1e')) {
    std::vector<std::string> fields;
    for (const auto field : std::views::split(record, '\x1f'))
      fields.emplace_back(trimmed(std::string_view(field.begin(), field.end())));
    if (fields.size() < 5) continue;
    commits.push_back({.hash = fields[0],
                       .subject = fields[1],
                       .body = fields[4],
                       .author = fields[2],
                       .email = fields[3]});
    for (const std::string& address : sign_offs(fields[4])) {
      if (address == lowered(fields[3]))
        commits.back().is_signed_off = true;
      else
        commits.back().signed_off_by = address;
    }
  }
  return commits;
}

}  // namespace

std::vector<std::string> sign_offs(std::string_view message) {
  std::vector<std::string> addresses;
  for (const auto part : std::views::split(message, '\n')) {
    const std::string line = lowered(trimmed(std::string_view(part.begin(), part.end())));
    const std::size_t open = line.rfind('<');
    if (line.starts_with("signed-off-by:") && line.ends_with('>') && open != std::string::npos)
      addresses.push_back(line.substr(open + 1, line.size() - open - 2));
  }
  return addresses;
}

std::optional<Repository> upstream_of(const fs::path& directory) {
  for (const char* remote : {"upstream", "origin"}) {
    const auto url = git(directory, {"remote", "get-url", remote});
    if (!url) continue;
    if (auto found = repository_of_remote(*url)) return found;
  }
  return std::nullopt;
}

Result<LocalBranch> read_branch(const fs::path& directory, const std::string& base) {
  if (base.starts_with('-'))
    return fail("cannot read the branch", fmt::format("'{}'", base), "not a commit",
                "Name a commit, branch or tag.");
  LocalBranch branch;
  HW_TRY(const std::string top, git(directory, {"rev-parse", "--show-toplevel"}));
  branch.top = std::string(trimmed(top));
  branch.base = base;
  if (base.empty()) {
    HW_TRY(branch.base, find_base(branch.top));
  }
  HW_TRY(const std::string common, git(branch.top, {"merge-base", branch.base, "HEAD"}));
  branch.base_commit = std::string(trimmed(common));
  branch.name = line_of(git(branch.top, {"symbolic-ref", "--short", "--quiet", "HEAD"}));
  HW_TRY(branch.commits, read_commits(branch.top, branch.base_commit));
  HW_TRY(const std::string files,
         git(branch.top, {"diff", "--numstat", "-z", "--no-renames", "--no-ext-diff",
                          "--no-textconv", branch.base_commit, "HEAD"}));
  branch.files = read_numstat(files);
  HW_TRY(branch.diff, git(branch.top, {"diff", "--no-color", "--no-ext-diff", "--no-textconv",
                                       branch.base_commit, "HEAD"}));
  branch.has_uncommitted =
      !line_of(git(branch.top,
                   {"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"}))
           .empty();
  const std::string remote =
      line_of(git(branch.top, {"config", fmt::format("branch.{}.remote", branch.name)}));
  const auto fork = git(branch.top, {"remote", "get-url", remote.empty() ? "origin" : remote});
  if (fork)
    if (const auto repository = repository_of_remote(*fork)) branch.owner = repository->owner;
  return branch;
}

}  // namespace hipwright::github
