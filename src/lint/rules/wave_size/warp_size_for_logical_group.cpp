// SPDX-License-Identifier: MIT
// The warp size is used where 32 is meant.
//
// ## What it finds
//
// `WARP_SIZE` and similar names as the number of bits of a 32-bit word (`1u << (i % WARP_SIZE)`,
// `0xffffffffu >> (WARP_SIZE - n)`), numbers from 32 to 63 divided by it, and a warp number
// computed with 32 (`warp = threadIdx.x / 32`) multiplied by it. Also 32 rows of shared memory that
// are filled by `threadIdx.x / WARP_SIZE` and looked up by the data.
//
// ## Why it matters
//
// On gfx9 it is 64. Shifting a 32-bit value by 32 or more is undefined, and 32 / 64 is 0: loops
// run zero times, arrays have no elements. Data layouts (blocks of 32 quantised values, words of a
// bitmap) do not grow with the wave. Groups of 32 threads that start at every 64th row skip half of
// the rows and run past the last.
//
// ## Example
//
// ```cuda
// bool is_set = bitmap[i / WARP_SIZE] & (1u << (i % WARP_SIZE));
// ```
//
// ## Use instead
//
// ```cuda
// constexpr int kBitsPerWord = 32;
// bool is_set = bitmap[i / kBitsPerWord] & (1u << (i % kBitsPerWord));
// ```
//
// ## When it is not a bug
//
// - The file defines the name as 32 for all targets.
// - The shifted value has 64 bits, or the shift is by a fraction of the size (`WARP_SIZE / 8`).
// - Warps are counted and multiplied with the same size.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const std::vector<Name> kSizes = {Name("WARP_SIZE"),     Name("warpSize"), Name("kWarpSize"),
                                  Name("C10_WARP_SIZE"), Name("WARPSIZE"), Name("WAVE_SIZE"),
                                  Name("WAVEFRONT_SIZE")};

// Names that the file defines as 32, or that a caller passes.
bool may_be_64(const CudaCheck& check, TokenIndex size) {
  const File& file = check.file;
  bool is_macro = false;
  for (const cu::Macro& macro : file.macros()) {
    if (file.text(macro.name) != file.text(size) || check.on_amd(macro.name) == Truth::kNo)
      continue;
    if (!is_constant(file, macro.body, 32)) return true;
    is_macro = true;
  }
  if (is_macro) return false;
  if (const auto value = constant(file, {size, size + 1})) return value->value != 32;
  for (const cu::Function& function : file.functions())
    for (TokenIndex at = function.template_parameters.begin; at < function.template_parameters.end;
         ++at)
      if (file.text(at) == file.text(size)) return false;
  return true;
}

// bits[i / size] >> (i % size), where the elements of `bits` have 32 bits.
bool is_word_of_32_bits(const File& file, TokenIndex close, TokenIndex size) {
  const TokenIndex open = file.partner(close);
  if (open == kNoToken || open == 0 || !is_name(file, open - 1)) return false;
  if (!file.is(close - 2, "/") || file.text(close - 1) != file.text(size)) return false;
  const auto words = declaration_of(file, open - 1);
  if (!words) return false;
  TokenRange type = words->type;  // the element type, without the star
  for (TokenIndex at = type.begin; at < type.end; ++at)
    if (file.is(at, "*")) type.end = at;
  return bits_of_type(file, type) == cu::Bits::kNarrow;
}

// `value << (… size …)`: a 32-bit shift whose count contains the size itself or a remainder of a
// division by it.
bool is_narrow_shift(const File& file, TokenIndex size) {
  const bool is_rest = is_punctuator(file, size - 1, {"%"});
  const bool is_less = file.is(size + 1, "-");
  if (!is_rest && !is_less) return false;
  const TokenIndex open = file.enclosing(size);
  if (open == kNoToken || open < 2 || !file.is(open, "(") || file.partner(open) == kNoToken)
    return false;
  // (x % size), alone in its parentheses.
  if (is_rest && file.partner(open) != size + 1) return false;
  if (is_less && open + 1 != size) return false;
  if (!is_punctuator(file, open - 1, {"<<", ">>"})) return false;
  if (is_rest && file.is(open - 2, "]")) return is_word_of_32_bits(file, open - 2, size);
  const auto value = constant(file, {open - 2, open - 1});
  return value && value->bits == 32 && (is_rest || value->value == 0xFFFFFFFF);
}

// 32 / size
bool divides_too_little(const File& file, TokenIndex size) {
  if (!file.is(size - 1, "/") || size < 3) return false;
  const auto value = constant(file, {size - 2, size - 1});
  if (!value || value->value < 32 || value->value >= 64) return false;
  // a * 32 / size, a - 1 + 32 / size compute something else.
  return !is_punctuator(file, size - 3, {"*", "/", "%", ".", "->", "::"});
}

// The size in `warp * size` and `size * warp`.
TokenIndex factor_beside(const File& file, TokenIndex warp) {
  const auto is_size = [&](TokenIndex at) {
    return std::ranges::any_of(kSizes, [&](const Name& name) { return file.is(at, name); });
  };
  if (file.is(warp + 1, "*") && is_size(warp + 2)) return warp + 2;
  if (warp >= 2 && file.is(warp - 1, "*") && is_size(warp - 2)) return warp - 2;
  return kNoToken;
}

// warp = threadIdx.x / 32; … rows[(warp * warpSize + i) * stride]
void find_mixed(CudaCheck& check) {
  const File& file = check.file;
  for (const Split& split : splits_by(check, 32)) {
    if (split.part != Split::Part::kWarp || split.variable == kNoToken) continue;
    const TokenRange code = code_around(file, split.op);
    for (TokenIndex at = split.op + 1; at + 2 < code.end; ++at) {
      if (!is_name(file, at) || file.text(at) != file.text(split.variable)) continue;
      const TokenIndex size = factor_beside(file, at);
      if (size == kNoToken || check.on_amd(size) == Truth::kNo || !may_be_64(check, size)) continue;
      check.report(file.span(size), Confidence::kMedium,
                   fmt::format("{} numbers groups of 32 threads, but {} is 64 on gfx9",
                               file.text(at), file.text(size)));
    }
  }
}

const Name kShared("__shared__");

// __shared__ int counts[32][8]: the name; kNoToken if it is something else.
TokenIndex array_of_32_rows(const File& file, TokenIndex shared) {
  constexpr TokenIndex kLongest = 8;  // tokens in a type
  for (TokenIndex at = shared + 1; at < shared + kLongest && at + 3 < file.tokens().size(); ++at) {
    if (is_punctuator(file, at, {";", "=", "("})) break;
    if (!is_name(file, at) || !file.is(at + 1, "[") || !file.is(at + 4, "[")) continue;
    const auto rows = literal(file, at + 2);
    return rows && rows->value == 32 && file.is(at + 3, "]") ? at : kNoToken;
  }
  return kNoToken;
}

// The size in `threadIdx.x / size`, if that is the whole value of a variable.
TokenIndex size_that_counts(const File& file, const cu::Variable& variable) {
  const TokenRange value = unwrapped(file, variable.value);
  if (value.end - value.begin < 3 || !file.is(value.end - 2, "/") ||
      !is_thread_number(file, {value.begin, value.end - 2}))
    return kNoToken;
  const bool is_size =
      std::ranges::any_of(kSizes, [&](const Name& name) { return file.is(value.end - 1, name); });
  return is_size ? value.end - 1 : kNoToken;
}

// row = item / kItemsPerRow: depends on the data, not on the thread.
bool is_by_data(const File& file, const cu::Variable& variable) {
  bool divides = false;
  for (TokenIndex at = variable.value.begin; at < variable.value.end; ++at) {
    divides |= is_punctuator(file, at, {"/", ">>"});
    if (!is_name(file, at)) continue;
    const std::string_view name = file.text(at);
    if (name == "threadIdx" || is_lane_name(name) || contains_word(name, "warp_size") ||
        contains_word(name, "tid") || contains_word(name, "thread"))
      return false;
  }
  return divides;
}

// 32 rows, one for each warp of a block of 1024: filled by threadIdx.x / WARP_SIZE, looked up by
// the data. The block has 16 64-lane waves, so half of the rows stay unfilled.
void find_rows(CudaCheck& check) {
  const File& file = check.file;
  for (const TokenIndex shared : file.occurrences(kShared)) {
    const TokenIndex name = array_of_32_rows(file, shared);
    if (name == kNoToken) continue;
    const TokenRange code = code_around(file, name);
    TokenIndex size = kNoToken;
    bool by_data = false;
    for (TokenIndex at = name + 1; at + 3 < code.end; ++at) {
      if (!is_name(file, at) || file.text(at) != file.text(name) || !file.is(at + 1, "[") ||
          !is_name(file, at + 2) || !file.is(at + 3, "]"))
        continue;
      const auto row = declaration_of(file, at + 2);
      if (!row || row->value.empty()) continue;
      if (const TokenIndex found = size_that_counts(file, *row); found != kNoToken) size = found;
      by_data |= is_by_data(file, *row);
    }
    if (size == kNoToken || !by_data || check.on_amd(size) == Truth::kNo || !may_be_64(check, size))
      continue;
    check.report(
        file.span(size), Confidence::kMedium,
        fmt::format("{} has 32 rows, but 64-lane waves fill only half of them", file.text(name)));
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_mixed(check);
  find_rows(check);
  for (const Name& name : kSizes) {
    for (const TokenIndex at : file.occurrences(name)) {
      if (at < 2) continue;
      const bool shifts = is_narrow_shift(file, at);
      if (!shifts && !divides_too_little(file, at)) continue;
      if (check.on_amd(at) == Truth::kNo || is_for_wave32(check, at) || !may_be_64(check, at))
        continue;
      check.report(
          file.span(at), Confidence::kLow,
          shifts ? fmt::format("{} used as the bit width of a 32-bit value, but it is 64 on gfx9",
                               name.text())
                 : fmt::format("{} / {} is 0 on targets with 64-lane waves", file.text(at - 2),
                               name.text()));
    }
  }
}

}  // namespace

Rule warp_size_for_logical_group() {
  return {.code = "HW109",
          .name = "warp-size-for-logical-group",
          .summary = "warp size used where 32 is meant",
          .severity = Severity::kWarning,
          .relevance = Relevance::kWave64,
          .triggers = kSizes,
          .cuda = find};
}

}  // namespace hipwright::lint::rules
