// SPDX-License-Identifier: MIT
#include "toolchain/compile/compile.h"

#include <algorithm>
#include <regex>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace hipwright::toolchain {

std::vector<LogMessage> parse_compiler_log(std::string_view log) {
  // file:line:column: severity: text   |   file(line): severity: text
  static const std::regex kClang(
      R"(^(.+?):(\d{1,9}):(\d{1,9}): (?:fatal )?(error|warning|note): (.*)$)");
  static const std::regex kNvrtc(
      R"(^(.+?)\((\d{1,9})\): (?:catastrophic )?(error|warning|remark)[^:]*: (.*)$)");
  static const std::regex kPlain(R"(^(?:\S+: )?(?:fatal )?(error|warning): (.*)$)");
  std::vector<LogMessage> messages;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string line(log.substr(0, std::min<std::size_t>(end, 2000)));
    log.remove_prefix(std::min(end + 1, log.size()));
    std::smatch match;
    const auto number = [&](int group) { return static_cast<unsigned>(std::stoul(match[group])); };
    if (std::regex_match(line, match, kClang))
      messages.push_back({match[4], match[1], match[5], number(2), number(3)});
    else if (std::regex_match(line, match, kNvrtc))
      messages.push_back({match[3], match[1], match[4], number(2), 0});
    else if (std::regex_match(line, match, kPlain))
      messages.push_back({match[1], {}, match[2], 0, 0});
  }
  return messages;
}

std::string file_identity(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  const auto size = fs::file_size(real, error);
  const auto written = fs::last_write_time(real, error).time_since_epoch().count();
  return fmt::format("{} {} {}", real.string(), size, written);
}

}  // namespace hipwright::toolchain
