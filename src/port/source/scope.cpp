// SPDX-License-Identifier: MIT
#include "port/source/scope.h"

#include <algorithm>
#include <array>
#include <vector>

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

void put_before(Scope& scope, std::string_view name) {
  if (name.empty()) return;
  scope.path = scope.path.empty() ? std::string(name) : std::string(name) + "::" + scope.path;
}

// "a::b" of `namespace a::b {`; nullopt-like: is_namespace stays false.
std::string namespace_before(const cu::File& file, cu::TokenIndex brace, bool& is_namespace) {
  std::string name;
  cu::TokenIndex at = brace;
  while (at > 0) {
    --at;
    const std::string_view text = file.text(at);
    if (text == "namespace") {
      is_namespace = true;
      return name;
    }
    if (text != "::" && text != "inline" && file.tokens()[at].kind != cu::Kind::kName) return {};
    if (text != "inline") name = std::string(text) + name;
    if (brace - at > 16) return {};
  }
  return {};
}

// The name of the class whose body the brace opens; kNoToken if it opens something else.
cu::TokenIndex class_before(const cu::File& file, cu::TokenIndex brace, bool& has_bases) {
  cu::TokenIndex begin = brace;
  while (begin > 0 && !file.is(begin - 1, ";") && !file.is(begin - 1, "{") &&
         !file.is(begin - 1, "}"))
    --begin;
  cu::TokenIndex name = cu::kNoToken;
  for (cu::TokenIndex at = begin; at < brace; ++at) {
    const std::string_view text = file.text(at);
    if (name == cu::kNoToken) {
      const bool is_key = text == "struct" || text == "class" || text == "union";
      const bool is_parameter =
          at > begin && (file.is(at - 1, "<") || file.is(at - 1, ",") || file.is(at - 1, "("));
      if (is_key && !is_parameter) name = at;
      continue;
    }
    if (file.is(at, ":")) {
      has_bases = true;
      break;
    }
    if (file.is(at, "(") && file.partner(at) != cu::kNoToken) {  // __align__(16)
      at = file.partner(at);
      name = at;
      continue;
    }
    if (file.is(at, "<")) break;
    if (file.tokens()[at].kind == cu::Kind::kName && text != "final") name = at;
  }
  if (name == cu::kNoToken || file.tokens()[name].kind != cu::Kind::kName) return cu::kNoToken;
  // `struct S f() {` is a function.
  if (!has_bases && brace > 0 && file.is(brace - 1, ")") && name + 1 < brace &&
      file.is(name + 1, "("))
    return cu::kNoToken;
  return name;
}

// A::B of `A::B::name`.
void qualify(const cu::File& file, cu::TokenIndex name, Scope& scope) {
  while (name >= 2 && file.is(name - 1, "::") && file.tokens()[name - 2].kind == cu::Kind::kName) {
    if (scope.path.empty()) scope.is_class = scope.has_bases = true;  // its bases are unknown
    put_before(scope, file.text(name - 2));
    name -= 2;
  }
}

}  // namespace

bool has_qualifier(const cu::File& file, cu::TokenIndex name) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"return",  "else",    "do",        "throw",    "case",   "co_return", "and",
       "or",      "not",     "co_await",  "co_yield", "const",  "constexpr", "inline",
       "static",  "typedef", "typename",  "using",    "new",    "volatile",  "public",
       "private", "virtual", "protected", "extern",   "friend", "mutable",   "constinit"});
  if (name < 2 || !file.is(name - 1, "::")) return false;
  if (file.tokens()[name - 2].kind != cu::Kind::kName) return file.is(name - 2, ">");
  return std::find(kWords.begin(), kWords.end(), file.text(name - 2)) == kWords.end();
}

Scope scope_at(const cu::File& file, cu::TokenIndex token) {
  Scope scope;
  bool is_innermost = true;
  const cu::Function* function = file.function_at(token);
  if (function != nullptr && function->name != cu::kNoToken) qualify(file, function->name, scope);
  is_innermost = scope.path.empty();
  for (cu::TokenIndex at = file.enclosing(token); at != cu::kNoToken; at = file.enclosing(at)) {
    if (!file.is(at, "{")) continue;
    bool is_namespace = false, has_bases = false;
    const std::string name = namespace_before(file, at, is_namespace);
    if (is_namespace) {
      put_before(scope, name);
      is_innermost = false;
      continue;
    }
    const cu::TokenIndex named = class_before(file, at, has_bases);
    if (named == cu::kNoToken) continue;
    put_before(scope, file.text(named));
    if (is_innermost) {
      scope.is_class = true;
      scope.has_bases = has_bases;
    }
    is_innermost = false;
  }
  return scope;
}

}  // namespace hipwright::port
