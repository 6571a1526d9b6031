// SPDX-License-Identifier: MIT
#include "verify/verdict.h"

#include <fmt/format.h>

namespace hipwright::verify {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kStatic:
      return "static";
    case Level::kBuild:
      return "build";
    case Level::kFunctional:
      return "functional";
    case Level::kNumerical:
      return "numerical";
  }
  return "";
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kNotChecked:
      return "not checked";
  }
  return "";
}

Counts counts_of(const Pyramid& pyramid, Level level) {
  Counts counts;
  for (const Check& check : pyramid.checks) {
    if (check.level != level) continue;
    ++counts.all;
    counts.pass += check.verdict == Verdict::kPass;
    counts.fail += check.verdict == Verdict::kFail;
    counts.open += check.verdict == Verdict::kNotChecked;
  }
  return counts;
}

Verdict verdict_of(const Pyramid& pyramid, Level level) {
  const Counts counts = counts_of(pyramid, level);
  if (counts.fail != 0) return Verdict::kFail;
  return counts.pass != 0 && counts.open == 0 ? Verdict::kPass : Verdict::kNotChecked;
}

bool is_checked(const Pyramid& pyramid, Level first, Level last) {
  for (const Level level : {Level::kStatic, Level::kBuild, Level::kFunctional, Level::kNumerical}) {
    if (level < first || level > last) continue;
    std::size_t made = 0;
    for (const Check& check : pyramid.checks) {
      if (check.level != level || check.is_declined) continue;
      if (check.verdict == Verdict::kNotChecked) return false;
      ++made;
    }
    if (made == 0) return false;
  }
  return true;
}

void add_missing(Pyramid& pyramid, Level level, std::string why) {
  if (counts_of(pyramid, level).all != 0) return;
  pyramid.checks.push_back({.level = level,
                            .subject = pyramid.subject,
                            .question = fmt::format("{} level", to_string(level)),
                            .evidence = std::move(why)});
}

}  // namespace hipwright::verify
