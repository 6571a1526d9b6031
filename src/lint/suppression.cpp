// SPDX-License-Identifier: MIT
#include "lint/suppression.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "lint/selection.h"

namespace hipwright::lint {

namespace {

constexpr std::string_view kMark = "hipwright:";
constexpr std::string_view kBlank = " \t";

// A comment and where the code after it begins.
struct Remark {
  Span span;
  std::size_t next;
};

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kBlank, at), text.size());
}

bool begins_line(std::string_view text, std::size_t at) {
  while (at > 0 && kBlank.find(text[at - 1]) != std::string_view::npos) --at;
  return at == 0 || text[at - 1] == '\n';
}

template <class File>
void collect(const File& file, std::string_view text, std::vector<Remark>& remarks) {
  for (const auto& comment : file.comments())
    if (text.substr(comment.span.begin, comment.span.size()).find(kMark) != std::string_view::npos)
      remarks.push_back({comment.span, file.tokens()[comment.next].begin});
}

// Build files and the like: a '#' or "//" before the mark, on the same line.
void collect_lines(std::string_view text, std::vector<Remark>& remarks) {
  for (std::size_t at = text.find(kMark); at != std::string_view::npos;
       at = text.find(kMark, at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view before = text.substr(line, at - line);
    const std::size_t begin = std::min(before.find('#'), before.find("//"));
    if (begin != std::string_view::npos)
      remarks.push_back({{line + begin, end}, std::min(end + 1, text.size())});
  }
}

std::vector<Remark> remarks_of(const Source& source) {
  std::vector<Remark> remarks;
  if (source.cuda() != nullptr)
    collect(*source.cuda(), source.text(), remarks);
  else if (source.python() != nullptr)
    collect(*source.python(), source.text(), remarks);
  else
    collect_lines(source.text(), remarks);
  return remarks;
}

std::vector<Suppression::Word> words_of(std::string_view text, Span list) {
  std::vector<Suppression::Word> words;
  for (std::size_t at = list.begin; at < list.end;) {
    const std::size_t end = std::min(text.find(',', at), list.end);
    const std::size_t begin = std::min(skip_blanks(text, at), end);
    std::size_t last = end;
    while (last > begin && kBlank.find(text[last - 1]) != std::string_view::npos) --last;
    Suppression::Word& word = words.emplace_back();
    word.span = {begin, last};
    if (auto named = rules_named(text.substr(begin, last - begin))) word.rules = *std::move(named);
    at = end + 1;
  }
  return words;
}

// The directive whose mark is at `at`, or nothing: "hipwright:" is also a word of prose. The text
// ends before the next mark.
bool parse(std::string_view text, Span comment, std::size_t at, Suppression& found) {
  const std::size_t verb = skip_blanks(text, at + kMark.size());
  std::size_t open = verb;
  while (open < text.size() && (text[open] == '-' || (text[open] >= 'a' && text[open] <= 'z')))
    ++open;
  if (open == verb || open >= text.size() || text[open] != '[') return false;
  const std::string_view word = text.substr(verb, open - verb);
  std::size_t end = std::min(text.find('\n', open), text.size());
  if (text.substr(0, end).ends_with("*/") && end == comment.end) end -= 2;
  while (end > open && (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r'))
    --end;
  const std::size_t close = std::min(text.find(']', open), end);
  // A misspelling is reported, other prose is not.
  const bool is_near =
      edit_distance(word, "ignore") <= 2 || edit_distance(word, "ignore-file") <= 3;
  if (!is_near) return false;
  found.comment = comment;
  found.directive = {at, end};
  found.list = {open + 1, std::max(close, open + 1)};
  found.words = words_of(text, found.list);
  found.is_known = word == "ignore" || word == "ignore-file";
  found.is_whole_file = word == "ignore-file";
  const std::size_t reason = skip_blanks(text, close + 1);
  found.has_reason = close < end && reason < end && !text.substr(reason).starts_with("TODO");
  return true;
}

bool speaks_of(const Suppression& suppression, const Suppression::Word& word,
               const Reported& reported, std::uint32_t line) {
  return suppression.is_known && (suppression.is_whole_file || suppression.line == line) &&
         std::find(word.rules.begin(), word.rules.end(), reported.rule) != word.rules.end();
}

// Removes the words of the list that are not in `kept`; with none left, the whole comment.
Fix removal(const Suppression& suppression, std::string_view text, std::string kept) {
  Fix fix{.description = "remove the unused suppression", .safe = true};
  if (!kept.empty()) {
    fix.edits.push_back({suppression.list, std::move(kept)});
    return fix;
  }
  std::string_view before = text.substr(suppression.comment.begin,
                                        suppression.directive.begin - suppression.comment.begin);
  std::size_t begin = suppression.comment.begin;
  std::size_t end = suppression.comment.end;
  if (before.find_first_not_of("/*#! \t") != std::string_view::npos) {
    begin = suppression.directive.begin;  // keep the text before it
    end = suppression.directive.end;
  } else if (end > suppression.directive.end &&
             text.substr(suppression.directive.end, end - suppression.directive.end)
                     .find_first_not_of("*/ \t\r") != std::string_view::npos) {
    begin = suppression.directive.begin;  // keep the text after it, on further lines
    end = suppression.directive.end;
  } else if (begins_line(text, begin) && end < text.size() && text[end] == '\n') {
    ++end;
  }
  while (begin > 0 && kBlank.find(text[begin - 1]) != std::string_view::npos) --begin;
  fix.edits.push_back({{begin, end}, ""});
  return fix;
}

class Complaints {
 public:
  Complaints(const Source& source, const FileFacts& facts, const std::vector<const Rule*>& ran,
             std::vector<Reported>& reported)
      : source_(source), facts_(facts), ran_(ran), reported_(reported) {}

  void check(const Suppression& suppression) {
    if (!suppression.is_known)
      return add("HW003", suppression.directive,
                 "unknown directive; use ignore[…] or ignore-file[…]");
    if (!suppression.has_reason)
      add("HW001", suppression.directive,
          "suppression without a reason; state it after the bracket");
    if (suppression.words.empty())
      add("HW003", suppression.directive,
          "suppression without a rule; name the rules between the brackets");
    std::string kept, unused;
    for (const Suppression::Word& word : suppression.words) {
      const std::string_view text = source_.text().substr(word.span.begin, word.span.size());
      if (word.rules.empty())
        add("HW003", word.span, fmt::format("unknown rule, area or code prefix '{}'", text));
      std::string& list = is_unused(word) ? unused : kept;
      list.append(list.empty() ? "" : ", ").append(text);
    }
    if (!unused.empty())
      add("HW002", suppression.directive, fmt::format("unused suppression of {}", unused),
          {removal(suppression, source_.text(), std::move(kept))});
  }

 private:
  bool is_unused(const Suppression::Word& word) const {
    return !word.is_used && !word.rules.empty() &&
           std::all_of(word.rules.begin(), word.rules.end(),
                       [&](const Rule* rule) { return runs(rule); });
  }
  bool runs(const Rule* rule) const {
    return std::find(ran_.begin(), ran_.end(), rule) != ran_.end();
  }

  void add(std::string_view code, Span span, std::string message, std::vector<Fix> fixes = {}) {
    const Rule* rule = find_rule(code);
    if (rule == nullptr) bug("missing suppression rule", __FILE__, __LINE__);
    if (!runs(rule)) return;
    RuleContext(*rule, facts_, reported_)
        .report(span, Confidence::kHigh, std::move(message), std::move(fixes));
  }

  const Source& source_;
  const FileFacts& facts_;
  const std::vector<const Rule*>& ran_;
  std::vector<Reported>& reported_;
};

}  // namespace

std::vector<Suppression> find_suppressions(const Source& source) {
  std::vector<Suppression> found;
  const std::vector<Remark> remarks = remarks_of(source);
  if (remarks.empty()) return found;
  const std::string_view text = source.text();
  const LineIndex lines(text);
  for (const Remark& remark : remarks) {
    const std::string_view comment = text.substr(0, remark.span.end);
    for (std::size_t at = comment.find(kMark, remark.span.begin); at < comment.size();) {
      const std::size_t next = std::min(comment.find(kMark, at + 1), comment.size());
      Suppression suppression;
      if (parse(text.substr(0, next), remark.span, at, suppression)) {
        const std::size_t subject =
            begins_line(text, remark.span.begin) ? remark.next : remark.span.begin;
        suppression.line = lines.position(subject).line;
        found.push_back(std::move(suppression));
      }
      at = next;
    }
  }
  return found;
}

std::size_t suppress(std::vector<Suppression>& suppressions, const Source& source,
                     std::vector<Reported>& reported) {
  if (suppressions.empty() || reported.empty()) return 0;
  std::multimap<std::uint32_t, Suppression*> by_line;
  constexpr std::uint32_t kWholeFile = 0;
  for (Suppression& each : suppressions)
    by_line.emplace(each.is_whole_file ? kWholeFile : each.line, &each);
  const LineIndex lines(source.text());
  return std::erase_if(reported, [&](const Reported& each) {
    const std::uint32_t line = lines.position(each.diagnostic.span.begin).line;
    bool is_suppressed = false;
    for (const std::uint32_t key : {kWholeFile, line})
      for (auto [at, end] = by_line.equal_range(key); at != end; ++at)
        for (Suppression::Word& word : at->second->words)
          if (speaks_of(*at->second, word, each, line)) is_suppressed = word.is_used = true;
    return is_suppressed;
  });
}

void check_suppressions(const std::vector<Suppression>& suppressions, const Source& source,
                        const FileFacts& facts, const std::vector<const Rule*>& ran,
                        std::vector<Reported>& reported) {
  Complaints complaints(source, facts, ran, reported);
  for (const Suppression& suppression : suppressions) complaints.check(suppression);
}

}  // namespace hipwright::lint
