// SPDX-License-Identifier: MIT
// The files that a run-time compiler read: it does not report them, so #include lines are scanned.
#include <algorithm>
#include <optional>
#include <set>

#include "base/file.h"
#include "base/words.h"
#include "toolchain/compile/compile.h"
#include "toolchain/compile/system_headers.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// "<a.h>" or "a.h" in quotes, at the start of the text; empty: neither.
std::string_view header_name(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || (text.front() != '"' && text.front() != '<')) return {};
  const std::size_t end = text.find(text.front() == '"' ? '"' : '>', 1);
  return end == std::string_view::npos ? std::string_view{} : text.substr(1, end - 1);
}

// Calls visit(name) for each file that a line includes or asks for; a computed name is empty.
template <class Visit>
void visit_headers(std::string_view line, Visit visit) {
  constexpr std::string_view kAsks = "__has_include";
  for (std::size_t at = line.find(kAsks); at != std::string_view::npos; at = line.find(kAsks, at)) {
    at += kAsks.size();
    std::string_view rest = line.substr(at);
    if (rest.starts_with("_next")) rest.remove_prefix(5);
    rest = trimmed(rest);
    // Not defined(__has_include). A name in the next line counts as computed.
    if (rest.starts_with('(') || rest.starts_with('\\')) visit(header_name(rest.substr(1)), true);
  }
  line = trimmed(line);
  if (!line.starts_with('#')) return;
  line = trimmed(line.substr(1));
  if (!line.starts_with("include")) return;
  line.remove_prefix(std::string_view("include").size());
  if (line.starts_with("_next")) line.remove_prefix(5);
  visit(header_name(line), false);
}

}  // namespace

IncludeFlags include_flags(const std::vector<std::string>& flags) {
  IncludeFlags found;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const auto value_of = [&](std::string_view option) -> std::optional<std::string> {
      const std::string& flag = flags[i];
      if (!flag.starts_with(option)) return std::nullopt;
      std::string value = flag.substr(option.size());
      if (value.starts_with('=')) value.erase(0, 1);
      if (value.empty() && i + 1 < flags.size()) value = flags[++i];
      return value;
    };
    // Longer spellings first: "-include" is not "-I".
    if (const auto file = value_of("--pre-include")) {
      found.files.emplace_back(*file);
    } else if (const auto included = value_of("-include")) {
      found.files.emplace_back(*included);
    } else {
      for (const char* option : {"--include-path", "-isystem", "-iquote", "-idirafter", "-I"}) {
        const auto folder = value_of(option);
        if (!folder) continue;
        std::error_code error;
        if (!folder->empty()) found.folders.push_back(fs::absolute(*folder, error));
        break;
      }
    }
  }
  return found;
}

IncludeScan scan_includes(std::string_view source, const std::vector<fs::path>& folders,
                          const std::vector<fs::path>& first, const SystemHeaders* known) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  IncludeScan scan;
  std::set<fs::path> seen;
  std::vector<std::pair<std::string, fs::path>> open;  // text and the folder it is in
  const auto take = [&](const fs::path& name, const fs::path& beside) {
    std::vector<fs::path> places = folders;
    places.insert(places.begin(), beside);
    // Every folder that has it: which one the compiler takes depends on the includer.
    for (const fs::path& place : places) {
      std::error_code error;
      const fs::path file = fs::canonical(place / name, error);
      if (error || (known != nullptr && known->contains(file))) continue;
      if (!fs::is_regular_file(file, error) || !seen.insert(file).second) continue;
      if (auto content = read_file(file))
        open.emplace_back(*std::move(content), file.parent_path());
    }
  };
  for (const fs::path& name : first) take(name, here);
  open.emplace_back(std::string(source), here);
  while (!open.empty()) {
    const auto [text, folder] = std::move(open.back());
    open.pop_back();
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      visit_headers(rest.substr(0, end), [&](std::string_view name, bool asks) {
        if (name.empty())
          scan.has_computed = true;
        else
          take(name, folder);
        scan.asks |= asks;
      });
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  scan.files.assign(seen.begin(), seen.end());
  return scan;
}

}  // namespace hipwright::toolchain
