// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

constexpr const char* kFunctions = R"(
# Whether the words before the cursor select exactly this command.
function __hipwright_at
  set -l path hipwright
  for word in (commandline -opc)[2..-1]
    if contains -- "$path $word" $__hipwright_commands
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end

)";

// Options of complete(1) for a value.
std::string value(const ValueSource& source) {
  switch (source.kind) {
    case ValueSource::kFiles:
      return " -r -F";
    case ValueSource::kDirectories:
      return " -x -a '(__fish_complete_directories)'";
    case ValueSource::kWords:
      return fmt::format(" -x -a '{}'", fmt::join(source.words, " "));
    case ValueSource::kWordList:
      return fmt::format(" -x -a '(__fish_append , {})'", fmt::join(source.words, " "));
    case ValueSource::kFree:
      return " -x";
    case ValueSource::kNone:
      break;
  }
  return "";
}

std::string option_line(const std::string& condition, const CLI::Option& option) {
  std::string text = condition;
  for (const std::string& name : option.get_snames()) text += " -s " + name;
  for (const std::string& name : option.get_lnames()) text += " -l " + name;
  return fmt::format("{}{} -d {}\n", text, value(value_source(option)),
                     quoted(option.get_description()));
}

std::string command_lines(const CLI::App& command) {
  const std::string condition =
      fmt::format("complete -c hipwright -n '__hipwright_at \"{}\"'", full_name(command));
  std::string text;
  for (const CLI::App* each : visible_commands(command))
    text += fmt::format("{} -a {} -d {}\n", condition, each->get_name(),
                        quoted(each->get_description()));
  for (const CLI::Option* option : accepted_options(command))
    text += option_line(condition, *option);
  const ValueSource own = argument_source(command);
  if (own.kind == ValueSource::kFiles) text += condition + " -F\n";
  if (own.kind == ValueSource::kDirectories)
    text += condition + " -a '(__fish_complete_directories)'\n";
  if (own.kind == ValueSource::kWords)
    text += fmt::format("{} -a '{}'\n", condition, fmt::join(own.words, " "));
  return text;
}

}  // namespace

std::string fish_completion(const CLI::App& tool) {
  std::string text = "# fish completion for hipwright, printed by: hipwright completion fish\n";
  text += "set -g __hipwright_commands";
  for (const CLI::App* command : all_commands(tool))
    if (command->get_parent() != nullptr) text += " " + quoted(full_name(*command));
  text += "\n" + std::string(kFunctions) + "complete -c hipwright -f\n";
  for (const CLI::App* command : all_commands(tool)) text += command_lines(*command);
  return text;
}

}  // namespace hipwright::cli
