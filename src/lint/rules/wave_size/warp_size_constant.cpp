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
#include <set>
#include <unordered_map>

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

using Functions = std::set<const Function*>;

// The functions in which something involves all lanes of a wave, such as a shuffle without a width.
Functions on_whole_waves(const CudaCheck& check) {
  const File& file = check.file;
  Functions found;
  const auto add = [&](TokenIndex at) {
    const Function* around = file.function_at(at);
    if (around != nullptr && check.on_amd(at) != Truth::kNo) found.insert(around);
  };
  for (const Name& name : kWholeWave)
    for (const TokenIndex at : file.occurrences(name)) add(at);
  for (const Shuffle& shuffle : kShuffles)
    for (const TokenIndex at : file.occurrences(shuffle.name))
      if (file.is(at + 1, "(") && file.arguments(at + 1).size() < shuffle.most) add(at);
  return found;
}

// Where some names are in a file.
class Places {
 public:
  Places(const File& file, const std::set<std::string_view>& names) {
    for (const std::string_view name : names) places_[name];
    const auto count = static_cast<TokenIndex>(file.tokens().size());
    for (TokenIndex at = 0; at < count; ++at) {
      if (!syntax::cuda::is_name(file, at)) continue;
      if (const auto found = places_.find(file.text(at)); found != places_.end())
        found->second.push_back(at);
    }
  }
  const std::vector<TokenIndex>& of(std::string_view name) const { return places_.at(name); }

 private:
  std::unordered_map<std::string_view, std::vector<TokenIndex>> places_;
};

// Callers of these functions: their lane counts matter there.
Functions callers(const CudaCheck& check, const Functions& functions) {
  const File& file = check.file;
  std::set<std::string_view> names;
  for (const Function* called : functions) names.insert(file.text(called->name));
  const Places places(file, names);
  Functions found;
  for (const std::string_view name : names)
    for (const TokenIndex at : places.of(name)) {
      const Function* around = file.function_at(at);
      if (around != nullptr && around->is_device() && around->body.contains(at) &&
          is_punctuator(file, at + 1, {"(", "<"}) && check.on_amd(at) != Truth::kNo)
        found.insert(around);
    }
  return found;
}

// The functions whose bodies use a name. The default of a template parameter is in the head and
// does not count.
Functions users(const File& file, const std::vector<TokenIndex>& places) {
  Functions found;
  for (const TokenIndex use : places) {
    const Function* around = file.function_at(use);
    if (around != nullptr && around->body.contains(use)) found.insert(around);
  }
  return found;
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

// By a build's list, or because the file itself has code for AMD.
bool is_built_on_amd(const CudaCheck& check) {
  const File& file = check.file;
  if (check.facts.built_on_amd != Truth::kMaybe) return check.facts.built_on_amd == Truth::kYes;
  return !check.facts.is_unlisted &&
         std::ranges::any_of(kAmdWords, [&](const Name& word) { return file.has(word); });
}

// The definitions of warp sizes in one file.
class Sizes {
 public:
  explicit Sizes(CudaCheck& check)
      : check_(check),
        file_(check.file),
        sizes_(warp_size_definitions(check)),
        whole_waves_(on_whole_waves(check)),
        places_(file_, names_of(file_, sizes_)) {
    for (const SizeDefinition& size : sizes_)
      if (size.value != 32) not_32_.insert(file_.text(size.name));
  }

  void report() {
    if (whole_waves_.empty() && !project::is_header(check_.facts.path) && !is_built_on_amd(check_))
      return;
    for (const SizeDefinition& size : sizes_)
      if (size.value == 32 && !not_32_.contains(file_.text(size.name))) report(size.name);
  }

 private:
  static std::set<std::string_view> names_of(const File& file,
                                             const std::vector<SizeDefinition>& sizes) {
    std::set<std::string_view> names;
    for (const SizeDefinition& size : sizes) names.insert(file.text(size.name));
    return names;
  }

  void report(TokenIndex definition) {
    const bool for_includers = is_for_includers(definition);
    const bool counts = !for_includers && counts_lanes(definition, whole_waves_);
    bool is_granted = false;
    if (!for_includers && !counts) {
      if (!callers_) callers_ = callers(check_, whole_waves_);
      if (is_bound_to_nvidia(check_)) return;
      is_granted = is_taken_for_granted(definition);
      if (!is_granted && !counts_lanes(definition, *callers_)) return;
    }
    if (counts && is_bound_to_nvidia(check_)) return;
    const bool is_amds = file_.compiled(definition, syntax::cuda::Platform::kAmd) == Truth::kYes;
    // If a build's list says that AMD compiles the file, the constant serves device code.
    const bool is_likely = is_granted && is_amds && check_.facts.built_on_amd == Truth::kYes;
    check_.report(file_.span(definition),
                  counts      ? (is_amds ? Confidence::kHigh : Confidence::kMedium)
                  : is_likely ? Confidence::kMedium
                              : Confidence::kLow,
                  fmt::format("{} is 32 on every target, but gfx9 waves have 64 lanes",
                              file_.text(definition)),
                  guarded(file_, definition));
  }

  const std::vector<TokenIndex>& places(TokenIndex definition) const {
    return places_.of(file_.text(definition));
  }
  const Functions& users_of(TokenIndex definition) {
    const auto [found, is_new] = users_.try_emplace(file_.text(definition));
    if (is_new) found->second = users(file_, places(definition));
    return found->second;
  }

  // Does a function whose body uses the name work on whole waves?
  bool counts_lanes(TokenIndex definition, const Functions& functions) {
    if (const Function* scope = file_.function_at(definition))
      return functions.contains(scope) && is_used_again(definition, *scope);
    return std::ranges::any_of(users_of(definition),
                               [&](const Function* user) { return functions.contains(user); });
  }

  // A constant that a header defines for the files that include it.
  bool is_for_includers(TokenIndex definition) const {
    return project::is_header(check_.facts.path) && !check_.facts.is_unlisted &&
           file_.function_at(definition) == nullptr && !is_bound_to_nvidia(check_) &&
           places(definition).size() == 1;
  }

  // AMD builds include the file, device code uses the constant, and nothing shows that groups of 32
  // are meant: no shuffle with a width, no tile, no function that receives the size.
  bool is_taken_for_granted(TokenIndex definition) {
    if (!is_built_on_amd(check_) || file_.has(kPartition)) return false;
    if (!has_width_) {
      const std::vector<LaneCall> calls = lane_calls(check_);
      has_width_ =
          std::ranges::any_of(calls, [&](const LaneCall& call) { return call.has_width(file_); });
    }
    if (*has_width_ || is_argument(file_.text(definition))) return false;
    const Function* own = file_.function_at(definition);
    return std::ranges::any_of(users_of(definition), [&](const Function* user) {
      return user->is_device() && (user != own || is_used_again(definition, *user));
    });
  }

  // reduce<kWarpSize>(x): the width is passed by name.
  bool is_argument(std::string_view name) {
    const auto [found, is_new] = is_argument_.try_emplace(name);
    if (is_new)
      found->second = std::ranges::any_of(places_.of(name), [&](TokenIndex at) {
        return at > 0 && is_punctuator(file_, at - 1, {"<", ","}) &&
               is_punctuator(file_, at + 1, {">", ","});
      });
    return found->second;
  }
  bool is_used_again(TokenIndex definition, const Function& function) const {
    const auto& all = places(definition);
    return std::any_of(std::ranges::lower_bound(all, function.body.begin),
                       std::ranges::lower_bound(all, function.body.end), [&](TokenIndex use) {
                         return use != definition && file_.function_at(use) == &function;
                       });
  }

  CudaCheck& check_;
  const File& file_;
  const std::vector<SizeDefinition> sizes_;
  const Functions whole_waves_;
  const Places places_;
  std::set<std::string_view> not_32_;
  std::optional<Functions> callers_;
  std::unordered_map<std::string_view, Functions> users_;
  std::unordered_map<std::string_view, bool> is_argument_;
  std::optional<bool> has_width_;
};

// warp_size = (n < 32) ? n : 32, warp_size = min(n, 32): computed for code that also runs on AMD.
void find_computed(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check) || !is_built_on_amd(check)) return;
  for (TokenIndex at = 1; at + 2 < file.tokens().size(); ++at) {
    if (!syntax::cuda::is_name(file, at) || !file.is(at + 1, "=") ||
        !syntax::cuda::is_warp_size_name(file.text(at)) || check.on_amd(at) == Truth::kNo)
      continue;
    constexpr TokenIndex kLongest = 40;
    bool is_chosen = false, has_32 = false;
    for (TokenIndex part = at + 2; part < at + kLongest && !is_punctuator(file, part, {";", "}"});
         ++part) {
      is_chosen |= file.is(part, "?") || file.text(part) == "min";
      const auto number = literal(file, part);
      has_32 |=
          number && number->value == 32 && is_punctuator(file, part - 1, {":", "?", ",", "("});
      if (number && number->value == 64) is_chosen = false;
    }
    if (is_chosen && has_32 && !is_for_amd_alone(check, at))
      check.report(file.span(at), sure(check, at, Confidence::kMedium),
                   fmt::format("{} is at most 32, but gfx9 waves have 64 lanes", file.text(at)));
  }
}

void find(CudaCheck& check) {
  if (check.facts.is_nvidia_specific || has_warps_of_32(check)) return;
  Sizes(check).report();
  find_computed(check);
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
