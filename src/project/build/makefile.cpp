// SPDX-License-Identifier: MIT
#include "project/build/makefile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/words.h"
#include "project/build/built.h"
#include "project/build/compile_commands.h"
#include "project/glob.h"
#include "project/language.h"
#include "project/path.h"
#include "syntax/build/make_lines.h"

namespace hipwright::project {

namespace {

using syntax::build::MakeLine;
using syntax::build::MakeWord;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// The variables of `make USE_ROCM=1`. Unknown ones are empty, as in make.
class Variables {
 public:
  Variables() {
    for (const std::string_view name : kAmdSwitches) values_[std::string(name)] = {"1", true};
  }

  // A = b, A := b, A ?= b, A += b. kMaybe: make may skip the line.
  void assign(std::string_view line, Truth when) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0) return;
    const bool adds = line[equals - 1] == '+';
    const bool is_default = line[equals - 1] == '?';
    const std::string_view name =
        trimmed(line.substr(0, line.find_last_not_of(":?+ \t", equals - 1) + 1));
    if (name.empty() || name.find_first_of("$#: \t") != std::string_view::npos) return;
    if (std::ranges::find(kAmdSwitches, name) != kAmdSwitches.end())
      return;  // the command line takes precedence
    std::string_view value = line.substr(equals + 1);
    value = trimmed(value.substr(0, value.find('#')));
    const auto known = values_.find(name);
    if (known != values_.end() && (is_default || (!adds && when != Truth::kYes))) return;
    Value& to = known != values_.end() ? known->second : values_[std::string(name)];
    if (!adds) {
      to = {std::string(value), when == Truth::kYes};
    } else {
      to.perhaps.append(" ").append(value);
      if (when == Truth::kYes) to.certain.append(" ").append(value);
    }
  }

  // All possible values; functions other than $(wildcard …) expand to nothing.
  std::string perhaps(std::string_view text) const {
    Expansion all{.takes_all = true};
    expand(text, 0, all);
    return all.text;
  }
  // Empty if a part is known only to a build.
  std::optional<std::string> certain(std::string_view text) const {
    Expansion known;
    expand(text, 0, known);
    return known.is_certain ? std::optional(std::move(known.text)) : std::nullopt;
  }
  // What is certain; the rest stays out, or as written ($@).
  std::string known(std::string_view text) const {
    Expansion known;
    expand(text, 0, known);
    return known.text;
  }
  bool has(std::string_view name) const { return values_.contains(name); }

 private:
  struct Value {
    Value() = default;
    Value(std::string text, bool is_known)
        : certain(is_known ? text : ""), perhaps(std::move(text)), is_certain(is_known) {}
    std::string certain, perhaps;
    bool is_certain = true;
  };

  struct Expansion {
    bool takes_all = false;  // including uncertain parts
    std::string text = {};
    bool is_certain = true;
    std::size_t variables = 0;
  };

  void expand(std::string_view text, int depth, Expansion& to) const {
    constexpr std::string_view kWildcard = "wildcard ";
    // Bounds variables that double themselves.
    constexpr int kDeepest = 8;
    constexpr std::size_t kMostVariables = 1024, kLongest = 16384;
    for (std::size_t at = 0; at < text.size() && to.text.size() < kLongest; ++at) {
      const bool is_variable =
          text[at] == '$' && at + 1 < text.size() && (text[at + 1] == '(' || text[at + 1] == '{');
      const std::size_t end =
          is_variable ? text.find(text[at + 1] == '(' ? ')' : '}', at) : std::string_view::npos;
      if (end == std::string_view::npos) {
        to.is_certain &= text[at] != '$';
        to.text += text[at];
        continue;
      }
      const std::string_view name = text.substr(at + 2, end - at - 2);
      at = end;
      const auto found = values_.find(name);
      const bool is_followed = depth < kDeepest && ++to.variables < kMostVariables;
      if (name == "CURDIR") {
        to.text += '.';
      } else if (found != values_.end() && is_followed) {
        to.is_certain &= found->second.is_certain;
        expand(to.takes_all ? found->second.perhaps : found->second.certain, depth + 1, to);
      } else {
        to.is_certain = false;
        if (name.starts_with(kWildcard) && is_followed)
          expand(name.substr(kWildcard.size()), depth + 1, to);
      }
    }
  }

  std::map<std::string, Value, std::less<>> values_;
};

class MakefileReader {
 public:
  MakefileReader(std::string_view text, std::string_view path)
      : text_(text),
        lines_(syntax::build::read_make_lines(text)),
        options_(folder_of(path), facts_.flags) {
    facts_.folder = folder_prefix(path);
  }

  MakefileFacts read() {
    // A variable may be used before its definition.
    for (const MakeLine& line : lines_) {
      follow(line);
      when_.push_back(open_.empty() ? Truth::kYes : open_.back().now);
      if (line.kind == MakeLine::Kind::kOther && when_.back() != Truth::kNo)
        variables_.assign(logical(line), when_.back());
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool is_read =
          lines_[i].kind == MakeLine::Kind::kOther || lines_[i].kind == MakeLine::Kind::kRecipe;
      if (!is_read || when_[i] == Truth::kNo) continue;
      if (when_[i] == Truth::kYes) look_for_flags(lines_[i]);
      if (when_[i] == Truth::kYes) look_for_rule(lines_[i]);
      look_for_files(lines_[i]);
    }
    return std::move(facts_);
  }

 private:
  struct Condition {
    Truth outer, taken, now;  // of the enclosing one, of earlier branches, and of this branch
  };

  // Joins lines that a backslash continues.
  std::string logical(const MakeLine& line) const {
    std::string out(text_.substr(line.span.begin, line.span.size()));
    for (std::size_t at = out.find('\\'); at != std::string::npos; at = out.find('\\', at + 1)) {
      const std::size_t end = out.find_first_not_of('\r', at + 1);
      if (end != std::string::npos && out[end] == '\n') out.replace(at, end + 1 - at, " ");
    }
    return out;
  }

  // --- conditions ---

  void follow(const MakeLine& line) {
    const Truth around = open_.empty() ? Truth::kYes : open_.back().now;
    if (line.kind == MakeLine::Kind::kIf) {
      const Truth holds = answer(trimmed(logical(line)));
      open_.push_back({around, holds, around & holds});
    } else if (line.kind == MakeLine::Kind::kElse && !open_.empty()) {
      Condition& last = open_.back();
      const std::string whole = logical(line);
      const std::string_view rest = trimmed(trimmed(whole).substr(4));
      const Truth holds = rest.starts_with("if") ? answer(rest) : Truth::kYes;
      last.now = last.outer & !last.taken & holds;
      last.taken = last.taken | holds;
    } else if (line.kind == MakeLine::Kind::kEndif && !open_.empty()) {
      open_.pop_back();
    }
  }

  // Evaluates "ifeq (a,b)", "ifneq 'a' 'b'", "ifdef NAME".
  Truth answer(std::string_view line) const {
    const std::size_t blank = std::min(line.find_first_of(" \t("), line.size());
    const std::string_view word = line.substr(0, blank);
    const std::string_view rest = trimmed(line.substr(blank));
    if (word == "ifdef" || word == "ifndef") {
      if (rest.find('$') != std::string_view::npos) return Truth::kMaybe;
      const Truth is_defined = variables_.has(rest) ? Truth::kYes : Truth::kNo;
      return word == "ifdef" ? is_defined : !is_defined;
    }
    const auto sides = compared(rest);
    if (!sides || has_function(sides->first) || has_function(sides->second)) return Truth::kMaybe;
    const Truth is_equal =
        trimmed(variables_.perhaps(sides->first)) == trimmed(variables_.perhaps(sides->second))
            ? Truth::kYes
            : Truth::kNo;
    return word == "ifeq" ? is_equal : !is_equal;
  }

  static std::optional<std::pair<std::string_view, std::string_view>> compared(
      std::string_view text) {
    if (text.starts_with('(') && text.ends_with(')')) {
      text = text.substr(1, text.size() - 2);
      const std::size_t comma = text.find(',');
      if (comma == std::string_view::npos) return std::nullopt;
      return std::pair(text.substr(0, comma), text.substr(comma + 1));
    }
    if (text.empty() || (text[0] != '"' && text[0] != '\'')) return std::nullopt;
    const std::size_t end = text.find(text[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view right = trimmed(text.substr(end + 1));
    if (right.size() < 2 || right[0] != right.back()) return std::nullopt;
    return std::pair(text.substr(1, end - 1), right.substr(1, right.size() - 2));
  }

  // $(shell uname): the result is unknown.
  bool has_function(std::string_view text) const {
    for (std::size_t at = text.find('$'); at != std::string_view::npos;
         at = text.find('$', at + 1)) {
      const std::string_view name = text.substr(at, text.find_first_of(")}", at) - at);
      if (name.find(' ') != std::string_view::npos) return true;
    }
    return false;
  }

  // --- lines ---

  void look_for_flags(const MakeLine& line) {
    const std::vector<MakeWord> words = syntax::build::words_of(text_, line);
    for (std::size_t i = 0; i < words.size();) {
      // The values of variables are read at their definitions.
      if (std::string_view("-\"'").find(words[i].text[0]) == std::string_view::npos) {
        ++i;
        continue;
      }
      const auto word = one_word(words[i].text);
      const auto next = i + 1 < words.size() ? one_word(words[i + 1].text) : std::nullopt;
      i += word ? options_.option(*word, next.value_or("")) : 1;
    }
  }

  // %.o: %.cu, and what its recipe calls.
  void look_for_rule(const MakeLine& line) {
    const std::string text = variables_.known(logical(line));
    if (line.kind != MakeLine::Kind::kRecipe) {
      // Static patterns have two colons: `$(OBJECTS): %.o: %.cu`.
      const std::size_t colon = text.rfind(':');
      const bool is_rule = colon != std::string::npos && text.find('=') == std::string::npos;
      rule_.clear();
      if (is_rule) rule_ = split(text.substr(colon + 1));
      if (is_rule && text.starts_with('.'))  // ".cu.o:"
        for (const std::string_view ending : {".cu", ".hip", ".cpp"})
          if (text.starts_with(ending)) rule_.push_back('%' + std::string(ending));
      return;
    }
    std::vector<std::string> command;
    for (std::string& word : shell_words(text)) {
      if (is_any(word, {"&&", ";", "||", "|"})) {
        add_rule(std::exchange(command, {}));
      } else {
        command.push_back(std::move(word));
      }
    }
    add_rule(std::move(command));
  }

  void add_rule(std::vector<std::string> command) {
    if (command.empty()) return;
    std::string_view program = command[0];
    program.remove_prefix(std::min(program.find_first_not_of("@-+"), program.size()));
    const bool is_hip = std::ranges::find(command, "hip") != command.end();
    if (!is_any(name_of(program), {"hipcc", "nvcc"}) &&
        !(is_hip && program.find("clang") != std::string_view::npos))
      return;
    CompileRule rule;
    for (const std::vector<std::string>& words : {command, rule_})
      for (const std::string& word : words)
        if (is_device_source(word) || is_host_source(word))
          rule.sources.push_back(
              (std::filesystem::path(facts_.folder) / word).lexically_normal().generic_string());
    if (rule.sources.empty()) return;
    rule.options.assign(command.begin() + 1, command.end());
    facts_.flags.rules.push_back(std::move(rule));
  }

  // Empty if a part is known only to a build, or expands to several words.
  std::optional<std::string> one_word(std::string_view text) const {
    auto word = variables_.certain(text);
    const bool is_one = word && (text.find('$') == std::string_view::npos ||
                                 word->find_first_of(kBlanks) == std::string::npos);
    return is_one ? word : std::nullopt;
  }

  void look_for_files(const MakeLine& line) {
    const std::string text = variables_.perhaps(logical(line));
    const std::vector<std::string> words = split(text);
    for (const std::string& word : words) look_at_file(word);
    if (line.kind == MakeLine::Kind::kRecipe && !words.empty() && words[0].starts_with("./") &&
        text.find_first_of("$|<>&;`\"'*") == std::string::npos)
      facts_.calls.push_back(words);
  }

  // Prerequisites, and words of variables.
  void look_at_file(std::string_view word) {
    while (word.ends_with(':')) word.remove_suffix(1);
    if (word.find_first_of("$%=") != std::string_view::npos) return;
    const std::string path = std::filesystem::path(word).lexically_normal().generic_string();
    if (is_device_source(path) || is_host_source(path)) facts_.sources.insert(path);
    if (path.ends_with(".o")) facts_.objects.insert(path.substr(0, path.size() - 2));
  }

  std::string_view text_;
  const std::vector<MakeLine> lines_;
  std::vector<Truth> when_;  // whether make reads each line
  std::vector<Condition> open_;
  Variables variables_;
  std::vector<std::string> rule_;  // the prerequisites of the last one
  MakefileFacts facts_;
  OptionReader options_;
};

}  // namespace

bool MakefileFacts::names(std::string_view path) const {
  if (!path.starts_with(folder)) return false;
  const std::string_view source = path.substr(folder.size());
  return std::ranges::any_of(sources,
                             [&](std::string_view name) { return glob_matches(name, source); }) ||
         objects.contains(std::string(source.substr(0, source.rfind('.'))));
}

MakefileFacts read_makefile(std::string_view text, std::string_view path) {
  return MakefileReader(text, path).read();
}

}  // namespace hipwright::project
