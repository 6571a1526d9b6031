// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/json.h"
#include "base/table.h"
#include "lint/output/output.h"

namespace hipwright::lint {

std::string_view to_string(Relevance relevance) {
  switch (relevance) {
    case Relevance::kAll:
      return "all targets";
    case Relevance::kWave64:
      return "wave64 targets";
    case Relevance::kWave32:
      return "wave32 targets";
    case Relevance::kFnuz:
      return "targets with fnuz fp8";
    case Relevance::kOcp:
      return "targets with OCP fp8";
  }
  bug("relevance out of range", __FILE__, __LINE__);
}

std::string rules_text(bool colour) {
  Table table({"code", "name", "area", "severity", "for", "summary"});
  for (const Rule& rule : all_rules())
    table.add({std::string(rule.code), std::string(rule.name), std::string(to_string(rule.area())),
               std::string(to_string(rule.severity)), std::string(to_string(rule.relevance)),
               std::string(rule.summary)});
  return table.text(colour);
}

std::string rules_json() {
  Json rules = Json::array();
  for (const Rule& rule : all_rules()) {
    Json languages = Json::array();
    if (rule.cuda != nullptr) languages.push_back("cuda");
    if (rule.python != nullptr) languages.push_back("python");
    if (rule.workflow != nullptr) languages.push_back("workflow");
    Json triggers = Json::array();
    for (const syntax::Name& name : rule.triggers) triggers.push_back(name.text());
    rules.push_back({{"code", rule.code},
                     {"name", rule.name},
                     {"area", to_string(rule.area())},
                     {"severity", to_string(rule.severity)},
                     {"relevance", to_string(rule.relevance)},
                     {"summary", rule.summary},
                     {"languages", std::move(languages)},
                     {"triggers", std::move(triggers)},
                     {"files", rule.text_files}});
  }
  return json_text({{"rules", std::move(rules)}});
}

std::string explanation(const Rule& rule) {
  return fmt::format("# {} {}\n\n{} · {} · matters for {}\n\n{}", rule.code, rule.name,
                     to_string(rule.area()), to_string(rule.severity), to_string(rule.relevance),
                     rule_page(rule));
}

}  // namespace hipwright::lint
