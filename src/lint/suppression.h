// SPDX-License-Identifier: MIT
// Suppression comments:
//   x = f()  // hipwright: ignore[HW201] the mask is always full here
//   # hipwright: ignore-file[HW5, imports] generated for CUDA only
// A comment alone on a line applies to the next line with code, otherwise to its own line.
#pragma once

#include <string>
#include <vector>

#include "lint/rule.h"
#include "lint/source.h"

namespace hipwright::lint {

struct Suppression {
  Span comment;    // the whole comment
  Span directive;  // from "hipwright:" to the end of the reason
  struct Word {
    Span span;
    std::vector<const Rule*> rules;  // empty if the word is unknown
    bool is_used = false;
  };
  std::vector<Word> words;
  Span list;             // between the brackets
  bool is_known = true;  // the word before the bracket is "ignore" or "ignore-file"
  bool is_whole_file = false;
  bool has_reason = false;
  std::uint32_t line = 0;  // the line it applies to
};

std::vector<Suppression> find_suppressions(const Source& source);

// Removes suppressed findings from `reported` and returns their number.
std::size_t suppress(std::vector<Suppression>& suppressions, const Source& source,
                     std::vector<Reported>& reported);

// Checks the comments themselves with the three rules of the area. `ran`: the rules of this run; a
// suppression of another rule may be needed in another run.
void check_suppressions(const std::vector<Suppression>& suppressions, const Source& source,
                        const FileFacts& facts, const std::vector<const Rule*>& ran,
                        std::vector<Reported>& reported);

}  // namespace hipwright::lint
