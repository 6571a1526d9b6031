// SPDX-License-Identifier: MIT
// Patterns as in .gitignore.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::project {

class IgnorePatterns {
 public:
  IgnorePatterns() = default;
  explicit IgnorePatterns(std::string_view lines);  // the content of a .gitignore file
  void add(std::string_view line);
  bool empty() const { return patterns_.empty(); }

  // The last matching pattern decides: true is ignored, false is re-included ("!x"), empty is not
  // mentioned. `path` is relative to the folder of the patterns.
  std::optional<bool> decides(std::string_view path, bool is_folder) const;
  bool ignores(std::string_view path, bool is_folder) const {
    return decides(path, is_folder).value_or(false);
  }

 private:
  enum class Shape { kLiteral, kSuffix, kGlob };
  struct Pattern {
    std::string text;  // without "!", the leading and the trailing slash; of kSuffix without '*'
    Shape shape = Shape::kGlob;
    bool is_negated = false;
    bool is_anchored = false;  // matches whole paths; otherwise names in any folder
    bool folders_only = false;
  };
  static bool fits(const Pattern& pattern, std::string_view path, std::string_view name);

  std::vector<Pattern> patterns_;
};

}  // namespace hipwright::project
