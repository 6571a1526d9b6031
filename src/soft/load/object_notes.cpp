// SPDX-License-Identifier: MIT
#include "soft/load/object_notes.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "soft/load/note_section.h"

namespace hipwright::soft {

namespace {

using Range = ObjectNotes::Range;

// The next two words of `text`, which are numbers.
std::optional<Range> next_range(std::string_view& text) {
  Range range;
  for (std::uint64_t* const each : {&range.begin, &range.end}) {
    const std::string_view word = next_word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *each);
    if (word.empty() || error != std::errc() || end != word.data() + word.size())
      return std::nullopt;
  }
  return range;
}

std::optional<ObjectNotes::Variable> symbol(const toolchain::ElfFile& elf, std::uint64_t base,
                                            std::string_view name) {
  for (const toolchain::ElfSection& section : elf.sections()) {
    if (section.type != SHT_SYMTAB) continue;
    const auto symbols = elf.symbols(section);
    if (!symbols) continue;
    for (const toolchain::ElfSymbol& each : *symbols)
      if (each.name == name && each.type == STT_OBJECT && each.defined() && each.size != 0)
        return ObjectNotes::Variable{.is_private = false,
                                     .range = {base + each.value, base + each.value + each.size},
                                     .name = std::string(name)};
  }
  return std::nullopt;
}

std::optional<ObjectNotes::Variable> variable_of(const toolchain::ElfFile& elf, std::uint64_t base,
                                                 std::string_view text) {
  const std::string_view kind = next_word(text);
  if (kind == "symbol") return symbol(elf, base, text);
  if (kind != "scratch") return std::nullopt;
  const std::optional<Range> range = next_range(text);
  if (!range) return std::nullopt;
  return ObjectNotes::Variable{.is_private = true, .range = *range, .name = {}};
}

}  // namespace

ObjectNotes::ObjectNotes(const toolchain::ElfFile& elf, std::uint64_t base, Program& program) {
  for (const toolchain::ElfSection& section : elf.sections()) {
    const auto parsed = parse_note_section(section.name);
    if (!parsed) continue;
    std::string_view text = parsed->name;
    const std::string_view kind = next_word(text);
    const std::string_view bytes = elf.content(section).view();
    const std::uint64_t address = base + section.address;
    if (kind == "gaps") {
      std::vector<Range> gaps;
      while (const auto range = next_range(text)) gaps.push_back(*range);
      for_each_note(bytes, address, true,
                    [&](std::uint64_t entry, std::uint32_t) { gaps_[entry] = gaps; });
    } else if (kind == "within") {
      const auto variable = variable_of(elf, base, text);
      if (!variable) continue;
      for_each_note(bytes, address, false, [&](std::uint64_t noted, std::uint32_t) {
        if (const Inst* const inst = noted_instruction(program, noted, parsed->skip))
          variables_[inst->address] = *variable;
      });
    }
  }
}

const ObjectNotes::Variable* ObjectNotes::variable(std::uint64_t instruction) const {
  const auto found = variables_.find(instruction);
  return found == variables_.end() ? nullptr : &found->second;
}

const std::vector<Range>& ObjectNotes::gaps(std::uint64_t entry) const {
  static const std::vector<Range> none;
  const auto found = gaps_.find(entry);
  return found == gaps_.end() ? none : found->second;
}

}  // namespace hipwright::soft
