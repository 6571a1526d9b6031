// SPDX-License-Identifier: MIT
// Reads linker version scripts: NODE { global: a; b; local: *; } PARENT;   with # comments.
#include <algorithm>
#include <charconv>

#include "toolchain/sdk.h"

namespace hipwright::toolchain {

namespace {

// "# since 7.10" to 710 if it begins with the word; otherwise 0.
unsigned release_in(std::string_view comment, std::string_view word) {
  const std::size_t at = comment.find(word);
  unsigned major = 0, minor = 0;
  const char* const end = comment.data() + comment.size();
  if (at == std::string_view::npos) return 0;
  const auto [dot, problem] = std::from_chars(comment.data() + at + word.size(), end, major);
  if (problem != std::errc() || dot == end || *dot != '.') return 0;
  if (std::from_chars(dot + 1, end, minor).ec != std::errc() || major > 99 || minor > 99) return 0;
  return major * 100 + minor;
}

// Words and the punctuation { } ; as tokens of their own; a comment is a token if it dates a
// symbol.
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
      const std::string_view comment = script.substr(i, script.find('\n', i) - i);
      if (comment.starts_with("# since ") || comment.starts_with("# until "))
        tokens.emplace_back(comment);
      i += comment.size();
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
    if (token.starts_with('#')) {
      if (symbols.empty()) continue;
      if (const unsigned since = release_in(token, "# since ")) symbols.back().since = since;
      if (const unsigned until = release_in(token, "# until ")) symbols.back().until = until;
      continue;
    }
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
