// SPDX-License-Identifier: MIT
#include "verify/program/makefile.h"

#include <algorithm>
#include <map>

namespace hipwright::verify {

namespace fs = std::filesystem;

bool is_device_source(std::string_view path) {
  return path.ends_with(".cu") || path.ends_with(".hip");
}
bool is_host_source(std::string_view path) {
  return path.ends_with(".cpp") || path.ends_with(".cc") || path.ends_with(".cxx") ||
         path.ends_with(".c");
}

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(" \t", at);
    if (begin == std::string_view::npos) break;
    at = std::min(text.find_first_of(" \t", begin), text.size());
    words.emplace_back(text.substr(begin, at - begin));
  }
  return words;
}

constexpr std::string_view kWildcard = "wildcard ";

class MakefileReader {
 public:
  explicit MakefileReader(fs::path folder) : folder_(std::move(folder)) {}

  MakefileFacts read(std::string_view text) {
    std::vector<std::string> lines = logical_lines(text);
    for (const std::string& line : lines)
      if (!line.starts_with('\t')) assign(line);
    for (const std::string& line : lines) look_at(line);
    return std::move(facts_);
  }

 private:
  static std::vector<std::string> logical_lines(std::string_view text) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.back() += text.substr(at, end - at);
      at = end + 1;
      if (lines.back().ends_with('\\'))
        lines.back().back() = ' ';
      else
        lines.emplace_back();
    }
    return lines;
  }

  // A = b, A := b, A ?= b, A += b. Conditions are not evaluated: the first value stays.
  void assign(const std::string& line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals == 0) return;
    const bool adds = line[equals - 1] == '+';
    const std::vector<std::string> name =
        words_of(std::string_view(line).substr(0, line.find_last_not_of(":?+ \t", equals - 1) + 1));
    if (name.size() != 1 || name[0].find_first_of("$#:") != std::string::npos) return;
    std::string value = line.substr(equals + 1);
    value.erase(std::min(value.find('#'), value.size()));
    value.erase(value.find_last_not_of(" \t") + 1);
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (adds)
      variables_[name[0]] += " " + value;
    else
      variables_.emplace(name[0], value);
  }

  // What is not known is nothing, as in make.
  std::string expanded(std::string_view text, int depth = 0) const {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const bool is_variable =
          text[at] == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{');
      const std::size_t end =
          is_variable ? text.find(text[at + 1] == '(' ? ')' : '}', at) : std::string_view::npos;
      if (end == std::string_view::npos) {
        out += text[at];
        continue;
      }
      const std::string_view name = text.substr(at + 2, end - at - 2);
      if (name.starts_with(kWildcard)) out += expanded(name.substr(kWildcard.size()), depth + 1);
      const auto found = variables_.find(name);
      if (found != variables_.end() && depth < 8) out += expanded(found->second, depth + 1);
      at = end;
    }
    return out;
  }

  void look_at(const std::string& line) {
    const std::string text = expanded(line);
    const std::vector<std::string> words = words_of(text);
    for (const std::string& word : words) {
      if (word.size() < 3 || word.find('$') != std::string::npos) continue;
      if (word.starts_with("-D")) add_flag(word);
      if (word.starts_with("-I"))
        add_flag("-I" + (folder_ / word.substr(2)).lexically_normal().string());
    }
    for (const std::string& word : words) look_at_file(word);
    if (line.starts_with('\t') && !words.empty() && words[0].starts_with("./") &&
        text.find_first_of("$|<>&;`\"'*") == std::string::npos)
      facts_.calls.push_back(words);
  }

  // Of what follows "a.o:", and of what a variable holds.
  void look_at_file(std::string_view word) {
    while (word.ends_with(':')) word.remove_suffix(1);
    if (word.find_first_of("$%=") != std::string_view::npos) return;
    const std::string path = fs::path(word).lexically_normal().generic_string();
    if (is_device_source(path) || is_host_source(path)) facts_.sources.insert(path);
    if (path.ends_with(".o")) facts_.objects.insert(path.substr(0, path.size() - 2));
  }

  void add_flag(const std::string& flag) {
    if (std::find(facts_.flags.begin(), facts_.flags.end(), flag) == facts_.flags.end())
      facts_.flags.push_back(flag);
  }

  fs::path folder_;
  std::map<std::string, std::string, std::less<>> variables_;
  MakefileFacts facts_;
};

}  // namespace

bool MakefileFacts::names(std::string_view source) const {
  const auto is_it = [&](std::string_view name) {
    const std::size_t star = name.find('*');
    if (star == std::string_view::npos) return name == source;
    const std::string_view before = name.substr(0, star), after = name.substr(star + 1);
    return source.size() >= before.size() + after.size() && source.starts_with(before) &&
           source.ends_with(after) && source.find('/', star) == std::string_view::npos;
  };
  return std::ranges::any_of(sources, is_it) ||
         objects.contains(std::string(source.substr(0, source.rfind('.'))));
}

MakefileFacts read_makefile(std::string_view text, fs::path folder) {
  return MakefileReader(std::move(folder)).read(text);
}

}  // namespace hipwright::verify
