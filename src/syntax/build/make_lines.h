// SPDX-License-Identifier: MIT
// The lines of a makefile, as make reads them.
#pragma once

#include <string_view>
#include <vector>

#include "base/source.h"

namespace hipwright::syntax::build {

struct MakeLine {
  enum class Kind : unsigned char {
    kIf,  // ifeq, ifneq, ifdef, ifndef
    kElse,
    kEndif,
    kDefine,  // define … endef: all of it
    kRecipe,
    kOther,
  };
  Kind kind = Kind::kOther;
  Span span;  // lines that a backslash continues are one; without the line break at its end
};

struct MakeWord {
  std::string_view text;
  Span span;
};

// Without blank lines and comments. Reads any text.
std::vector<MakeLine> read_make_lines(std::string_view text);

// Quotes and $(…) hold a word together; a backslash at the end of a line is a blank.
std::vector<MakeWord> words_of(std::string_view text, const MakeLine& line);

}  // namespace hipwright::syntax::build
