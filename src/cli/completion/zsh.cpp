// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

// "hipwright verify kernel" has the function _hipwright_verify_kernel.
std::string function_name(const CLI::App& command) {
  std::string name = "_" + full_name(command);
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string action(const ValueSource& source) {
  switch (source.kind) {
    case ValueSource::kFiles:
      return "_files";
    case ValueSource::kDirectories:
      return "_files -/";
    case ValueSource::kWords:
      return fmt::format("({})", fmt::join(source.words, " "));
    case ValueSource::kWordList:
      return fmt::format("_values -s , target {}", fmt::join(source.words, " "));
    case ValueSource::kNone:
    case ValueSource::kFree:
      break;
  }
  return " ";
}

// `separator` ends this part of a spec.
std::string escaped(std::string_view text, char separator) {
  std::string result;
  for (const char c : text) {
    if (c == separator) result += '\\';
    result += c;
  }
  return result;
}

// Values follow in the same word (`--mode=hip`, `-ofile`) or in the next one.
std::string before_value(std::string_view spelling) {
  return fmt::format("{}{}", spelling, spelling.starts_with("--") ? '=' : '+');
}

std::string option_spec(const CLI::Option& option) {
  const ValueSource source = value_source(option);
  const bool takes_value = source.kind != ValueSource::kNone;
  const std::string value =
      takes_value ? fmt::format(":{}:{}", escaped(value_name(option), ':'), action(source)) : "";
  const std::string description = escaped(option.get_description(), ']');
  std::string text;
  for (const std::string& spelling : spellings(option))
    text +=
        fmt::format("    {} \\\n",
                    quoted(fmt::format("*{}[{}]{}", takes_value ? before_value(spelling) : spelling,
                                       description, value)));
  return text;
}

// Completes a subcommand in the first place, and hands the rest over to its function.
std::string with_commands(const CLI::App& command) {
  const ValueSource own = argument_source(command);
  std::string text = "    '1: :->command' '*:: :->rest'\n  case $state in\n    command)\n";
  text += "      local -a commands=(\n";
  for (const CLI::App* each : visible_commands(command))
    text += fmt::format("        {}\n", quoted(each->get_name() + ":" + each->get_description()));
  text += "      )\n      _describe command commands\n";
  const std::string files = own.kind == ValueSource::kDirectories ? "_files -/" : "_files";
  const bool takes_files = own.kind == ValueSource::kFiles || own.kind == ValueSource::kDirectories;
  if (takes_files) text += fmt::format("      {}\n", files);
  text += "      ;;\n    rest)\n      case $words[1] in\n";
  for (const CLI::App* each : visible_commands(command))
    text += fmt::format("        {}) {} ;;\n", each->get_name(), function_name(*each));
  if (takes_files) text += fmt::format("        *) {} ;;\n", files);
  return text + "      esac\n      ;;\n  esac\n";
}

std::string function_of(const CLI::App& command) {
  std::string text = fmt::format(
      "{}() {{\n  local curcontext=$curcontext context state state_descr line\n"
      "  typeset -A opt_args\n  _arguments -C \\\n",
      function_name(command));
  for (const CLI::Option* option : accepted_options(command)) text += option_spec(*option);
  if (!visible_commands(command).empty()) return text + with_commands(command) + "}\n\n";
  std::string arguments;
  for (const CLI::Option* argument : visible_arguments(command))
    arguments += fmt::format(
        " {}", quoted(fmt::format("{}:{}:{}", argument->get_expected_max() > 1 ? "*" : "",
                                  argument->get_name(true), action(value_source(*argument)))));
  return text + "   " + arguments + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CLI::App& tool) {
  std::string text =
      "#compdef hipwright\n"
      "# zsh completion for hipwright, printed by: hipwright completion zsh\n\n";
  for (const CLI::App* command : all_commands(tool)) text += function_of(*command);
  return text +
         "if [[ $funcstack[1] == _hipwright ]]; then\n  _hipwright \"$@\"\nelse\n"
         "  compdef _hipwright hipwright\nfi\n";
}

}  // namespace hipwright::cli
