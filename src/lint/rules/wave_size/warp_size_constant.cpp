// SPDX-License-Identifier: MIT
// A constant fixes the warp size at 32 in code that AMD's compiler sees and that counts lanes.
//
// ## What it finds
//
// `#define WARP_SIZE 32`, `constexpr int kWarpSize = 32;` and similar constants, where a function
// of the same file uses the constant and shuffles, votes or reduces over whole warps. With low
// confidence: a constant in a header whose own code does not use it, a file in which only a called
// function shuffles, and device code that AMD is known to build (a build lists it, or it has code
// for AMD) and that does not state that it works on groups of 32.
//
// ## Why it matters
//
// CDNA GPUs (gfx908 to gfx950) run 64 lanes in a wave. A reduction that assumes 32 lanes leaves out
// half of the values, and lane and warp numbers computed with 32 refer to the wrong lanes. Nothing
// fails: the results are wrong.
//
// ## Example
//
// ```cuda
// #define WARP_SIZE 32
//
// __device__ float warp_sum(float value) {
//   for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
//   return value;
// }
// ```
//
// ## Use instead
//
// One definition per target, in one header. `__GFX9__` is defined in device code only: host code
// queries `hipDeviceProp_t::warpSize`.
//
// ```cuda
// #if defined(__GFX8__) || defined(__GFX9__)
// #define WARP_SIZE 64
// #else
// #define WARP_SIZE 32
// #endif
// ```
//
// ## When it is not a bug
//
// - The code works on groups of 32 lanes on purpose: every shuffle has a width of at most 32 and
//   nothing votes.
// - Another branch of the `#if` defines the size for AMD, or AMD never compiles the line.
// - The constant has nothing to do with lanes (a tile, an alignment).
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "lint/cuda/lanes.h"
#include "lint/cuda/warp_sizes.h"
#include "project/language.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Function;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kPartition("tiled_partition");
const std::array kAmdWords = {Name("USE_ROCM"), Name("__HIP_PLATFORM_AMD__"), Name("__HIPCC__")};

// Shuffles take their width as the last of `most` arguments.
struct Shuffle {
  Name name;
  std::size_t most;
};
const std::vector<Shuffle> kShuffles = {
    {Name("__shfl"), 3},           {Name("__shfl_up"), 3},      {Name("__shfl_down"), 3},
    {Name("__shfl_xor"), 3},       {Name("__shfl_sync"), 4},    {Name("__shfl_up_sync"), 4},
    {Name("__shfl_down_sync"), 4}, {Name("__shfl_xor_sync"), 4}};
// These involve all lanes of a wave, however many it has.
const std::vector<Name> kWholeWave = {
    Name("__ballot"),        Name("__ballot_sync"), Name("__any"),        Name("__any_sync"),
    Name("__all"),           Name("__all_sync"),    Name("__activemask"), Name("__match_any_sync"),
    Name("__match_all_sync")};

// The functions in which something involves all lanes of a wave, such as a shuffle without a width.
std::vector<const Function*> on_whole_waves(const CudaCheck& check) {
  const File& file = check.file;
  std::vector<const Function*> found;
  const auto add = [&](TokenIndex at) {
    const Function* around = file.function_at(at);
    if (around != nullptr && check.on_amd(at) != Truth::kNo) found.push_back(around);
  };
  for (const Name& name : kWholeWave)
    for (const TokenIndex at : file.occurrences(name)) add(at);
  for (const Shuffle& shuffle : kShuffles)
    for (const TokenIndex at : file.occurrences(shuffle.name))
      if (file.is(at + 1, "(") && file.arguments(at + 1).size() < shuffle.most) add(at);
  return found;
}

// Callers of these functions: their lane counts matter there.
std::vector<const Function*> callers(const CudaCheck& check,
                                     const std::vector<const Function*>& functions) {
  const File& file = check.file;
  std::vector<const Function*> found;
  for (const Function* called : functions)
    for (const TokenIndex at : places_of(file, file.text(called->name))) {
      const Function* around = file.function_at(at);
      if (around != nullptr && around->is_device() && around->body.contains(at) &&
          is_punctuator(file, at + 1, {"(", "<"}) && check.on_amd(at) != Truth::kNo)
        found.push_back(around);
    }
  return found;
}

// Does a function whose body uses the name work on whole waves? The default of a template parameter
// is in the head and does not count.
bool counts_lanes(const CudaCheck& check, TokenIndex definition,
                  const std::vector<const Function*>& functions) {
  const Function* scope = check.file.function_at(definition);
  for (const TokenIndex use : places_of(check.file, check.file.text(definition))) {
    const Function* around = check.file.function_at(use);
    if (use == definition || around == nullptr || !around->body.contains(use)) continue;
    if (scope != nullptr && scope != around) continue;
    if (std::find(functions.begin(), functions.end(), around) != functions.end()) return true;
  }
  return false;
}

// A branch for wave64 targets, around a definition that stands on lines of its own.
std::vector<Fix> guarded(const File& file, TokenIndex at) {
  const bool is_macro = (file.tokens()[at].flags & syntax::cuda::kInDirective) != 0;
  if ((file.tokens()[at].flags & syntax::cuda::kInMacroBody) != 0) return {};
  const std::string_view text = file.text();
  const TokenRange whole = is_macro ? TokenRange{at, at + 2} : file.statement(at);
  const std::size_t line_break = text.rfind('\n', file.span(at).begin);
  const std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  const std::size_t end = std::min(text.find('\n', file.span(whole).end), text.size());
  const std::string_view lines = text.substr(begin, end - begin);
  const std::size_t number = lines.rfind("32");
  if (lines.find('\n') != std::string_view::npos || number == std::string_view::npos ||
      file.span(whole).begin < begin)
    return {};
  std::string wide(lines);
  wide.replace(number, 2, "64");
  return {{.description = "define it as 64 for wave64 targets; host code still sees 32",
           .safe = false,
           .edits = {{{begin, begin},
                      fmt::format("#if defined(__GFX8__) || defined(__GFX9__)\n{}\n#else\n", wide)},
                     {{end, end}, "\n#endif"}}}};
}

// A constant that a header defines for the files that include it.
bool is_for_includers(const CudaCheck& check, TokenIndex definition) {
  return project::is_header(check.facts.path) && !check.facts.is_unlisted &&
         check.file.function_at(definition) == nullptr && !is_bound_to_nvidia(check) &&
         places_of(check.file, check.file.text(definition)).size() == 1;
}

// By a build's list, or because the file itself has code for AMD.
bool is_built_on_amd(const CudaCheck& check) {
  const File& file = check.file;
  if (check.facts.built_on_amd != Truth::kMaybe) return check.facts.built_on_amd == Truth::kYes;
  return !check.facts.is_unlisted &&
         std::ranges::any_of(kAmdWords, [&](const Name& word) { return file.has(word); });
}

// AMD builds include the file, device code uses the constant, and nothing shows that groups of 32
// are meant: no shuffle with a width, no tile, no function that receives the size.
bool is_taken_for_granted(const CudaCheck& check, TokenIndex definition) {
  const File& file = check.file;
  if (!is_built_on_amd(check) || file.has(kPartition)) return false;
  const std::vector<LaneCall> calls = lane_calls(check);
  if (std::any_of(calls.begin(), calls.end(),
                  [&](const LaneCall& call) { return call.has_width(file); }))
    return false;
  const std::vector<TokenIndex> places = places_of(file, file.text(definition));
  // reduce<kWarpSize>(x): the width is passed by name.
  if (std::any_of(places.begin(), places.end(), [&](TokenIndex at) {
        return at > 0 && is_punctuator(file, at - 1, {"<", ","}) &&
               is_punctuator(file, at + 1, {">", ","});
      }))
    return false;
  return std::any_of(places.begin(), places.end(), [&](TokenIndex at) {
    const Function* around = file.function_at(at);
    return at != definition && around != nullptr && around->is_device() &&
           around->body.contains(at);
  });
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (check.facts.is_nvidia_specific || has_warps_of_32(check)) return;
  const std::vector<const Function*> functions = on_whole_waves(check);
  if (functions.empty() && !project::is_header(check.facts.path) && !is_built_on_amd(check)) return;
  const std::vector<SizeDefinition> sizes = warp_size_definitions(check);
  std::optional<std::vector<const Function*>> calling;
  for (const SizeDefinition& size : sizes) {
    if (size.value != 32) continue;
    const bool has_other =
        std::any_of(sizes.begin(), sizes.end(), [&](const SizeDefinition& other) {
          return other.value != 32 && file.text(other.name) == file.text(size.name);
        });
    if (has_other) continue;
    const bool for_includers = is_for_includers(check, size.name);
    const bool counts = !for_includers && counts_lanes(check, size.name, functions);
    bool is_granted = false;
    if (!for_includers && !counts) {
      if (!calling) calling = callers(check, functions);
      if (is_bound_to_nvidia(check)) continue;
      is_granted = is_taken_for_granted(check, size.name);
      if (!is_granted && !counts_lanes(check, size.name, *calling)) continue;
    }
    const bool is_amds = file.compiled(size.name, syntax::cuda::Platform::kAmd) == Truth::kYes;
    // If a build's list says that AMD compiles the file, the constant serves device code.
    const bool is_likely = is_granted && is_amds && check.facts.built_on_amd == Truth::kYes;
    check.report(
        file.span(size.name),
        counts      ? (is_amds ? Confidence::kHigh : Confidence::kMedium)
        : is_likely ? Confidence::kMedium
                    : Confidence::kLow,
        fmt::format("{} is 32 on every target, but gfx9 waves have 64 lanes", file.text(size.name)),
        guarded(file, size.name));
  }
}

}  // namespace

Rule warp_size_constant() {
  return {.code = "HW101",
          .name = "warp-size-constant",
          .summary = "warp size of 32 where AMD waves have 64 lanes",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = definition_words(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
