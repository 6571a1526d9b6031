// SPDX-License-Identifier: MIT
// Keeps pip from replacing ROCm's PyTorch. In --mode hip, harmful requirements
// are changed; in --mode dual the files stay, and requirements-rocm.txt is added. ROCM.md,
// which is also added, explains the installation.
#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "lint/rule.h"
#include "port/pass.h"
#include "port/python/install_page.h"
#include "port/python/rocm_facts.h"
#include "project/file_facts.h"
#include "project/path.h"

namespace hipwright::port::passes {

namespace {

constexpr std::string_view kListName = "requirements-rocm.txt";
constexpr std::string_view kPageName = "ROCM.md";

// In a list of Python or TOML: the string with its quotes and its comma, and its line if nothing
// else is on it.
Span element_around(std::string_view text, Span inner) {
  Span span{inner.begin - 1, inner.end + 1};
  if (span.end < text.size() && text[span.end] == ',') ++span.end;
  const std::size_t before = text.rfind('\n', span.begin);
  const std::size_t begin = before == text.npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', span.end), text.size());
  const auto is_blank = [](std::string_view part) {
    return part.find_first_not_of(" \t\r") == std::string_view::npos;
  };
  if (is_blank(text.substr(begin, span.begin - begin)) &&
      is_blank(text.substr(span.end, end - span.end)))
    return {begin, std::min(end + 1, text.size())};
  while (span.end < text.size() && text[span.end] == ' ') ++span.end;
  return span;
}

void change(PortedFile& file, const Trouble& trouble) {
  const Requirement& one = trouble.requirement;
  Change made{
      .edit = {one.span, package_name(one.text)}, .code = "HP001", .reason = trouble.verdict.why};
  if (trouble.verdict.harm == Harm::kForNvidia) {
    if (file.source->language() == Language::kRequirements)
      made.edit = {{one.span.begin, one.span.begin}, "# "};
    else
      made.edit = {element_around(file.source->text(), one.span), ""};
  }
  file.change(std::move(made));
}

// "python = …" of Poetry and lines of setup.cfg have another shape than lists.
bool can_change(const Trouble& trouble) {
  const Requirement& one = trouble.requirement;
  if (one.source->language() == Language::kRequirements) return true;
  const std::string_view text = one.source->text();
  return one.span.begin > 0 && one.span.end < text.size() &&
         (text[one.span.begin - 1] == '"' || text[one.span.begin - 1] == '\'') &&
         text[one.span.end] == text[one.span.begin - 1];
}

bool look_at_python_versions(const Options& options, PortedFile& file) {
  const SourceFile& source = *file.source;
  const std::string_view name = project::name_of(source.path());
  if (name != "pyproject.toml" && name != "setup.cfg" && name != "setup.py") return false;
  const lint::Rule* rule = lint::find_rule("HW806");
  HW_ASSERT(rule != nullptr && rule->text != nullptr);
  const project::FileFacts facts = project::facts_of_path(source.path());
  std::vector<lint::Reported> found;
  lint::TextCheck check(*rule, facts, found, source.text());
  rule->text(check);
  for (const lint::Reported& each : found) {
    file.report("HP002", Severity::kNote, each.diagnostic.span, each.diagnostic.message);
    if (options.mode == Mode::kHip && !each.diagnostic.fixes.empty())
      for (const TextEdit& edit : each.diagnostic.fixes.front().edits)
        file.change({.edit = edit, .code = "HP002"});
  }
  return !found.empty();
}

// Is it the project's own list, not one for its tests or its documentation?
bool is_main(const Requirement& one) {
  const std::string& path = one.source->path();
  return one.use == Requirement::Use::kMain &&
         (path == "requirements.txt" || path == "pyproject.toml" || path == "setup.cfg" ||
          path == "setup.py");
}

// requirements-rocm.txt: every package once, harmful ones as comments.
std::string list_of(const std::vector<Requirement>& all) {
  std::string left_out, taken;
  std::vector<std::string> seen;
  for (const Requirement& one : all) {
    if (!is_main(one) || one.text.starts_with('-')) continue;
    const std::string name = package_name(one.text);
    if (name.empty() || std::find(seen.begin(), seen.end(), name) != seen.end()) continue;
    seen.push_back(name);
    const Verdict verdict = judge(one.text);
    if (verdict.harm == Harm::kNone && name != "torch")
      taken += one.text + "\n";
    else
      left_out += fmt::format("#   {}{}\n", one.text,
                              verdict.why.empty() ? "" : fmt::format(": {}", verdict.why));
  }
  return fmt::format(
      "{}: the requirements of this project besides ROCm's PyTorch.\n# Install with: pip install "
      "--no-deps -r {} (see ROCM.md)\n{}{}\n{}",
      kMadeByPort, kListName, left_out.empty() ? "" : "# Left out:\n", left_out, taken);
}

// A file that git would show as new, unless it already exists unchanged.
void add_file(Ported& ported, std::string_view name, std::string_view mark, std::string text) {
  const auto path = ported.tree.root / name;
  std::error_code error;
  if (!ported.tree.root.empty() && std::filesystem::exists(path, error)) {
    const auto there = read_file(path);
    if (!there || *there == text || !there->starts_with(mark)) return;
  }
  ported.added.emplace(name, std::move(text));
}

void apply(TreeContext& context) {
  const Options& options = context.options;
  Ported& ported = context.ported;
  if (!context.layout.imports("torch")) return;
  std::vector<Requirement> all;
  std::vector<Trouble> troubles;
  bool refuses_pythons = false;
  for (PortedFile& file : ported.files) {
    if (is_made_by_port(file.source->text())) continue;
    refuses_pythons |= look_at_python_versions(options, file);
    for (Requirement& one : requirements_of(*file.source)) {
      Verdict verdict = judge(one.text);
      all.push_back(one);
      if (verdict.harm == Harm::kNone) continue;
      file.report("HP001", Severity::kWarning, one.span,
                  fmt::format("{}: {}", one.text, verdict.why));
      troubles.push_back({std::move(one), std::move(verdict)});
      if (options.mode == Mode::kHip && can_change(troubles.back())) change(file, troubles.back());
    }
  }
  if (troubles.empty() && !refuses_pythons) return;
  const bool has_list = options.mode == Mode::kDual && std::any_of(all.begin(), all.end(), is_main);
  if (has_list) add_file(ported, kListName, kMadeByPort, list_of(all));
  add_file(ported, kPageName, kPageMark,
           install_page(ported, context.layout, troubles, refuses_pythons, has_list));
}

}  // namespace

Pass dependencies() {
  return {.codes = {"HP001", "HP002"}, .after = {"added_modules"}, .tree = apply};
}

}  // namespace hipwright::port::passes
