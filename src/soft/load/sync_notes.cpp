// SPDX-License-Identifier: MIT
#include "soft/load/sync_notes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <tuple>
#include <utility>

namespace hipwright::soft {

namespace {

// The part of `text` before the next dot, which is taken away with it.
std::string_view next_word(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view word = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  return word;
}

bool read_order(std::string_view word, SyncNote& note) {
  constexpr std::pair<std::string_view, std::pair<bool, bool>> kOrders[] = {
      {"unordered", {false, false}}, {"monotonic", {false, false}}, {"acquire", {true, false}},
      {"release", {false, true}},    {"acq_rel", {true, true}},     {"seq_cst", {true, true}}};
  for (const auto& [name, order] : kOrders) {
    if (name != word) continue;
    std::tie(note.acquires, note.releases) = order;
    return true;
  }
  return false;
}

bool read_scope(std::string_view word, SyncNote& note) {
  constexpr std::pair<std::string_view, SyncScope> kScopes[] = {
      {"singlethread", SyncScope::kLane}, {"wavefront", SyncScope::kWave},
      {"workgroup", SyncScope::kGroup},   {"cluster", SyncScope::kGroup},
      {"agent", SyncScope::kDevice},      {"system", SyncScope::kSystem}};
  for (const auto& [name, scope] : kScopes) {
    if (name != word) continue;
    note.scope = scope;
    return true;
  }
  return false;
}

std::uint32_t word_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

void merge(SyncNote& into, const SyncNote& note) {
  into.acquires |= note.acquires;
  into.releases |= note.releases;
  into.scope = std::max(into.scope, note.scope);
}

}  // namespace

std::optional<SyncSection> parse_sync_section(std::string_view name) {
  constexpr std::string_view kPrefix = "hipwright.";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  SyncSection section;
  if (const std::size_t plus = name.find('+'); plus != std::string_view::npos) {
    const std::string_view digits = name.substr(plus + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), section.skip);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    name = name.substr(0, plus);
  }
  const std::string_view kind = next_word(name);
  if (kind == "noted") {
    section.kind =
        name == "assembly" ? SyncSection::Kind::kNotedAssembly : SyncSection::Kind::kNoted;
    return section;
  }
  section.kind = kind == "fence" ? SyncSection::Kind::kFence : SyncSection::Kind::kAtomic;
  if (kind == "volatile") return section;
  if (kind != "fence" && kind != "atomic") return std::nullopt;
  if (!read_order(next_word(name), section.note) || !read_scope(next_word(name), section.note))
    return std::nullopt;
  return section;
}

SyncNotes::SyncNotes(const toolchain::ElfFile& elf, std::uint64_t base, Program& program) {
  for (const toolchain::ElfSection& section : elf.sections())
    if (const auto parsed = parse_sync_section(section.name))
      add(*parsed, elf.content(section).view(), base + section.address, program);
  std::ranges::sort(functions_, {}, &Function::begin);
}

// Each word is the distance from itself to what it names; a function's size follows it.
void SyncNotes::add(const SyncSection& section, std::string_view bytes, std::uint64_t address,
                    Program& program) {
  const bool is_function = section.kind == SyncSection::Kind::kNoted ||
                           section.kind == SyncSection::Kind::kNotedAssembly;
  const std::size_t step = is_function ? 8 : 4;
  for (std::size_t at = 0; at + step <= bytes.size(); at += step) {
    const auto distance = static_cast<std::int32_t>(word_at(bytes, at));
    const std::uint64_t target =
        address + at + static_cast<std::uint64_t>(static_cast<std::int64_t>(distance));
    if (is_function) {
      functions_.push_back({.begin = target,
                            .end = target + word_at(bytes, at + 4),
                            .has_assembly = section.kind == SyncSection::Kind::kNotedAssembly});
      continue;
    }
    const Inst* inst = program.at(target);
    for (unsigned i = 0; inst && i < section.skip; ++i)
      inst = program.at(inst->address + inst->size);
    if (!inst) continue;
    auto& notes = section.kind == SyncSection::Kind::kFence ? fences_ : accesses_;
    const auto [known, is_new] = notes.try_emplace(inst->address, section.note);
    if (!is_new) merge(known->second, section.note);
  }
}

SyncNotes::Coverage SyncNotes::coverage(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  if (next == functions_.begin() || address >= std::prev(next)->end) return Coverage::kNone;
  return std::prev(next)->has_assembly ? Coverage::kPart : Coverage::kAll;
}

const SyncNote* SyncNotes::access(std::uint64_t address) const {
  const auto found = accesses_.find(address);
  return found == accesses_.end() ? nullptr : &found->second;
}

const SyncNote* SyncNotes::fence(std::uint64_t address) const {
  const auto found = fences_.find(address);
  return found == fences_.end() ? nullptr : &found->second;
}

}  // namespace hipwright::soft
