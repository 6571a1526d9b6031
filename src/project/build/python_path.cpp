// SPDX-License-Identifier: MIT
#include "project/build/python_path.h"

#include "base/words.h"

namespace hipwright::project {

namespace python = syntax::python;

using python::Kind;
using python::kNoToken;
using python::TokenIndex;
using python::TokenRange;

namespace {

constexpr int kDeepest = 16;            // variables that refer to each other
constexpr int kMostVariables = 256;     // of one path, each as often as it is used
constexpr std::size_t kLongest = 4096;  // PATH_MAX

bool is_glob_call(std::string_view name) {
  return is_any(name, {"glob", "iglob", "rglob"});
}

// Calls whose result is the path they are given.
bool keeps_path(std::string_view name) {
  return is_any(name, {"abspath", "realpath", "str", "Path", "PurePath", "resolve", "absolute",
                       "fspath", "relpath", "normpath", "expanduser", "as_posix"});
}

PathExpression unknown() {
  return {.is_known = false};
}

void append(PathExpression& to, const PathExpression& next, std::string_view between) {
  if (!next.is_known || to.text.size() + next.text.size() > kLongest) {
    to = next.is_known ? unknown() : next;
    return;
  }
  if (!to.text.empty() && !next.text.empty() && !to.text.ends_with('/')) to.text += between;
  to.text += next.text;
  to.is_glob |= next.is_glob;
}

}  // namespace

PathReader::PathReader(const python::File& file, std::string_view name) : file_(file), name_(name) {
  for (const python::Statement& each : file.statements()) {
    const TokenIndex begin = each.tokens.begin;
    if (each.kind == python::StatementKind::kSimple && file.is(begin + 1, "="))
      assigned_.try_emplace(file.text(begin), TokenRange{begin + 2, each.tokens.end});
  }
}

// a.b(c)[d]: to the left of `end`.
TokenRange PathReader::operand_before(TokenIndex end) const {
  TokenIndex begin = end;
  while (begin > 0) {
    const TokenIndex last = begin - 1;
    if ((file_.is(last, ")") || file_.is(last, "]")) && file_.partner(last) != kNoToken) {
      begin = file_.partner(last);
      const bool is_called = begin > 0 && file_.tokens()[begin - 1].kind == Kind::kName &&
                             !python::is_keyword(file_.text(begin - 1));
      if (!is_called) break;
      continue;
    }
    if (file_.tokens()[last].kind != Kind::kName && file_.tokens()[last].kind != Kind::kString)
      break;
    begin = last;
    if (begin == 0 || !file_.is(begin - 1, ".")) break;
    --begin;
  }
  return {begin, end};
}

TokenRange PathReader::operand_at(TokenIndex begin) const {
  TokenIndex end = begin + 1;
  if (file_.is(begin, "(")) end = file_.skip(begin);
  while (file_.is(end, ".") || file_.is(end, "(") || file_.is(end, "["))
    end = file_.is(end, ".") ? end + 2 : file_.skip(end);
  return {begin, std::min<TokenIndex>(end, static_cast<TokenIndex>(file_.tokens().size()))};
}

// With what '+' and '/' add to it.
TokenRange PathReader::joined(TokenRange operand) const {
  const auto joins = [&](TokenIndex at) { return file_.is(at, "+") || file_.is(at, "/"); };
  while (operand.begin > 1 && joins(operand.begin - 1)) {
    const TokenRange before = operand_before(operand.begin - 1);
    if (before.empty()) break;
    operand.begin = before.begin;
  }
  while (joins(operand.end)) operand.end = operand_at(operand.end + 1).end;
  return operand;
}

PathExpression PathReader::around(TokenIndex string) {
  TokenRange whole = joined(operand_at(string));
  for (int depth = 0; depth < kDeepest; ++depth) {
    const TokenIndex open = file_.enclosing(whole.begin);
    if (open == kNoToken || open == 0 || !file_.is(open, "(")) break;
    const std::string_view callee = file_.text(open - 1);
    const bool is_pattern = is_glob_call(callee);
    if (!is_pattern && callee != "join" && !keeps_path(callee)) break;
    const TokenRange call = operand_at(operand_before(open).begin);
    if (!call.contains(string)) break;
    whole = is_pattern ? call : joined(call);
    if (is_pattern) break;
  }
  variables_left_ = kMostVariables;
  PathExpression found = value(whole, 0);
  found.is_composed = whole.size() > 1;
  return found;
}

PathExpression PathReader::value(TokenRange expression, int depth) {
  if (depth > kDeepest || expression.empty()) return unknown();
  PathExpression all;
  TokenRange operand = operand_at(expression.begin);
  all = operand_value(operand, depth);
  while (operand.end < expression.end) {
    const bool is_division = file_.is(operand.end, "/");
    if (!is_division && !file_.is(operand.end, "+")) return unknown();
    operand = operand_at(operand.end + 1);
    append(all, operand_value(operand, depth), is_division ? "/" : "");
  }
  return all;
}

PathExpression PathReader::operand_value(TokenRange operand, int depth) {
  TokenIndex at = operand.begin;
  PathExpression found;
  if (file_.tokens()[at].kind == Kind::kString) {
    found = string_value(at++, depth);
  } else if (file_.is(at, "(") && file_.partner(at) != kNoToken) {
    found = value({at + 1, file_.partner(at)}, depth + 1);
    at = file_.skip(at);
  } else {
    // The dotted name up to its call: os.path.join, here
    const TokenIndex name = at;
    TokenIndex last = at;
    while (last + 2 < operand.end && file_.is(last + 1, ".")) last += 2;
    if (file_.is(last + 1, "(")) {
      const bool is_method = last > name &&
                             (is_glob_call(file_.text(last)) || keeps_path(file_.text(last))) &&
                             !is_any(file_.text(name), {"os", "glob", "pathlib"});
      found =
          is_method ? variable(file_.text(name), depth) : call(last + 1, {name, last + 1}, depth);
      at = is_method ? name + 1 : file_.skip(last + 1);
    } else {
      found = variable(file_.text(name), depth);
      at = name + 1;
    }
  }
  while (at < operand.end && file_.is(at, ".")) {
    const std::string_view name = file_.text(at + 1);
    at += 2;
    if (!file_.is(at, "(")) {
      found = attribute(std::move(found), name);
      continue;
    }
    const auto given = file_.arguments(at);
    at = file_.skip(at);
    if (keeps_path(name)) continue;
    if (!is_any(name, {"joinpath", "glob", "rglob"})) return unknown();
    if (name == "rglob") append(found, {"**"}, "/");
    for (const TokenRange& each : given) append(found, value(each, depth + 1), "/");
    found.is_glob |= is_glob_call(name);
  }
  return at < operand.end ? unknown() : found;
}

PathExpression PathReader::string_value(TokenIndex string, int depth) {
  const std::string text = file_.string_value(string);
  const std::string_view prefix =
      file_.text(string).substr(0, file_.text(string).find_first_of("\"'"));
  if (!contains_word(prefix, "f")) return {text};
  PathExpression all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    append(all, {text.substr(at, open - at)}, "");
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) return unknown();
    PathExpression field =
        variable(std::string_view(text).substr(open + 1, close - open - 1), depth);
    // A part of a name: f"{name}_kernel.cu"
    const bool ends_folder = close + 1 < text.size() && text[close + 1] == '/';
    if (!field.is_known && !ends_folder) field = {"*"};
    append(all, field, "");
    at = close + 1;
  }
  return all;
}

PathExpression PathReader::variable(std::string_view name, int depth) {
  if (name == "__file__") return {std::string(name_)};
  const auto found = assigned_.find(name);
  if (depth > kDeepest || --variables_left_ < 0 || found == assigned_.end()) return unknown();
  return value(found->second, depth + 1);
}

PathExpression PathReader::call(TokenIndex open, TokenRange callee, int depth) {
  const std::string_view name = file_.text(callee.end - 1);
  const auto given = file_.arguments(open);
  if (name == "getcwd" || name == "cwd") return {};
  if (given.empty()) return unknown();
  if (name == "join") {
    PathExpression all;
    for (const TokenRange& each : given) append(all, value(each, depth + 1), "/");
    return all;
  }
  const bool is_pattern = is_glob_call(name);
  if (!is_pattern && !keeps_path(name) && name != "dirname") return unknown();
  PathExpression found = value(given.front(), depth + 1);
  found.is_glob |= is_pattern;
  return name == "dirname" ? attribute(std::move(found), "parent") : found;
}

PathExpression PathReader::attribute(PathExpression of, std::string_view name) const {
  if (name != "parent" || !of.is_known || of.text == "." || of.text.empty()) return unknown();
  const std::size_t slash = of.text.rfind('/');
  of.text.erase(slash == std::string::npos ? 0 : slash);
  return of;
}

}  // namespace hipwright::project
