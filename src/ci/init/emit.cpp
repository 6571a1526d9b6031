// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/init/model.h"

namespace hipwright::ci {

namespace {

// Plain where YAML reads it back as the same text.
std::string quoted(const std::string& value) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./$";
  const bool is_expression = value.starts_with("${{") && value.ends_with("}}") &&
                             value.find(": ") == value.npos && value.find(" #") == value.npos;
  const bool is_number = value.find_first_not_of("0123456789.") == value.npos;
  if (is_expression || value == "true" || value == "false") return value;
  if (!value.empty() && !is_number && value.find_first_not_of(kPlain) == value.npos &&
      value.front() != '-' && value.front() != '.')
    return value;
  if (value.find_first_of("\"\\") == value.npos) return '"' + value + '"';
  std::string text = "'";
  for (const char c : value) text += c == '\'' ? "''" : std::string(1, c);
  return text + "'";
}

std::string block(const std::string& text, const std::string& indent) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += indent + text.substr(at, end - at);
    out += '\n';
    at = end + 1;
  }
  return out;
}

std::string mapping(const char* key, const Pairs& pairs, const std::string& indent) {
  if (pairs.empty()) return {};
  std::string text = fmt::format("{}{}:\n", indent, key);
  for (const auto& [name, value] : pairs) {
    if (value.find('\n') != value.npos)
      text += fmt::format("{}  {}: |\n{}", indent, name, block(value, indent + "    "));
    else
      text += fmt::format("{}  {}: {}\n", indent, name, quoted(value));
  }
  return text;
}

std::string step_text(const NewStep& step) {
  const std::string indent = "        ";
  std::string text = fmt::format("      - name: {}\n", quoted(step.name));
  if (!step.condition.empty()) text += fmt::format("{}if: {}\n", indent, step.condition);
  if (step.uses != nullptr)
    text += fmt::format("{}uses: {}@{} # {}\n", indent, step.uses->name, step.uses->commit,
                        step.uses->tag);
  text += mapping("with", step.with, indent);
  if (!step.shell.empty()) text += fmt::format("{}shell: {}\n", indent, step.shell);
  text += mapping("env", step.env, indent);
  if (step.uses == nullptr) text += indent + "run: |\n" + block(step.run, indent + "  ");
  return text;
}

}  // namespace

std::string head_text(const NewWorkflow& workflow) {
  return fmt::format(
      "name: {}\n\n{}\npermissions:\n  contents: read\n\nconcurrency:\n"
      "  group: ${{{{ github.workflow }}}}-${{{{ github.ref }}}}\n"
      "  cancel-in-progress: ${{{{ github.event_name == 'pull_request' }}}}\n",
      workflow.name, workflow.head);
}

std::string job_text(const NewJob& job) {
  std::string text = fmt::format("  {}:\n    name: {}\n", job.id, quoted(job.name));
  if (!job.needs.empty()) text += fmt::format("    needs: [{}]\n", fmt::join(job.needs, ", "));
  if (!job.condition.empty()) text += fmt::format("    if: {}\n", job.condition);
  text +=
      fmt::format("    runs-on: {}\n    timeout-minutes: {}\n", job.runs_on, job.timeout_minutes);
  text += mapping("permissions", job.permissions, "    ");
  if (!job.matrix_values.empty())
    text += fmt::format("    strategy:\n      fail-fast: false\n      matrix:\n        gfx: [{}]\n",
                        fmt::join(job.matrix_values, ", "));
  text += mapping("env", job.env, "    ");
  text += "    steps:\n";
  for (const NewStep& step : job.steps) text += step_text(step);
  return text;
}

}  // namespace hipwright::ci
