// SPDX-License-Identifier: MIT
#include "port/python/lint_findings.h"

#include <algorithm>

#include "project/file_facts.h"

namespace hipwright::port {

std::vector<lint::Reported> findings(const PythonContext& context, std::string_view code,
                                     Tests tests) {
  const lint::Rule* rule = lint::find_rule(code);
  HW_ASSERT(rule != nullptr && rule->python != nullptr);
  project::FileFacts facts = project::facts_of_path(context.source.path());
  if (tests == Tests::kAreCode) facts.is_test = false;
  std::vector<lint::Reported> found;
  if (!rule->triggers.empty() &&
      std::none_of(rule->triggers.begin(), rule->triggers.end(),
                   [&](const syntax::Name& name) { return context.file.has(name); }))
    return found;
  lint::PythonCheck check(*rule, facts, found, context.file);
  rule->python(check);
  return found;
}

}  // namespace hipwright::port
