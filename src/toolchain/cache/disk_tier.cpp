// SPDX-License-Identifier: MIT
#include "toolchain/cache/disk_tier.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <string>

#include "base/file.h"
#include "toolchain/cache/manifest.h"
#include "toolchain/cache/record.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// A file's time of last use is its mtime, renewed at most this often.
constexpr std::time_t kTouchSeconds = 60;

bool is_link(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// The bytes of a cache file; empty if there is none. What cannot be one (a link, a pipe, a file too
// large) reads as empty, which no decoder accepts.
std::optional<std::string> load(const fs::path& path) {
  struct stat info {};
  if (is_link(path.parent_path()) || ::lstat(path.c_str(), &info) != 0) return std::nullopt;
  if (!S_ISREG(info.st_mode) || static_cast<std::uint64_t>(info.st_size) > kMaxRecordBytes)
    return std::string();
  auto bytes = read_file(path, kMaxRecordBytes, Links::kReject);
  if (!bytes) return std::nullopt;
  if (info.st_mtim.tv_sec + kTouchSeconds < std::time(nullptr)) {
    // Fails in a read-only folder, where nothing is evicted either.
    const timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW));
  }
  return *std::move(bytes);
}

}  // namespace

Status DiskTier::prepare() const {
  HW_CHECK(make_private_directory(layout_.root));
  for (const fs::path& folder : {layout_.entries(), layout_.manifests(), layout_.quarantine()})
    if (is_link(folder)) HW_CHECK(make_private_directory(folder, Links::kReject));
  return {};
}

DiskTier::Lookup DiskTier::find(const RequestKey& key) const {
  Lookup lookup;
  const fs::path manifest_path = layout_.manifest(key.hash);
  const auto manifest_bytes = load(manifest_path);
  if (!manifest_bytes) return lookup;
  const auto manifest = decode_manifest(*manifest_bytes);
  if (!manifest) {
    lookup.damaged.push_back(manifest_path);
    return lookup;
  }
  IncludeChecker checker;
  for (const auto& alternative : manifest->alternatives) {
    const auto verdict = checker.check(alternative.includes);
    if (verdict == IncludeChecker::Verdict::kChanged) continue;
    const fs::path entry_path = layout_.entry(alternative.entry);
    auto bytes = load(entry_path);
    if (!bytes) continue;
    auto kernel = CachedKernel::open(*std::move(bytes));
    if (!kernel) {
      lookup.damaged.push_back(entry_path);
      continue;
    }
    if ((*kernel)->key() != entry_material(key, alternative.includes)) continue;
    lookup.restamp = verdict == IncludeChecker::Verdict::kSameRestamp;
    lookup.hit = CachedResult{
        *std::move(kernel),
        std::make_shared<IncludeSet>(lookup.restamp ? checker.restamped(alternative.includes)
                                                    : alternative.includes)};
    break;
  }
  return lookup;
}

Result<std::optional<RangeLock>> DiskTier::lock(const RequestKey& key,
                                                std::chrono::milliseconds patience) const {
  return RangeLock::acquire(layout_.locks(), DiskLayout::lock_of(key.hash), patience);
}

std::uint64_t DiskTier::quarantine(const std::vector<fs::path>& damaged) const {
  std::uint64_t moved = 0;
  if (damaged.empty() || !make_private_directory(layout_.quarantine(), Links::kReject))
    return moved;
  for (const fs::path& path : damaged) {
    const std::string name = path.filename().string() + "-" + std::to_string(file_clock_now());
    std::error_code error;
    fs::rename(path, layout_.quarantine() / name, error);
    if (!error) ++moved;
  }
  usage_.trim_quarantine();
  return moved;
}

// No fsync: after a power cut the digest detects a damaged file, which costs one
// compile.
Status DiskTier::publish(const fs::path& path, std::string_view bytes) const {
  const fs::path shard = path.parent_path();
  HW_CHECK(make_private_directory(shard.parent_path(), Links::kReject));
  HW_CHECK(make_private_directory(shard, Links::kReject));
  HW_CHECK(remove_foreign(path));
  return write_file_atomic(path, bytes, 0600, Durability::kProcessDeath);
}

Result<DiskTier::Stored> DiskTier::store(const RequestKey& key, const CachedResult& result) const {
  const fs::path manifest_path = layout_.manifest(key.hash);
  Manifest manifest;
  if (const auto bytes = load(manifest_path))
    if (auto known = decode_manifest(*bytes)) manifest = *std::move(known);
  const Hash128 entry = hash128(result.kernel->key());
  manifest.remember({entry, *result.includes});
  const std::string manifest_bytes = encode_manifest(manifest);

  const std::uint64_t size =
      in_disk_blocks(result.kernel->file_bytes().size()) + in_disk_blocks(manifest_bytes.size());
  if (size > std::min(max_bytes_, kMaxRecordBytes)) return Stored{};

  // The entry first: a manifest never names an entry that was not there.
  const std::array published{layout_.entry(entry), manifest_path};
  HW_CHECK(publish(published[0], result.kernel->file_bytes()));
  HW_CHECK(publish(published[1], manifest_bytes));
  HW_TRY(const std::uint64_t removed, usage_.add(published));
  return Stored{true, removed};
}

void DiskTier::restamp(const RequestKey& key, const CachedResult& result) const {
  const auto held = lock(key, std::chrono::milliseconds{0});
  if (!held || !*held) return;
  const fs::path path = layout_.manifest(key.hash);
  const auto bytes = load(path);
  if (!bytes) return;
  auto manifest = decode_manifest(*bytes);
  if (!manifest) return;
  const Hash128 entry = hash128(result.kernel->key());
  for (auto& alternative : manifest->alternatives) {
    if (alternative.entry != entry) continue;
    alternative.includes = *result.includes;
    // An improvement only; when it cannot be written, the next lookup reads the files again.
    static_cast<void>(publish(path, encode_manifest(*manifest)));
    return;
  }
}

Status DiskTier::clear() const {
  HW_CHECK(prepare());
  return usage_.remove_all();
}

}  // namespace hipwright::toolchain
