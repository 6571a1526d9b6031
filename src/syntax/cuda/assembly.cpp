// SPDX-License-Identifier: MIT
#include "syntax/cuda/assembly.h"

#include <algorithm>
#include <array>

namespace hipwright::syntax::cuda {

namespace {

const std::vector<Name> kNames = {Name("asm"), Name("__asm__"), Name("__asm")};

// Prefixes of PTX instructions. Other assemblers have dots in their mnemonics, too, but not after
// these words.
constexpr auto kInstructions =
    std::to_array<std::string_view>({"mov.",       "ld.",
                                     "st.",        "cvt.",
                                     "cvta.",      "add.",
                                     "sub.",       "mul.",
                                     "mad.",       "fma.",
                                     "min.",       "max.",
                                     "abs.",       "neg.",
                                     "and.",       "or.",
                                     "xor.",       "not.",
                                     "shl.",       "shr.",
                                     "shf.",       "lop3.",
                                     "prmt.",      "bfe.",
                                     "bfi.",       "bfind.",
                                     "brev.",      "popc.",
                                     "setp.",      "selp.",
                                     "set.",       "slct.",
                                     "ex2.",       "lg2.",
                                     "rcp.",       "rsqrt.",
                                     "sqrt.",      "tanh.",
                                     "sin.",       "cos.",
                                     "div.",       "rem.",
                                     "atom.",      "red.",
                                     "membar.",    "fence.",
                                     "bar.",       "barrier.",
                                     "vote.",      "shfl.",
                                     "match.",     "activemask",
                                     "redux.",     "elect.",
                                     "mma.",       "wgmma.",
                                     "wmma.",      "ldmatrix.",
                                     "stmatrix.",  "movmatrix",
                                     "cp.",        "mbarrier.",
                                     "tcgen05.",   "prefetch.",
                                     "prefetchu.", "createpolicy",
                                     "discard.",   "applypriority",
                                     "nanosleep",  "griddepcontrol",
                                     "setmaxnreg", "multimem.",
                                     "getctarank", "mapa.",
                                     "isspacep.",  "dp4a.",
                                     "dp2a.",      "vadd",
                                     "testp.",     "copysign.",
                                     "griddep",    "fns.",
                                     "pmevent",    "clusterlaunchcontrol",
                                     "tensormap",  "ldu.",
                                     "sad.",       "szext.",
                                     "bmsk.",      "cos.approx"});

// Starts at the first word that is not a label, a predicate, a declaration or a brace.
std::string_view first_word(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t\n{}");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    if (text.starts_with("\\n") || text.starts_with("\\t")) {
      text.remove_prefix(2);
    } else if (text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with(".reg") || text.starts_with(".pragma")) {
      const std::size_t end = text.find(';');
      if (end == std::string_view::npos) return {};
      text.remove_prefix(end + 1);
    } else if (text.starts_with('@')) {
      text.remove_prefix(std::min(text.find_first_of(" \t"), text.size()));
    } else {
      return text.substr(0, text.find_first_of(" \t;\n"));
    }
  }
  return {};
}

// "u32", "f16x2", "pred": suffixes of nearly all of these instructions. Other assemblers with dots
// (RISC-V vectors, Arm) do not have them.
bool is_type(std::string_view part) {
  if (part == "pred" || part.starts_with("bf16") || part.starts_with("tf32")) return true;
  return part.size() >= 2 && std::string_view("busfe").find(part[0]) != std::string_view::npos &&
         part[1] >= '0' && part[1] <= '9';
}

// Memory, arithmetic and moves have types; barriers, fences and prefetches do not.
bool needs_type(std::string_view word) {
  constexpr auto kTyped = std::to_array<std::string_view>(
      {"mov.", "ld.",  "st.",  "cvt.", "add.", "sub.",  "mul.", "mad.",  "fma.", "min.",
       "max.", "abs.", "neg.", "and.", "or.",  "xor.",  "not.", "shl.",  "shr.", "set.",
       "div.", "rem.", "sin.", "cos.", "rcp.", "sqrt.", "ex2.", "setp.", "selp."});
  return std::any_of(kTyped.begin(), kTyped.end(),
                     [&](std::string_view each) { return word.starts_with(each); });
}

bool has_type(std::string_view word) {
  while (!word.empty()) {
    const std::size_t dot = std::min(word.find('.'), word.size());
    if (is_type(word.substr(0, dot))) return true;
    word.remove_prefix(std::min(dot + 1, word.size()));
  }
  return false;
}

// The characters of a string literal, without its quotes.
std::string_view content(std::string_view literal) {
  std::size_t begin = literal.find('"');
  std::size_t end = literal.rfind('"');
  if (begin == std::string_view::npos || end <= begin) return {};
  std::string_view inside = literal.substr(begin + 1, end - begin - 1);
  if (literal.starts_with('R') && inside.find('(') != std::string_view::npos) {
    inside.remove_prefix(inside.find('(') + 1);
    inside = inside.substr(0, inside.rfind(')'));
  }
  return inside;
}

}  // namespace

const std::vector<Name>& assembly_names() {
  return kNames;
}

std::vector<Assembly> assembly(const File& file) {
  std::vector<Assembly> all;
  for (const Name& name : kNames) {
    for (const TokenIndex at : file.occurrences(name)) {
      TokenIndex open = at + 1;
      while (is_name(file, open)) ++open;
      if (!file.is(open, "(")) continue;
      Assembly found{at, {}};
      const auto count = static_cast<TokenIndex>(file.tokens().size());
      const TokenIndex close = file.partner(open);
      for (TokenIndex part = open + 1; part < std::min(close, count); ++part) {
        if (file.is(part, ":") || file.is(part, "::")) break;
        if (file.tokens()[part].kind == Kind::kString) found.text += content(file.text(part));
      }
      all.push_back(std::move(found));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Assembly& a, const Assembly& b) { return a.keyword < b.keyword; });
  return all;
}

std::string ptx_instruction(std::string_view text) {
  const std::string_view word = first_word(text);
  const bool is_known =
      std::any_of(kInstructions.begin(), kInstructions.end(),
                  [&](std::string_view each) { return word.starts_with(each); }) ||
      word == "trap" || word == "exit" || word == "brkpt";
  if (!is_known || (needs_type(word) && !has_type(word))) return {};
  return std::string(word.substr(0, 40));
}

bool begins_like_ptx(std::string_view text) {
  const std::string_view word = first_word(text);
  const bool is_known = std::ranges::any_of(
      kInstructions, [&](std::string_view each) { return word.starts_with(each); });
  return is_known && (!needs_type(word) || has_type(word) || word.ends_with('.'));
}

}  // namespace hipwright::syntax::cuda
