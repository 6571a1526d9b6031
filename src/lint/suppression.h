// SPDX-License-Identifier: MIT
// Comments that tell this tool to be quiet:
//   x = f()  // hipwright: ignore[HW201] the mask is always full here
//   # hipwright: ignore-file[HW5, imports] generated for CUDA only
// Alone on a line it speaks of the next line with code, otherwise of its own.
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
    std::vector<const Rule*> rules;  // empty: nobody knows the word
    bool is_used = false;
  };
  std::vector<Word> words;
  Span list;             // between the brackets
  bool is_known = true;  // the word before the bracket is "ignore" or "ignore-file"
  bool is_whole_file = false;
  bool has_reason = false;
  std::uint32_t line = 0;  // that it speaks of
};

std::vector<Suppression> find_suppressions(const Source& source);

// Takes out of `reported` what is suppressed and says how many that were.
std::size_t suppress(std::vector<Suppression>& suppressions, const Source& source,
                     std::vector<Reported>& reported);

// What is wrong with the comments themselves, by the three rules of the area. `ran`: the rules of
// this run; a suppression of others may be needed in another run.
void check_suppressions(const std::vector<Suppression>& suppressions, const Source& source,
                        const FileFacts& facts, const std::vector<const Rule*>& ran,
                        std::vector<Reported>& reported);

}  // namespace hipwright::lint
