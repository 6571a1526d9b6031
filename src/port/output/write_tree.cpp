// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "port/output/output.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

Status failed(const fs::path& path, const std::error_code& error) {
  return fail("cannot copy", path.string(), error.message());
}

// A temporary folder next to the target, to be renamed to it.
Result<TemporaryDirectory> half_made(const fs::path& folder) {
  HW_CHECK(make_directories(folder.parent_path()));
  auto made = TemporaryDirectory::create_beside(folder);
  if (made) return made;
  Error error = std::move(made).error();
  error.fix.clear();
  return fail("cannot write the port to", folder.string(), error.message(),
              "Choose another directory with --out.");
}

// rename() replaces an empty folder and nothing else.
Status rename_to(TemporaryDirectory& made, const fs::path& folder) {
  if (::rename(made.path().c_str(), folder.c_str()) != 0)
    return fail("cannot write the port to", folder.string(), errno_text(errno));
  made.release();
  return {};
}

Status copy_times(const fs::path& from, const fs::path& to, bool and_mode) {
  struct stat info {};
  if (::lstat(from.c_str(), &info) != 0)
    return fail("cannot copy", from.string(), errno_text(errno));
  const timespec times[2] = {info.st_atim, info.st_mtim};
  if ((and_mode && ::chmod(to.c_str(), info.st_mode & 07777) != 0) ||
      ::utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0)
    return fail("cannot keep mode and times of", to.string(), errno_text(errno));
  return {};
}

// Copies what is not ported; folders get their modes and times when they are complete.
class Copy {
 public:
  Copy(const Ported& ported, fs::path to) : ported_(ported), to_(std::move(to)) {
    for (const PortedFile& file : ported.files)
      if (file.is_changed()) ported_paths_.insert(file.source->path());
    for (const auto& [path, content] : ported.added) ported_paths_.insert(path);
  }

  Status all() {
    const fs::path& from = ported_.tree.root;
    if (ported_.tree.is_one_file) {
      for (const PortedFile& file : ported_.files) HW_CHECK(one(from / file.source->path()));
      return {};
    }
    std::error_code error;
    for (auto at = fs::recursive_directory_iterator(from, error);
         !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      const fs::path name = at->path().filename();
      if (name == ".git" || name == kOwnFolder) {
        at.disable_recursion_pending();
        continue;
      }
      HW_CHECK(one(at->path()));
    }
    return error ? failed(from, error) : Status();
  }

  Status finish_folders() {
    std::reverse(folders_.begin(), folders_.end());
    folders_.emplace_back(".");
    for (const fs::path& folder : folders_)
      HW_CHECK(copy_times(ported_.tree.root / folder, to_ / folder, true));
    return {};
  }

 private:
  Status one(const fs::path& path) {
    const fs::path relative = path.lexically_relative(ported_.tree.root);
    const fs::path target = to_ / relative;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (error) return failed(path, error);
    if (fs::is_directory(status)) {
      folders_.push_back(relative);
      return make_directories(target);
    }
    if (ported_paths_.contains(relative.generic_string())) return {};
    if (fs::is_symlink(status))
      fs::copy_symlink(path, target, error);
    else if (fs::is_regular_file(status))
      fs::copy_file(path, target, error);
    else
      return {};  // sockets and pipes are not part of a source tree
    if (error) return failed(path, error);
    return copy_times(path, target, false);
  }

  const Ported& ported_;
  const fs::path to_;
  std::set<std::string, std::less<>> ported_paths_;
  std::vector<fs::path> folders_;  // outer ones first
};

Status write_ported(const Ported& ported, const fs::path& to) {
  for (const PortedFile& file : ported.files) {
    if (!file.is_changed()) continue;
    const fs::path target = to / file.path_after();
    HW_CHECK(write_file_atomic(target, bytes_of(file), 0666, Durability::kProcessDeath));
    struct stat info {};
    const fs::path from = ported.tree.root / file.source->path();
    if (::lstat(from.c_str(), &info) == 0 && ::chmod(target.c_str(), info.st_mode & 07777) != 0)
      return fail("cannot keep the mode of", target.string(), errno_text(errno));
    if (file.changes.empty()) HW_CHECK(copy_times(from, target, false));
  }
  for (const auto& [path, content] : ported.added) {
    HW_CHECK(make_directories((to / path).parent_path()));
    HW_CHECK(write_file_atomic(to / path, content, 0666, Durability::kProcessDeath));
  }
  return {};
}

}  // namespace

namespace {

fs::path absolute_target(const fs::path& folder) {
  std::error_code ignored;
  fs::path target = fs::weakly_canonical(fs::absolute(folder), ignored);
  return target.has_filename() ? target : target.parent_path();
}

// The existing folder where the first new entry is created.
fs::path nearest_existing(fs::path folder) {
  std::error_code ignored;
  while (folder.has_relative_path() && !fs::exists(folder, ignored)) folder = folder.parent_path();
  return folder;
}

}  // namespace

Status check_output(const fs::path& root, const fs::path& folder) {
  const auto refused = [&](const std::string& why, const std::string& fix) {
    return fail("cannot write the port to", folder.string(), why, fix);
  };
  std::error_code ignored;
  const fs::path target = absolute_target(folder);
  if (fs::exists(target, ignored) && !fs::is_directory(target, ignored))
    return refused("not a directory", "Choose a new directory.");
  if (is_in_directory(target, fs::canonical(root, ignored)))
    return refused("inside the tree to port", "Choose a directory outside.");
  const fs::path parent = nearest_existing(target.parent_path());
  if (::access(parent.c_str(), W_OK | X_OK) != 0)
    return refused(fmt::format("cannot create files in {}: {}", parent.string(), errno_text(errno)),
                   "Choose another directory with --out.");
  if (fs::exists(target, ignored) && ::access(target.c_str(), R_OK | W_OK | X_OK) != 0)
    return refused(errno_text(errno), "Choose another directory with --out.");
  if (!has_state(target) && fs::exists(target, ignored) && !fs::is_empty(target, ignored))
    return refused("it is not empty and was not created by `hipwright port`",
                   "Choose a new directory, or empty this one.");
  return {};
}

Result<Merged> write_tree(const Ported& ported, const fs::path& folder) {
  HW_CHECK(check_output(ported.tree.root, folder));
  const fs::path target = absolute_target(folder);
  const bool is_update = has_state(target);
  HW_TRY(TemporaryDirectory made, half_made(target));
  Copy copy(ported, made.path());
  HW_CHECK(copy.all());
  HW_CHECK(write_ported(ported, made.path()));
  HW_CHECK(write_state(ported, made.path()));
  if (is_update) return merge_into(made.path(), target);
  HW_CHECK(copy.finish_folders());
  HW_CHECK(rename_to(made, target));
  return Merged{};
}

}  // namespace hipwright::port
