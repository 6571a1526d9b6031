// SPDX-License-Identifier: MIT
#include "cli/man.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/help.h"

namespace hipwright::cli {

namespace {

// Text for roff: no line starts a request, hyphens stay hyphens, `code` is bold.
std::string escaped(std::string_view text) {
  std::string out;
  bool is_code = false;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`')
      out += (is_code = !is_code) ? "\\fB" : "\\fR";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string page_name(const CLI::App& command) {
  std::string name = full_name(command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string synopsis(const CLI::App& command) {
  std::string text = fmt::format("\\fB{}\\fR", escaped(full_name(command)));
  if (!visible_options(command).empty()) text += " [\\fIOPTIONS\\fR]";
  for (const CLI::Option* argument : visible_arguments(command)) {
    const std::string name = fmt::format("\\fI{}\\fR{}", escaped(argument->get_name(true)),
                                         argument->get_expected_max() > 1 ? " ..." : "");
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  if (!visible_commands(command).empty())
    text += command.get_require_subcommand_min() > 0 ? " \\fICOMMAND\\fR" : " [\\fICOMMAND\\fR]";
  return text + "\n";
}

std::string item(const std::string& head, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", head, escaped(text));
}

std::string option_item(const CLI::Option& option) {
  std::string head;
  for (const std::string& spelling : spellings(option))
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", escaped(spelling));
  if (!option.get_option_text().empty())
    head += escaped(option.get_option_text());
  else if (const std::string value = value_name(option); !value.empty())
    head += fmt::format(" \\fI{}\\fR", escaped(value));
  return item(head, described(option));
}

std::string items(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* argument : visible_arguments(command))
    text +=
        item(fmt::format("\\fI{}\\fR", escaped(argument->get_name(true))), described(*argument));
  for (const CLI::Option* option : visible_options(command)) text += option_item(*option);
  return text;
}

// Subcommands with their options, each a subsection.
std::string subsections(const CLI::App& command) {
  std::string text;
  for (const CLI::App* each : visible_commands(command)) {
    text += fmt::format(".SS \"{}\"\n{}.PP\n{}.\n{}", escaped(full_name(*each)), synopsis(*each),
                        escaped(each->get_description()), items(*each));
    text += subsections(*each);
  }
  return text;
}

std::string command_list(const CLI::App& tool) {
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* each : visible_commands(tool))
    text += item(fmt::format("\\fB{}\\fR(1)", escaped(page_name(*each))), each->get_description());
  return text;
}

const Command* registered(const CLI::App& app) {
  for (const Command& command : registered_commands())
    if (app.get_name() == command.name) return &command;
  return nullptr;
}

std::string exit_status(const CLI::App& app) {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCode& each : kExitCodes)
    text += item(fmt::format("\\fB{}\\fR", each.code), each.meaning);
  const Command* command = registered(app);
  if (command != nullptr && *command->exit_codes != '\0')
    text += fmt::format(".PP\n{}.\n", escaped(command->exit_codes));
  return text;
}

}  // namespace

std::string man_file_name(const CLI::App& command) {
  return page_name(command) + ".1";
}

std::string man_page(const CLI::App& command) {
  const bool is_tool = command.get_parent() == nullptr;
  std::string title = page_name(command);
  std::ranges::transform(title, title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string text =
      fmt::format(".TH \"{}\" 1 \"\" \"hipwright " HIPWRIGHT_VERSION "\"\n", escaped(title));
  std::string summary = command.get_description();
  if (summary.ends_with('.')) summary.pop_back();
  text += fmt::format(".SH NAME\n{} \\- {}\n", escaped(page_name(command)), escaped(summary));
  text += ".SH SYNOPSIS\n" + synopsis(command);
  text += (is_tool || visible_arguments(command).empty() ? ".SH OPTIONS\n"
                                                         : ".SH ARGUMENTS AND OPTIONS\n") +
          items(command);
  if (is_tool)
    text += command_list(command);
  else if (!visible_commands(command).empty())
    text += ".SH COMMANDS\n" + subsections(command);
  text += exit_status(command);
  if (!is_tool) text += ".SH SEE ALSO\n\\fBhipwright\\fR(1)\n";
  return text;
}

}  // namespace hipwright::cli
