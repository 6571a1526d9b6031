// SPDX-License-Identifier: MIT
#include "port/python/inductor_config.h"

#include <algorithm>
#include <array>

#include "port/python/imported_names.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

const syntax::Name kCompile("compile");
const std::array kSettings = {syntax::Name("cudagraphs"), syntax::Name("cudagraph_trees"),
                              syntax::Name("memory_planning"),
                              syntax::Name("max_autotune_gemm_backends")};

// import torch._inductor.config as config; from torch._inductor import config as c
bool is_inductors(const File& file, std::string_view name) {
  for (StatementIndex i = 0; i < file.statements().size(); ++i) {
    const StatementKind kind = file.statements()[i].kind;
    if (kind != StatementKind::kImport && kind != StatementKind::kFromImport) continue;
    for (const ImportedName& each : imported_names(file, i))
      if (each.name == name && each.module.find("_inductor") != std::string::npos) return true;
  }
  return false;
}

// config.patch(max_autotune=True)
TokenRange patched_value(const File& file, TokenIndex at) {
  const TokenIndex open = file.enclosing(at);
  if (open == kNoToken || open == 0 || !file.is(open, "(") || !file.is(open - 1, "patch"))
    return {};
  const std::string callee = file.compact(file.dotted(open - 1));
  if (callee.find("_inductor") == std::string::npos &&
      !is_inductors(file, callee.substr(0, callee.find('.'))))
    return {};
  const auto value = file.keyword_argument(open, file.text(at));
  return value && value->begin == at + 2 ? *value : TokenRange{};
}

}  // namespace

bool calls_compile(const File& file) {
  return std::ranges::any_of(file.occurrences(kCompile), [&](TokenIndex at) {
    return at >= 2 && file.is(at - 1, ".") && file.is(at - 2, "torch");
  });
}

bool sets_inductor(const File& file) {
  const auto is_set = [&](const syntax::Name& name) {
    return std::ranges::any_of(file.occurrences(name), [&](TokenIndex at) {
      return at + 1 < file.tokens().size() && file.is(at + 1, "=");
    });
  };
  return std::ranges::any_of(kSettings, is_set) ||
         file.text().find("triton.cudagraph") != std::string_view::npos;
}

TokenRange inductor_value(const File& file, TokenIndex at) {
  if (at == 0 || !file.is(at + 1, "=")) return {};
  if (!file.is(at - 1, ".")) return patched_value(file, at);
  const std::string name = file.compact(file.dotted(at));
  if (name.find("_inductor") == std::string::npos &&
      !is_inductors(file, name.substr(0, name.find('.'))))
    return {};
  return {at + 2, file.statements()[file.statement_at(at)].tokens.end};
}

std::vector<TokenIndex> text_keys(const File& file) {
  std::vector<TokenIndex> keys;
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kString || !file.is(at + 1, ":")) continue;
    const TokenIndex open = file.enclosing(at);
    if (open != kNoToken && file.is(open, "{")) keys.push_back(at);
  }
  return keys;
}

}  // namespace hipwright::port
