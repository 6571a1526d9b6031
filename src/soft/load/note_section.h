// SPDX-License-Identifier: MIT
// The sections in which `hipwright cc` keeps notes: hipwright.KIND[.…][+N]. Their words are
// distances from themselves to instructions or functions; +N means the Nth instruction behind.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "soft/decode/program.h"

namespace hipwright::soft {

struct NoteSection {
  std::string_view name;  // without "hipwright." and "+N"
  unsigned skip = 0;
};
std::optional<NoteSection> parse_note_section(std::string_view name);

// The part of `text` before the next dot, which is taken away with it.
std::string_view next_word(std::string_view& text);

// Calls noted(address, size) for each entry; `has_sizes`: functions, whose size follows.
void for_each_note(std::string_view bytes, std::uint64_t address, bool has_sizes,
                   const std::function<void(std::uint64_t, std::uint32_t)>& noted);

// The instruction that is meant; nullptr: there is none.
const Inst* noted_instruction(Program& program, std::uint64_t address, unsigned skip);

}  // namespace hipwright::soft
