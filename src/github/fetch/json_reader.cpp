// SPDX-License-Identifier: MIT
#include "github/fetch/json_reader.h"

#include <fmt/format.h>

#include "github/time.h"

namespace hipwright::github {

namespace {

const Json kNull;

}  // namespace

const Json& JsonReader::member(const char* key) const {
  if (!json_->is_object()) return kNull;
  const auto found = json_->find(key);
  return found == json_->end() ? kNull : *found;
}

void JsonReader::wrong(const char* key, const char* expected) const {
  if (!*error_)
    *error_ = Error{"unexpected answer of GitHub", fmt::format("{}.{}", path_, key),
                    fmt::format("expected {}", expected), ""};
}

JsonReader JsonReader::at(const char* key) const {
  if (!json_->is_object() && !json_->is_null()) wrong(key, "an object around it");
  return {member(key), fmt::format("{}.{}", path_, key), *error_};
}

std::vector<JsonReader> JsonReader::items() const {
  std::vector<JsonReader> all;
  if (json_->is_null()) return all;
  if (!json_->is_array()) {
    wrong("", "a list");
    return all;
  }
  for (const Json& item : *json_)
    if (!item.is_null()) all.push_back({item, fmt::format("{}[{}]", path_, all.size()), *error_});
  return all;
}

std::string JsonReader::text(const char* key) const {
  const Json& value = member(key);
  if (value.is_string()) return value.get<std::string>();
  wrong(key, "a string");
  return {};
}

std::string JsonReader::text_or(const char* key) const {
  const Json& value = member(key);
  return value.is_null() ? std::string() : text(key);
}

std::uint64_t JsonReader::number(const char* key) const {
  const Json& value = member(key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  wrong(key, "a number");
  return 0;
}

std::optional<std::uint64_t> JsonReader::number_or(const char* key) const {
  if (member(key).is_null()) return std::nullopt;
  return number(key);
}

bool JsonReader::flag(const char* key) const {
  const Json& value = member(key);
  if (value.is_boolean()) return value.get<bool>();
  wrong(key, "true or false");
  return false;
}

std::int64_t JsonReader::time(const char* key) const {
  const std::string value = text_or(key);
  if (value.empty()) return 0;
  const std::int64_t seconds = parse_time(value);
  if (seconds == 0) wrong(key, "a time");
  return seconds;
}

}  // namespace hipwright::github
