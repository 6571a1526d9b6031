// SPDX-License-Identifier: MIT
// The files a compile included, recorded so that a later run can tell whether it would include the
// same contents, in the common case with one stat() per file.
//
// Known limits: an include that newly appears earlier in the search path is noticed only
// when the compile listed the path as absent (shadowing_paths() finds the candidates of the search
// folders; not those next to the including file of a nested #include "…"); a folder renamed over
// another in the middle of a compile is not noticed; a file server whose clock lags behind this
// machine's can hide a change made during the compile; __TIME__ and __DATE__ keep their first
// value.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace hipwright::toolchain {

// Equal stamps mean equal contents, provided that the stamp was settled when it was taken.
struct FileStamp {
  std::uint64_t size = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;  // ctime: no program can set it back

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct IncludeFile {
  std::string path;
  Hash128 content;
  FileStamp stamp;
  // The stamp was old enough when the content was read: any later write gives another one.
  bool settled = false;
};

struct IncludeSet {
  std::vector<IncludeFile> files;   // by path
  std::vector<std::string> absent;  // paths that must not exist, by name
};

// Nanoseconds since the epoch on the clock that the kernel stamps files with.
std::int64_t file_clock_now();
// Waits (milliseconds) until that clock moves and returns its new time: what was written before
// the call is stamped earlier, what is written after it is not.
std::int64_t next_file_clock_tick();

// Records `files` and `absent` (relative ones lie below `directory`) after a compile that began at
// `started` on the file clock. An error says why the result must not be kept: a file cannot be
// read, may have been written since `started`, or an absent one exists by now.
Result<IncludeSet> capture_includes(const std::vector<std::filesystem::path>& files,
                                    const std::vector<std::filesystem::path>& absent,
                                    const std::filesystem::path& directory, std::int64_t started);

// Compares sets with the current files. One checker serves one lookup: it reads a file at most
// once, however many sets name it.
class IncludeChecker {
 public:
  enum class Verdict {
    kChanged,
    kSame,
    kSameRestamp,  // the same, but files had to be read; restamped() spares the next check that
  };
  Verdict check(const IncludeSet& set);
  // `set`, which check() found the same, with the stamps seen by that check.
  IncludeSet restamped(IncludeSet set) const;

 private:
  const std::optional<IncludeFile>& read(const std::string& path);
  std::unordered_map<std::string, std::optional<IncludeFile>> read_;
};

// The bytes that, with the request, make an entry's key: each path with its content, no stamps.
std::string include_material(const IncludeSet& set);

// Paths that a compiler would have taken instead of `includes`, had they existed: for each include
// found through one of `search_directories` (in search order), its name below the earlier ones.
// A missing folder stands for everything below it.
std::vector<std::filesystem::path> shadowing_paths(
    const std::vector<std::filesystem::path>& includes,
    const std::vector<std::filesystem::path>& search_directories);

}  // namespace hipwright::toolchain
