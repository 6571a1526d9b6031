// SPDX-License-Identifier: MIT
// Files that are never half-written, locks between processes, and the user's own cache folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright {

Result<std::string> read_file(const std::filesystem::path& path);

// A memory-mapped file. If another process truncates the file, this one dies with SIGBUS: use it
// for files that are replaced as a whole, as AtomicFile does.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile();

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}
  void* data_;
  std::size_t size_;
};

// What a written file survives. kProcessDeath saves two fsyncs and is for content that can be
// verified and recreated.
enum class Durability { kPowerCut, kProcessDeath };

// A file that is written in pieces and appears whole or not at all. Readers see the old
// content or the new one, never a part: temporary file in the same folder (its name begins with a
// dot), fsync, rename, fsync of the folder. A new file gets `mode` (less the umask); an existing
// one keeps its permissions. A symbolic link is followed, not replaced.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::filesystem::path& path, unsigned mode = 0666);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();  // without a commit, discards what was written

  Status write(std::string_view content);
  Status commit(Durability durability = Durability::kPowerCut);  // once, at the end

 private:
  AtomicFile() = default;
  Status failed(int error_number) const;

  std::filesystem::path path_;    // as given
  std::filesystem::path target_;  // with symbolic links resolved
  std::string temporary_;         // empty if there is none
  int file_descriptor_ = -1;
  std::optional<unsigned> old_mode_;  // of the file that is replaced
};

// The same in one go.
Status write_file_atomic(const std::filesystem::path& path, std::string_view content,
                         unsigned mode = 0666, Durability durability = Durability::kPowerCut);

// Fails where writing the file would: call it before the work whose result goes there. Leaves
// nothing behind.
Status can_write(const std::filesystem::path& path);

// Is it the directory, or in it at any depth? Compares names alone: pass normal absolute paths.
bool is_in_directory(const std::filesystem::path& path, const std::filesystem::path& directory);

Status make_directories(const std::filesystem::path& path);

// Creates `path` as 0700, or accepts an existing folder that this user owns and nobody else can
// write to. Anything else is an error, because code loaded from there is run.
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
