// SPDX-License-Identifier: MIT
#include "lint/cuda/lanes.h"

#include <algorithm>
#include <array>

#include "arch/mentions.h"
#include "base/words.h"
#include "syntax/scan.h"

namespace hipwright::lint {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

namespace {

// Instructions without a counterpart in AMD hardware: a file that uses them where AMD would compile
// is not meant for AMD.
constexpr std::array<std::string_view, 12> kNvidiaInstructions = {
    "wgmma",      "mbarrier", "tcgen05",      "cp.async.bulk",  "ldmatrix", "mma.sync",
    "setmaxnreg", "stmatrix", "createpolicy", "griddepcontrol", "multimem", "cluster"};
constexpr std::array<std::string_view, 9> kNvidiaHeaders = {
    "cutlass/", "cute/",          "cuda/ptx",      "cuda/barrier", "mma.h",
    "cublasdx", "cudaTypedefs.h", "cuda/pipeline", "flashinfer/"};
// Kernels of TensorRT-LLM, under whatever path a project keeps them.
const Name kTensorRt("tensorrt_llm");

const Name kAsm("asm"), kAsm2("__asm__"), kAsm3("__asm"), kVolatile("volatile");

bool has_nvidia_instruction(const CudaCheck& check) {
  const File& file = check.file;
  for (const Name& name : {kAsm, kAsm2, kAsm3}) {
    for (const TokenIndex at : file.occurrences(name)) {
      TokenIndex open = at + 1;
      while (is_name(file, open)) ++open;
      if (!file.is(open, "(") || check.on_amd(at) == Truth::kNo) continue;
      const TokenIndex close = file.partner(open);
      for (TokenIndex part = open + 1; part < close && part < open + 40; ++part) {
        if (file.tokens()[part].kind != Kind::kString) break;
        const std::string_view text = file.text(part);
        for (const std::string_view word : kNvidiaInstructions)
          if (text.find(word) != std::string_view::npos) return true;
      }
    }
  }
  return false;
}

bool says_wave32(std::string_view word) {
  return arch::mentions_wave32(word) || contains_word(word, "rdna");
}

bool says_wave64(std::string_view word) {
  return arch::mentions_wave64(word) || contains_word(word, "cdna") ||
         contains_word(word, "mi300") || contains_word(word, "mfma");
}

template <class Says>
bool conditions_say(const CudaCheck& check, TokenIndex token, Says says) {
  for (const std::string& condition : check.file.conditions(token))
    if (!condition.starts_with('!') && condition.find("!defined") == std::string::npos &&
        says(condition))
      return true;
  return false;
}

}  // namespace

std::optional<TokenRange> LaneCall::argument(int index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= arguments.size()) return std::nullopt;
  return arguments[static_cast<std::size_t>(index)];
}

bool LaneCall::has_width(const File& file) const {
  const auto width = argument(op->width);
  if (!width) return false;
  if (const auto value = constant(file, *width)) return value->value <= 32;
  const std::string_view text = file.text(*width);
  return text != "warpSize";
}

// #if defined(ENGINE_GPU_CUDA_ENABLED), where the file also knows ENGINE_GPU_HIP_ENABLED.
bool is_in_cuda_branch(const CudaCheck& check, TokenIndex token) {
  const File& file = check.file;
  if (file.compiled(token, syntax::cuda::Platform::kAmd) != Truth::kMaybe) return false;
  return std::ranges::any_of(file.conditions(token), [&](const std::string& condition) {
    const std::size_t at = condition.find("CUDA");
    if (at == std::string::npos || condition.starts_with('!') ||
        condition.find("||") != std::string::npos)
      return false;
    std::size_t begin = at, end = at;
    while (begin > 0 && syntax::is_word_byte(condition[begin - 1])) --begin;
    while (end < condition.size() && syntax::is_word_byte(condition[end])) ++end;
    return std::ranges::any_of(std::array{"HIP", "ROCM"}, [&](const char* platform) {
      std::string sibling = condition.substr(begin, end - begin);
      sibling.replace(at - begin, 4, platform);
      return syntax::has_bytes(file.text(), sibling);
    });
  });
}

std::vector<LaneCall> lane_calls(const CudaCheck& check) {
  const File& file = check.file;
  std::vector<LaneCall> calls;
  for (const cu::LaneOp& op : cu::lane_ops()) {
    for (const TokenIndex at : file.occurrences(op.name)) {
      if (!file.is(at + 1, "(")) continue;
      const cu::Token& token = file.tokens()[at];
      // The name of a #define, not a use in one.
      const bool is_defined =
          (token.flags & cu::kInDirective) != 0 && (token.flags & cu::kInMacroBody) == 0;
      const cu::Function* function = file.function_at(at);
      if (is_defined || (function != nullptr && function->name == at)) continue;
      if (check.on_amd(at) == Truth::kNo || is_in_cuda_branch(check, at)) continue;
      calls.push_back({&op, at, file.arguments(at + 1)});
    }
  }
  std::sort(calls.begin(), calls.end(),
            [](const LaneCall& a, const LaneCall& b) { return a.name < b.name; });
  return calls;
}

std::vector<const LaneCall*> within(const std::vector<LaneCall>& calls, TokenRange range) {
  std::vector<const LaneCall*> found;
  const auto first =
      std::lower_bound(calls.begin(), calls.end(), range.begin,
                       [](const LaneCall& call, TokenIndex token) { return call.name < token; });
  for (auto call = first; call != calls.end() && range.contains(call->name); ++call)
    found.push_back(&*call);
  return found;
}

TokenRange code_around(const File& file, TokenIndex token) {
  if (const cu::Function* function = file.function_at(token); function != nullptr)
    return {function->head.begin, std::max(function->body.end, function->head.end)};
  if ((file.tokens()[token].flags & cu::kInMacroBody) != 0)
    for (const cu::Macro& macro : file.macros())
      if (macro.body.contains(token)) return macro.body;
  // A lambda, or a class that was not parsed: the outermost block that is not a namespace.
  TokenIndex block = kNoToken;
  for (TokenIndex open = file.enclosing(token); open != kNoToken; open = file.enclosing(open)) {
    if (!file.is(open, "{")) continue;
    const bool is_namespace =
        open >= 2 && (file.text(open - 1) == "namespace" || file.text(open - 2) == "namespace" ||
                      file.is(open - 2, "::"));
    if (is_namespace) break;
    block = open;
  }
  if (block != kNoToken && file.partner(block) != kNoToken) return {block, file.partner(block)};
  return {0, static_cast<TokenIndex>(file.tokens().size() - 1)};
}

bool is_lane_name(std::string_view name) {
  if (contains_word(name, "lanes") || contains_word(name, "mask")) return false;
  return contains_word(name, "lane") || name == "laneid" || name == "tid_in_warp";
}

bool is_warp_name(std::string_view name) {
  return contains_word(name, "warp") || name == "wid" || contains_word(name, "wave");
}

bool is_thread_number(const File& file, TokenRange expression) {
  const TokenRange whole = unwrapped(file, expression);
  if (whole.empty() || whole.end - whole.begin > 24) return false;
  bool found = false;
  for (TokenIndex at = whole.begin; at < whole.end; ++at) {
    if (file.text(at) == "threadIdx" || file.text(at) == "hipThreadIdx_x") found = true;
  }
  if (found) return true;
  if (whole.end - whole.begin != 1 || !is_name(file, whole.begin)) return false;
  const std::string_view name = file.text(whole.begin);
  if (name == "tid" || name == "tidx" || contains_word(name, "thread_id") ||
      contains_word(name, "threadid") || contains_word(name, "thread_idx") || is_lane_name(name))
    return true;
  const auto variable = declaration_of(file, whole.begin);
  if (!variable || variable->value.empty() || variable->value.end - variable->value.begin > 12)
    return false;
  for (TokenIndex at = variable->value.begin; at < variable->value.end; ++at)
    if (file.text(at) == "threadIdx") return true;
  return false;
}

bool is_bound_to_nvidia(const CudaCheck& check) {
  if (check.facts.built_on_amd == Truth::kYes) return false;
  if (check.facts.is_nvidia_specific || check.facts.built_on_amd == Truth::kNo) return true;
  for (const cu::Include& include : check.file.includes()) {
    if (check.on_amd(include.hash) == Truth::kNo) continue;
    for (const std::string_view header : kNvidiaHeaders)
      if (include.path.starts_with(header)) return true;
  }
  return check.file.has(kTensorRt) || has_nvidia_instruction(check);
}

const Name kWarps("warp32");

// Of a header that the file includes, or whose includer it is.
bool has_header_for_warps_of_32(const CudaCheck& check) {
  return check.facts.own_definitions != nullptr &&
         check.facts.own_definitions->has_macro(project::kWarpsOf32);
}

// In namespace warp32 of a port's hip_compat.h warps have 32 lanes on every wave size: a function
// that uses it works on those. Where the port's header says so, all functions with a 32-bit mask
// do.
bool has_warps_of_32(const CudaCheck& check, TokenIndex token) {
  if (has_header_for_warps_of_32(check)) return true;
  const auto uses = check.file.occurrences(kWarps);
  if (uses.empty()) return false;
  const cu::Function* function = check.file.function_at(token);
  return function != nullptr && std::any_of(uses.begin(), uses.end(), [&](TokenIndex use) {
           return function->body.contains(use) && check.on_amd(use) != Truth::kNo;
         });
}

bool has_warps_of_32(const CudaCheck& check) {
  if (has_header_for_warps_of_32(check)) return true;
  const auto uses = check.file.occurrences(kWarps);
  return std::any_of(uses.begin(), uses.end(),
                     [&](TokenIndex use) { return check.on_amd(use) != Truth::kNo; });
}

// The other branch of #if defined(__GFX9__): all targets with 64 lanes are of that family.
bool is_past_gfx9(const CudaCheck& check, TokenIndex token) {
  const std::vector<std::string> conditions = check.file.conditions(token);
  return std::ranges::any_of(conditions, [](const std::string& each) {
    return each.starts_with('!') && each.find("__GFX9__") != std::string::npos &&
           each.find("&&") == std::string::npos;
  });
}

bool is_for_wave32(const CudaCheck& check, TokenIndex token) {
  return says_wave32(check.facts.path) || is_past_gfx9(check, token) ||
         conditions_say(check, token, says_wave32) || has_warps_of_32(check, token);
}

bool is_for_wave64(const CudaCheck& check, TokenIndex token) {
  return says_wave64(check.facts.path) || conditions_say(check, token, says_wave64);
}

bool is_for_amd_alone(const CudaCheck& check, TokenIndex token) {
  return check.facts.is_rocm_specific ||
         check.file.compiled(token, syntax::cuda::Platform::kNvidia) == Truth::kNo;
}

namespace {

bool counts_in_32(const File& file, TokenIndex at) {
  static constexpr std::array<long long, 4> kNumbers = {5, 16, 31, 32};
  if (file.tokens()[at].kind == Kind::kNumber) {
    const auto value = literal(file, at);
    return value &&
           std::ranges::find(kNumbers, static_cast<long long>(value->value)) != kNumbers.end();
  }
  if (!is_name(file, at) || file.text(at) == "warpSize") return false;
  // A macro, a constant or a member may stand for 32.
  if (is_warp_name(file.text(at))) return true;
  const auto value = constant(file, {at, at + 1});
  return value &&
         std::ranges::find(kNumbers, static_cast<long long>(value->value)) != kNumbers.end();
}

bool is_intrinsic(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kWords = {"if",  "for",    "while",  "switch",
                                                             "min", "sizeof", "printf", "return"};
  return name.starts_with("__") || name.starts_with("atomic") ||
         std::ranges::find(kWords, name) != kWords.end();
}

}  // namespace

bool is_free_of_32(const File& file, TokenIndex token) {
  const cu::Function* function = file.function_at(token);
  if (function == nullptr || function->body.empty()) return false;
  bool is_kernel = false;
  for (TokenIndex at = function->head.begin; at < function->body.begin; ++at)
    is_kernel |= file.text(at) == "__global__";
  if (!is_kernel) return false;
  for (TokenIndex at = function->body.begin; at + 1 < function->body.end; ++at) {
    const bool is_seen = (file.tokens()[at].flags & cu::kInDirective) == 0 &&
                         file.compiled(at, syntax::cuda::Platform::kAmd) != Truth::kNo;
    if (!is_seen) continue;
    if (counts_in_32(file, at)) return false;
    if (is_name(file, at) && file.is(at + 1, "(") && !is_intrinsic(file.text(at))) return false;
    if (is_name(file, at) && file.macro_named(file.text(at)) != nullptr) return false;
  }
  return true;
}

Confidence sure(const CudaCheck& check, TokenIndex token, Confidence most) {
  const bool is_certain = check.file.compiled(token, syntax::cuda::Platform::kAmd) == Truth::kYes;
  return is_certain ? most : std::min(most, Confidence::kMedium);
}

bool is_own_macro(const CudaCheck& check, std::string_view name) {
  return check.file.macro_named(name) != nullptr ||
         (check.facts.own_definitions != nullptr && check.facts.own_definitions->has_macro(name));
}

bool is_own_name(const CudaCheck& check, const Name& name) {
  const File& file = check.file;
  if (is_own_macro(check, name.text())) return true;
  if (check.facts.own_definitions != nullptr &&
      check.facts.own_definitions->has_function(name.text()))
    return true;
  return std::ranges::any_of(file.functions(),
                             [&](const cu::Function& each) { return file.is(each.name, name); });
}

}  // namespace hipwright::lint
