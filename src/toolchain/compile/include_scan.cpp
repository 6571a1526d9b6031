// SPDX-License-Identifier: MIT
// What a run-time compiler read, which it does not tell: found by looking for #include lines.
#include <algorithm>
#include <optional>
#include <set>

#include "base/file.h"
#include "toolchain/compile/compile.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

struct Directive {
  bool is_include = false;
  std::string_view name;  // empty: computed by a macro
};

Directive directive_of(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return {};
  line = trimmed(line.substr(1));
  if (!line.starts_with("include")) return {};
  line.remove_prefix(std::string_view("include").size());
  if (line.starts_with("_next")) line.remove_prefix(std::string_view("_next").size());
  line = trimmed(line);
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return {true, {}};
  const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
  return {true, end == std::string_view::npos ? std::string_view{} : line.substr(1, end - 1)};
}

// Calls visit(name) for each #include; says whether all names could be read.
template <class Visit>
bool for_each_include(std::string_view text, Visit visit) {
  bool complete = text.find("__has_include") == std::string_view::npos;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Directive directive = directive_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!directive.is_include) continue;
    if (directive.name.empty())
      complete = false;
    else
      visit(directive.name);
  }
  return complete;
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
                          const std::vector<fs::path>& first) {
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
      if (error || !fs::is_regular_file(file, error) || !seen.insert(file).second) continue;
      if (auto content = read_file(file))
        open.emplace_back(*std::move(content), file.parent_path());
    }
  };
  for (const fs::path& name : first) take(name, here);
  open.emplace_back(std::string(source), here);
  while (!open.empty()) {
    const auto [text, folder] = std::move(open.back());
    open.pop_back();
    scan.complete &= for_each_include(text, [&](std::string_view name) { take(name, folder); });
  }
  scan.files.assign(seen.begin(), seen.end());
  return scan;
}

}  // namespace hipwright::toolchain
