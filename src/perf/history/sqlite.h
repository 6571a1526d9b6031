// SPDX-License-Identifier: MIT
// SQLite with errors as values. A database may come from anyone: nothing in its schema is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace hipwright::perf {

class Statement;

class Sqlite {
 public:
  enum class Mode { kCreate, kRead };
  static Result<Sqlite> open(const std::filesystem::path& file, Mode mode);
  static Result<Sqlite> of_bytes(std::string_view bytes, const std::string& origin);
  Sqlite(Sqlite&& other) noexcept;
  Sqlite& operator=(Sqlite&&) = delete;
  ~Sqlite();

  Status execute(const char* sql) const;
  Result<Statement> prepare(const char* sql) const;
  std::int64_t last_row() const;
  const std::string& origin() const { return origin_; }
  std::unexpected<Error> failed() const;  // what SQLite says went wrong

 private:
  Sqlite(sqlite3* handle, std::string origin);
  Status harden() const;
  sqlite3* handle_;
  std::string origin_;
};

class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Parameters in order.
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);
  // True while there is a row.
  Result<bool> step();
  Status run();  // of a statement without rows; may be run again with new parameters

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;

 private:
  friend class Sqlite;
  Statement(sqlite3_stmt* handle, const Sqlite& database) : handle_(handle), database_(&database) {}
  sqlite3_stmt* handle_;
  const Sqlite* database_;
  int bound_ = 0;
};

}  // namespace hipwright::perf
