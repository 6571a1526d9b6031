// SPDX-License-Identifier: MIT
// The SQLite file that `nsys export --type sqlite` writes.
#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

constexpr char kWhat[] = "cannot read the trace";
constexpr int kLongestValue = 64 << 20;
// A damaged index can make a query loop.
constexpr int kInstructionsPerLook = 1'000'000;
constexpr int kMostLooksPerRow = 5'000;

int look(void* looks) {
  return ++*static_cast<int*>(looks) > kMostLooksPerRow ? 1 : 0;
}

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
    auto database = std::make_unique<Database>(handle, path);
    if (code != SQLITE_OK) return database->failed();
    HW_CHECK(database->harden());
    return database;
  }
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close(handle_); }

  std::unexpected<Error> failed() const {
    return fail(kWhat, path_, sqlite3_errmsg(handle_),
                "Export it again with `nsys export --type sqlite`.");
  }

  // Calls `visit(statement)` for every row. A row takes at least a byte of the file: pages that
  // name each other can pretend to be more.
  template <class Visit>
  Status rows(const std::string& query, Visit visit) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, query.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      return failed();
    int looks = 0, code = SQLITE_ROW;
    std::uintmax_t left = file_size_;
    sqlite3_progress_handler(handle_, kInstructionsPerLook, look, &looks);
    for (; (code = sqlite3_step(statement)) == SQLITE_ROW && left > 0; --left, looks = 0)
      visit(statement);
    sqlite3_progress_handler(handle_, 0, nullptr, nullptr);
    const Status status = code == SQLITE_DONE  ? Status{}
                          : code == SQLITE_ROW ? fail(kWhat, path_, "the database is damaged")
                                               : failed();
    sqlite3_finalize(statement);
    return status;
  }

  Result<bool> has_table(const std::string& name) const {
    bool found = false;
    HW_CHECK(rows(fmt::format("SELECT 1 FROM sqlite_master WHERE type='table' AND name='{}'", name),
                  [&](sqlite3_stmt*) { found = true; }));
    return found;
  }

  const std::string& path() const { return path_; }

 private:
  // Whoever made the file also made its schema.
  Status harden() {
    std::error_code error;
    file_size_ = std::filesystem::file_size(path_, error);
    if (error) return fail(kWhat, path_, error.message());
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kLongestValue);
    sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
    constexpr char kSettings[] = "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
    return sqlite3_exec(handle_, kSettings, nullptr, nullptr, nullptr) == SQLITE_OK ? Status{}
                                                                                    : failed();
  }

  sqlite3* handle_;
  std::string path_;
  std::uintmax_t file_size_ = 0;
};

std::string_view text_at(sqlite3_stmt* statement, int column) {
  const unsigned char* text = sqlite3_column_text(statement, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

std::uint32_t size_at(sqlite3_stmt* statement, int column) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(sqlite3_column_int64(statement, column), 0, 0xFFFFFFFF));
}

// nsys' numbers for the direction of a copy.
const char* copy_name(std::int64_t kind) {
  switch (kind) {
    case 1:
      return "Memcpy HtoD";
    case 2:
      return "Memcpy DtoH";
    case 8:
      return "Memcpy DtoD";
    case 10:
      return "Memcpy PtoP";
    default:
      return "Memcpy";
  }
}

class Nsys {
 public:
  Nsys(const Database& database, Trace& trace)
      : database_(database), trace_(trace), streams_(trace.streams), threads_(trace.threads) {}

  Status read() {
    HW_TRY(const bool is_nsys, database_.has_table("StringIds"));
    if (!is_nsys)
      return fail(kWhat, database_.path(), "a database, but not one that nsys exports",
                  "Export it with `nsys export --type sqlite`.");
    trace_.format = "nsys SQLite";
    HW_CHECK(devices());
    HW_CHECK(kernels());
    HW_CHECK(memory("CUPTI_ACTIVITY_KIND_MEMCPY", "copyKind", GpuKind::kCopy));
    HW_CHECK(memory("CUPTI_ACTIVITY_KIND_MEMSET", "0", GpuKind::kFill));
    HW_CHECK(calls());
    rejected_.note(trace_);
    return {};
  }

 private:
  Status devices() {
    HW_TRY(const bool has, database_.has_table("TARGET_INFO_GPU"));
    if (!has) return {};
    return database_.rows("SELECT id, name FROM TARGET_INFO_GPU", [&](sqlite3_stmt* row) {
      trace_.devices.push_back(
          {.id = sqlite3_column_int64(row, 0), .name = std::string(text_at(row, 1))});
    });
  }

  std::optional<Interval> time(sqlite3_stmt* row) {
    const Interval time{sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    if (is_plausible(time)) return time;
    rejected_.add("without a valid time");
    return std::nullopt;
  }

  Status kernels() {
    HW_TRY(const bool has, database_.has_table("CUPTI_ACTIVITY_KIND_KERNEL"));
    if (!has) return {};
    return database_.rows(
        "SELECT k.start, k.\"end\", k.deviceId, k.streamId, k.correlationId, s.value, k.gridX, "
        "k.gridY, k.gridZ, "
        "k.blockX, k.blockY, k.blockZ FROM CUPTI_ACTIVITY_KIND_KERNEL k LEFT JOIN StringIds s ON "
        "s.id = k.demangledName",
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          GpuEvent event{.time = *interval, .name = trace_.names.id(text_at(row, 5))};
          event.stream =
              streams_.index({sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)});
          event.correlation = sqlite3_column_int64(row, 4);
          for (int i = 0; i < 3; ++i) {
            event.grid[static_cast<std::size_t>(i)] = size_at(row, 6 + i);
            event.block[static_cast<std::size_t>(i)] = size_at(row, 9 + i);
          }
          trace_.gpu.push_back(event);
        });
  }

  Status memory(const std::string& table, const char* kind, GpuKind gpu_kind) {
    HW_TRY(const bool has, database_.has_table(table));
    if (!has) return {};
    return database_.rows(
        fmt::format("SELECT start, \"end\", deviceId, streamId, correlationId, bytes, {} FROM {}",
                    kind, table),
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          GpuEvent event{.time = *interval, .kind = gpu_kind};
          event.name = trace_.names.id(
              gpu_kind == GpuKind::kFill ? "Memset" : copy_name(sqlite3_column_int64(row, 6)));
          event.stream =
              streams_.index({sqlite3_column_int64(row, 2), sqlite3_column_int64(row, 3)});
          event.correlation = sqlite3_column_int64(row, 4);
          event.bytes =
              static_cast<std::uint64_t>(std::max<std::int64_t>(sqlite3_column_int64(row, 5), 0));
          trace_.gpu.push_back(event);
        });
  }

  Status calls() {
    HW_TRY(const bool has, database_.has_table("CUPTI_ACTIVITY_KIND_RUNTIME"));
    if (!has) return {};
    return database_.rows(
        "SELECT r.start, r.\"end\", r.globalTid, r.correlationId, s.value FROM "
        "CUPTI_ACTIVITY_KIND_RUNTIME r "
        "LEFT JOIN StringIds s ON s.id = r.nameId",
        [&](sqlite3_stmt* row) {
          const auto interval = time(row);
          if (!interval) return;
          // The process and thread numbers are the low 48 bits of the global one.
          const std::int64_t global = sqlite3_column_int64(row, 2);
          HostCall call{.time = *interval, .name = trace_.names.id(text_at(row, 4))};
          call.thread = threads_.index({global >> 24 & 0xFFFFFF, global & 0xFFFFFF});
          call.correlation = sqlite3_column_int64(row, 3);
          trace_.calls.push_back(call);
        });
  }

  const Database& database_;
  Trace& trace_;
  Indexed<Stream> streams_;
  Indexed<Thread> threads_;
  Rejected rejected_;
};

}  // namespace

Status read_sqlite(const std::string& path, Trace& trace) {
  HW_TRY(const std::unique_ptr<Database> database, Database::open(path));
  return Nsys(*database, trace).read();
}

}  // namespace hipwright::trace
