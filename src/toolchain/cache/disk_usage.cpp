// SPDX-License-Identifier: MIT
#include "toolchain/cache/disk_usage.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "toolchain/cache/range_lock.h"
#include "toolchain/cache/record.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::uint64_t kBlock = 4096;
// The running total misses what a killed process published; a full scan after so many stores bounds
// the error.
constexpr std::uint64_t kStoresBetweenSweeps = 256;
constexpr std::time_t kStaleTemporarySeconds = 60 * 60;
constexpr std::size_t kQuarantinedFiles = 8;
constexpr std::chrono::seconds kPatience{10};

struct StoredFile {
  fs::path path;
  std::uint64_t bytes = 0;
  timespec modified{};
};

bool older(const StoredFile& a, const StoredFile& b) {
  if (a.modified.tv_sec != b.modified.tv_sec) return a.modified.tv_sec < b.modified.tv_sec;
  return a.modified.tv_nsec < b.modified.tv_nsec;
}

// All files below `folder`; one that disappears during the scan is skipped.
std::vector<StoredFile> files_below(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  if (fs::is_symlink(folder, error)) return files;
  for (auto it = fs::recursive_directory_iterator(folder, error);
       !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    struct stat info {};
    if (::lstat(it->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    files.push_back(
        {it->path(), in_disk_blocks(static_cast<std::uint64_t>(info.st_size)), info.st_mtim});
  }
  return files;
}

// write_file_atomic() names its temporary files so; a killed process leaves one behind. One that
// is not old may be in use right now.
bool is_temporary(const StoredFile& file) {
  return file.path.filename().native().starts_with('.');
}

bool is_in_use(const StoredFile& file) {
  return is_temporary(file) && std::time(nullptr) - file.modified.tv_sec <= kStaleTemporarySeconds;
}

struct Total {
  std::uint64_t bytes = 0;
  std::uint64_t stores = 0;  // since the last sweep
};

std::optional<Total> read_total(const fs::path& path) {
  const auto file = read_file(path, kMaxRecordBytes, Links::kReject);
  if (!file) return std::nullopt;
  const auto body = open_record(RecordKind::kUsage, *file);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  const Total total{reader.u64(), reader.u64()};
  return reader.complete() ? std::optional(total) : std::nullopt;
}

Status write_total(const fs::path& path, const Total& total) {
  ByteWriter body;
  body.u64(total.bytes);
  body.u64(total.stores);
  HW_CHECK(remove_foreign(path));
  return write_file_atomic(path, seal_record(RecordKind::kUsage, body.view()), 0600,
                           Durability::kProcessDeath);
}

}  // namespace

Status remove_foreign(const fs::path& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return {};
  if (::unlink(path.c_str()) == 0) return {};
  return fail("cannot write to the kernel cache", path.string(), "not a regular file");
}

std::uint64_t in_disk_blocks(std::uint64_t bytes) {
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

Result<std::uint64_t> DiskUsage::add(std::span<const fs::path> published) const {
  HW_TRY(const auto lock, RangeLock::acquire(layout_.locks(), DiskLayout::kUsageLock, kPatience));
  if (!lock) return 0;  // another process is stuck in a sweep; a later store counts again

  auto total = read_total(layout_.usage());
  std::uint64_t removed = 0;
  if (total) {
    for (const fs::path& path : published) {
      struct stat info {};
      if (::lstat(path.c_str(), &info) == 0)
        total->bytes += in_disk_blocks(static_cast<std::uint64_t>(info.st_size));
    }
    ++total->stores;
  }
  if (!total || total->bytes > max_bytes_ || total->stores >= kStoresBetweenSweeps) {
    const Swept swept = sweep(published);
    total = Total{swept.bytes, 0};
    removed = swept.removed;
  }
  HW_CHECK(write_total(layout_.usage(), *total));
  return removed;
}

DiskUsage::Swept DiskUsage::sweep(std::span<const fs::path> keep) const {
  trim_quarantine();
  std::vector<StoredFile> files = files_below(layout_.root);
  std::erase_if(files, [&](const StoredFile& file) {
    if (is_temporary(file) && !is_in_use(file) && ::unlink(file.path.c_str()) == 0) return true;
    const fs::path folder = file.path.parent_path().parent_path();
    return folder != layout_.entries() && folder != layout_.manifests();
  });

  Swept swept;
  for (const StoredFile& file : files) swept.bytes += file.bytes;
  if (swept.bytes <= max_bytes_) return swept;

  // Down to a tenth below the bound, so that not every following store scans all files.
  const std::uint64_t goal = max_bytes_ - max_bytes_ / 10;
  std::sort(files.begin(), files.end(), older);
  for (const StoredFile& file : files) {
    if (swept.bytes <= goal) break;
    if (std::find(keep.begin(), keep.end(), file.path) != keep.end()) continue;
    if (is_in_use(file)) continue;
    if (::unlink(file.path.c_str()) != 0 && errno != ENOENT) continue;
    swept.bytes -= file.bytes;
    ++swept.removed;
  }
  return swept;
}

void DiskUsage::trim_quarantine() const {
  std::vector<StoredFile> files = files_below(layout_.quarantine());
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return older(b, a); });
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    bytes += files[i].bytes;
    if (i >= kQuarantinedFiles || bytes > max_bytes_ / 10) ::unlink(files[i].path.c_str());
  }
}

DiskUse DiskUsage::measure() const {
  DiskUse use;
  for (const StoredFile& file : files_below(layout_.entries())) {
    use.bytes += file.bytes;
    if (!is_temporary(file)) ++use.entries;
  }
  for (const StoredFile& file : files_below(layout_.manifests())) use.bytes += file.bytes;
  use.quarantined = files_below(layout_.quarantine()).size();
  return use;
}

Status DiskUsage::remove_all() const {
  HW_TRY(const auto lock, RangeLock::acquire(layout_.locks(), DiskLayout::kUsageLock, kPatience));
  Status status;
  // Manifests first: a manifest whose entry is gone costs its readers a needless lookup.
  for (const fs::path& folder : {layout_.manifests(), layout_.entries(), layout_.quarantine()})
    for (const StoredFile& file : files_below(folder))
      if (!is_in_use(file) && ::unlink(file.path.c_str()) != 0 && errno != ENOENT && status)
        status = fail("cannot remove from the kernel cache", file.path.string(), errno_text(errno));
  HW_CHECK(write_total(layout_.usage(), {}));
  return status;
}

}  // namespace hipwright::toolchain
