// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "arch/arch.h"
#include "lint/rule.h"

namespace hipwright::lint {

// The e4m3 maximum that a C++ or Python literal stands for: 448 (OCP), 240 or 224 (fnuz), written
// as an integer or a float; 0 if it is another number.
int fp8_maximum(std::string_view number);

// The tokens of a file, of either language, that are such numbers.
template <class File>
std::vector<std::uint32_t> fp8_maxima(const File& file) {
  std::vector<std::uint32_t> found;
  const auto tokens = file.tokens();
  for (std::uint32_t at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == decltype(tokens[at].kind)::kNumber && fp8_maximum(file.text(at)) != 0)
      found.push_back(at);
  return found;
}

template <class Context>
void report_fp8_maximum(Context& check, std::uint32_t number, Confidence confidence) {
  const int value = fp8_maximum(check.file.text(number));
  const bool is_ocp = value == 448;
  check.report(check.file.span(number), confidence,
               fmt::format("{} is the maximum of {}; {} ({}) {} another value", value,
                           is_ocp ? "OCP" : "fnuz",
                           arch::targets_with(is_ocp ? arch::Fp8::kFnuz : arch::Fp8::kOcp),
                           is_ocp ? "fnuz" : "OCP", is_ocp ? "needs" : "need"),
               {}, is_ocp ? Relevance::kFnuz : Relevance::kOcp);
}

}  // namespace hipwright::lint
