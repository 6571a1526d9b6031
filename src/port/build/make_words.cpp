// SPDX-License-Identifier: MIT
#include "port/build/make_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hipwright::port {

using syntax::build::MakeLine;
using syntax::build::MakeWord;

namespace {

struct Function {
  std::string_view name;
  int arguments;  // commas after the last one are part of it
};

// Not $(error …) and its kind, which are texts for people.
constexpr std::array kFunctions = std::to_array<Function>({
    {"addprefix", 2},
    {"addsuffix", 2},
    {"call", 99},
    {"eval", 1},
    {"filter", 2},
    {"filter-out", 2},
    {"findstring", 2},
    {"foreach", 3},
    {"if", 3},
    {"or", 99},
    {"and", 99},
    {"patsubst", 3},
    {"shell", 1},
    {"sort", 1},
    {"strip", 1},
    {"subst", 3},
    {"wildcard", 1},
});

const Function* function_at(std::string_view text) {
  for (const Function& each : kFunctions)
    if (text.starts_with(each.name) && text.size() > each.name.size() &&
        (text[each.name.size()] == ' ' || text[each.name.size()] == '\t'))
      return &each;
  return nullptr;
}

class Reader {
 public:
  Reader(std::string_view text, const MakeLine& line) : text_(text), line_(line) {}

  std::vector<MakeRun> run() {
    const bool is_shell =
        line_.kind == MakeLine::Kind::kRecipe || line_.kind == MakeLine::Kind::kDefine;
    read(line_.span, is_shell, false);
    return std::move(runs_);
  }

 private:
  void read(Span span, bool is_shell, bool is_in_shell) {
    const std::vector<MakeWord> words = syntax::build::words_of(text_, {line_.kind, span});
    MakeRun run{.words = {}, .program = {}, .is_in_shell = is_in_shell};
    for (std::size_t i = 0; i < words.size(); ++i) {
      // The rest is a comment.
      if (words[i].text.starts_with('#') && line_.kind != MakeLine::Kind::kDefine) break;
      if (is_shell && !run.words.empty() && (separates(words[i]) || is_new_line(words, i)))
        end(run, is_shell);
      if (is_shell && separates(words[i])) continue;
      run.words.push_back(words[i]);
      if (is_shell && words[i].text.ends_with(';')) end(run, is_shell);
    }
    end(run, is_shell);
  }

  static bool separates(const MakeWord& word) {
    return word.text == ";" || word.text == "&&" || word.text == "||" || word.text == "|" ||
           word.text == "&" || word.text == "then" || word.text == "do" || word.text == "else";
  }

  bool is_new_line(const std::vector<MakeWord>& words, std::size_t i) const {
    const std::size_t begin = words[i - 1].span.end;
    const std::string_view between = text_.substr(begin, words[i].span.begin - begin);
    return between.find('\n') != std::string_view::npos &&
           between.find('\\') == std::string_view::npos;
  }

  void end(MakeRun& run, bool is_shell) {
    if (run.words.empty()) return;
    if (is_shell) run.program = program_of(run.words);
    const std::vector<MakeWord> words = run.words;
    const bool is_in_shell = run.is_in_shell;
    runs_.push_back(std::exchange(run, {.words = {}, .program = {}, .is_in_shell = is_in_shell}));
    for (const MakeWord& word : words) functions_in(word.span, is_in_shell);
  }

  static std::string_view program_of(const std::vector<MakeWord>& words) {
    for (const MakeWord& word : words) {
      std::string_view name = word.text;
      name.remove_prefix(std::min(name.find_first_not_of("@-+"), name.size()));
      const std::size_t equals = name.find('=');
      const bool is_setting = equals != std::string_view::npos && name.find('/') > equals;
      if (name.empty() || is_setting || name == "time" || name == "env" || name == "exec") continue;
      return name;
    }
    return {};
  }

  // $(name a,b) and ${name a,b} in here.
  void functions_in(Span span, bool is_in_shell) {
    for (std::size_t at = span.begin; at + 2 < span.end; ++at) {
      if (text_[at] != '$' || (text_[at + 1] != '(' && text_[at + 1] != '{')) continue;
      const std::size_t close = closing(at + 1, span.end);
      const Function* function = function_at(text_.substr(at + 2, close - at - 2));
      if (function == nullptr) continue;
      arguments(*function, {at + 3 + function->name.size(), close}, is_in_shell);
      at = close;
    }
  }

  std::size_t closing(std::size_t open, std::size_t end) const {
    int depth = 0;
    for (std::size_t at = open; at < end; ++at) {
      if (text_[at] == '(' || text_[at] == '{') ++depth;
      if ((text_[at] == ')' || text_[at] == '}') && --depth == 0) return at;
    }
    return end;
  }

  void arguments(const Function& function, Span span, bool is_in_shell) {
    const bool is_shell = function.name == "shell";
    int depth = 0;
    int left = function.arguments - 1;
    std::size_t begin = span.begin;
    for (std::size_t at = span.begin; at < span.end; ++at) {
      if (text_[at] == '(' || text_[at] == '{') ++depth;
      if (text_[at] == ')' || text_[at] == '}') --depth;
      if (text_[at] != ',' || depth > 0 || left <= 0) continue;
      read({begin, at}, is_shell, is_shell || is_in_shell);
      begin = at + 1;
      --left;
    }
    read({begin, span.end}, is_shell, is_shell || is_in_shell);
  }

  std::string_view text_;
  MakeLine line_;
  std::vector<MakeRun> runs_;
};

}  // namespace

std::vector<MakeRun> runs_of(std::string_view text, const MakeLine& line) {
  return Reader(text, line).run();
}

std::string_view variable_of(std::string_view text, const MakeLine& line) {
  if (line.kind != MakeLine::Kind::kOther) return {};
  const std::string_view whole = text.substr(line.span.begin, line.span.size());
  std::size_t end = whole.find('=');
  if (end == std::string_view::npos) return {};
  while (end > 0 && std::string_view(":?+! \t").find(whole[end - 1]) != std::string_view::npos)
    --end;
  const std::string_view before = whole.substr(0, end);
  if (before.find('$') != std::string_view::npos) return {};
  const std::size_t begin = before.find_last_of(" \t:");
  return before.substr(begin + 1);  // npos + 1 is 0
}

}  // namespace hipwright::port
