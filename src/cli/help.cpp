// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace hipwright::cli {

namespace {

constexpr std::size_t kColumn = 32;  // where descriptions begin
constexpr std::size_t kWidth = 100;

// Breaks at blanks, so that no line is longer than `width` unless one word is.
std::string wrapped(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used != 0 && used + 1 + word.size() > width) {
      out += '\n';
      used = 0;
    } else if (used != 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out;
}

}  // namespace

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

std::vector<std::string> choices(const CLI::Option& option) {
  // CLI11 appends the descriptions of validators to the type: "TEXT:{hip,dual}".
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::string described(const CLI::Option& option) {
  std::string text = option.get_description();
  if (const auto values = choices(option); !values.empty())
    text += fmt::format(" [possible values: {}]", fmt::join(values, ", "));
  if (!option.get_default_str().empty())
    text += fmt::format(" [default: {}]", option.get_default_str());
  return text;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::vector<const CLI::Option*> visible_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->nonpositional() && !option->get_group().empty();
  });
}

std::vector<const CLI::Option*> visible_arguments(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->get_group().empty();
  });
}

std::vector<const CLI::App*> visible_commands(const CLI::App& command) {
  return command.get_subcommands(
      [](const CLI::App* sub) { return !sub->get_name().empty() && !sub->get_group().empty(); });
}

HelpFormatter::HelpFormatter() {
  column_width(kColumn);
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
  label("SUBCOMMANDS", "COMMAND");
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  return app->get_description() + "\n\n";
}

// CLI11 puts a second empty line behind a group that a hidden one follows.
std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != text.npos;) text.erase(at, 1);
  return text;
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  if (is_positional) return option->get_name(true, false);
  return fmt::format("{}", fmt::join(spellings(*option), ", "));
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (!option->get_option_text().empty()) return option->get_option_text();
  if (option->get_positional() || value_name(*option).empty()) return {};
  return " " + value_name(*option);
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(described(*option), kWidth - kColumn);
}

}  // namespace hipwright::cli
