// SPDX-License-Identifier: MIT
// Regular expressions in RE2's syntax, over bytes. Time is linear in the text, whatever the
// expression: texts of any length may be asked.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright {

class Pattern {
 public:
  // For expressions that a user wrote.
  static bool is_well_formed(const std::string& expression);

  // An expression that is not well-formed is a bug.
  explicit Pattern(const char* expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  // What the whole of `text` and each group matched; empty where it does not match.
  std::vector<std::string> match(std::string_view text) const;

  // The same for the first place in `text` that matches.
  std::vector<std::string> find(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace hipwright
