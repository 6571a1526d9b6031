// SPDX-License-Identifier: MIT
#include "arch/arch.h"
#include "cli/completion/completion.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const arch::ArchInfo& info : arch::all()) names.emplace_back(info.gfx);
  return names;
}

void add_commands(const CLI::App& command, std::vector<const CLI::App*>& all) {
  all.push_back(&command);
  for (const CLI::App* each : visible_commands(command)) add_commands(*each, all);
}

}  // namespace

ValueSource value_source(const CLI::Option& option) {
  const std::string name = value_name(option);
  if (name.empty()) return {};
  if (auto words = choices(option); !words.empty()) return {ValueSource::kWords, std::move(words)};
  if (name == "TARGET") return {ValueSource::kWords, target_names()};
  if (name == "TARGETS") return {ValueSource::kWordList, target_names()};
  if (name == "DIR") return {ValueSource::kDirectories, {}};
  if (name == "FILE" || name == "PATH" || name == "OLD NEW") return {ValueSource::kFiles, {}};
  return {ValueSource::kFree, {}};
}

std::vector<const CLI::App*> all_commands(const CLI::App& tool) {
  std::vector<const CLI::App*> all;
  add_commands(tool, all);
  return all;
}

std::vector<const CLI::Option*> accepted_options(const CLI::App& command) {
  std::vector<const CLI::Option*> all = visible_options(command);
  if (command.get_parent() == nullptr) return all;
  const CLI::App* tool = command.get_parent();
  while (tool->get_parent() != nullptr) tool = tool->get_parent();
  for (const CLI::Option* option : visible_options(*tool))
    // Each command has its own --help, and only the tool has a version.
    if (option != tool->get_help_ptr() && option->get_name() != "--version") all.push_back(option);
  return all;
}

ValueSource argument_source(const CLI::App& command) {
  const auto arguments = visible_arguments(command);
  return arguments.empty() ? ValueSource{} : value_source(*arguments.back());
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace hipwright::cli
