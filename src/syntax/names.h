// SPDX-License-Identifier: MIT
// Names that somebody looks for. The lexers number them while they read, so that a rule goes
// straight to the few places that concern it, and a file without any of them is left alone.
//
//   const Name kBallot("__ballot");
//   for (const TokenIndex at : file.occurrences(kBallot)) …
#pragma once

#include <cstdint>
#include <string_view>

namespace hipwright::syntax {

using NameId = std::uint16_t;  // 0: a name that nobody looks for

// Define at namespace scope only: the set of names is fixed when main() begins.
class Name {
 public:
  explicit Name(std::string_view text);  // `text` must live for ever: a literal
  NameId id() const { return id_; }
  std::string_view text() const;

 private:
  NameId id_;
};

// The number of a name in a text; 0 when nobody looks for it.
NameId name_id(std::string_view text);
std::string_view name_text(NameId id);
std::size_t name_count();  // ids are below this

}  // namespace hipwright::syntax
