// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "syntax/python/token.h"

namespace hipwright::syntax::python {

using namespace std::string_view_literals;

bool only_begins_statements(std::string_view word) {
  switch (word.size()) {
    case 3:
      return word == "def"sv || word == "try"sv || word == "del"sv;
    case 4:
      return word == "with"sv || word == "elif"sv || word == "pass"sv;
    case 5:
      return word == "class"sv || word == "while"sv || word == "raise"sv || word == "break"sv;
    case 6:
      return word == "return"sv || word == "import"sv || word == "assert"sv || word == "except"sv ||
             word == "global"sv;
    case 7:
      return word == "finally"sv;
    case 8:
      return word == "continue"sv || word == "nonlocal"sv;
    default:
      return false;
  }
}

bool is_keyword(std::string_view word) {
  static constexpr std::array kOthers = {
      "False"sv, "None"sv, "True"sv, "and"sv, "as"sv,     "async"sv, "await"sv, "else"sv, "for"sv,
      "from"sv,  "if"sv,   "in"sv,   "is"sv,  "lambda"sv, "not"sv,   "or"sv,    "yield"sv};
  return only_begins_statements(word) || std::ranges::find(kOthers, word) != kOthers.end();
}

}  // namespace hipwright::syntax::python
