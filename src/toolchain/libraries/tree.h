// SPDX-License-Identifier: MIT
// A release's directory is never changed: the next one is built beside it, of hard links to the
// files that stay, and takes its place with one rename.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "toolchain/added_libraries.h"

namespace hipwright::toolchain {

// While it lives, no other process changes the libraries of this user.
class LibraryStore {
 public:
  // Creates the directory, waits for the lock and removes what a killed process left.
  static Result<LibraryStore> open();

  const std::filesystem::path& home() const { return home_; }
  // Lists and downloads of a release; private to the user like all of it.
  std::filesystem::path work_folder(std::string_view release) const;
  // What a release has now; nothing was added: an empty list.
  Result<AddedLibraries> content(std::string_view release) const;

 private:
  LibraryStore(std::filesystem::path home, FileLock lock)
      : home_(std::move(home)), lock_(std::move(lock)) {}
  std::filesystem::path home_;
  FileLock lock_;
};

// The next directory of a release.
class NextTree {
 public:
  // With the files of `current` that are listed in it.
  static Result<NextTree> begin(const LibraryStore& store, const AddedLibraries& current);

  const std::filesystem::path& path() const { return aside_.path(); }
  // Takes a package's files away.
  Status remove(const AddedPackage& package);
  // Writes the list and puts the directory into place.
  Status commit(const LibraryStore& store, const AddedLibraries& added);

 private:
  explicit NextTree(TemporaryDirectory aside) : aside_(std::move(aside)) {}
  TemporaryDirectory aside_;
};

}  // namespace hipwright::toolchain
