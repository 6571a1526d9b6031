// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "verify/numeric/tolerance.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kHead =
    R"(# Tolerances

How much two correct results may differ. Written by `hipwright verify tolerances --write-docs` from the table in
`src/verify/numeric/tolerance.cpp`.

An element is correct if `|actual - expected| <= absolute + relative × |expected|`, or if it is within the given number of units
in the last place (ulps) of its type. Ulps also cover denormal numbers, for which relative errors are meaningless.

The absolute part scales with the data: it is the number below times the median of `|expected|`, zeros excluded. The error of a
sum that cancels is proportional to its terms, not to the result, and a fixed bound such as 1e-5 would accept anything if results
are around 1e-30.

If the table has a growth, it is added to both parts, times the square root of the number of terms minus one, up to the limit.
The loosest default is 5e-2, for bf16.

NaN matches only NaN. Infinities must match. Integers and booleans must be equal.

| type | operation | relative and absolute | growth | limit | ulps | why |
| --- | --- | ---: | ---: | ---: | ---: | --- |
)";

constexpr std::string_view kPytorchHead = R"(
## PyTorch tolerances

`--pytorch` uses the defaults of `torch.testing.assert_close`: a fixed absolute part, and NaN never matches.

| type | relative | absolute |
| --- | ---: | ---: |
)";

std::string number(double value) {
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

// All integers have the same rows.
bool is_shown(DataType type) {
  return is_float(type) || type == DataType::kI32;
}

std::string name_of(DataType type) {
  return is_float(type) ? std::string(short_name(type)) : "integers, bool";
}

}  // namespace

std::string tolerance_page() {
  std::string page(kHead);
  for (const ToleranceRow& row : tolerance_table()) {
    if (!is_shown(row.type)) continue;
    const bool grows = row.growth > 0;
    page += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name_of(row.type),
                        to_string(row.operation), number(row.tolerance.relative),
                        grows ? number(row.growth) : "", grows ? number(row.limit) : "",
                        number(row.tolerance.ulps.value_or(0)), row.tolerance.why);
  }
  page += kPytorchHead;
  for (const DataType type : {DataType::kF64, DataType::kF32, DataType::kF16, DataType::kBF16}) {
    const Tolerance tolerance = pytorch_tolerance(type);
    page += fmt::format("| {} | {} | {} |\n", short_name(type), number(tolerance.relative),
                        number(tolerance.absolute));
  }
  return page + "| all others | 0 | 0 |\n";
}

}  // namespace hipwright::verify
