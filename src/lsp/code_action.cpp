// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "lint/fix.h"
#include "lint/suppress_edit.h"
#include "lsp/answers.h"

namespace hipwright::lsp {

namespace {

constexpr const char* kQuickFix = "quickfix";
// A selection of a whole file can have thousands; a menu cannot.
constexpr std::size_t kMostFindings = 50;

// "source" asks for "source.fixAll" and all below it.
bool is_asked(const std::vector<std::string>& only, std::string_view kind) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& each) {
           return kind == each || (kind.starts_with(each) && kind[each.size()] == '.');
         });
}

bool touches(Span a, Span b) {
  return a.begin <= b.end && b.begin <= a.end;
}

Value workspace_edit(const Client& client, const Document& document,
                     std::span<const TextEdit> edits) {
  Value list = Value::array();
  for (const TextEdit& edit : edits)
    list.push_back(
        {{"range", value_of(document.lines.range(edit.span))}, {"newText", edit.replacement}});
  if (!client.versioned_edits) return {{"changes", {{document.uri, std::move(list)}}}};
  Value version = document.version ? Value(*document.version) : Value();
  Value change = {{"textDocument", {{"uri", document.uri}, {"version", std::move(version)}}},
                  {"edits", std::move(list)}};
  return {{"documentChanges", Value::array({std::move(change)})}};
}

class Actions {
 public:
  Actions(const Client& client, const Document& document, const ActionRequest& request)
      : client_(client), document_(document), request_(request) {}

  void add_fixes(const lint::Finding& finding) {
    bool is_first = true;
    for (const Fix& fix : finding.fixes) {
      const std::string title = fmt::format("{}: {}{}", finding.code, fix.description,
                                            fix.safe ? "" : " (unsafe: review it)");
      Value action = made(title, kQuickFix, fix.edits);
      action["diagnostics"] = diagnostics(client_, document_, {&finding, 1}, {});
      if (client_.knows_preferred && fix.safe && is_first) action["isPreferred"] = true;
      is_first = false;
      list_.push_back(std::move(action));
    }
  }

  void add_suppression(const lint::Source& source, const lint::Finding& finding) {
    // A suppression of a finding about suppressions would only be read by itself.
    if (finding.rule->area() == lint::Area::kSuppression) return;
    const auto edit = lint::suppressing_edit(source, finding);
    if (!edit) return;
    Value action =
        made(fmt::format("{}: suppress here with a reason", finding.code), kQuickFix, {&*edit, 1});
    action["diagnostics"] = diagnostics(client_, document_, {&finding, 1}, {});
    list_.push_back(std::move(action));
  }

  // One edit from the first to the last change: fixes of a second pass may lie inside those of the
  // first.
  void add_fix_all(Findings findings) {
    constexpr int kMostPasses = 10;
    const std::string& before = document_.text();
    lint::FixedText fixed = lint::apply_fixes(before, findings, lint::FixKind::kSafe);
    if (fixed.applied == 0) return;
    for (int pass = 1; pass < kMostPasses; ++pass) {
      const auto again = request_.check(fixed.text);
      if (!again) return;
      lint::FixedText more = lint::apply_fixes(fixed.text, again->findings, lint::FixKind::kSafe);
      if (more.applied == 0) break;
      fixed = std::move(more);
    }
    const TextEdit edit = difference(before, fixed.text);
    list_.push_back(made("Apply all safe fixes (hipwright)", kFixAll, {&edit, 1}));
  }

  Value take() { return std::move(list_); }

 private:
  Value made(std::string title, const char* kind, std::span<const TextEdit> edits) const {
    return {{"title", std::move(title)},
            {"kind", kind},
            {"edit", workspace_edit(client_, document_, edits)}};
  }

  // Whole lines, so that no character is cut.
  static TextEdit difference(std::string_view before, std::string_view after) {
    const std::size_t most = std::min(before.size(), after.size());
    auto same = static_cast<std::size_t>(
        std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(most),
                      after.begin())
            .first -
        before.begin());
    same = before.substr(0, same).rfind('\n') + 1;  // npos + 1 is 0
    std::size_t tail = 0;
    while (tail < most - same && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
      ++tail;
    while (tail > 0 && tail < before.size() && before[before.size() - 1 - tail] != '\n') --tail;
    return {{same, before.size() - tail},
            std::string(after.substr(same, after.size() - tail - same))};
  }

  const Client& client_;
  const Document& document_;
  const ActionRequest& request_;
  Value list_ = Value::array();
};

}  // namespace

Value code_actions(const Client& client, const Document& document, Findings findings,
                   const ActionRequest& request) {
  Actions actions(client, document, request);
  if (!client.knows_actions) return actions.take();
  std::vector<const lint::Finding*> touched;
  for (const lint::Finding& finding : findings)
    if (touches(finding.span, request.range) && touched.size() < kMostFindings)
      touched.push_back(&finding);
  if (is_asked(request.only, kQuickFix) && !touched.empty()) {
    for (const lint::Finding* finding : touched) actions.add_fixes(*finding);
    const lint::Source source(document.name, document.text());
    for (const lint::Finding* finding : touched) actions.add_suppression(source, *finding);
  }
  if (is_asked(request.only, kFixAll)) actions.add_fix_all(findings);
  return actions.take();
}

}  // namespace hipwright::lsp
