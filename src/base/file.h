// SPDX-License-Identifier: MIT
// Files that are never half-written, locks between processes, and the user's own cache folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright {

Result<std::string> read_file(const std::filesystem::path& path);

// What a written file is safe from. kProcessDeath is for content that can be told from damage and
// made again: it saves two fsyncs.
enum class Durability { kPowerCut, kProcessDeath };

// Readers see the old content or the new one, never a part: temporary file in the same folder (its
// name begins with a dot), fsync, rename, fsync of the folder. A new file gets `mode` (less the
// umask); an existing one keeps its permissions. A symbolic link is followed, not replaced.
Status write_file_atomic(const std::filesystem::path& path, std::string_view content,
                         unsigned mode = 0666, Durability durability = Durability::kPowerCut);

Status make_directories(const std::filesystem::path& path);

// Creates `path` as 0700, or accepts an existing folder that belongs to this user and that
// nobody else can write to. Anything else is an error: what we load from there we run.
Status make_private_directory(const std::filesystem::path& path);

// $XDG_CACHE_HOME/hipwright, or ~/.cache/hipwright. Not created.
Result<std::filesystem::path> user_cache_directory();

// Exclusive lock on a file (created when missing), held until destruction; released by the
// kernel when the process dies.
class FileLock {
 public:
  static Result<FileLock> acquire(const std::filesystem::path& path);  // waits
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file_descriptor) : file_descriptor_(file_descriptor) {}
  int file_descriptor_;
};

// A fresh folder below the system's temporary folder, removed with its content on destruction.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> create();
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace hipwright
