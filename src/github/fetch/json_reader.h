// SPDX-License-Identifier: MIT
// Reads JSON values by path, and keeps the first error: an answer that lacks something must not
// look like a pull request without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::github {

class JsonReader {
 public:
  // `origin` names the whole in errors.
  JsonReader(const Json& json, std::string origin, std::optional<Error>& error)
      : json_(&json), path_(std::move(origin)), error_(&error) {}

  // A member; below null, everything is null.
  JsonReader at(const char* key) const;
  std::vector<JsonReader> items() const;  // of a list
  // Of { "nodes": […] }. Null nodes are left out: the user may not see them.
  std::vector<JsonReader> nodes() const { return at("nodes").items(); }
  bool is_null() const { return json_->is_null(); }

  std::string text(const char* key) const;     // required
  std::string text_or(const char* key) const;  // empty if it is null or missing
  std::uint64_t number(const char* key) const;
  std::optional<std::uint64_t> number_or(const char* key) const;
  bool flag(const char* key) const;
  std::int64_t time(const char* key) const;  // 0 if it is null or missing

 private:
  const Json& member(const char* key) const;
  void wrong(const char* key, const char* expected) const;

  const Json* json_;
  std::string path_;
  std::optional<Error>* error_;
};

}  // namespace hipwright::github
