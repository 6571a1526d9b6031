// SPDX-License-Identifier: MIT
#include "port/build/option_lists.h"

#include <algorithm>

#include <fmt/format.h>

#include "port/build/flags.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

bool is_string(const File& file, TokenRange range) {
  return range.size() == 1 && file.tokens()[range.begin].kind == Kind::kString &&
         std::string_view("\"'").find(file.text(range.begin).front()) != std::string_view::npos;
}

}  // namespace

std::optional<std::vector<std::string>> list_of(const File& file, TokenRange value) {
  if (value.empty() || !file.is(value.begin, "[") || file.partner(value.begin) != value.end - 1)
    return std::nullopt;
  std::vector<std::string> list;
  for (const TokenRange& item : file.arguments(value.begin)) {
    if (!is_string(file, item)) return std::nullopt;
    list.push_back(file.string_value(item.begin));
  }
  return list;
}

namespace {

// f"-arch=sm_{version}": the text before the first value.
std::optional<std::string> fixed_part(const File& file, TokenRange item) {
  if (item.size() != 1 || file.tokens()[item.begin].kind != Kind::kString) return std::nullopt;
  const std::string_view text = file.text(item.begin);
  if (text.empty() || (text[0] != 'f' && text[0] != 'F')) return std::nullopt;
  const std::string value = file.string_value(item.begin);
  return value.substr(0, value.find('{'));
}

}  // namespace

namespace {

// f"-Xcompiler={flags}": one compiler does both.
std::string without_pass(std::string_view item) {
  std::string text(item);
  for (const std::string_view pass : {"-Xcompiler=", "--compiler-options=", "-compiler-options="})
    if (const std::size_t at = text.find(pass); at != std::string::npos)
      return text.erase(at, pass.size());
  return {};
}

}  // namespace

std::optional<OptionList> list_for_hipcc(const File& file, TokenRange value) {
  // ["-O3"] + more: the part that is a list is translated.
  const TokenIndex close =
      !value.empty() && file.is(value.begin, "[") ? file.partner(value.begin) : kNoToken;
  if (close != kNoToken && close + 2 < value.end && file.is(close + 1, "+")) {
    auto first = list_for_hipcc(file, {value.begin, close + 1});
    if (!first) return std::nullopt;
    const TokenRange rest{close + 2, value.end};
    const auto next = list_for_hipcc(file, rest);
    first->text += fmt::format(" + {}", next ? std::string_view(next->text) : file.text(rest));
    first->is_changed |= next && next->is_changed;
    return first;
  }
  if (value.empty() || !file.is(value.begin, "[") || file.partner(value.begin) != value.end - 1)
    return std::nullopt;
  const auto items = file.arguments(value.begin);
  std::vector<std::string> now;
  bool is_changed = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    // "-arch=" + gpu is dropped like -arch=sm_80.
    if (items[i].size() > 1 && !computed_gpus(file, items[i]).empty()) {
      is_changed = true;
      continue;
    }
    const auto part = fixed_part(file, items[i]);
    const bool is_literal = is_string(file, items[i]);
    const std::string word = is_literal ? file.string_value(items[i].begin) : part.value_or("");
    const bool has_next = i + 1 < items.size() && is_string(file, items[i + 1]);
    const auto flag =
        translate_flag(word, has_next ? file.string_value(items[i + 1].begin) : std::string());
    if (!flag) {
      now.emplace_back(file.text(items[i]));
      continue;
    }
    is_changed = true;
    if (std::string rest = is_literal ? "" : without_pass(file.text(items[i])); !rest.empty()) {
      now.push_back(std::move(rest));
      continue;
    }
    const bool needs_value = !is_literal || (flag->takes_next && !has_next);
    if (needs_value && !flag->now.empty()) return std::nullopt;
    for (const std::string& each : split(flag->now)) now.push_back(in_quotes(each));
    if (flag->takes_next) ++i;
  }
  return OptionList{fmt::format("[{}]", fmt::join(now, ", ")), is_changed};
}

namespace {

bool is_computed(const File& file, TokenIndex at) {
  const std::string_view text = file.text(at);
  if (file.tokens()[at].kind != Kind::kString) return file.tokens()[at].kind == Kind::kName;
  const bool is_formatted = text.front() == 'f' || text.front() == 'F' || file.is(at + 1, ".");
  return (is_formatted && text.find('{') != std::string_view::npos) || file.is(at + 1, "%") ||
         (file.is(at + 1, "+") &&
          (file.string_value(at).ends_with('=') || file.string_value(at).ends_with('_')));
}

}  // namespace

std::vector<TokenIndex> computed_gpus(const File& file, TokenRange in) {
  std::vector<TokenIndex> found;
  for (TokenIndex at = in.begin; at < in.end; ++at) {
    if (file.tokens()[at].kind != Kind::kString) continue;
    const std::string value = file.string_value(at);
    if (!chooses_gpu(value.substr(0, value.find('=')))) continue;
    const bool is_next = value.find('=') == std::string::npos;
    if (is_next && (!file.is(at + 1, ",") || at + 2 >= in.end)) continue;
    if (is_computed(file, is_next ? at + 2 : at)) found.push_back(at);
  }
  return found;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string list_text(const std::vector<std::string>& list) {
  std::vector<std::string> items;
  for (const std::string& each : list) items.push_back(in_quotes(each));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();
       at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::vector<std::string> for_hipcc(const std::vector<std::string>& words) {
  std::vector<std::string> now;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto flag = translate_flag(words[i], i + 1 < words.size() ? words[i + 1] : "");
    if (!flag) {
      now.push_back(words[i]);
      continue;
    }
    for (std::string& word : split(flag->now)) now.push_back(std::move(word));
    if (flag->takes_next) ++i;
  }
  return now;
}

}  // namespace hipwright::port
