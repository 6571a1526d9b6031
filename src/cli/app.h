// SPDX-License-Identifier: MIT
// How a command declares its options. CLI11 does the work behind it: its headers would cost every
// command seconds to compile. The names are CLI11's.
#pragma once

#include <initializer_list>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace hipwright::cli {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type_name(const char* name) const;  // what stands for the value in help texts
  Option description(const char* text) const;
  Option option_text(const char* text) const;  // what follows the name in the help
  Option group(const char* name) const;        // "": hidden
  Option required() const;
  Option expected(int count) const;  // values per use; -1: any number
  Option delimiter(char separator) const;
  Option allow_extra_args(bool allows) const;  // more than one value per use
  Option take_all() const;                     // of an option that is repeated
  Option capture_default_str() const;          // the help shows the default
  Option excludes(Option other) const;
  Option excludes(const char* other) const;
  Option not_empty() const;  // `--out ""` is a mistake, not the absence of the option
  Option one_of(std::initializer_list<const char*> values) const;
  Option range(unsigned least, unsigned most) const;
  Option range(double least, double most) const;

 private:
  CLI::Option* option_;
};

class App {
 public:
  explicit App(CLI::App* app) : app_(app) {}

  // `value` must live as long as the command. Instantiated in app.cpp for the types in use.
  template <class T>
  Option add_option(const char* name, T& value, const char* help = "") const;
  template <class T>
  Option add_flag(const char* name, T& value, const char* help = "") const;
  // For the help only.
  Option add_option(const char* name, const char* help) const;
  Option add_flag(const char* name) const;

  App add_subcommand(const char* name, const char* summary) const;
  App get_subcommand(const char* name) const;
  App group(const char* name) const;  // "": hidden
  void require_subcommand() const;
  void positionals_at_end() const;
  bool parsed() const;  // named on the command line

  // The tool that the command belongs to, with all commands.
  const CLI::App& tool() const;

 private:
  CLI::App* app_;
};

}  // namespace hipwright::cli
