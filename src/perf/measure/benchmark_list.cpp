// SPDX-License-Identifier: MIT
#include "perf/measure/benchmark_list.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "perf/record/rocm_profile.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepest = 8;  // lists in lists
constexpr std::size_t kMostItems = 10'000;

std::unexpected<Error> wrong(const std::string& origin, std::string why) {
  return fail("cannot read the list", origin, std::move(why));
}

bool is_python(const std::string& word) {
  return word.ends_with(".py");
}

Item item_of(std::string name, std::vector<std::string> argv) {
  if (name.empty()) name = argv.size() == 1 ? normal_path(argv.front()) : shell_quoted(argv);
  if (is_python(argv.front())) argv.insert(argv.begin(), "python3");
  return {std::move(name), std::move(argv)};
}

// "NAME = COMMAND": the name has no quotes and nothing that a command begins with.
std::pair<std::string, std::string_view> split_name(std::string_view line) {
  const std::size_t at = line.find(" = ");
  if (at == std::string_view::npos || line.substr(0, at).find_first_of("\"'\\") != line.npos)
    return {"", line};
  return {std::string(trimmed(line.substr(0, at))), trimmed(line.substr(at + 3))};
}

Result<void> add_lines(std::string_view text, const fs::path& origin, std::size_t depth,
                       std::vector<Item>& items);

Result<void> add_list(const fs::path& file, std::size_t depth, std::vector<Item>& items) {
  if (depth > kDeepest)
    return wrong(file.string(), fmt::format("lists name each other more than {} deep", kDeepest));
  std::error_code error;
  if (fs::exists(file, error) && !fs::is_regular_file(file, error))
    return wrong(file.string(), "not a regular file");
  HW_TRY(const std::string text, read_file(file));
  return add_lines(text, file, depth, items);
}

Result<void> add_line(std::string_view line, const fs::path& origin, const std::string& place,
                      std::size_t depth, std::vector<Item>& items) {
  if (line.starts_with('@'))
    return add_list(origin.parent_path() / std::string(trimmed(line.substr(1))), depth + 1, items);
  const auto [name, command] = split_name(line);
  HW_TRY(auto argv, split_words(command, place));
  if (argv.empty() || argv.front().empty()) return wrong(place, "no command");
  items.push_back(item_of(name, std::move(argv)));
  if (items.size() > kMostItems) return wrong(place, fmt::format("more than {} items", kMostItems));
  return {};
}

Result<void> add_lines(std::string_view text, const fs::path& origin, std::size_t depth,
                       std::vector<Item>& items) {
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string place = fmt::format("{}:{}", origin.string(), ++number);
    if (line.find('\0') != line.npos) return wrong(place, "a null character");
    if (line.empty() || line.starts_with('#')) continue;
    HW_CHECK(add_line(line, origin, place, depth, items));
  }
  return {};
}

// Names are keys of records.
Result<std::vector<Item>> named_once(std::vector<Item> items) {
  std::set<std::string> names;
  for (const Item& each : items)
    if (!names.insert(each.name).second)
      return fail("cannot measure", each.name, "two benchmarks have this name",
                  "Name them in the list: NAME = COMMAND");
  return items;
}

bool is_example(const std::string& word) {
  return word.starts_with('@') || is_python(word);
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line, const std::string& origin) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\\' && quote != '\'') {
      if (i + 1 == line.size()) return wrong(origin, "a backslash at the end of the line");
      words.back() += line[++i];
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote != '\0' && c == quote) {
      quote = '\0';
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') return wrong(origin, fmt::format("the quote {} is not closed", quote));
  return words;
}

Result<std::vector<Item>> parse_list(std::string_view text, const std::string& origin) {
  std::vector<Item> items;
  HW_CHECK(add_lines(text, origin, 0, items));
  return named_once(std::move(items));
}

Result<std::vector<Item>> read_items(const std::vector<std::string>& words) {
  if (words.empty()) return fail("nothing to measure", "", "no command", "Add: -- COMMAND");
  std::vector<Item> items;
  if (!words.front().starts_with('@') && !std::ranges::all_of(words, is_example)) {
    items.push_back(item_of("", words));
    return items;
  }
  for (const std::string& word : words) {
    if (word.starts_with('-')) return fail("unexpected option", word, "a list has no options");
    if (word.starts_with('@'))
      HW_CHECK(add_list(word.substr(1), 0, items));
    else
      items.push_back(item_of("", {word}));
  }
  if (items.empty()) return fail("nothing to measure in", words.front(), "the list is empty");
  return named_once(std::move(items));
}

}  // namespace hipwright::perf
