// SPDX-License-Identifier: MIT
// Results over time, in one SQLite file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "perf/record/record.h"
#include "perf/statistics/change_points.h"

namespace hipwright::perf {

// What a record is of.
struct Commit {
  std::string id;         // full hash; empty: unknown
  std::string subject;    // first line of its message
  std::int64_t time = 0;  // of the commit, seconds since 1970; of the record without a commit
};

// A metric of a benchmark, or of one of its kernels, on one machine.
struct SeriesKey {
  std::string benchmark, kernel, target, metric, unit;
  std::string machine;  // a digest of the facts; of counts, of compiler and tool
  bool exact = false;
  Better better = Better::kLower;

  auto operator<=>(const SeriesKey&) const = default;
};

struct Point {
  Commit commit;
  double value = 0;          // median or count
  double low = 0, high = 0;  // quartiles
  std::uint64_t samples = 0;
};

struct Series {
  SeriesKey key;
  // "bench: duration_s"; where several machines have it, with the beginning of the digest.
  std::string title;
  std::vector<Point> points;         // by time
  std::vector<ChangePoint> changes;  // ChangePoint::at is an index of points
};

struct SeriesFilter {
  std::string benchmark, metric;  // empty: all
};

class History {
 public:
  History(History&&) noexcept;
  History& operator=(History&&) = delete;
  ~History();

  // Creates the file if it is missing.
  static Result<History> open(const std::filesystem::path& file);
  // An error if the file is missing. Never writes.
  static Result<History> open_to_read(const std::filesystem::path& file);
  // The content of such a file.
  static Result<History> of_bytes(std::string_view bytes, const std::string& origin);

  // All or nothing. False: the same record is already there.
  Result<bool> add(const Record& record, const Commit& commit);

  // With change points.
  Result<std::vector<Series>> series(const SeriesFilter& filter = {},
                                     const ChangeOptions& options = {}) const;
  // The facts of the machine with this digest.
  Result<Machine> machine(const std::string& digest) const;

 private:
  struct Database;
  explicit History(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

// The commit that `revision` names in the repository at `directory`.
Result<Commit> commit_of(const std::filesystem::path& directory, const std::string& revision);

}  // namespace hipwright::perf
