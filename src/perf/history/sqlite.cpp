// SPDX-License-Identifier: MIT
#include "perf/history/sqlite.h"

#include <cstring>
#include <utility>

#include <sqlite3.h>

#include "base/file.h"

namespace hipwright::perf {

namespace {

constexpr int kBusyMilliseconds = 30'000;
// One text; a machine's facts are the longest.
constexpr int kLongestValue = 16 << 20;
// A corrupt index can make a query loop.
constexpr int kInstructionsPerLook = 1'000'000;
constexpr int kMostLooks = 20'000;

int look(void* looks) {
  return ++*static_cast<int*>(looks) > kMostLooks ? 1 : 0;
}

}  // namespace

Sqlite::Sqlite(sqlite3* handle, std::string origin) : handle_(handle), origin_(std::move(origin)) {}

Sqlite::Sqlite(Sqlite&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), origin_(std::move(other.origin_)) {}

Sqlite::~Sqlite() {
  sqlite3_close_v2(handle_);
}

std::unexpected<Error> Sqlite::failed() const {
  return fail("cannot use the database", origin_, sqlite3_errmsg(handle_));
}

Status Sqlite::harden() const {
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, kLongestValue);
  sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
  return execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA foreign_keys = ON");
}

Result<Sqlite> Sqlite::open(const std::filesystem::path& file, Mode mode) {
  sqlite3* handle = nullptr;
  const int flags =
      mode == Mode::kCreate ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int opened = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Sqlite database(handle, file.string());
  if (opened != SQLITE_OK) return database.failed();
  HW_CHECK(database.harden());
  return database;
}

Result<Sqlite> Sqlite::of_bytes(std::string_view bytes, const std::string& origin) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nullptr);
  Sqlite database(handle, origin);
  if (opened != SQLITE_OK) return database.failed();
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size() + 1));
  if (copy == nullptr) return database.failed();
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(handle, "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) !=
      SQLITE_OK)
    return database.failed();
  HW_CHECK(database.harden());
  return database;
}

Status Sqlite::execute(const char* sql) const {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failed();
  return {};
}

Result<Statement> Sqlite::prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) != SQLITE_OK) return failed();
  return Statement(statement, *this);
}

std::int64_t Sqlite::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

Statement::Statement(Statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      database_(other.database_),
      bound_(other.bound_) {}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(handle_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  sqlite3_bind_int64(handle_, ++bound_, number);
  return *this;
}

Statement& Statement::bind(double number) {
  sqlite3_bind_double(handle_, ++bound_, number);
  return *this;
}

Result<bool> Statement::step() {
  int looks = 0;
  sqlite3_progress_handler(sqlite3_db_handle(handle_), kInstructionsPerLook, look, &looks);
  const int stepped = sqlite3_step(handle_);
  sqlite3_progress_handler(sqlite3_db_handle(handle_), 0, nullptr, nullptr);
  if (stepped == SQLITE_ROW) return true;
  if (stepped == SQLITE_DONE) return false;
  return database_->failed();
}

Status Statement::run() {
  HW_CHECK(step());
  sqlite3_reset(handle_);
  bound_ = 0;
  return {};
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(handle_, column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(handle_, column);
}

}  // namespace hipwright::perf
