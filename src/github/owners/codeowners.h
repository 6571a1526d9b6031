// SPDX-License-Identifier: MIT
// CODEOWNERS as GitHub reads it: gitignore's patterns without '!' and '[…]', the last line that
// matches decides, and a line without owners takes them away.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "github/pull_request.h"

namespace hipwright::github {

class CodeOwners {
 public:
  static CodeOwners parse(std::string_view text);

  // "tjtanaa", "rocm/reviewers", without '@'; empty: nobody.
  const std::vector<std::string>& of(std::string_view path) const;

 private:
  struct Line {
    std::string pattern;
    std::vector<std::string> owners;
  };
  std::vector<Line> lines_;
};

// People (or teams) and how many of the files they own, most first.
struct Ranked {
  std::string name;
  unsigned count = 0;
};
std::vector<Ranked> owners_of(const CodeOwners& owners, const std::vector<ChangedFile>& files);

// Sorted by count, then name.
std::vector<Ranked> ranked(const std::map<std::string, unsigned>& counts);

}  // namespace hipwright::github
