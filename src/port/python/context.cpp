// SPDX-License-Identifier: MIT
#include "port/python/context.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/python/rocm_facts.h"
#include "port/source/paths.h"
#include "syntax/python/flow.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Truth;

namespace {

// PyTorch's own name for it in extension builds.
constexpr std::string_view kBuildGate = "IS_HIP_EXTENSION";

// import pkg, from pkg.a import b
bool imports_package(const File& file, const Statement& statement, std::string_view package) {
  const bool is_import =
      statement.kind == StatementKind::kImport || statement.kind == StatementKind::kFromImport;
  return is_import && statement.tokens.size() > 1 && file.is(statement.tokens.begin + 1, package);
}

bool imports_support(const File& file, const Statement& statement) {
  if (statement.kind != StatementKind::kFromImport) return false;
  for (TokenIndex at = statement.tokens.begin + 1; at < statement.tokens.end; ++at)
    if (file.is(at, "import")) return file.is(at - 1, kSupportModule);
  return false;
}

}  // namespace

PythonContext::PythonContext(const Options& port_options, const Tree& port_tree,
                             const PythonLayout& of_tree, PortedFile& into)
    : options(port_options),
      tree(port_tree),
      layout(of_tree),
      source(*into.source),
      file(*into.source->python()),
      out_(into),
      break_(line_break_of(into.source->text())) {
  const std::string_view text = file.text();
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1))
    if (at + 1 >= text.size() || text[at + 1] != '\n') has_plain_lines_ = false;
  const auto statements = file.statements();
  const std::string package = layout.package_loaded_by(source);
  for (StatementIndex at = 0; at < statements.size(); ++at) {
    if (statements[at].parent != kNoStatement) continue;
    const Statement& each = statements[at];
    if (torch_ == kNoStatement && imports_package(file, each, "torch")) torch_ = at;
    if (support_ == kNoStatement && imports_support(file, each)) support_ = at;
    if (not_before_ == kNoStatement && !package.empty() && imports_package(file, each, package))
      not_before_ = at;
  }
  if (is_build_script(source.path())) {
    gate_ = kBuildGate;
    not_before_ = torch_;
    return;
  }
  loads_package_ = !package.empty() && not_before_ == kNoStatement && support_ == kNoStatement;
  if (loads_package_) gate_ = "torch.version.hip";
  // An is_rocm that is not ours may be a function, or true for other reasons.
  if (support_ == kNoStatement) {
    const auto tokens = file.tokens();
    for (TokenIndex at = 0; at < tokens.size(); ++at)
      if (tokens[at].kind == Kind::kName && file.is(at, "is_rocm") &&
          (at == 0 || !file.is(at - 1, ".")))
        for (const Binding& each : bindings(file, variable_at(file, at)))
          if (!imports_support(file, statements[each.statement])) gate_ = "torch.version.hip";
  }
  if (gate_ == "torch.version.hip" && (not_before_ == kNoStatement || torch_ > not_before_))
    not_before_ = torch_;
}

bool PythonContext::is_settled(TokenIndex token) const {
  return file.token_runs_on_rocm(token) == Truth::kNo;
}

void PythonContext::report(CodeId code, Severity severity, Span span, std::string message,
                           std::string why) {
  out_.report(code, severity, span, std::move(message), std::move(why));
}

bool PythonContext::change(Span span, std::string replacement, const Why& why) {
  return out_.change(
      {.edit = {span, std::move(replacement)}, .code = why.code, .reason = why.reason});
}

// --- where things are ---

std::size_t PythonContext::line_begin(StatementIndex statement) const {
  const std::size_t at = file.span(file.statements()[statement].tokens.begin).begin;
  const std::size_t before = file.text().rfind('\n', at == 0 ? 0 : at - 1);
  return at == 0 || before == std::string_view::npos ? 0 : before + 1;
}

std::size_t PythonContext::line_after(StatementIndex statement) const {
  const std::size_t end =
      file.text().find('\n', file.span(file.statements()[statement].tokens.end - 1).end);
  return end == std::string_view::npos ? file.text().size() : end + 1;
}

std::string PythonContext::indent_of(StatementIndex statement) const {
  const std::size_t begin = line_begin(statement);
  const std::size_t end = file.text().find_first_not_of(" \t\f", begin);
  return std::string(file.text().substr(begin, std::min(end, file.text().size()) - begin));
}

std::string PythonContext::unit() const {
  for (const Statement& each : file.statements())
    if (each.indent > 0) {
      const std::size_t at = file.span(each.tokens.begin).begin;
      if (at > 0 && file.text()[at - 1] == '\t') return "\t";
      return each.parent != kNoStatement && each.indent == 2 ? "  " : "    ";
    }
  return "    ";
}

// Is its line (or lines) its own?
bool PythonContext::stands_alone(StatementIndex statement) const {
  const TokenRange tokens = file.statements()[statement].tokens;
  const std::size_t begin = line_begin(statement);
  const std::size_t at = file.span(tokens.begin).begin;
  if (file.text().substr(begin, at - begin).find_first_not_of(" \t\f") != std::string_view::npos)
    return false;
  return file.tokens()[tokens.end].kind == Kind::kNewline ||
         file.tokens()[tokens.end].kind == Kind::kEnd;
}

// The first of if/elif/else, of try/except, and of decorators and what they decorate.
StatementIndex PythonContext::head_of(StatementIndex statement) const {
  const auto statements = file.statements();
  const std::vector<StatementIndex> list = file.children(statements[statement].parent);
  auto at = std::find(list.begin(), list.end(), statement);
  while (at != list.begin() && at != list.end()) {
    const StatementKind kind = statements[*at].kind;
    const bool continues = kind == StatementKind::kElif || kind == StatementKind::kElse ||
                           kind == StatementKind::kExcept || kind == StatementKind::kFinally ||
                           kind == StatementKind::kCase ||
                           statements[*std::prev(at)].kind == StatementKind::kDecorator;
    if (!continues) break;
    --at;
  }
  return at == list.end() ? statement : *at;
}

// The statement around it (or itself) that is directly in the block of `in`.
StatementIndex PythonContext::ancestor(StatementIndex statement, StatementIndex in) const {
  while (file.statements()[statement].parent != in &&
         file.statements()[statement].parent != kNoStatement)
    statement = file.statements()[statement].parent;
  return head_of(statement);
}

// --- names that gates need ---

// Can the import go where it is needed? If torch is not imported at the top, the function that asks
// imports it: nothing is loaded earlier than before.
bool PythonContext::can_gate(StatementIndex statement,
                             const std::vector<std::string>& names) const {
  if (statement == kNoStatement || !has_plain_lines_) return false;
  if (gate_ != "is_rocm" && torch_ == kNoStatement) return false;
  if (loads_package_ && !names.empty()) return false;
  if (not_before_ != kNoStatement && runs_on_import(statement) && statement < not_before_)
    return false;
  // A name that belongs to the project.
  for (const std::string& name : names)
    if (support_ == kNoStatement && file.text().find(name) != std::string_view::npos) return false;
  if (torch_ != kNoStatement || support_ != kNoStatement) return true;
  const StatementIndex function = file.enclosing_def(statement);
  const StatementIndex at = ancestor(statement, function);
  const std::size_t begin = line_begin(at);
  const std::size_t token = file.span(file.statements()[at].tokens.begin).begin;
  return file.text().substr(begin, token - begin).find_first_not_of(" \t\f") ==
         std::string_view::npos;
}

// Or when it is called?
bool PythonContext::runs_on_import(StatementIndex statement) const {
  for (StatementIndex at = statement; at != kNoStatement; at = file.statements()[at].parent)
    if (file.statements()[at].kind == StatementKind::kDef) return false;
  return true;
}

void PythonContext::use(StatementIndex statement, const std::vector<std::string>& names) {
  StatementIndex function = kNoStatement;
  if (torch_ == kNoStatement && support_ == kNoStatement) {
    function = file.enclosing_def(statement);
    if (function != kNoStatement && file.statements()[function].kind == StatementKind::kClass)
      function = kNoStatement;
  }
  auto [at, is_new] = uses_.try_emplace(function, Use{statement, {}});
  at->second.first = std::min(at->second.first, statement);
  if (gate_ == "is_rocm" || gate_ == kBuildGate) at->second.names.insert(gate_);
  at->second.names.insert(names.begin(), names.end());
}

std::string PythonContext::import_line(const std::set<std::string>& names) const {
  // A build script runs before there is a package to import from.
  if (gate_ == kBuildGate) return fmt::format("from torch.utils.cpp_extension import {}", gate_);
  return fmt::format("from {} import {}", layout.module_path(source, kSupportModule),
                     fmt::join(names, ", "));
}

// --- gates ---

bool PythonContext::needs_brackets(TokenRange value) const {
  static constexpr std::array<std::string_view, 9> kBefore = {"=", "(",  "[",      "{", ",",
                                                              ":", "+=", "return", ":="};
  static constexpr std::array<std::string_view, 5> kAfter = {",", ")", "]", "}", ":"};
  const bool before = value.begin > 0 && std::find(kBefore.begin(), kBefore.end(),
                                                   file.text(value.begin - 1)) != kBefore.end();
  const bool after = file.tokens()[value.end].kind == Kind::kNewline ||
                     std::find(kAfter.begin(), kAfter.end(), file.text(value.end)) != kAfter.end();
  return !before || !after;
}

// By an earlier port: (False if is_rocm else True).
bool PythonContext::is_gated(TokenRange value) const {
  for (TokenIndex at = value.begin; at + 1 < value.end; ++at)
    if (file.is(at, "if") && file.tokens()[at + 1].kind == Kind::kName &&
        file.compact(file.dotted(at + 1)) == gate_)
      return true;
  return false;
}

bool PythonContext::gate_value(TokenRange value, std::string_view on_rocm, const Why& why,
                               const std::vector<std::string>& names) {
  const StatementIndex statement = file.statement_at(value.begin);
  if (!can_gate(statement, names)) return false;
  const Span span = file.span(value);
  if (out_.changes.touches(span) || is_gated(value)) return false;
  const bool brackets = needs_brackets(value);
  if (!change({span.begin, span.begin},
              fmt::format("{}{} if {} else ", brackets ? "(" : "", on_rocm, gate_), why))
    return false;
  if (brackets) change({span.end, span.end}, ")", why);
  use(statement, names);
  return true;
}

bool PythonContext::gate_truth(TokenRange condition, bool is_true, const Why& why) {
  const StatementIndex statement = file.statement_at(condition.begin);
  if (!can_gate(statement, {})) return false;
  const auto binds_more = [&](TokenIndex at) {
    return file.is(at, "and") || file.is(at, "not") || file.is(at, "if") || file.is(at, "else");
  };
  const bool after_if = condition.begin > 0 && file.is(condition.begin - 1, "if");
  const bool brackets = (condition.begin > 0 && !after_if && binds_more(condition.begin - 1)) ||
                        file.is(condition.end, "and") ||
                        (!is_true && condition.begin > 0 && file.is(condition.begin - 1, "or"));
  const Span span = file.span(condition);
  const std::string joined =
      is_true ? fmt::format("{} or ", gate_) : fmt::format("not {} and ", gate_);
  if (!change({span.begin, span.begin}, (brackets ? "(" : "") + joined, why)) return false;
  if (brackets) change({span.end, span.end}, ")", why);
  use(statement, {});
  return true;
}

// The statement's text, indented by one step. The contents of strings are not indented.
std::string PythonContext::indented(StatementIndex statement) const {
  const TokenRange tokens = file.statements()[statement].tokens;
  const Span span = file.span(tokens);
  const std::string text = out_.changes.text_of(file.text(), span);
  for (TokenIndex at = tokens.begin; at < tokens.end; ++at)
    if (file.tokens()[at].kind == Kind::kString &&
        file.text(at).find('\n') != std::string_view::npos)
      return text;
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += unit();
  }
  return out;
}

bool PythonContext::gate_statement(StatementIndex statement,
                                   const std::vector<std::string>& on_rocm, const Why& why,
                                   const std::vector<std::string>& names) {
  if (!can_gate(statement, names) || !stands_alone(statement)) return false;
  const std::string indent = indent_of(statement);
  const bool joins = on_rocm.empty() && left_out_ != kNoStatement && statement == left_out_ + 1 &&
                     file.statements()[left_out_].parent == file.statements()[statement].parent &&
                     line_after(left_out_) == line_begin(statement);
  const std::string inner = std::string(break_) + indent + unit();
  std::string text = fmt::format("if {}{}:", on_rocm.empty() ? "not " : "", gate_);
  for (const std::string& line : on_rocm) text += inner + line;
  if (!on_rocm.empty()) text += fmt::format("{}{}else:", break_, indent);
  text = joins ? unit() + indented(statement) : text + inner + indented(statement);
  if (!change(file.span(file.statements()[statement].tokens), std::move(text), why)) return false;
  if (on_rocm.empty()) left_out_ = statement;
  use(statement, names);
  return true;
}

void PythonContext::put_before(StatementIndex statement, std::vector<std::string> lines,
                               const Why& why, const std::vector<std::string>& names) {
  statement = head_of(statement);
  const std::size_t begin = line_begin(statement);
  const std::string indent = indent_of(statement);
  if (file.span(file.statements()[statement].tokens.begin).begin != begin + indent.size()) return;
  out_.note(why.code);
  Inserted& here = inserted_[begin];
  here.why = why;
  for (const std::string& line : lines)
    if (here.lines.find(line) == std::string::npos)
      here.lines += fmt::format("{}{}{}", indent, line, break_);
  if (!names.empty()) use(statement, names);
}

bool PythonContext::put_on_import(std::vector<std::string> lines, const Why& why,
                                  const std::vector<std::string>& names) {
  if (torch_ == kNoStatement && support_ == kNoStatement) return false;
  if (loads_package_ && !names.empty()) return false;
  if (on_import_.empty()) {
    on_import_ = std::move(lines);
    on_import_why_ = why;
  } else {
    // Both begin with the same condition.
    HW_ASSERT(on_import_.front() == lines.front());
    on_import_.insert(on_import_.end(), lines.begin() + 1, lines.end());
  }
  out_.note(why.code);
  use(support_ != kNoStatement ? support_ : torch_, names);
  return true;
}

// After torch if that comes first, and after modules that must not load earlier than before.
std::size_t PythonContext::place_of_import(StatementIndex first) const {
  StatementIndex behind = torch_ != kNoStatement && torch_ <= first ? torch_ : kNoStatement;
  if (not_before_ != kNoStatement && (behind == kNoStatement || behind < not_before_))
    behind = not_before_;
  return behind != kNoStatement ? line_after(behind) : line_begin(first);
}

void PythonContext::import_at_top(std::set<std::string> names) {
  if (names.empty()) return;
  const StatementIndex first = ancestor(uses_.at(kNoStatement).first, kNoStatement);
  if (support_ != kNoStatement) {
    const TokenRange tokens = file.statements()[support_].tokens;
    std::set<std::string> all = names;
    bool is_behind = false;
    for (TokenIndex at = tokens.begin; at < tokens.end; ++at) {
      if (is_behind && file.tokens()[at].kind == Kind::kName) all.emplace(file.text(at));
      is_behind |= file.is(at, "import");
    }
    if (std::string line = import_line(all); line != file.text(tokens))
      change(file.span(tokens), std::move(line), {"HP101"});
    return;
  }
  const std::size_t at = place_of_import(first);
  std::string line = import_line(names) + std::string(break_);
  if (at > 0 && file.text()[at - 1] != '\n') line = std::string(break_) + line;
  inserted_[at].imports += line;
}

void PythonContext::finish() {
  for (const auto& [function, used] : uses_) {
    needs.support.insert(used.names.begin(), used.names.end());
    if (function == kNoStatement) {
      import_at_top(used.names);
      continue;
    }
    if (used.names.empty()) continue;
    const StatementIndex first = ancestor(used.first, function);
    inserted_[line_begin(first)].imports +=
        fmt::format("{}{}{}", indent_of(first), import_line(used.names), break_);
  }
  if (!on_import_.empty()) {
    std::string text;
    for (const std::string& line : on_import_) text += line + std::string(break_);
    Inserted& here =
        inserted_[support_ != kNoStatement ? line_after(support_) : place_of_import(torch_)];
    here.why = on_import_why_;
    here.lines = text + here.lines;
  }
  write_inserted();
}

// The pass that added a line recorded its code.
void PythonContext::write_inserted() {
  for (auto& [offset, each] : inserted_) {
    const Why why = each.imports.empty() ? each.why : Why{"HP101"};
    if (!each.imports.empty()) out_.note(why.code);
    out_.changes.add({.edit = {{offset, offset}, each.imports + each.lines},
                      .code = why.code,
                      .reason = why.reason});
  }
}

}  // namespace hipwright::port
