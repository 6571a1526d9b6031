// SPDX-License-Identifier: MIT
#include "toolchain/libraries/tree.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

#include <fmt/format.h>

#include "base/json.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr const char* kTrees = ".trees";

std::unexpected<Error> failed(const fs::path& path, const std::error_code& error) {
  const bool is_full = error == std::errc::no_space_on_device;
  return fail("cannot write the libraries", path.string(), error.message(),
              is_full ? "Nothing was changed. Free some space, and run the command again."
                      : "Nothing was changed.");
}

// A link to the file of the directory that this one replaces.
Status keep(const fs::path& from, const fs::path& to) {
  HW_CHECK(make_directories(to.parent_path()));
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(from, error)))
    fs::copy_symlink(from, to, error);
  else
    fs::create_hard_link(from, to, error);
  if (error) return failed(to, error);
  return {};
}

// The directories that nobody uses: what a killed process left, and those that were replaced.
void remove_unused(const fs::path& home) {
  std::error_code error;
  std::vector<fs::path> used;
  for (const auto& entry : fs::directory_iterator(home, error))
    if (entry.is_symlink(error)) used.push_back(fs::read_symlink(entry.path(), error).filename());
  for (const auto& entry : fs::directory_iterator(home / kTrees, error))
    if (std::find(used.begin(), used.end(), entry.path().filename()) == used.end())
      remove_tree(entry.path());
}

}  // namespace

Result<LibraryStore> LibraryStore::open() {
  HW_TRY(fs::path home, added_home());
  if (home.string().find_first_of(":,") != std::string::npos)
    return fail("cannot keep libraries in", home.string(),
                "search paths of programs cannot contain colons and commas",
                "Set XDG_CACHE_HOME to another directory.");
  HW_CHECK(make_private_directory(home.parent_path()));
  HW_CHECK(make_private_directory(home, Links::kReject));
  HW_TRY(FileLock lock, FileLock::acquire(home / "lock"));
  HW_CHECK(make_private_directory(home / kTrees, Links::kReject));
  remove_unused(home);
  return LibraryStore(std::move(home), std::move(lock));
}

fs::path LibraryStore::work_folder(std::string_view release) const {
  return home_ / fmt::format(".apt-{}", release);
}

Result<AddedLibraries> LibraryStore::content(std::string_view release) const {
  if (const auto prefix = added_prefix(release)) return read_added(*prefix);
  AddedLibraries none;
  none.release = release;
  return none;
}

Result<NextTree> NextTree::begin(const LibraryStore& store, const AddedLibraries& current) {
  HW_TRY(TemporaryDirectory aside,
         TemporaryDirectory::create_beside(store.home() / kTrees / current.release));
  NextTree next(std::move(aside));
  for (const AddedPackage& package : current.packages)
    for (const std::string& file : package.files)
      HW_CHECK(keep(store.home() / current.release / file, next.path() / file));
  return next;
}

Status NextTree::remove(const AddedPackage& package) {
  for (const std::string& file : package.files) {
    std::error_code error;
    fs::remove(path() / file, error);
    if (error) return failed(path() / file, error);
  }
  return {};
}

Status NextTree::commit(const LibraryStore& store, const AddedLibraries& added) {
  HW_CHECK(write_file_atomic(path() / kManifest, json_text(added_json(added)), 0644,
                             Durability::kProcessDeath));
  std::error_code error;
  fs::permissions(path(), fs::perms::owner_all, error);
  // One sync for all files, before the name that stands for "complete" leads to them.
  if (const int folder = ::open(path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::syncfs(folder);
    ::close(folder);
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string name =
      fmt::format("{}-{}-{}", added.release,
                  std::chrono::duration_cast<std::chrono::milliseconds>(now).count(), ::getpid());
  const fs::path target = store.home() / kTrees / name;
  fs::rename(path(), target, error);
  if (error) return failed(target, error);
  aside_.release();
  const fs::path link = store.home() / added.release;
  const fs::path fresh = store.home() / fmt::format(".{}-{}", added.release, ::getpid());
  fs::remove(fresh, error);
  fs::create_symlink(fs::path(kTrees) / name, fresh, error);
  if (!error) fs::rename(fresh, link, error);
  if (error) {
    remove_tree(target);
    return failed(link, error);
  }
  remove_unused(store.home());
  return {};
}

}  // namespace hipwright::toolchain
