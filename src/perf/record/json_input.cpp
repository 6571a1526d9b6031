// SPDX-License-Identifier: MIT
#include "perf/record/json_input.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/file.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepest = 32;
// Members are looked up one after the other.
constexpr std::size_t kMostMembers = 10'000;
constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20;

// Follows the parser without building anything.
class Bounds : public nlohmann::json_sax<Json> {
 public:
  std::string why;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t value, const string_t&) override {
    return std::isfinite(value) || stop("number out of range");
  }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) return stop(fmt::format("duplicate key \"{}\"", name));
    return keys_.back().size() <= kMostMembers ||
           stop(fmt::format("an object has more than {} members", kMostMembers));
  }
  // Syntax errors are left to the parser that builds: its error names the line.
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  bool enter() {
    keys_.emplace_back();
    return keys_.size() <= kDeepest || stop(fmt::format("nested deeper than {} levels", kDeepest));
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  bool stop(std::string reason) {
    why = std::move(reason);
    return false;
  }

  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Result<Json> parse_bounded_json(std::string_view text, const std::string& origin) {
  Bounds bounds;
  if (!Json::sax_parse(text, &bounds) && !bounds.why.empty())
    return fail("cannot read the JSON text", origin, bounds.why);
  return parse_json(text, origin);
}

Result<std::string> read_bounded_file(const fs::path& file) {
  std::error_code error;
  // A device or a pipe may have no end.
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    return fail("cannot read", file.string(), "not a regular file");
  if (const auto size = fs::file_size(file, error); !error && size > kLargestFile)
    return fail("cannot read", file.string(),
                fmt::format("larger than {} MiB", kLargestFile >> 20));
  return read_file(file);
}

std::unexpected<Error> JsonField::wrong(std::string why) const {
  return fail("cannot read", fmt::format("{}: {}", *origin_, path_), std::move(why));
}

bool JsonField::has(std::string_view key) const {
  if (!value_->is_object()) return false;
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

Result<JsonField> JsonField::at(std::string_view key) const {
  if (!value_->is_object()) return wrong("not an object");
  const auto found = value_->find(key);
  if (found == value_->end()) return wrong(fmt::format("\"{}\" is missing", key));
  return JsonField(*found, *origin_, fmt::format("{}.{}", path_, key));
}

Result<std::vector<JsonField>> JsonField::items() const {
  if (!value_->is_array()) return wrong("not an array");
  std::vector<JsonField> list;
  for (std::size_t i = 0; i < value_->size(); ++i)
    list.emplace_back((*value_)[i], *origin_, fmt::format("{}[{}]", path_, i));
  return list;
}

Result<std::vector<std::pair<std::string, JsonField>>> JsonField::members() const {
  if (!value_->is_object()) return wrong("not an object");
  std::vector<std::pair<std::string, JsonField>> list;
  for (const auto& [key, value] : value_->items())
    list.emplace_back(key, JsonField(value, *origin_, fmt::format("{}.{}", path_, key)));
  return list;
}

Result<std::string> JsonField::text() const {
  if (!value_->is_string()) return wrong("not a string");
  return value_->get<std::string>();
}

Result<double> JsonField::number() const {
  if (!value_->is_number()) return wrong("not a number");
  return value_->get<double>();
}

Result<std::uint64_t> JsonField::count() const {
  if (!value_->is_number_unsigned()) return wrong("not a whole number from 0");
  return value_->get<std::uint64_t>();
}

Result<bool> JsonField::boolean() const {
  if (!value_->is_boolean()) return wrong("not true or false");
  return value_->get<bool>();
}

Result<std::vector<std::string>> JsonField::texts() const {
  HW_TRY(const auto list, items());
  std::vector<std::string> all;
  for (const JsonField& each : list) {
    HW_TRY(all.emplace_back(), each.text());
  }
  return all;
}

Result<std::string> JsonField::optional_text(std::string_view key) const {
  if (!has(key)) return std::string();
  HW_TRY(const JsonField field, at(key));
  return field.text();
}

}  // namespace hipwright::perf
