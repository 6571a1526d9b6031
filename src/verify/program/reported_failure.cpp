// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/pattern.h"
#include "base/words.h"
#include "verify/program/run.h"

namespace hipwright::verify {

namespace {

// How far from a word its count is searched.
constexpr std::size_t kNear = 2000;

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// TEST_FAILED reports a failure, test_failure_modes does not.
bool is_shouted(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Without colours; an overwritten line counts as a line.
std::string plain(std::string_view output) {
  std::string out;
  for (std::size_t at = 0; at < output.size(); ++at) {
    if (output[at] == '\x1b' && at + 1 < output.size() && output[at + 1] == '[') {
      at += 2;
      while (at < output.size() && std::isalpha(static_cast<unsigned char>(output[at])) == 0) ++at;
    } else {
      out += output[at] == '\r' ? '\n' : output[at];
    }
  }
  return out;
}

// "0 mismatches", "; 0 other results are wrong", "failed: 0", "FAILED tests: 0": a count of zero,
// before or after the word. "test 0 failed", "index 0 is wrong" and "mismatch index: 0" count
// nothing. (RE2 has no lookahead: the words in between are spelled out as all but "is".)
bool counts_none(std::string_view before, std::string_view after) {
  static const Pattern kBefore(
      R"((^|[,;:=(\[{]|\b(with|found|and|are|were|got|has|have|had|total|is))\s*\b0+\s+((i|[a-hj-z][a-z]*|i[a-rt-z][a-z]*|is[a-z]+)\s+){0,4}$)");
  static const Pattern kAfter(R"(^(\s+[a-z]+s)?\s*[:=]\s*0+($|[^0-9.]|\.($|[^0-9])))");
  return !kBefore.find(before.substr(before.size() - std::min(before.size(), kNear))).empty() ||
         !kAfter.find(after.substr(0, kNear)).empty();
}

// "no mismatch", "did not fail", "results may differ": nothing failed.
bool is_denied(std::string_view before) {
  static const Pattern kDenied(R"(\b(no|not|may|might|can|could|would|should|never)\s+$)");
  return !kDenied.find(before.substr(before.size() - std::min<std::size_t>(before.size(), 20)))
              .empty();
}

bool has_word_of_failure(std::string_view shown, std::string_view lower) {
  static constexpr std::array<std::string_view, 13> kWords = {
      "fail",      "failed", "failure",      "failures", "mismatch",    "mismatches", "mismatched",
      "incorrect", "wrong",  "unsuccessful", "differ",   "mismatching", "differs"};
  for (const std::string_view word : kWords)
    for (std::size_t found = lower.find(word); found != std::string_view::npos;
         found = lower.find(word, found + 1)) {
      const std::size_t after = found + word.size();
      const bool is_part = is_shouted(shown.substr(found, word.size()));
      const auto parts = [&](char c) { return !is_letter(c) || (c == '_' && is_part); };
      // fail-safe, fail-fast
      const bool is_compound = !is_part && lower.substr(after).starts_with('-') &&
                               after + 1 < lower.size() && is_letter(lower[after + 1]);
      if (!is_compound && (found == 0 || parts(lower[found - 1])) &&
          (after == lower.size() || parts(lower[after])) && !is_denied(lower.substr(0, found)) &&
          !counts_none(lower.substr(0, found), lower.substr(after)))
        return true;
    }
  return false;
}

// "ERROR: 12 elements differ", "Errors: 12", "12 errors", "HIP error: invalid argument"; not
// "error: 1e-7", "errors: 0", "L1 error: 2e-8", "top-1 error: 0.3" nor "CUDA error: no error".
bool states_error(std::string_view lower) {
  static const Pattern kBegins(R"(^[\s*\[#>-]*error\]?\s*([:!])\s*(.*)$)");
  static const Pattern kAlone(R"(^[\s*#=!>\[-]*error[\s*#=!<\]-]*$)");
  static const Pattern kNumber(R"([-+0-9.,e%\s]*)");
  static const Pattern kCount(R"((^|[^a-z0-9_.-])0*[1-9][0-9]*\s+errors?($|[^a-z0-9_]))");
  static const Pattern kCounted(R"((^|[^a-z0-9_])errors\s*[:=]\s*0*[1-9][0-9]*($|[^0-9.e]))");
  static const Pattern kOfApi(R"((^|[^a-z])(cuda|hip)\s+(runtime\s+|api\s+)?error\b(.*)$)");
  static const Pattern kIsNone(R"(no error|success|[:=]\s*(0\b|none))");
  if (lower.find("error") == std::string_view::npos) return false;
  if (!kAlone.match(lower).empty()) return true;
  if (const auto begins = kBegins.match(lower); begins.size() > 2)
    if ((kNumber.match(begins[2]).empty() && !begins[2].starts_with("no")) ||
        (begins[1] == "!" && begins[2].empty()))
      return true;
  if (const auto api = kOfApi.find(lower); api.size() > 4 && kIsNone.find(api[4]).empty())
    return true;
  return !kCount.find(lower).empty() || !kCounted.find(lower).empty();
}

// "is not correct", "do not match", "NOT OK", "correct: false", "success = 0", "INVALID".
bool denies_success(std::string_view shown, std::string_view lower) {
  static const Pattern kNot(
      R"((^|[^a-z_])(not|\w+n't)\s+(pass(ed)?|match(ed|ing)?|agree|correct|ok|okay|right|equal|identical|the same|valid|verified|succeed(ed)?|successful)($|[^a-z_]))");
  static const Pattern kIsFalse(
      R"((^|[^a-z])(correct|pass|passed|success|succeeded|valid|verified|match|matches|equal|ok)\s*[:=?]\s*(false|no)($|[^a-z]))");
  static const Pattern kIsNone(
      R"((^|[^a-z])(correct|pass|passed|success|succeeded|verified)\s*[:=]\s*0($|[^0-9.]))");
  static const Pattern kInvalid(R"((^|[^A-Za-z_])INVALID($|[^A-Za-z_]))");
  if (const auto negated = kNot.find(lower); !negated.empty()) {
    const std::size_t at = lower.find(negated[0]), after = at + negated[0].size();
    if (!counts_none(lower.substr(0, at + negated[1].size()), lower.substr(after))) return true;
  }
  return !kIsFalse.find(lower).empty() || !kIsNone.find(lower).empty() ||
         (!kInvalid.find(shown).empty() && lower.find("0 invalid") == std::string_view::npos);
}

// "2/3 tests passed", "2 of 3 are correct", "passed: 2/3".
bool counts_too_few(std::string_view lower) {
  static const Pattern kBefore(
      R"((^|[^0-9.])([0-9]{1,9})\s*(/|of|out of)\s*([0-9]{1,9})\s+((tests?|checks?|cases?|are|were|values|results|elements)\s+){0,3}(passed|correct|succeeded|match|matched)($|[^a-z]))");
  static const Pattern kBehind(
      R"((^|[^a-z])(passed|succeeded|correct)\s*:?\s*([0-9]{1,9})\s*(/|of|out of)\s*([0-9]{1,9})($|[^0-9.]))");
  const auto number = [](const std::string& text) {
    unsigned value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  if (const auto found = kBefore.find(lower); found.size() > 4)
    return number(found[2]) < number(found[4]);
  if (const auto found = kBehind.find(lower); found.size() > 5)
    return number(found[3]) < number(found[5]);
  return false;
}

bool is_complaint(std::string_view shown) {
  const std::string lower = lowered(shown);
  return has_word_of_failure(shown, lower) || states_error(lower) || denies_success(shown, lower) ||
         counts_too_few(lower);
}

}  // namespace

std::string reported_failure(std::string_view output) {
  const std::string text = plain(output);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (is_complaint(line)) return std::string(line);
    at = end + 1;
  }
  return {};
}

}  // namespace hipwright::verify
