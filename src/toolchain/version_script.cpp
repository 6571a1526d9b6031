// SPDX-License-Identifier: MIT
// Reads linker version scripts: NODE { global: a; b; local: *; } PARENT;   with # comments.
#include <algorithm>

#include "toolchain/sdk.h"

namespace hipwright::toolchain {

namespace {

// Words and the punctuation { } ; as tokens of their own; comments dropped.
std::vector<std::string> tokens_of(std::string_view script) {
  std::vector<std::string> tokens;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) tokens.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '#') {
      flush();
      i = std::min(script.find('\n', i), script.size());
    } else if (c == '{' || c == '}' || c == ';') {
      flush();
      tokens.emplace_back(1, c);
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      flush();
    } else {
      word += c;
    }
  }
  flush();
  return tokens;
}

}  // namespace

Result<std::vector<ExportedSymbol>> exported_symbols(std::string_view version_script) {
  std::vector<ExportedSymbol> symbols;
  std::string previous, node;  // an anonymous node has no name before its brace
  bool inside = false;
  bool global = true;
  for (const std::string& token : tokens_of(version_script)) {
    if (token == "{") {
      node = previous == ";" ? "" : previous;
      inside = global = true;
    } else if (token == "}") {
      inside = false;
    } else if (token == "global:" || token == "local:") {
      global = token == "global:";
    } else if (token != ";" && inside && global) {
      symbols.push_back({token, node});
    }
    previous = token;
  }
  if (symbols.empty())
    return fail("cannot read the linker version script", "", "no exported symbol");
  return symbols;
}

}  // namespace hipwright::toolchain
