// SPDX-License-Identifier: MIT
#include "port/python/imported_names.h"

#include <algorithm>

namespace hipwright::port {

using namespace syntax::python;

TokenIndex token_at(const File& file, std::size_t offset) {
  const auto tokens = file.tokens();
  const auto at =
      std::lower_bound(tokens.begin(), tokens.end(), offset,
                       [](const Token& token, std::size_t wanted) { return token.begin < wanted; });
  return at != tokens.end() && at->begin == offset ? static_cast<TokenIndex>(at - tokens.begin())
                                                   : kNoToken;
}

std::vector<ImportedName> imported_names(const File& file, StatementIndex index) {
  const Statement& statement = file.statements()[index];
  std::vector<ImportedName> found;
  TokenIndex at = statement.tokens.begin + 1;
  const TokenIndex end = statement.tokens.end;
  const auto name_behind = [&](TokenIndex last, std::string otherwise) {
    return last + 2 < end && file.is(last + 1, "as") ? std::string(file.text(last + 2))
                                                     : std::move(otherwise);
  };
  if (statement.kind == StatementKind::kImport) {
    for (; at < end; ++at) {
      if (file.tokens()[at].kind != Kind::kName) continue;
      const TokenRange module = file.dotted(at);
      const bool is_renamed = module.end + 1 < end && file.is(module.end, "as");
      found.push_back({file.compact(module),
                       {},
                       name_behind(module.end - 1, std::string(file.text(module.begin)))});
      at = is_renamed ? module.end + 1 : module.end - 1;
    }
  } else if (statement.kind == StatementKind::kFromImport && at < end &&
             file.tokens()[at].kind == Kind::kName) {
    const TokenRange module = file.dotted(at);
    for (at = module.end + 1; at < end; ++at) {
      if (file.tokens()[at].kind != Kind::kName) continue;
      const std::string word(file.text(at));
      found.push_back({file.compact(module), word, name_behind(at, word)});
      if (at + 1 < end && file.is(at + 1, "as")) at += 2;
    }
  }
  return found;
}

std::vector<TokenIndex> members_of(const File& file, std::string_view name) {
  std::vector<TokenIndex> found;
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at + 2 < tokens.size(); ++at)
    if (tokens[at].kind == Kind::kName && file.is(at, name) && file.is(at + 1, ".") &&
        (at == 0 || !file.is(at - 1, ".")) && tokens[at + 2].kind == Kind::kName)
      found.push_back(at + 2);
  return found;
}

}  // namespace hipwright::port
