// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "verify/numeric/tolerance.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

namespace {

constexpr std::string_view kHead =
    R"(# Tolerances

How far two right results may lie apart. Written by `hipwright verify tolerances --write-docs`; the table is
`src/verify/numeric/tolerance.cpp`.

An element is right when `|actual - expected| <= absolute + relative × |expected|`, or when it is within so many units in the
last place (ulps) of its type. The ulps also hold for denormal numbers, where relative errors mean nothing.

The absolute part follows the data: it is the number below, times the median of `|expected|` (zeros left out). Sums that
cancel have errors in proportion to what was added up, not to what is left of it; and a fixed number such as 1e-5 would accept
anything where results are about 1e-30.

Where the table has a growth, it is added to both parts, times the root of the number of terms less one. Neither part grows
beyond the limit. The loosest default of all is 5e-2, that of bf16.

NaN is right where NaN is expected, and nowhere else. Infinities must agree. Integers and truth values must be equal.

| type | operation | relative and absolute | growth | limit | ulps | why |
| --- | --- | ---: | ---: | ---: | ---: | --- |
)";

constexpr std::string_view kPytorchHead = R"(
## As PyTorch

`--pytorch` takes the defaults of `torch.testing.assert_close`: a fixed absolute part, and NaN is never right.

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
