// SPDX-License-Identifier: MIT
#include "perf/history/history.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/git.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/words.h"
#include "perf/history/sqlite.h"
#include "perf/record/json_input.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

// "HWPH", in the header of the file.
constexpr std::int64_t kApplication = 0x48575048;
constexpr std::int64_t kVersion = 1;
constexpr const char* kSchema =
    "CREATE TABLE runs(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, commit_id TEXT NOT "
    "NULL,"
    " subject TEXT NOT NULL, time INTEGER NOT NULL, made TEXT NOT NULL, tool TEXT NOT NULL);"
    "CREATE TABLE machines(digest TEXT PRIMARY KEY, facts TEXT NOT NULL);"
    "CREATE TABLE points(run INTEGER NOT NULL REFERENCES runs(id), benchmark TEXT NOT NULL,"
    " kernel TEXT NOT NULL, target TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL,"
    " machine TEXT NOT NULL, exact INTEGER NOT NULL, better TEXT NOT NULL, value REAL NOT NULL,"
    " low REAL NOT NULL, high REAL NOT NULL, samples INTEGER NOT NULL, raw TEXT NOT NULL);"
    "CREATE INDEX points_by_series ON points(benchmark, metric);"
    "PRAGMA application_id = 1213681736; PRAGMA user_version = 1;";

constexpr std::size_t kMostPoints = 20'000'000;

Result<std::int64_t> pragma(const Sqlite& database, const char* sql) {
  HW_TRY(Statement statement, database.prepare(sql));
  HW_TRY(const bool has_row, statement.step());
  return has_row ? statement.integer(0) : 0;
}

std::unexpected<Error> not_ours(const Sqlite& database, std::string why) {
  return fail("cannot use the history", database.origin(), std::move(why));
}

Status check_schema(const Sqlite& database) {
  HW_TRY(const auto application, pragma(database, "PRAGMA application_id"));
  if (application != kApplication)
    return not_ours(database, "not a history of `hipwright perf history`");
  HW_TRY(const auto version, pragma(database, "PRAGMA user_version"));
  if (version != kVersion)
    return not_ours(
        database, fmt::format("version {} is unsupported; this hipwright uses version {}", version,
                              kVersion));
  // Views and triggers of a stranger's file would run with our queries.
  HW_TRY(const auto others,
         pragma(database,
                "SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index') "
                "OR sql LIKE '%VIRTUAL%'"));
  if (others != 0) return not_ours(database, "it contains more than tables");
  return {};
}

Status set_up(const Sqlite& database) {
  HW_CHECK(database.execute("BEGIN IMMEDIATE"));
  const auto tables = pragma(database, "SELECT count(*) FROM sqlite_schema");
  if (tables && *tables == 0) HW_CHECK(database.execute(kSchema));
  HW_CHECK(database.execute("COMMIT"));
  return check_schema(database);
}

std::string machine_text(const Machine& machine) {
  Json json = Json::object();
  for (const auto& [name, value] : machine) json[name] = value;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double quartile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Row {
  std::string benchmark, kernel, target, metric, unit, machine, better, raw;
  bool exact = false;
  double value = 0, low = 0, high = 0;
  std::int64_t samples = 1;
};

std::vector<Row> rows_of(const Record& record, const std::string& machine) {
  std::vector<Row> rows;
  for (const Benchmark& benchmark : record.benchmarks) {
    if (benchmark.status != RunStatus::kSuccess) continue;
    for (const Measurement& each : benchmark.measurements) {
      if (each.samples.empty()) continue;
      const auto values = values_of(each.samples);
      rows.push_back({.benchmark = benchmark.name,
                      .metric = each.name,
                      .unit = each.unit,
                      .machine = machine,
                      .better = each.better == Better::kLower ? "lower" : "higher",
                      .raw = Json(values).dump(),
                      .value = median(values),
                      .low = quartile(values, 0.25),
                      .high = quartile(values, 0.75),
                      .samples = static_cast<std::int64_t>(values.size())});
    }
    for (const KernelCounts& kernel : benchmark.kernels) {
      const std::string tools = hash128(kernel.source + '\n' + kernel.producer + '\n' +
                                        (kernel.source == kSoftwareGpu ? record.tool : ""))
                                    .hex();
      for (const auto& [name, count] : kernel.counts) {
        const auto value = static_cast<double>(count);
        rows.push_back({.benchmark = benchmark.name,
                        .kernel = kernel.kernel,
                        .target = kernel.target,
                        .metric = name,
                        .machine = tools,
                        .better = better_of(name) == Better::kLower ? "lower" : "higher",
                        .raw = "[]",
                        .exact = true,
                        .value = value,
                        .low = value,
                        .high = value});
      }
    }
  }
  return rows;
}

Status insert(const Sqlite& database, std::int64_t run, const std::vector<Row>& rows) {
  HW_TRY(Statement statement,
         database.prepare("INSERT INTO points VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
  for (const Row& row : rows) {
    statement.bind(run).bind(row.benchmark).bind(row.kernel).bind(row.target).bind(row.metric);
    statement.bind(row.unit).bind(row.machine).bind(std::int64_t{row.exact}).bind(row.better);
    statement.bind(row.value).bind(row.low).bind(row.high).bind(row.samples).bind(row.raw);
    HW_CHECK(statement.run());
  }
  return {};
}

// Of measurements all must be positive; a history that says otherwise is damaged.
bool is_valid(const Point& point, bool exact) {
  const auto fine = [&](double value) {
    return std::isfinite(value) && (exact ? value >= 0 : value > 0);
  };
  return fine(point.value) && fine(point.low) && fine(point.high);
}

void set_titles(std::vector<Series>& list) {
  std::map<std::string, unsigned> count;
  for (Series& each : list) {
    const SeriesKey& key = each.key;
    each.title = key.kernel.empty()
                     ? fmt::format("{}: {}", key.benchmark, key.metric)
                     : fmt::format("{} ({}): {}", key.kernel, key.target, key.metric);
    ++count[each.title];
  }
  for (Series& each : list)
    if (count[each.title] > 1) each.title += fmt::format(" [{}]", each.key.machine.substr(0, 6));
}

void find_changes(Series& series, const ChangeOptions& options) {
  std::vector<double> values;
  for (const Point& each : series.points) values.push_back(each.value);
  series.changes = series.key.exact ? exact_changes(values) : change_points(values, options);
}

}  // namespace

struct History::Database {
  Sqlite sqlite;
};

History::History(std::unique_ptr<Database> database) : database_(std::move(database)) {}
History::History(History&&) noexcept = default;
History::~History() = default;

Result<History> History::open(const fs::path& file) {
  HW_TRY(Sqlite database, Sqlite::open(file, Sqlite::Mode::kCreate));
  HW_CHECK(set_up(database));
  return History(std::make_unique<Database>(std::move(database)));
}

Result<History> History::open_to_read(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return fail("cannot read the history", file.string(),
                fs::exists(file, error) ? "not a regular file" : errno_text(ENOENT),
                "Add a record to create it: --add RECORD");
  HW_TRY(Sqlite database, Sqlite::open(file, Sqlite::Mode::kRead));
  HW_CHECK(check_schema(database));
  return History(std::make_unique<Database>(std::move(database)));
}

Result<History> History::of_bytes(std::string_view bytes, const std::string& origin) {
  HW_TRY(Sqlite database, Sqlite::of_bytes(bytes, origin));
  HW_CHECK(check_schema(database));
  return History(std::make_unique<Database>(std::move(database)));
}

Result<bool> History::add(const Record& record, const Commit& commit) {
  const Sqlite& database = database_->sqlite;
  const std::string machine_json = machine_text(record.machine);
  const std::string machine = hash128(machine_json).hex();
  const std::string digest = hash128(json_text(record_json(record)) + commit.id).hex();
  HW_CHECK(database.execute("BEGIN IMMEDIATE"));
  const auto added = [&]() -> Result<bool> {
    HW_TRY(Statement known, database.prepare("SELECT 1 FROM runs WHERE digest = ?"));
    HW_TRY(const bool is_known, known.bind(digest).step());
    if (is_known) return false;
    HW_TRY(Statement facts, database.prepare("INSERT OR IGNORE INTO machines VALUES(?,?)"));
    HW_CHECK(facts.bind(machine).bind(machine_json).run());
    HW_TRY(Statement run, database.prepare("INSERT INTO runs VALUES(NULL,?,?,?,?,?,?)"));
    run.bind(digest).bind(commit.id).bind(commit.subject).bind(commit.time);
    HW_CHECK(run.bind(record.made).bind(record.tool).run());
    HW_CHECK(insert(database, database.last_row(), rows_of(record, machine)));
    return true;
  }();
  if (!added) {
    [[maybe_unused]] const Status ignored = database.execute("ROLLBACK");
    return added;
  }
  HW_CHECK(database.execute("COMMIT"));
  return added;
}

Result<std::vector<Series>> History::series(const SeriesFilter& filter,
                                            const ChangeOptions& options) const {
  HW_TRY(
      Statement statement,
      database_->sqlite.prepare(
          "SELECT benchmark, kernel, target, metric, unit, machine, exact, better, value, low, "
          "high, samples, commit_id, subject, time FROM points JOIN runs ON runs.id = run "
          "WHERE (?1 = '' OR benchmark = ?1) AND (?2 = '' OR metric = ?2) ORDER BY time, runs.id"));
  statement.bind(filter.benchmark).bind(filter.metric);
  std::map<SeriesKey, Series> all;
  for (std::size_t count = 0;; ++count) {
    HW_TRY(const bool has_row, statement.step());
    if (!has_row) break;
    if (count == kMostPoints) return not_ours(database_->sqlite, "too many results");
    SeriesKey key{.benchmark = statement.text(0),
                  .kernel = statement.text(1),
                  .target = statement.text(2),
                  .metric = statement.text(3),
                  .unit = statement.text(4),
                  .machine = statement.text(5),
                  .exact = statement.integer(6) != 0,
                  .better = statement.text(7) == "higher" ? Better::kHigher : Better::kLower};
    Point point{
        .commit = {statement.text(12), statement.text(13), statement.integer(14)},
        .value = statement.number(8),
        .low = statement.number(9),
        .high = statement.number(10),
        .samples = static_cast<std::uint64_t>(std::max<std::int64_t>(0, statement.integer(11)))};
    if (!is_valid(point, key.exact))
      return not_ours(database_->sqlite, fmt::format("damaged: {} of {} is {}", key.metric,
                                                     key.benchmark, point.value));
    Series& series = all[key];
    series.key = key;
    series.points.push_back(std::move(point));
  }
  std::vector<Series> list;
  for (auto& [key, series] : all) {
    find_changes(series, options);
    list.push_back(std::move(series));
  }
  set_titles(list);
  return list;
}

Result<Machine> History::machine(const std::string& digest) const {
  HW_TRY(Statement statement,
         database_->sqlite.prepare("SELECT facts FROM machines WHERE digest = ?"));
  HW_TRY(const bool has_row, statement.bind(digest).step());
  Machine machine;
  if (!has_row) return machine;
  const std::string& origin = database_->sqlite.origin();
  HW_TRY(const Json json, parse_bounded_json(statement.text(0), origin));
  HW_TRY(const auto facts, JsonField(json, origin).members());
  for (const auto& [name, value] : facts) {
    HW_TRY(machine[name], value.text());
  }
  return machine;
}

Result<Commit> commit_of(const fs::path& directory, const std::string& revision) {
  const auto finished =
      ask_git(directory, {"log", "-1", "--format=%H%n%ct%n%s", "--end-of-options", revision, "--"});
  if (!finished) return std::unexpected(finished.error());
  if (!finished->ok()) return fail("unknown commit", revision, std::string(trimmed(finished->err)));
  Commit commit;
  const std::string& out = finished->out;
  const std::size_t first = out.find('\n'), second = out.find('\n', first + 1);
  if (first == out.npos || second == out.npos)
    return fail("unknown commit", revision, "git printed nothing about it");
  commit.id = out.substr(0, first);
  commit.time = std::atoll(out.c_str() + first + 1);
  commit.subject = std::string(trimmed(std::string_view(out).substr(second + 1)));
  return commit;
}

}  // namespace hipwright::perf
