// SPDX-License-Identifier: MIT
#include "toolchain/compile/compile.h"

#include <regex>
#include <set>

#include "base/file.h"

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

std::vector<fs::path> scan_includes(std::string_view source, const std::vector<fs::path>& folders) {
  static const std::regex kInclude(R"(^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]{1,1000})[">])",
                                   std::regex::multiline);
  std::set<fs::path> seen;
  std::vector<std::pair<std::string, fs::path>> open = {{std::string(source), {}}};
  while (!open.empty()) {
    const auto [text, folder] = std::move(open.back());
    open.pop_back();
    for (std::sregex_iterator match(text.begin(), text.end(), kInclude), end; match != end;
         ++match) {
      const fs::path name = (*match)[1].str();
      std::vector<fs::path> places = folders;
      places.insert(places.begin(), folder);
      // Every folder that has it: which one the compiler takes depends on the includer.
      for (const fs::path& place : places) {
        std::error_code error;
        const fs::path file = fs::canonical(place / name, error);
        if (error || !fs::is_regular_file(file, error) || !seen.insert(file).second) continue;
        if (auto content = read_file(file))
          open.emplace_back(*std::move(content), file.parent_path());
      }
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace hipwright::toolchain
