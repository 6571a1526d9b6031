// SPDX-License-Identifier: MIT
#include "port/python/inductor_config.h"

#include "port/python/imported_names.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

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

}  // namespace

TokenRange inductor_value(const File& file, TokenIndex at) {
  if (at == 0 || !file.is(at - 1, ".") || !file.is(at + 1, "=")) return {};
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
