// SPDX-License-Identifier: MIT
#include <iterator>

#include <fmt/format.h>

#include "base/json.h"
#include "base/source.h"
#include "runtime/config/settings_text.h"

namespace hipwright {

namespace {

using runtime::RawValue;

// Reports how far the parser has read, which the parser itself reports only in errors.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** furthest;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    *furthest = ++at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

// Handles the parser's events without building a tree, so depth costs nothing.
class Reader : public nlohmann::json_sax<Json> {
 public:
  Reader(std::string_view text, runtime::SettingsText& settings)
      : text_(text), lines_(text), settings_(settings) {}

  bool run() {
    const char* const end = text_.data() + text_.size();
    return Json::sax_parse(CountingIterator{text_.data(), &furthest_},
                           CountingIterator{end, &furthest_}, this);
  }

  bool null() override { return scalar({{}, "null"}); }
  bool boolean(bool value) override { return scalar({value, value ? "true" : "false"}); }
  bool number_integer(std::int64_t value) override {
    return scalar({value, fmt::format("{}", value)});
  }
  bool number_unsigned(std::uint64_t value) override {
    if (std::in_range<std::int64_t>(value)) return number_integer(static_cast<std::int64_t>(value));
    return scalar({static_cast<double>(value), fmt::format("{}", value)});
  }
  bool number_float(double value, const std::string& spelling) override {
    return scalar({value, runtime::shown(spelling)});
  }
  bool string(std::string& value) override { return scalar({value, runtime::shown(value)}); }
  bool binary(Json::binary_t&) override { return scalar({{}, "bytes"}); }

  bool key(std::string& name) override {
    if (skipped_ > 0) return true;
    name_ = name;
    line_ = lines_.position(static_cast<std::size_t>(furthest_ - text_.data()) - 1).line;
    return true;
  }
  bool start_object(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override {
    const Position at = lines_.position(byte == 0 ? 0 : byte - 1);
    const bool is_number = error.id == 406;
    settings_.broken(is_number ? "valid JSON: a number is too large" : "valid JSON", at.line,
                     at.column);
    return false;
  }

 private:
  bool scalar(const RawValue& value) {
    if (skipped_ > 0) return true;
    if (depth_ == 0) return not_an_object();
    settings_.entry(name_, value, line_);
    return true;
  }

  bool open(bool is_object) {
    if (depth_ == 0 && !is_object) return not_an_object();
    const bool is_known = is_object && (depth_ == 0 || (depth_ == 1 && name_ == runtime::kTable));
    if (skipped_ > 0 || !is_known) {
      if (skipped_ == 0) report_nested(is_object);
      ++skipped_;
      return true;
    }
    ++depth_;
    return true;
  }

  bool close() {
    --(skipped_ > 0 ? skipped_ : depth_);
    return true;
  }

  void report_nested(bool is_object) {
    const std::string what = is_object ? "an object" : "a list";
    if (is_object && depth_ == 1 && runtime::find_field(name_) == nullptr)
      settings_.unknown_table(name_, what, line_);
    else
      settings_.entry(name_, {{}, what}, line_);
  }

  bool not_an_object() {
    settings_.broken("an object with fields", 1, 1);
    return false;
  }

  std::string_view text_;
  LineIndex lines_;
  runtime::SettingsText& settings_;
  const char* furthest_ = text_.data();
  std::size_t depth_ = 0;    // open objects that hold fields
  std::size_t skipped_ = 0;  // open objects and lists below one that was reported
  std::string name_;
  std::size_t line_ = 0;
};

}  // namespace

AMDConfig AMDConfig::from_json(std::string_view text, const std::string& origin) {
  runtime::SettingsText settings(origin);
  if (text.size() > runtime::kLongestText)
    settings.broken("a settings file, which is shorter", 0, 0);
  else
    Reader(text, settings).run();
  return settings.finish();
}

}  // namespace hipwright
