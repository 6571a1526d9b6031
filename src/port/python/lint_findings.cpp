// SPDX-License-Identifier: MIT
#include "port/python/lint_findings.h"

#include <algorithm>

#include "project/file_facts.h"

namespace hipwright::port {

namespace {

// A rule is run on files with one of its names, or with one of its words anywhere in the text.
bool may_find(const lint::Rule& rule, const syntax::python::File& file) {
  if (rule.triggers.empty() && rule.words.empty()) return true;
  return std::any_of(rule.triggers.begin(), rule.triggers.end(),
                     [&](const syntax::Name& name) { return file.has(name); }) ||
         std::any_of(rule.words.begin(), rule.words.end(), [&](std::string_view word) {
           return file.text().find(word) != std::string_view::npos;
         });
}

}  // namespace

std::vector<lint::Reported> findings(const PythonContext& context, std::string_view code,
                                     Tests tests) {
  const lint::Rule* rule = lint::find_rule(code);
  HW_ASSERT(rule != nullptr && rule->python != nullptr);
  project::FileFacts facts = project::facts_of_path(context.source.path());
  if (tests == Tests::kAreCode) facts.is_test = false;
  std::vector<lint::Reported> found;
  if (!may_find(*rule, context.file)) return found;
  lint::PythonCheck check(*rule, facts, found, context.file);
  rule->python(check);
  return found;
}

}  // namespace hipwright::port
