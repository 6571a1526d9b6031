// SPDX-License-Identifier: MIT
#include "lint/rule.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/error.h"
#include "lint/rule_list.h"

namespace hipwright {
// The files below src/lint/rules.
extern const EmbeddedFile lint_rule_files[];
extern const unsigned lint_rule_files_count;
}  // namespace hipwright

namespace hipwright::lint {

namespace {

std::vector<Rule> collect() {
  std::vector<Rule> all;
  for (unsigned i = 0; i < kRuleEntryCount; ++i) {
    all.push_back(kRuleEntries[i].make());
    all.back().source = kRuleEntries[i].source;
  }
  std::sort(all.begin(), all.end(), [](const Rule& a, const Rule& b) { return a.code < b.code; });
  return all;
}

std::string_view source_of(const Rule& rule) {
  for (unsigned i = 0; i < lint_rule_files_count; ++i)
    if (rule.source == lint_rule_files[i].path) return lint_rule_files[i].content();
  bug("a rule without its source", __FILE__, __LINE__);
}

}  // namespace

std::string_view to_string(Area area) {
  switch (area) {
    case Area::kSuppression:
      return "suppression";
    case Area::kWaveSize:
      return "wave-size";
    case Area::kCrossLane:
      return "cross-lane";
    case Area::kFp8:
      return "fp8";
    case Area::kUninitialised:
      return "uninitialised";
    case Area::kDevice:
      return "device";
    case Area::kCapture:
      return "capture";
    case Area::kEnvironment:
      return "environment";
    case Area::kNvidiaOnly:
      return "nvidia-only";
    case Area::kPython:
      return "python";
    case Area::kWorkflow:
      return "workflow";
  }
  bug("area out of range", __FILE__, __LINE__);
}

void RuleContext::report(Span span, Confidence confidence, std::string message,
                         std::vector<Fix> fixes, std::optional<Relevance> relevance) {
  if (facts.is_unlisted && !facts.names_amd) confidence = std::min(confidence, Confidence::kMedium);
  out_.push_back({&rule_,
                  relevance.value_or(rule_.relevance),
                  {.code = std::string(rule_.code),
                   .severity = rule_.severity,
                   .confidence = confidence,
                   .path = facts.path,
                   .span = span,
                   .message = std::move(message),
                   .fixes = std::move(fixes)}});
}

const std::vector<Rule>& all_rules() {
  static const std::vector<Rule> all = collect();
  return all;
}

const Rule* find_rule(std::string_view code_or_name) {
  const auto same = [&](std::string_view word) {
    return std::ranges::equal(word, code_or_name, [](char a, char b) {
      const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; };
      return lower(a) == lower(b);
    });
  };
  for (const Rule& rule : all_rules())
    if (same(rule.code) || same(rule.name)) return &rule;
  return nullptr;
}

std::string rule_page(const Rule& rule) {
  std::string page;
  std::string_view rest = source_of(rule);
  rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);  // the licence
  while (rest.starts_with("//")) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(2, end - 2);
    if (line.starts_with(' ')) line.remove_prefix(1);
    page.append(line) += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return page;
}

}  // namespace hipwright::lint
