// SPDX-License-Identifier: MIT
#include "toolchain/cache/include_set.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <set>
#include <string_view>
#include <thread>

#include "base/file.h"
#include "toolchain/cache/record.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
// Coarsest timestamps in use (FAT: 2 s), and some margin for a file server's clock.
constexpr std::int64_t kCoarsest = 2 * kSecond;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return FileStamp{static_cast<std::uint64_t>(info.st_size), info.st_ino, nanoseconds(info.st_mtim),
                   nanoseconds(info.st_ctim)};
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

// The stamp is taken before the read and judged by a clock read before both: a write that slips
// in between changes the stamp, and the next check reads the file again.
std::optional<IncludeFile> read_include(const std::string& path) {
  const std::int64_t now = file_clock_now();
  const auto stamp = stamp_of(path);
  if (!stamp) return std::nullopt;
  const auto text = read_file(path);
  if (!text) return std::nullopt;
  return IncludeFile{path, hash128(*text), *stamp, stamp->changed_ns + kCoarsest <= now};
}

// A file system that keeps whole seconds rounds a write after `time` down to before it.
bool may_be_written_since(const FileStamp& stamp, std::int64_t time) {
  const std::int64_t grain = stamp.changed_ns % kSecond == 0 ? kCoarsest : 0;
  return stamp.changed_ns + grain >= time;
}

std::vector<std::string> resolved(const std::vector<fs::path>& paths, const fs::path& directory) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const fs::path& path : paths) names.push_back((directory / path).string());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// The part of `path` below `directory`, or nothing.
std::string_view name_below(std::string_view path, std::string_view directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.remove_suffix(1);
  if (!path.starts_with(directory)) return {};
  path.remove_prefix(directory.size());
  if (!directory.ends_with('/') && !path.starts_with('/')) return {};
  while (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

}  // namespace

std::int64_t file_clock_now() {
  timespec now{};
  // Linux stamps files with this clock or a finer one that never runs behind it.
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

std::int64_t next_file_clock_tick() {
  // Files are stamped by the coarse clock or by the fine one; the coarse one is behind, by more
  // than a tick where the machine is busy.
  timespec fine{};
  ::clock_gettime(CLOCK_REALTIME, &fine);
  std::int64_t now = file_clock_now();
  while (now <= nanoseconds(fine)) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    now = file_clock_now();
  }
  return now;
}

Result<IncludeSet> capture_includes(const std::vector<fs::path>& files,
                                    const std::vector<fs::path>& absent, const fs::path& directory,
                                    std::int64_t started) {
  IncludeSet set;
  const auto refused = [](const std::string& path, std::string why) {
    return fail("cannot keep the compiled kernel", path, std::move(why));
  };
  const auto is_relative = [](const fs::path& path) { return path.is_relative(); };
  if (directory.empty() && (std::any_of(files.begin(), files.end(), is_relative) ||
                            std::any_of(absent.begin(), absent.end(), is_relative)))
    return refused("", "it includes relative paths, but the request names no directory for them");
  for (const std::string& path : resolved(files, directory)) {
    auto file = read_include(path);
    if (!file) return refused(path, "the included file can no longer be read");
    if (may_be_written_since(file->stamp, started))
      return refused(path, "the included file may have changed during the compile");
    set.files.push_back(std::move(*file));
  }
  for (std::string& path : resolved(absent, directory)) {
    if (exists(path)) return refused(path, "the file appeared during the compile");
    set.absent.push_back(std::move(path));
  }
  return set;
}

const std::optional<IncludeFile>& IncludeChecker::read(const std::string& path) {
  const auto [place, is_new] = read_.try_emplace(path);
  if (is_new) place->second = read_include(path);
  return place->second;
}

IncludeChecker::Verdict IncludeChecker::check(const IncludeSet& set) {
  bool restamp = false;
  for (const IncludeFile& recorded : set.files) {
    const auto stamp = stamp_of(recorded.path);
    if (!stamp || stamp->size != recorded.stamp.size) return Verdict::kChanged;
    if (recorded.settled && *stamp == recorded.stamp) continue;
    const auto& current = read(recorded.path);
    if (!current || current->content != recorded.content) return Verdict::kChanged;
    restamp = restamp || current->settled;
  }
  for (const std::string& path : set.absent)
    if (exists(path)) return Verdict::kChanged;
  return restamp ? Verdict::kSameRestamp : Verdict::kSame;
}

IncludeSet IncludeChecker::restamped(IncludeSet set) const {
  for (IncludeFile& file : set.files) {
    const auto fresh = read_.find(file.path);
    if (fresh != read_.end() && fresh->second) file = *fresh->second;
  }
  return set;
}

std::string include_material(const IncludeSet& set) {
  ByteWriter bytes;
  bytes.u64(set.files.size());
  for (const IncludeFile& file : set.files) {
    bytes.text(file.path);
    bytes.hash(file.content);
  }
  return std::move(bytes).take();
}

std::vector<fs::path> shadowing_paths(const std::vector<fs::path>& includes,
                                      const std::vector<fs::path>& search_directories) {
  std::map<fs::path, bool> exists_at;
  const auto is_there = [&](const fs::path& path) {
    const auto [place, is_new] = exists_at.try_emplace(path);
    if (is_new) place->second = exists(path.string());
    return place->second;
  };
  std::set<fs::path> missing;
  // The first missing one among directory, directory/a, directory/a/b, …, if any.
  const auto add_missing = [&](fs::path path, const fs::path& name) {
    for (auto part = name.begin(); is_there(path); ++part) {
      if (part == name.end()) return;
      path /= *part;
    }
    missing.insert(path);
  };
  for (const fs::path& include : includes)
    for (std::size_t found = 1; found < search_directories.size(); ++found) {
      const auto name = name_below(include.native(), search_directories[found].native());
      if (name.empty()) continue;
      for (std::size_t earlier = 0; earlier < found; ++earlier)
        add_missing(search_directories[earlier], name);
    }
  return {missing.begin(), missing.end()};
}

}  // namespace hipwright::toolchain
