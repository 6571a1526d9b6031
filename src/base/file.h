// SPDX-License-Identifier: MIT
// Files that are never half-written, locks between processes, and the user's own cache folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright {

enum class Links { kFollow, kReject };

// A regular file: a pipe without a writer would block, a device has no end. An error: it is larger
// than `most` bytes, or not enough memory is free.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t most = std::uint64_t{1} << 40,
                              Links links = Links::kFollow);
// `name` in an open directory. A link at the end of the path is rejected.
Result<std::string> read_file_at(int directory, const char* name, std::uint64_t most);
// What the user named, which may also be a pipe or "-", standard input.
Result<std::string> read_input(const std::filesystem::path& path);

// Settings and ignore files of a tree are not larger.
inline constexpr std::uint64_t kMostSettingsBytes = std::uint64_t{16} << 20;

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
// dot; it does not outlive this process), fsync, rename, fsync of the folder. A new file gets
// `mode` (less the umask); an existing one keeps its permissions. A symbolic link is followed, not
// replaced.
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

// Removes a directory with its content, also where a program took the permissions away.
void remove_tree(const std::filesystem::path& path) noexcept;

// Creates `path` and missing parents as 0700, or accepts a folder that this user owns and nobody
// else can write to. Anything else is an error, because code loaded from there is run.
Status make_private_directory(const std::filesystem::path& path, Links links = Links::kFollow);

// $TMPDIR, or /tmp if it is empty or unset.
Result<std::filesystem::path> temporary_directory();

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

// A fresh private folder, removed with its content on destruction, or when this process ends in
// another way (base/cleanup.h). It is locked while its owner lives: what is unlocked is stale.
class TemporaryDirectory {
 public:
  static Result<TemporaryDirectory> create();  // $TMPDIR/hipwright-tmp-XXXXXXXX
  // .NAME.hipwright-tmp-XXXXXXXX beside `path`, to be renamed to it.
  static Result<TemporaryDirectory> create_beside(const std::filesystem::path& path);
  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }
  // Was renamed and stays.
  void release();

 private:
  TemporaryDirectory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  static Result<TemporaryDirectory> create_in(const std::filesystem::path& folder,
                                              const std::string& prefix, const std::string& fix);
  std::filesystem::path path_;
  int lock_ = -1;
};

// Removes the temporary directories below $TMPDIR whose owners were killed.
void sweep_temporary_directories();

}  // namespace hipwright
