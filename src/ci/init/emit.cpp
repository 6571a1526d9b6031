// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/init/model.h"

namespace hipwright::ci {

namespace {

// Plain where YAML reads it back as the same text.
std::string quoted(const std::string& value) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./$ ()";
  const bool is_expression = value.starts_with("${{") && value.ends_with("}}") &&
                             value.find(": ") == value.npos && value.find(" #") == value.npos;
  const bool is_number = value.find_first_not_of("0123456789.") == value.npos;
  if (is_expression || value == "true" || value == "false") return value;
  if (!value.empty() && !is_number && value.find_first_not_of(kPlain) == value.npos &&
      std::string_view(" -.").find(value.front()) == std::string_view::npos && value.back() != ' ')
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

// Native programs that fail end a script only if it says so, unlike in bash -e.
constexpr const char* kStopOnError = "$PSNativeCommandUseErrorActionPreference = $true\n";

bool is_on_windows(const NewJob& job) {
  return job.runs_on.find("indows") != job.runs_on.npos;
}

std::string step_text(const NewStep& step, bool on_windows) {
  const std::string indent = "        ";
  std::string text = fmt::format("      - name: {}\n", quoted(step.name));
  if (!step.id.empty()) text += fmt::format("{}id: {}\n", indent, step.id);
  if (!step.condition.empty()) text += fmt::format("{}if: {}\n", indent, step.condition);
  if (step.uses != nullptr)
    text += fmt::format("{}uses: {}@{} # {}\n", indent, step.uses->name, step.uses->commit,
                        step.uses->tag);
  text += mapping("with", step.with, indent);
  text += mapping("env", step.env, indent);
  if (step.uses != nullptr) return text;
  const bool is_one_line = step.run.find('\n') + 1 == step.run.size();
  const std::string stop = on_windows && !is_one_line ? kStopOnError : "";
  const std::string comment = step.comment.empty() ? "" : " # " + step.comment;
  return text + indent + "run: |" + comment + "\n" + block(stop + step.run, indent + "  ");
}

}  // namespace

std::string head_text(const NewWorkflow& workflow) {
  return fmt::format(
             "name: {}\n\n{}\npermissions:\n  contents: read\n\nconcurrency:\n"
             "  group: ${{{{ github.workflow }}}}-${{{{ github.ref }}}}\n"
             "  cancel-in-progress: {}\n{}",
             workflow.name, workflow.head,
             workflow.cancels ? "${{ github.event_name == 'pull_request' }}" : "false",
             workflow.env.empty() ? "" : "\n") +
         mapping("env", workflow.env, "");
}

std::string job_text(const NewJob& job) {
  std::string text = fmt::format("  {}:\n    name: {}\n", job.id, quoted(job.name));
  if (!job.needs.empty()) text += fmt::format("    needs: [{}]\n", fmt::join(job.needs, ", "));
  if (!job.condition.empty()) text += fmt::format("    if: {}\n", job.condition);
  text +=
      fmt::format("    runs-on: {}\n    timeout-minutes: {}\n", job.runs_on, job.timeout_minutes);
  if (!job.environment.empty()) text += fmt::format("    environment: {}\n", job.environment);
  text += mapping("permissions", job.permissions, "    ");
  if (!job.gfx.empty())
    text += fmt::format("    strategy:\n      fail-fast: false\n      matrix:\n        gfx: {}\n",
                        job.gfx);
  // Named, bash also fails when the first program of a pipe does.
  text += fmt::format("    defaults:\n      run:\n        shell: {}\n",
                      is_on_windows(job) ? "pwsh" : "bash");
  if (!job.directory.empty())
    text += fmt::format("        working-directory: {}\n", quoted(job.directory));
  text += mapping("outputs", job.outputs, "    ");
  text += mapping("env", job.env, "    ");
  text += "    steps:\n";
  for (const NewStep& step : job.steps) text += step_text(step, is_on_windows(job));
  return text;
}

}  // namespace hipwright::ci
