// SPDX-License-Identifier: MIT
#include "port/build/makefile.h"

#include <vector>

#include <fmt/format.h>

#include "port/build/flags.h"

namespace hipwright::port {

namespace {

struct Word {
  Span span;
  std::string_view text;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// Words of one logical line; quotes and $(…) hold a word together, a backslash at the end of a line
// is a blank.
std::vector<Word> words_of(std::string_view text, Span line) {
  std::vector<Word> words;
  std::size_t at = line.begin;
  while (at < line.end) {
    const char c = text[at];
    if (is_blank(c) || c == '\n' || c == '\r' ||
        (c == '\\' && at + 1 < line.end && (text[at + 1] == '\n' || text[at + 1] == '\r'))) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    int depth = 0;
    char quote = 0;
    for (; at < line.end; ++at) {
      const char next = text[at];
      if (quote != 0) {
        if (next == quote) quote = 0;
      } else if (next == '"' || next == '\'') {
        quote = next;
      } else if (next == '(' || next == '{') {
        ++depth;
      } else if (next == ')' || next == '}') {
        --depth;
      } else if (next == '\n' || (depth <= 0 && is_blank(next)) || next == '\r') {
        break;
      }
    }
    words.push_back({{begin, at}, text.substr(begin, at - begin)});
  }
  return words;
}

// Lines that a backslash continues are one; a comment is none.
std::vector<Span> lines_of(std::string_view text) {
  std::vector<Span> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    for (;;) {
      end = text.find('\n', end);
      if (end == std::string_view::npos) {
        end = text.size();
        break;
      }
      const std::size_t last = end > begin && text[end - 1] == '\r' ? end - 1 : end;
      if (last == begin || text[last - 1] != '\\') break;
      ++end;
    }
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] != '#') lines.push_back({begin, end});
    begin = end + 1;
  }
  return lines;
}

// …/bin/nvcc or nvcc, as the last part of a word.
bool names_nvcc(std::string_view word) {
  return word == "nvcc" || word.ends_with("/nvcc");
}

class Makefile {
 public:
  explicit Makefile(PortedFile& file) : file_(file), text_(file.source->text()) {}

  void translate() {
    if (text_.find("nvcc") == std::string_view::npos &&
        text_.find("cuda") == std::string_view::npos)
      return;
    for (const Span line : lines_of(text_)) translate_line(words_of(text_, line));
  }

 private:
  void translate_line(const std::vector<Word>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      const std::string_view next = i + 1 < words.size() ? words[i + 1].text : std::string_view();
      if (const auto flag = translate_flag(word.text, next)) {
        const bool takes_next = flag->takes_next && i + 1 < words.size();
        change(word, takes_next ? words[i + 1] : word, *flag);
        if (takes_next) ++i;
      } else {
        compiler(word);
      }
    }
  }

  void change(const Word& first, const Word& last, const FlagChange& flag) {
    Span span = {first.span.begin, last.span.end};
    // A dropped word takes the blanks before it along, so that none are left at the end of lines.
    while (flag.now.empty() && span.begin > 0 && is_blank(text_[span.begin - 1]) &&
           span.begin > 1 && text_[span.begin - 2] != '\n')
      --span.begin;
    add(span, flag.now, "HP401", fmt::format("{}: {}", first.text, flag.reason));
  }

  void compiler(const Word& word) {
    // CC=nvcc, also without blanks.
    const std::size_t equals = word.text.rfind('=');
    const std::size_t from = equals == std::string_view::npos ? 0 : equals + 1;
    if (!names_nvcc(word.text.substr(from))) return;
    add({word.span.begin + from, word.span.end}, "hipcc", "HP402", "HIP's compiler");
  }

  void add(Span span, std::string now, std::string_view code, std::string reason) {
    file_.changes.add({.edit = {span, std::move(now)},
                       .phase = Phase::kBuild,
                       .code = code,
                       .reason = std::move(reason)});
  }

  PortedFile& file_;
  std::string_view text_;
};

}  // namespace

void translate_makefile(PortedFile& file) {
  Makefile(file).translate();
}

}  // namespace hipwright::port
