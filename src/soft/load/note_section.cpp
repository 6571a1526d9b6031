// SPDX-License-Identifier: MIT
#include "soft/load/note_section.h"

#include <charconv>
#include <cstring>

namespace hipwright::soft {

namespace {

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

}  // namespace

std::string_view next_word(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view word = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  return word;
}

std::optional<NoteSection> parse_note_section(std::string_view name) {
  constexpr std::string_view kPrefix = "hipwright.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const std::size_t plus = name.rfind('+');
  if (plus == std::string_view::npos) return NoteSection{name, 0};
  NoteSection section{name.substr(0, plus), 0};
  const std::string_view digits = name.substr(plus + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), section.skip);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return section;
}

void for_each_note(std::string_view bytes, std::uint64_t address, bool has_sizes,
                   const std::function<void(std::uint64_t, std::uint32_t)>& noted) {
  const std::size_t step = has_sizes ? 8 : 4;
  for (std::size_t at = 0; at + step <= bytes.size(); at += step) {
    const auto distance = static_cast<std::int32_t>(word_at(bytes, at));
    noted(address + at + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance)),
          has_sizes ? word_at(bytes, at + 4) : 0);
  }
}

const Inst* noted_instruction(Program& program, std::uint64_t address, unsigned skip) {
  const Inst* inst = program.at(address);
  for (unsigned i = 0; inst && i < skip; ++i) inst = program.at(inst->address + inst->size);
  return inst;
}

}  // namespace hipwright::soft
