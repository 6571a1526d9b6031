// SPDX-License-Identifier: MIT
// What the help, the manual pages and the completion scripts say about one option.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/FormatterFwd.hpp>

namespace hipwright::cli {

// "-o", "--output": the spellings, short ones first. Empty for positional arguments.
std::vector<std::string> spellings(const CLI::Option& option);

// The values an option accepts when it accepts only these; empty otherwise.
std::vector<std::string> choices(const CLI::Option& option);

// "FILE": what stands for the value in help texts. Empty for flags.
std::string value_name(const CLI::Option& option);

// "Also write an HTML report [possible values: a, b] [default: a]".
std::string described(const CLI::Option& option);

// "hipwright verify kernel".
std::string full_name(const CLI::App& command);

// Options and subcommands that are meant for users, in order of declaration.
std::vector<const CLI::Option*> visible_options(const CLI::App& command);
std::vector<const CLI::Option*> visible_arguments(const CLI::App& command);
std::vector<const CLI::App*> visible_commands(const CLI::App& command);

// Lays out --help.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_description(const CLI::App* app) const override;
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace hipwright::cli
