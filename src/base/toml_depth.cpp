// SPDX-License-Identifier: MIT
#include "base/toml_depth.h"

#include <algorithm>
#include <string>

namespace hipwright {

namespace {

constexpr std::size_t kMostDots = 1000;  // in one statement, and those of its table's header

// Reads no more of TOML than tells keys from values, strings and comments.
class DotCounter {
 public:
  explicit DotCounter(std::string_view text) : text_(text) {}

  // The line of the first statement that is too deep; 0 without one.
  std::size_t line_of_first_deep() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (c == '"' || c == '\'')
        skip_string(c);
      else
        punctuator(c);
      if (dots_ > kMostDots) return line_;
    }
    return 0;
  }

 private:
  void punctuator(char c) {
    ++at_;
    if (c == '\n') ++line_;
    if (c == '\n' && open_.empty()) {
      dots_ = 0;
      is_key_ = true;
    } else if (c == '.' && is_key_) {
      ++dots_;
    } else if (c == '=') {
      is_key_ = false;
    } else if (c == '{' || (c == '[' && !is_key_)) {
      open_.push_back(c);
      is_key_ = c == '{';
    } else if ((c == '}' || c == ']') && !open_.empty()) {
      open_.pop_back();
      is_key_ = false;
    } else if (c == ',' && !open_.empty()) {
      is_key_ = open_.back() == '{';
    }
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!is_long) return;  // unfinished: the parser says so
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        at_ = std::min(at_ + 2, text_.size());
      } else if (is_long ? text_.substr(at_).starts_with(three) : c == quote) {
        at_ += is_long ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0, line_ = 1, dots_ = 0;
  bool is_key_ = true;
  std::string open_;  // brackets of values
};

}  // namespace

Status check_toml_depth(std::string_view text, std::string_view origin) {
  const std::size_t line = DotCounter(text).line_of_first_deep();
  if (line == 0) return {};
  return fail("cannot read", std::string(origin) + ":" + std::to_string(line),
              "a key has more than " + std::to_string(kMostDots) + " parts");
}

}  // namespace hipwright
