// SPDX-License-Identifier: MIT
#include "verify/verdict.h"

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

Verdict verdict_of(const Pyramid& pyramid, Level level) {
  bool passes = false, is_open = false;
  for (const Check& check : pyramid.checks) {
    if (check.level != level) continue;
    if (check.verdict == Verdict::kFail) return Verdict::kFail;
    passes |= check.verdict == Verdict::kPass;
    is_open |= check.verdict == Verdict::kNotChecked;
  }
  return passes && !is_open ? Verdict::kPass : Verdict::kNotChecked;
}

}  // namespace hipwright::verify
