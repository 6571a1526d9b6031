// SPDX-License-Identifier: MIT
#include "trace/read/database.h"

#include "trace/read/reader.h"

namespace hipwright::trace {

namespace {

constexpr char kWhat[] = "cannot read the trace";
constexpr int kLongestValue = 64 << 20;

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::string& path) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  auto database = std::make_unique<Database>(handle, path);
  if (code != SQLITE_OK) return database->failed();
  HW_CHECK(database->harden());
  return database;
}

std::unexpected<Error> Database::failed() const {
  return fail(kWhat, path_, sqlite3_errmsg(handle_), "Record or export it again.");
}

Status Database::harden() {
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

Result<bool> Database::has_table(const std::string& name) const {
  bool found = false;
  HW_CHECK(rows(fmt::format("SELECT 1 FROM sqlite_master WHERE type='table' AND name='{}'", name),
                [&](sqlite3_stmt*) { found = true; }));
  return found;
}

Result<bool> Database::has_column(const std::string& table, const std::string& column) const {
  bool found = false;
  HW_CHECK(rows(fmt::format("SELECT 1 FROM pragma_table_info('{}') WHERE name='{}'", table, column),
                [&](sqlite3_stmt*) { found = true; }));
  return found;
}

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

Status read_sqlite(const std::string& path, Trace& trace) {
  HW_TRY(const std::unique_ptr<Database> database, Database::open(path));
  HW_TRY(const bool is_nsys, database->has_table("StringIds"));
  if (is_nsys) return read_nsys(*database, trace);
  bool is_rocpd = false;
  HW_CHECK(database->rows(
      "SELECT 1 FROM sqlite_master WHERE type='table' AND name GLOB 'rocpd_kernel_dispatch*'",
      [&](sqlite3_stmt*) { is_rocpd = true; }));
  if (is_rocpd) return read_rocpd(*database, trace);
  return fail(kWhat, path, "a database, but neither of nsys nor of rocprofv3",
              "Export it with `nsys export --type sqlite`, or record it with rocprofv3.");
}

}  // namespace hipwright::trace
