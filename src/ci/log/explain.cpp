// SPDX-License-Identifier: MIT
#include "ci/log/explain.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/error.h"
#include "base/json.h"
#include "base/words.h"

namespace hipwright::ci {

namespace {

constexpr std::size_t kLongestLine = 4096;

// 2026-02-03T10:11:12.0000001Z
std::string_view without_time(std::string_view line) {
  if (line.size() < 20 || line[4] != '-' || line[10] != 'T') return line;
  const std::size_t blank = line.find(' ');
  if (blank < 20 || blank > 35 || line[blank - 1] != 'Z') return line;
  return line.substr(blank + 1);
}

// The position after the escape sequence at `at`: ESC [ … letter is a colour or moves the cursor,
// ESC ] … BEL is a title.
std::size_t after_escape(std::string_view line, std::size_t at) {
  const char kind = at + 1 < line.size() ? line[at + 1] : '\0';
  if (kind != '[' && kind != ']') return std::min(at + 2, line.size());
  at += 2;
  if (kind == ']') {  // ended by BEL or another escape sequence
    const std::size_t end = line.find_first_of("\a\x1b", at);
    return end == line.npos ? at : end + (line[end] == '\a' ? 1 : 0);
  }
  while (at < line.size() && line[at] >= ' ' && line[at] < '@') ++at;
  return std::min(at + 1, line.size());
}

std::string cleaned(std::string_view line) {
  line = without_time(line.substr(0, kLongestLine));
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\x1b') {
      i = after_escape(line, i);
    } else {
      if (line[i] != '\r') text += line[i];
      ++i;
    }
  }
  if (text.starts_with("##[")) text.erase(0, std::min(text.find(']'), text.size() - 1) + 1);
  return text;
}

struct Matcher {
  const Cause* cause;
  std::unique_ptr<re2::RE2> pattern;
};

const std::vector<Matcher>& matchers() {
  static const std::vector<Matcher> all = [] {
    std::vector<Matcher> made;
    re2::RE2::Options options;
    options.set_case_sensitive(false);
    options.set_log_errors(false);
    for (const Cause& cause : causes()) {
      made.push_back(
          {&cause, std::make_unique<re2::RE2>(
                       re2::StringPiece(cause.pattern.data(), cause.pattern.size()), options)});
      HW_ASSERT(made.back().pattern->ok());
    }
    return made;
  }();
  return all;
}

// Commands that a log repeats before they run, and workflow text, tell no cause.
bool is_echo(std::string_view text) {
  return text.starts_with("+ ") || text.starts_with("[command]") || text.starts_with("Run ") ||
         text.starts_with("##[group]");
}

}  // namespace

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kRunner:
      return "runner";
    case Fault::kCode:
      return "code";
    case Fault::kSetup:
      return "setup";
  }
  bug("fault out of range", __FILE__, __LINE__);
}

std::optional<Explanation> explain_log(std::string_view log) {
  std::vector<LogLine> first(matchers().size());
  std::optional<std::uint32_t> failed_at;
  std::uint32_t number = 0;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string text = cleaned(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
    ++number;
    if (text.find("Process completed with exit code") != std::string::npos) failed_at = number;
    if (is_echo(text)) continue;
    for (std::size_t i = 0; i < first.size(); ++i)
      if (first[i].number == 0 && re2::RE2::PartialMatch(text, *matchers()[i].pattern))
        first[i] = {number, std::string(trimmed(text))};
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i].number != 0) found.push_back(i);
  if (found.empty()) return std::nullopt;
  std::ranges::stable_sort(found, std::ranges::greater(),
                           [](std::size_t i) { return matchers()[i].cause->weight; });
  Explanation explanation{.cause = matchers()[found.front()].cause,
                          .line = std::move(first[found.front()]),
                          .failed_at = failed_at};
  for (std::size_t i = 1; i < found.size(); ++i)
    explanation.also.push_back(matchers()[found[i]].cause);
  return explanation;
}

std::string explanation_text(const Explanation& explanation, const std::string& path) {
  const Cause& cause = *explanation.cause;
  constexpr std::string_view kWhose[] = {"the runner's fault", "the code's fault",
                                         "the workflow's or installation's fault"};
  std::string text =
      fmt::format("{}:{}: {}\n  {}\n\n{} ({}). {}\nfix: {}\n", path, explanation.line.number,
                  cause.id, explanation.line.text.substr(0, 300), cause.title,
                  kWhose[static_cast<int>(cause.fault)], cause.explanation, cause.fix);
  for (const Cause* also : explanation.also) text += fmt::format("also: {}\n", also->title);
  return text;
}

Json explanation_json(const Explanation& explanation) {
  Json also = Json::array();
  for (const Cause* cause : explanation.also) also.push_back(cause->id);
  const Cause& cause = *explanation.cause;
  return {{"cause", cause.id},
          {"title", cause.title},
          {"fault", to_string(cause.fault)},
          {"line", explanation.line.number},
          {"text", explanation.line.text},
          {"explanation", cause.explanation},
          {"fix", cause.fix},
          {"also", std::move(also)}};
}

}  // namespace hipwright::ci
