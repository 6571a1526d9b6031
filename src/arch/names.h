// SPDX-License-Identifier: MIT
// Every name a user may type for a target, how such names compare, and suggestions for typos.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"

namespace hipwright::arch {

// A generic target: one code object for all its members.
struct Generic {
  std::string_view name;                  // "gfx9-4-generic"
  std::vector<std::string_view> members;  // all that LLVM documents, known to the table or not
  bool supports_sramecc, supports_xnack;
};
std::span<const Generic> generics();
const Generic* find_generic(std::string_view name);

std::string lower_case(std::string_view text);

// A marketing name without case, separators, trademark signs and brand words: "AMD Radeon(TM) RX
// 7900 XTX" and "7900xtx" are both "7900xtx".
std::string name_key(std::string_view text);

struct Name {
  std::string_view text;  // as printed: "gfx942", "MI300X", "Strix Halo"
  std::string key;        // lower case for gfx and generic names, name_key() for the others
  const ArchInfo* info;   // of a generic target: nullptr
};
std::span<const Name> names();

// Names that resemble `text`, best first, at most `limit`.
std::vector<std::string_view> similar_names(std::string_view text, std::size_t limit);

// Products whose name starts with `text`: "MI300" gives MI300A and MI300X.
std::vector<std::string_view> products_starting_with(std::string_view text);

}  // namespace hipwright::arch
