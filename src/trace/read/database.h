// SPDX-License-Identifier: MIT
// A profiler's SQLite file. Whoever made it also made its schema: nothing in it is run, and no
// query goes on forever.
#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"

namespace hipwright::trace {

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path);
  Database(sqlite3* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close(handle_); }

  std::unexpected<Error> failed() const;

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
    const Status status = code == SQLITE_DONE ? Status{}
                          : code == SQLITE_ROW
                              ? fail("cannot read the trace", path_, "the database is damaged")
                              : failed();
    sqlite3_finalize(statement);
    return status;
  }

  Result<bool> has_table(const std::string& name) const;
  Result<bool> has_column(const std::string& table, const std::string& column) const;

  const std::string& path() const { return path_; }

 private:
  // A damaged index can make a query loop.
  static constexpr int kInstructionsPerLook = 1'000'000;
  static constexpr int kMostLooksPerRow = 5'000;
  static int look(void* looks) { return ++*static_cast<int*>(looks) > kMostLooksPerRow ? 1 : 0; }

  Status harden();

  sqlite3* handle_;
  std::string path_;
  std::uintmax_t file_size_ = 0;
};

std::string_view text_at(sqlite3_stmt* statement, int column);
std::uint32_t size_at(sqlite3_stmt* statement, int column);

struct Trace;
Status read_nsys(const Database& database, Trace& trace);
Status read_rocpd(const Database& database, Trace& trace);

}  // namespace hipwright::trace
