// SPDX-License-Identifier: MIT
#include "cli/app.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/usage.h"

namespace hipwright::cli {

Option Option::type_name(const char* name) const {
  return Option(option_->type_name(name));
}
Option Option::description(const char* text) const {
  return Option(option_->description(text));
}
Option Option::option_text(const char* text) const {
  return Option(option_->option_text(text));
}
Option Option::group(const char* name) const {
  return Option(option_->group(name));
}
Option Option::required() const {
  return Option(option_->required());
}
Option Option::expected(int count) const {
  return Option(option_->expected(count));
}
Option Option::delimiter(char separator) const {
  // One word each time, so that what follows is the next argument.
  return Option(option_->delimiter(separator)->allow_extra_args(false));
}
Option Option::allow_extra_args(bool allows) const {
  return Option(option_->allow_extra_args(allows));
}
Option Option::take_all() const {
  return Option(option_->take_all());
}
Option Option::capture_default_str() const {
  return Option(option_->capture_default_str());
}
Option Option::excludes(Option other) const {
  return Option(option_->excludes(other.option_));
}
Option Option::excludes(const char* other) const {
  return Option(option_->excludes(other));
}
Option Option::not_empty() const {
  return Option(option_->check(CLI::Validator(
      [](std::string& value) { return value.empty() ? std::string("it is empty") : std::string(); },
      "")));
}
Option Option::one_of(std::initializer_list<const char*> values) const {
  return Option(option_->check(cli::one_of(values)));
}
Option Option::range(unsigned least, unsigned most) const {
  return Option(option_->check(CLI::Range(least, most)));
}
Option Option::range(double least, double most) const {
  return Option(option_->check(CLI::Range(least, most)));
}

template <class T>
Option App::add_option(const char* name, T& value, const char* help) const {
  return Option(app_->add_option(name, value, help));
}
template <class T>
Option App::add_flag(const char* name, T& value, const char* help) const {
  return Option(app_->add_flag(name, value, help));
}
Option App::add_option(const char* name, const char* help) const {
  const std::string description = help;
  return Option(app_->add_option(name, description));
}
Option App::add_flag(const char* name) const {
  return Option(app_->add_flag(name));
}

App App::add_subcommand(const char* name, const char* summary) const {
  return App(app_->add_subcommand(name, summary));
}
App App::get_subcommand(const char* name) const {
  return App(app_->get_subcommand(name));
}
App App::group(const char* name) const {
  return App(app_->group(name));
}
void App::require_subcommand() const {
  app_->require_subcommand(1);
}
void App::positionals_at_end() const {
  app_->positionals_at_end();
}
bool App::parsed() const {
  return app_->parsed();
}
const CLI::App& App::tool() const {
  return *app_->get_parent();
}

template Option App::add_option(const char*, unsigned&, const char*) const;
template Option App::add_option(const char*, std::uint64_t&, const char*) const;
template Option App::add_option(const char*, std::optional<unsigned>&, const char*) const;
template Option App::add_option(const char*, std::optional<unsigned long long>&, const char*) const;
template Option App::add_option(const char*, float&, const char*) const;
template Option App::add_option(const char*, double&, const char*) const;
template Option App::add_option(const char*, std::optional<double>&, const char*) const;
template Option App::add_option(const char*, std::string&, const char*) const;
template Option App::add_option(const char*, std::filesystem::path&, const char*) const;
template Option App::add_option(const char*, std::vector<std::string>&, const char*) const;
template Option App::add_option(const char*, std::vector<std::filesystem::path>&,
                                const char*) const;
template Option App::add_flag(const char*, bool&, const char*) const;
template Option App::add_flag(const char*, std::string&, const char*) const;

}  // namespace hipwright::cli
