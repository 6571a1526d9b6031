// SPDX-License-Identifier: MIT
#include "lint/workflow/report.h"

#include <algorithm>

namespace hipwright::lint {

using syntax::workflow::Node;

void report(WorkflowCheck& check, const Node& node, Confidence confidence, std::string message,
            std::vector<Fix> fixes) {
  std::erase_if(fixes, [](const Fix& fix) { return fix.edits.empty(); });
  check.report(node.span, confidence, std::move(message), std::move(fixes));
}

Fix replacement(const Node& node, std::string text, std::string description) {
  Fix fix{.description = std::move(description)};
  fix.edits.push_back({node.span, std::move(text)});
  return fix;
}

Fix new_key(const WorkflowCheck& check, const Node& value, const std::string& text,
            std::string description) {
  Fix fix{.description = std::move(description)};
  const std::string_view source = check.file.text();
  const std::size_t line = source.rfind('\n', value.span.begin) + 1;  // npos + 1 is 0
  const std::size_t key = std::min(source.find_first_not_of(" -", line), source.size());
  if (!source.substr(key).starts_with("uses:")) return fix;
  const std::size_t end = std::min(source.find_first_of("\r\n", value.span.end), source.size());
  fix.edits.push_back({{end, end}, "\n" + std::string(key - line, ' ') + text});
  return fix;
}

Fix new_key_before(const WorkflowCheck& check, const Node& key, const std::string& text,
                   std::string description) {
  Fix fix{.description = std::move(description)};
  const std::size_t begin = key.span.begin;
  const std::size_t line = check.file.text().rfind('\n', begin) + 1;
  fix.edits.push_back({{begin, begin}, text + "\n" + std::string(begin - line, ' ')});
  return fix;
}

}  // namespace hipwright::lint
