// SPDX-License-Identifier: MIT
// How much two correct results may differ, and why.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "hipwright/checkpoint.h"

namespace hipwright::verify {

// An element is right when |actual - expected| <= absolute + relative * |expected|, or when it is
// within `ulps` units in the last place. Integers and bools default to no difference at all.
// If only `cosine` is set, the vectors are compared rather than their elements; NaNs and infinities
// must still match.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  // Added to `absolute`, times the median of the nonzero |expected|. The error of a sum that
  // cancels is proportional to its terms, not to the result; a fixed bound would be meaningless for
  // results of 1e-30.
  double scaled = 0;
  std::optional<double> ulps;    // of the element's type
  std::optional<double> cosine;  // the least similarity of the two as vectors
  bool equal_nan = true;         // NaN for NaN; infinities must agree in any case
  bool any_order = false;        // the same elements in any order: atomics
  std::string why;               // one sentence, for reports
};
// "relative 1e-06, absolute 1e-05, 4 ulps"; "equal".
std::string to_string(const Tolerance& tolerance);

// Kinds of arithmetic with their own tolerances.
enum class Operation {
  kCopy,
  kElementwise,
  kTranscendental,
  kReduction,
  kMatrixProduct,
  kAtomicSum
};
// "copy", "elementwise", "transcendental", "reduction", "matrix_product", "atomic_sum".
Result<Operation> parse_operation(std::string_view word);
std::string_view to_string(Operation operation);

// From the table. `terms`: the number of values summed per result; errors grow with it.
Tolerance default_tolerance(DataType type, Operation operation, std::size_t terms = 1);
// The defaults of torch.testing.assert_close.
Tolerance pytorch_tolerance(DataType type);

struct ToleranceRow {
  DataType type;
  Operation operation;
  Tolerance tolerance;  // of one term
  double growth;  // added to `relative` and `scaled`, times the square root of the number of terms
  double limit;   // upper bound of `relative` and `scaled`
};
std::span<const ToleranceRow> tolerance_table();
std::string tolerance_page();  // docs/tolerances.md

}  // namespace hipwright::verify
