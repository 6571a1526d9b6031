// SPDX-License-Identifier: MIT
// Atomic operations on 16 bytes, which AMD GPUs lack.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

const std::array kAtomics = {Name("atomicCAS"),        Name("atomicCAS_block"),
                             Name("atomicCAS_system"), Name("atomicExch"),
                             Name("atomicExch_block"), Name("atomicExch_system")};
const std::array kAlignments = {Name("alignas"), Name("__align__")};
constexpr auto kWide = std::to_array<std::string_view>(
    {"__int128", "__int128_t", "__uint128_t", "double2", "float4", "int4", "long2", "longlong2",
     "uint4", "ulong2", "ulonglong2"});
static_assert(std::ranges::is_sorted(kWide));

using Names = std::set<std::string_view>;

// struct alignas(16) Pair { … }
void add_aligned(const cu::File& file, Names& names) {
  for (const Name& alignment : kAlignments)
    for (const TokenIndex at : file.occurrences(alignment)) {
      if (at == 0 || !file.is(at + 1, "(") || file.text(at + 2) != "16" || !file.is(at + 3, ")"))
        continue;
      if (file.text(at - 1) == "struct" && cu::is_name(file, at + 4))
        names.insert(file.text(at + 4));
    }
}

Names wide_types(const Tree& tree) {
  Names names(kWide.begin(), kWide.end());
  for (const auto& source : tree.files)
    if (source->cuda() != nullptr) add_aligned(*source->cuda(), names);
  return names;
}

bool mentions(const cu::File& file, TokenRange range, const Names& names) {
  for (TokenIndex at = range.begin; at < range.end; ++at)
    if (cu::is_name(file, at) && names.contains(file.text(at))) return true;
  return false;
}

// Is this the address of 16 bytes: p, &table[i], (uint4*)p?
bool is_wide(const cu::File& file, TokenRange address, const Names& names) {
  bool is_cast = false;
  for (TokenIndex at = address.begin; at < address.end; ++at) {
    is_cast |= file.is(at, "*") && cu::is_punctuator(file, at + 1, {")", ">"});
    if (cu::is_punctuator(file, at, {".", "->"})) return false;
  }
  if (is_cast) return mentions(file, address, names);
  for (TokenIndex at = address.begin; at < address.end; ++at) {
    if (file.is(at, "[") && file.partner(at) != cu::kNoToken) at = file.partner(at);
    if (!cu::is_name(file, at)) continue;
    const auto variable = cu::declaration_of(file, at);
    return variable && mentions(file, variable->type, names);
  }
  return false;
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  const auto has = [&](const Name& name) { return file.has(name); };
  if (std::ranges::none_of(kAtomics, has)) return;
  const Names names = wide_types(context.tree);
  for (const Name& name : kAtomics)
    for (const TokenIndex at : file.occurrences(name)) {
      if (!file.is(at + 1, "(") || context.is_settled(at) ||
          context.own.has(file.text(at), context.source, at))
        continue;
      const std::vector<TokenRange> arguments = file.arguments(at + 1);
      if (arguments.empty() || !is_wide(file, arguments[0], names)) continue;
      context.report("HP202", Severity::kError, file.span(at),
                     fmt::format("{} of 16 bytes has no HIP counterpart", file.text(at)),
                     "AMD GPUs have atomic operations of up to 8 bytes. Split the value, or guard "
                     "it with a lock.");
    }
}

}  // namespace

Pass wide_atomics() {
  return {.codes = {"HP202"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
