// SPDX-License-Identifier: MIT
#include "soft/load/sync_notes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "soft/load/note_section.h"

namespace hipwright::soft {

namespace {

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

void merge(SyncNote& into, const SyncNote& note) {
  into.acquires |= note.acquires;
  into.releases |= note.releases;
  into.scope = std::max(into.scope, note.scope);
}

}  // namespace

std::optional<SyncSection> parse_sync_section(std::string_view name) {
  const auto parsed = parse_note_section(name);
  if (!parsed) return std::nullopt;
  std::string_view rest = parsed->name;
  SyncSection section;
  section.skip = parsed->skip;
  const std::string_view kind = next_word(rest);
  if (kind == "noted") {
    section.kind =
        rest == "assembly" ? SyncSection::Kind::kNotedAssembly : SyncSection::Kind::kNoted;
    return section;
  }
  section.kind = kind == "fence" ? SyncSection::Kind::kFence : SyncSection::Kind::kAtomic;
  if (kind == "volatile") return section;
  if (kind != "fence" && kind != "atomic") return std::nullopt;
  if (!read_order(next_word(rest), section.note) || !read_scope(next_word(rest), section.note))
    return std::nullopt;
  return section;
}

SyncNotes::SyncNotes(const toolchain::ElfFile& elf, std::uint64_t base, Program& program) {
  for (const toolchain::ElfSection& section : elf.sections())
    if (const auto parsed = parse_sync_section(section.name))
      add(*parsed, elf.content(section).view(), base + section.address, program);
  std::ranges::sort(functions_, {}, &Function::begin);
}

void SyncNotes::add(const SyncSection& section, std::string_view bytes, std::uint64_t address,
                    Program& program) {
  const bool has_assembly = section.kind == SyncSection::Kind::kNotedAssembly;
  const bool is_function = section.kind == SyncSection::Kind::kNoted || has_assembly;
  auto& notes = section.kind == SyncSection::Kind::kFence ? fences_ : accesses_;
  for_each_note(bytes, address, is_function, [&](std::uint64_t noted, std::uint32_t size) {
    if (is_function) {
      functions_.push_back({.begin = noted, .end = noted + size, .has_assembly = has_assembly});
      return;
    }
    const Inst* const inst = noted_instruction(program, noted, section.skip);
    if (!inst) return;
    const auto [known, is_new] = notes.try_emplace(inst->address, section.note);
    if (!is_new) merge(known->second, section.note);
  });
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
