// SPDX-License-Identifier: MIT
// JSON from files that anyone may have written: bounded before it is built, and read field by
// field with errors that name the field.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::perf {

// Rejects deep nesting, huge objects, duplicate keys and numbers that a double cannot hold.
Result<Json> parse_bounded_json(std::string_view text, const std::string& origin);
// The same of a file of at most 256 MiB.
Result<std::string> read_bounded_file(const std::filesystem::path& file);

// A value inside a document, with its place for errors: "$.benchmarks[2].name".
class JsonField {
 public:
  JsonField(const Json& value, const std::string& origin, std::string path = "$")
      : value_(&value), origin_(&origin), path_(std::move(path)) {}

  const Json& json() const { return *value_; }
  const std::string& path() const { return path_; }

  bool has(std::string_view key) const;  // an object with the member, and not null
  Result<JsonField> at(std::string_view key) const;
  Result<std::vector<JsonField>> items() const;                            // of an array
  Result<std::vector<std::pair<std::string, JsonField>>> members() const;  // of an object

  Result<std::string> text() const;     // UTF-8; invalid bytes were rejected by the parser
  Result<double> number() const;        // finite
  Result<std::uint64_t> count() const;  // a whole number from 0
  Result<bool> boolean() const;
  Result<std::vector<std::string>> texts() const;
  // Empty if the member is missing.
  Result<std::string> optional_text(std::string_view key) const;

  std::unexpected<Error> wrong(std::string why) const;

 private:
  const Json* value_;
  const std::string* origin_;
  std::string path_;
};

}  // namespace hipwright::perf
