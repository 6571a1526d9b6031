// SPDX-License-Identifier: MIT
#include "cli/usage.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/edit_distance.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

// The command that the words selected: `hipwright verify kernel`.
const CLI::App& selected(const CLI::App& tool) {
  const CLI::App* command = &tool;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  return *command;
}

std::string help_of(const CLI::App& command) {
  return fmt::format("See: {} --help", full_name(command));
}

std::vector<std::string> names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : visible_commands(command)) names.push_back(each->get_name());
  return names;
}

// Every command also takes the options of the tool itself.
std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : visible_options(*app))
      for (std::string& name : spellings(*option)) names.push_back(std::move(name));
  return names;
}

Error unknown(const CLI::App& command, const std::string& kind, const std::string& word,
              const std::vector<std::string>& candidates) {
  const std::string hint = suggestion(word, candidates);
  return {fmt::format("unknown {} `{}`{}", kind, word, hint), "", "",
          hint.empty() ? help_of(command) : ""};
}

Error unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option =
      std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-'); });
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return unknown(command, fmt::format("`{}` option", full_name(command)), name,
                   names_of_options(command));
  }
  if (visible_arguments(command).empty() && !visible_commands(command).empty()) {
    const bool is_tool = command.get_parent() == nullptr;
    return unknown(command, is_tool ? "command" : fmt::format("`{}` command", full_name(command)),
                   words.front(), names_of_commands(command));
  }
  return {fmt::format("unexpected argument `{}`", words.front()), "", "", help_of(command)};
}

Error missing(const CLI::App& command, std::string_view message) {
  if (message.starts_with("A subcommand"))
    return {fmt::format("`{}` needs a command: {}", full_name(command),
                        fmt::join(names_of_commands(command), ", ")),
            "", "", help_of(command)};
  return {fmt::format("`{}` needs {}", full_name(command),
                      message.substr(0, message.find(" is required"))),
          "", "", help_of(command)};
}

// CLI11 says "--threads: 1 required UINT missing", or "Could not convert: --threads = x".
Error wrong_count(const CLI::App& command, std::string_view message) {
  const std::string name(message.substr(0, message.find(':')));
  const CLI::Option* option = command.get_option_no_throw(name);
  const int count = option == nullptr ? 1 : option->get_items_expected_min();
  return {fmt::format("`{}` needs {}", name,
                      count == 1 ? std::string("a value") : fmt::format("{} values", count)),
          "", "", help_of(command)};
}

Error wrong_value(const CLI::App& command, std::string_view message) {
  constexpr std::string_view kStart = "Could not convert: ";
  const std::size_t equals = message.find(" = ");
  if (!message.starts_with(kStart) || equals == std::string_view::npos)
    return {std::string(message), "", "", help_of(command)};
  return {fmt::format("invalid value `{}` for `{}`: not a number", message.substr(equals + 3),
                      message.substr(kStart.size(), equals - kStart.size())),
          "", "", help_of(command)};
}

// "--undo excludes --out": quotes both names and puts `verb` between them.
Error conflict(const CLI::App& command, std::string_view message, std::string_view word,
               std::string_view verb) {
  const std::size_t at = message.find(word);
  return {
      fmt::format("`{}` {} `{}`", message.substr(0, at), verb, message.substr(at + word.size())),
      "", "", help_of(command)};
}

Error invalid(const CLI::App& command, std::string_view message) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string_view::npos) return {std::string(message), "", "", help_of(command)};
  return {fmt::format("invalid value for `{}`: {}", message.substr(0, colon),
                      message.substr(colon + 2)),
          "", "", ""};
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t least = 3;  // with more wrong letters it is another word
  for (const std::string& candidate : candidates)
    if (const std::size_t distance = edit_distance(word, candidate);
        distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  return nearest.empty() ? "" : fmt::format(" (did you mean `{}`?)", nearest);
}

CLI::Validator one_of(std::initializer_list<const char*> values) {
  const std::vector<std::string> allowed(values.begin(), values.end());
  return {[allowed](std::string& value) -> std::string {
            if (std::ranges::find(allowed, value) != allowed.end()) return {};
            return fmt::format("`{}` is not one of {}{}", value, fmt::join(allowed, ", "),
                               suggestion(value, allowed));
          },
          fmt::format("{{{}}}", fmt::join(allowed, ","))};
}

std::vector<std::string> stray_arguments(const CLI::App& tool) {
  for (const CLI::App* command = &tool; !command->get_subcommands().empty();
       command = command->get_subcommands().back())
    for (const CLI::Option* argument : visible_arguments(*command))
      if (argument->count() > 0) return argument->results();
  return {};
}

Error usage_error(const CLI::App& tool, const CLI::ParseError& error) {
  const CLI::App& command = selected(tool);
  const std::string message = error.what();
  const std::vector<std::string> left = tool.remaining(true);
  using CLI::ExitCodes;
  switch (static_cast<ExitCodes>(error.get_exit_code())) {
    case ExitCodes::ExtrasError:
      return unexpected(command, left.empty() ? stray_arguments(tool) : left);
    case ExitCodes::RequiredError:
      return left.empty() ? missing(command, message) : unexpected(command, left);
    case ExitCodes::ArgumentMismatch:
      return wrong_count(command, message);
    case ExitCodes::ConversionError:
      return wrong_value(command, message);
    case ExitCodes::ExcludesError:
      return conflict(command, message, " excludes ", "cannot be combined with");
    case ExitCodes::RequiresError:
      return conflict(command, message, " requires ", "requires");
    case ExitCodes::ValidationError:
      return invalid(command, message);
    default:
      return {message, "", "", help_of(command)};
  }
}

}  // namespace hipwright::cli
