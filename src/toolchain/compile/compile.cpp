// SPDX-License-Identifier: MIT
#include "toolchain/compile/compile.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// The readers below take what they recognise off the front of `rest`. They are written by hand:
// this code is also in the library that is loaded into users' programs, which links no regular
// expressions.
bool take(std::string_view& rest, std::string_view word) {
  if (!rest.starts_with(word)) return false;
  rest.remove_prefix(word.size());
  return true;
}

std::optional<unsigned> take_number(std::string_view& rest) {
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 9) return std::nullopt;
  const unsigned number = static_cast<unsigned>(std::stoul(std::string(rest.substr(0, digits))));
  rest.remove_prefix(digits);
  return number;
}

std::string take_severity(std::string_view& rest, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (take(rest, word)) return word;
  return {};
}

// file:line:column: severity: text
std::optional<LogMessage> clang_message(std::string_view line) {
  for (std::size_t at = line.find(':', 1); at < line.size(); at = line.find(':', at + 1)) {
    std::string_view rest = line.substr(at + 1);
    const auto row = take_number(rest);
    if (!row || !take(rest, ":")) continue;
    const auto column = take_number(rest);
    if (!column || !take(rest, ": ")) continue;
    take(rest, "fatal ");
    const std::string severity = take_severity(rest, {"error", "warning", "note"});
    if (severity.empty() || !take(rest, ": ")) continue;
    return LogMessage{severity, std::string(line.substr(0, at)), std::string(rest), *row, *column};
  }
  return std::nullopt;
}

// file(line): severity #number: text
std::optional<LogMessage> nvrtc_message(std::string_view line) {
  for (std::size_t at = line.find('(', 1); at < line.size(); at = line.find('(', at + 1)) {
    std::string_view rest = line.substr(at + 1);
    const auto row = take_number(rest);
    if (!row || !take(rest, "): ")) continue;
    take(rest, "catastrophic ");
    const std::string severity = take_severity(rest, {"error", "warning", "remark"});
    rest.remove_prefix(std::min(rest.find(':'), rest.size()));
    if (severity.empty() || !take(rest, ": ")) continue;
    return LogMessage{severity, std::string(line.substr(0, at)), std::string(rest), *row, 0};
  }
  return std::nullopt;
}

// severity: text, or with the program before it
std::optional<LogMessage> plain_message(std::string_view line) {
  const std::size_t blank = std::min(line.find_first_of(" \t\n\f\r"), line.size());
  const bool has_program = blank > 1 && line.substr(blank - 1).starts_with(": ");
  for (std::string_view rest : {has_program ? line.substr(blank + 1) : line, line}) {
    take(rest, "fatal ");
    const std::string severity = take_severity(rest, {"error", "warning"});
    if (!severity.empty() && take(rest, ": "))
      return LogMessage{severity, {}, std::string(rest), 0, 0};
  }
  return std::nullopt;
}

}  // namespace

std::vector<LogMessage> parse_compiler_log(std::string_view log) {
  std::vector<LogMessage> messages;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, std::min<std::size_t>(end, 2000));
    log.remove_prefix(std::min(end + 1, log.size()));
    for (const auto read : {clang_message, nvrtc_message, plain_message})
      if (auto message = read(line)) {
        messages.push_back(*std::move(message));
        break;
      }
  }
  return messages;
}

std::vector<fs::path> prerequisites(std::string_view rule) {
  std::vector<fs::path> files;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) files.emplace_back(std::exchange(word, {}));
  };
  const std::size_t colon = rule.find(": ");
  if (colon == std::string_view::npos) return files;
  for (std::size_t i = colon + 2; i < rule.size(); ++i) {
    const char c = rule[i];
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#')) {
      word += rule[++i];
    } else if (c == '$' && next == '$') {
      word += rule[++i];
    } else if (c == '\\' && next == '\n') {
      flush();
      ++i;
    } else if (c == ' ' || c == '\n') {
      flush();
    } else {
      word += c;
    }
  }
  flush();
  return files;
}

std::string file_identity(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const auto size = fs::file_size(real, error);
  const auto written = fs::last_write_time(real, error).time_since_epoch().count();
  return fmt::format("{} {} {}", real.string(), size, written);
}

}  // namespace hipwright::toolchain
