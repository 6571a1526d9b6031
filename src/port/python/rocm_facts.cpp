// SPDX-License-Identifier: MIT
#include "port/python/rocm_facts.h"

#include <algorithm>
#include <array>

namespace hipwright::port {

using namespace syntax::python;
using syntax::Truth;

namespace {

constexpr int kDeepest = 100;

constexpr std::array<std::string_view, 17> kAmdNames = {
    "is_rocm", "_is_rocm", "is_hip",          "_is_hip", "IS_ROCM",          "_IS_ROCM",
    "IS_HIP",  "_IS_HIP",  "is_rocm_pytorch", "is_amd",  "_is_amd",          "USE_ROCM",
    "is_hip_", "HAS_ROCM", "TEST_WITH_ROCM",  "ON_ROCM", "IS_HIP_EXTENSION",
};

Truth opposite(Truth truth) {
  return truth == Truth::kYes ? Truth::kNo : truth == Truth::kNo ? Truth::kYes : Truth::kMaybe;
}

// Finds `word` at the top level of the range. Returns kNoToken if it does not occur.
TokenIndex find_word(const File& file, TokenRange range, std::string_view word) {
  for (TokenIndex at = range.begin; at < range.end; at = std::max(file.skip(at), at + 1))
    if (file.is(at, word)) return at;
  return kNoToken;
}

}  // namespace

PythonFacts::PythonFacts(const File& file, const std::vector<std::string>& amd_names)
    : file_(file), names_(kAmdNames.begin(), kAmdNames.end()) {
  names_.insert(names_.end(), amd_names.begin(), amd_names.end());
  // A name means what it says, unless this file redefines it.
  std::vector<std::string> doubtful;
  const std::span<const Token> tokens = file.tokens();
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kName || !is_amd_name(file.text(at))) continue;
    const bool is_member = at > 1 && file.is(at - 1, ".");
    if (is_member && !file.is(at - 2, "self") && !file.is(at - 2, "cls")) continue;
    for (const Binding& each : bindings(file, variable_at(file, at)))
      if (!is_false(each)) doubtful.emplace_back(file.text(at));
  }
  doubtful_ = std::move(doubtful);
}

bool PythonFacts::is_false(const Binding& binding) const {
  switch (binding.kind) {
    case BindingKind::kAssign:
      return condition(binding.value) == Truth::kNo;
    case BindingKind::kDefinition:
      return is_definition(binding.statement);
    case BindingKind::kImport:
    case BindingKind::kGlobal:
      return true;
    default:
      return false;
  }
}

bool PythonFacts::is_amd_name(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end() &&
         std::find(doubtful_.begin(), doubtful_.end(), name) == doubtful_.end();
}

// torch.version.hip, getattr(torch.version, "hip", None): None for NVIDIA.
bool PythonFacts::is_version(TokenRange range) const {
  const std::string text = file_.compact(range);
  return text == "torch.version.hip" || text == "getattr(torch.version,\"hip\",None)" ||
         text == "getattr(torch.version,'hip',None)";
}

Truth PythonFacts::operand(TokenRange range) const {
  if (range.empty()) return Truth::kMaybe;
  if (is_version(range)) return Truth::kNo;
  if (range.size() > 2 && file_.is(range.end - 1, "None") && file_.is(range.end - 2, "is") &&
      is_version({range.begin, range.end - 2}))
    return Truth::kYes;
  if (range.size() > 3 && file_.is(range.end - 1, "None") && file_.is(range.end - 2, "not") &&
      file_.is(range.end - 3, "is") && is_version({range.begin, range.end - 3}))
    return Truth::kNo;
  if (range.size() == 1 && file_.is(range.begin, "False")) return Truth::kNo;
  if (range.size() == 1 && file_.is(range.begin, "True")) return Truth::kYes;
  TokenIndex name = range.end - 1;
  if (range.size() > 2 && file_.is(name, ")") && file_.is(name - 1, "(")) name -= 2;
  if (name < range.begin || file_.tokens()[name].kind != Kind::kName ||
      file_.dotted(name).begin != range.begin)
    return Truth::kMaybe;
  return is_amd_name(file_.text(name)) ? Truth::kNo : Truth::kMaybe;
}

Truth PythonFacts::condition(TokenRange range) const {
  return condition(range, 0);
}

Truth PythonFacts::condition(TokenRange range, int depth) const {
  if (range.empty() || depth > kDeepest) return Truth::kMaybe;
  if (file_.is(range.begin, "(") && file_.partner(range.begin) == range.end - 1)
    return condition({range.begin + 1, range.end - 1}, depth + 1);
  for (const std::string_view word : {"if", "lambda", ":=", ","})
    if (find_word(file_, range, word) != kNoToken) return Truth::kMaybe;
  for (const std::string_view word : {"or", "and"}) {
    const TokenIndex at = find_word(file_, range, word);
    if (at == kNoToken) continue;
    const Truth left = condition({range.begin, at}, depth + 1);
    const Truth right = condition({at + 1, range.end}, depth + 1);
    const Truth decides = word == "or" ? Truth::kYes : Truth::kNo;
    if (left == decides || right == decides) return decides;
    return left == opposite(decides) && right == opposite(decides) ? left : Truth::kMaybe;
  }
  if (file_.is(range.begin, "not"))
    return opposite(condition({range.begin + 1, range.end}, depth + 1));
  return operand(range);
}

// from .hip_support import is_rocm, rocm_fp8_dtype
bool PythonFacts::imports_support(StatementIndex statement) const {
  const TokenRange tokens = file_.statements()[statement].tokens;
  const TokenIndex import = find_word(file_, tokens, "import");
  if (import == kNoToken || import == tokens.begin + 1) return false;
  if (find_word(file_, {import, tokens.end}, "as") != kNoToken) return false;
  const bool is_ours = file_.is(import - 1, kSupportModule);
  for (TokenIndex at = import + 1; at < tokens.end; ++at) {
    if (file_.is(at, "*")) return false;
    if (file_.tokens()[at].kind != Kind::kName || is_amd_name(file_.text(at))) continue;
    // Names that only gates use.
    if (!is_ours ||
        !(file_.text(at).starts_with("rocm_") || file_.is(at, "allow_rng_state_during_capture")))
      return false;
  }
  return true;
}

bool PythonFacts::is_definition(StatementIndex index) const {
  const Statement& statement = file_.statements()[index];
  if (statement.kind == StatementKind::kFromImport) return imports_support(index);
  const TokenRange tokens = statement.tokens;
  if (statement.kind == StatementKind::kDef && tokens.size() > 2) {
    const TokenIndex name = file_.name_of(index);
    if (name == kNoToken || !is_amd_name(file_.text(name))) return false;
    const std::vector<StatementIndex> body = file_.children(index);
    if (body.size() != 1) return false;
    const Statement& only = file_.statements()[body.front()];
    return only.kind == StatementKind::kReturn &&
           condition({only.tokens.begin + 1, only.tokens.end}) == Truth::kNo;
  }
  return statement.kind == StatementKind::kSimple && tokens.size() > 2 &&
         file_.is(tokens.begin + 1, "=") && is_amd_name(file_.text(tokens.begin)) &&
         condition({tokens.begin + 2, tokens.end}) == Truth::kNo;
}

}  // namespace hipwright::port
