// SPDX-License-Identifier: MIT
#include "toolchain/compile/compile.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/pattern.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

std::vector<LogMessage> parse_compiler_log(std::string_view log) {
  // file:line:column: severity: text   |   file(line): severity: text
  static const Pattern kClang(
      R"(^(.+?):(\d{1,9}):(\d{1,9}): (?:fatal )?(error|warning|note): (.*)$)");
  static const Pattern kNvrtc(
      R"(^(.+?)\((\d{1,9})\): (?:catastrophic )?(error|warning|remark)[^:]*: (.*)$)");
  static const Pattern kPlain(R"(^(?:\S+: )?(?:fatal )?(error|warning): (.*)$)");
  std::vector<LogMessage> messages;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, std::min<std::size_t>(end, 2000));
    log.remove_prefix(std::min(end + 1, log.size()));
    const auto number = [](const std::string& digits) {
      return static_cast<unsigned>(std::stoul(digits));
    };
    if (const auto clang = kClang.match(line); !clang.empty())
      messages.push_back({clang[4], clang[1], clang[5], number(clang[2]), number(clang[3])});
    else if (const auto nvrtc = kNvrtc.match(line); !nvrtc.empty())
      messages.push_back({nvrtc[3], nvrtc[1], nvrtc[4], number(nvrtc[2]), 0});
    else if (const auto plain = kPlain.match(line); !plain.empty())
      messages.push_back({plain[1], {}, plain[2], 0, 0});
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

bool is_below(const fs::path& file, const fs::path& folder) {
  return file.native().starts_with(folder.native() + "/");
}

std::string file_identity(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const auto size = fs::file_size(real, error);
  const auto written = fs::last_write_time(real, error).time_since_epoch().count();
  return fmt::format("{} {} {}", real.string(), size, written);
}

}  // namespace hipwright::toolchain
