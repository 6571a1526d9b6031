// SPDX-License-Identifier: MIT
#include "perf/bisect/repository.h"

#include <utility>

#include <fmt/format.h>

#include "base/process.h"
#include "base/words.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

// Between the fields of a commit: git allows no such byte in them.
constexpr const char* kFormat = "--format=%H%x00%an%x00%cs%x00%s";

Result<Revision> parse_revision(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\0', begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  if (fields.size() != 4) return fail("cannot read what git printed", "", "not four fields");
  return Revision{fields[0], fields[1], fields[2], fields[3]};
}

Result<std::string> run_git(const fs::path& directory, std::vector<std::string> arguments,
                            bool cleans_up = false) {
  arguments.insert(arguments.begin(), "git");
  const auto finished = run({.argv = arguments,
                             .directory = directory,
                             .environment = {{"GIT_TERMINAL_PROMPT", "0"}},
                             .timeout = std::chrono::minutes(10),
                             .cleans_up = cleans_up});
  if (!finished) return std::unexpected(finished.error());
  if (!finished->ok())
    return fail("cannot run", shell_quoted(arguments),
                finished->timed_out ? "timed out" : std::string(trimmed(finished->err)));
  return finished->out;
}

}  // namespace

Result<Repository> Repository::open(const fs::path& directory) {
  HW_TRY(const std::string out, run_git(directory, {"rev-parse", "--show-toplevel"}));
  return Repository(std::string(trimmed(out)));
}

Result<std::string> Repository::git(std::vector<std::string> arguments) const {
  return run_git(root_, std::move(arguments));
}

Result<Revision> Repository::revision(const std::string& name) const {
  const auto out = git({"log", "-1", kFormat, "--end-of-options", name, "--"});
  if (!out) return fail("unknown commit", name, out.error().why);
  return parse_revision(std::string_view(*out).substr(0, out->find('\n')));
}

Result<std::vector<Revision>> Repository::between(const Revision& good, const Revision& bad) const {
  if (!git({"merge-base", "--is-ancestor", good.id, bad.id}))
    return fail("cannot bisect", fmt::format("{}..{}", good.id.substr(0, 10), bad.id.substr(0, 10)),
                "the good commit is not an ancestor of the bad one");
  HW_TRY(const std::string out,
         git({"log", "--reverse", "--first-parent", kFormat, good.id + ".." + bad.id, "--"}));
  std::vector<Revision> revisions;
  for (std::string_view rest = out; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    HW_TRY(revisions.emplace_back(), parse_revision(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return revisions;
}

Result<Worktree> Worktree::create(const Repository& repository, fs::path directory,
                                  const Revision& revision) {
  HW_CHECK(
      repository.git({"worktree", "add", "--detach", "--quiet", directory.string(), revision.id}));
  return Worktree(repository, std::move(directory));
}

Worktree::Worktree(Worktree&& other) noexcept
    : repository_(other.repository_), directory_(std::exchange(other.directory_, {})) {}

Worktree::~Worktree() {
  if (directory_.empty()) return;
  [[maybe_unused]] const auto ignored =
      run_git(repository_->root(), {"worktree", "remove", "--force", directory_.string()}, true);
}

Status Worktree::check_out(const Revision& revision) const {
  HW_CHECK(run_git(directory_, {"checkout", "--quiet", "--force", "--detach", revision.id}));
  return {};
}

}  // namespace hipwright::perf
