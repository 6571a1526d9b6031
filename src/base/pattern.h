// SPDX-License-Identifier: MIT
// Regular expressions for short texts, such as one line of a compiler.
//
// <regex> costs ten seconds in every file that includes it, so one file does. Its matcher calls
// itself once per character: texts beyond kLongest never match.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright {

class Pattern {
 public:
  static constexpr std::size_t kLongest = 4096;

  explicit Pattern(const char* expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /** What the whole of `text` and each group matched; empty where it does not match. */
  std::vector<std::string> match(std::string_view text) const;

  /** The same for the first place in `text` that matches. */
  std::vector<std::string> find(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace hipwright
