// SPDX-License-Identifier: MIT
#include "project/build/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "base/words.h"
#include "project/path.h"

namespace hipwright::project {

void BuildFlags::add(const BuildFlags& other) {
  macros.insert(other.macros.begin(), other.macros.end());
  for (const std::string& folder : other.folders) add_folder(folder);
  standard = std::max(standard, other.standard);
  links_device_code |= other.links_device_code;
  rules.insert(rules.end(), other.rules.begin(), other.rules.end());
}

void BuildFlags::add_folder(std::string folder) {
  if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(std::move(folder));
}

bool CompileRule::names(std::string_view path) const {
  return std::ranges::any_of(sources, [&](std::string_view source) {
    const std::size_t any = source.find('%');
    if (any == std::string_view::npos) return source == path;
    return path.size() + 1 >= source.size() && path.starts_with(source.substr(0, any)) &&
           path.ends_with(source.substr(any + 1));
  });
}

std::vector<std::string> options_of(const std::vector<CompileRule>& rules, std::string_view path) {
  if (rules.empty()) return {};
  auto named = std::ranges::find_if(rules, [&](const CompileRule& rule) {
    return std::ranges::find(rule.sources, path) != rule.sources.end();
  });
  if (named == rules.end())
    named = std::ranges::find_if(rules, [&](const CompileRule& rule) { return rule.names(path); });
  if (named != rules.end()) return named->options;
  const bool agree = std::ranges::all_of(
      rules, [&](const CompileRule& rule) { return rule.options == rules[0].options; });
  return agree ? rules[0].options : std::vector<std::string>();
}

std::vector<std::string> generation_options(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 9> kOthers = {
      "-flto",     "-fsanitize", "-fprofile", "-fcoverage", "-fsyntax-only",
      "-fuse-ld=", "-fgpu-rdc",  "-fopenmp",  "-fplugin"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (is_any(word, {"-mllvm", "-Xarch_device", "-Xarch_host"})) {
      if (i + 1 < words.size()) kept.insert(kept.end(), {words[i], words[i + 1]});
      ++i;
      continue;
    }
    const bool generates =
        word.starts_with("-O") || word.starts_with("-f") || word.starts_with("-m");
    const bool is_other = std::ranges::any_of(
        kOthers, [&](std::string_view other) { return word.starts_with(other); });
    const bool is_known = word.find('$') == std::string_view::npos;
    if (generates && !is_other && is_known) kept.push_back(words[i]);
  }
  return kept;
}

std::size_t OptionReader::option(std::string_view word, std::string_view next) {
  while (!word.empty() && (word[0] == '"' || word[0] == '\'')) word.remove_prefix(1);
  if (word.size() < 2 || word[0] != '-') return 1;
  if (is_any(word,
             {"-dc", "--device-c", "-rdc=true", "--relocatable-device-code=true", "-fgpu-rdc"}))
    into_.links_device_code = true;
  if (word.starts_with("-std=")) {
    standard(word.substr(word.find_last_not_of("0123456789") + 1));
    return 1;
  }
  const char kind = word[1];
  if (kind != 'D' && kind != 'I') return 1;
  const bool is_joined = word.size() > 2;
  const std::string_view value = is_joined ? word.substr(2) : next;
  if (kind == 'D')
    macro(value);
  else
    folder(value);
  return is_joined ? 1 : 2;
}

void OptionReader::macro(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  if (!is_name || text.find('$') != std::string_view::npos) return;
  std::string value(equals == std::string_view::npos ? "" : text.substr(equals));
  std::erase_if(value, [](char c) { return c == '\\' || c == '"' || c == '\''; });
  // A text: its quotes are for whoever reads the build file first.
  if (text.find('"') != std::string_view::npos && value.size() > 1)
    value = "=\"" + value.substr(1) + "\"";
  into_.macros.emplace(name, std::move(value));
}

void OptionReader::folder(std::string_view path) {
  if (path.empty() || path.find('$') != std::string_view::npos) return;
  if (path[0] == '/') return;  // of another machine
  into_.add_folder(
      join_path(folder_, path)
          .value_or((std::filesystem::path(folder_) / path).lexically_normal().generic_string()));
}

void OptionReader::standard(std::string_view digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (number >= 11 && number <= 26) into_.standard = std::max(into_.standard, number);
}

}  // namespace hipwright::project
