// SPDX-License-Identifier: MIT
#include "verify/numeric/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "verify/numeric/float_format.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

namespace {

constexpr std::array kOperations = {Operation::kCopy,           Operation::kElementwise,
                                    Operation::kTranscendental, Operation::kReduction,
                                    Operation::kMatrixProduct,  Operation::kAtomicSum};
constexpr std::array<std::string_view, 6> kOperationNames = {
    "copy", "elementwise", "transcendental", "reduction", "matrix_product", "atomic_sum"};
constexpr std::array kTypes = {
    DataType::kF64,    DataType::kF32, DataType::kF16, DataType::kBF16, DataType::kF8E4M3,
    DataType::kF8E5M2, DataType::kI64, DataType::kU64, DataType::kI32,  DataType::kU32,
    DataType::kI16,    DataType::kU16, DataType::kI8,  DataType::kU8,   DataType::kBool};

// The specification's number for bf16, beyond which a result is not worth comparing.
constexpr double kLoosest = 5e-2;

// In units of the type's epsilon (one unit in the last place of 1).
struct Allowance {
  double units;       // for errors that occur once per result
  double growth_f32;  // in epsilons of f32, times the square root of the number of terms
  double growth_own;  // in epsilons of the type itself, likewise
  std::string_view why;
};

// Types that compute in themselves: f32, f64.
Allowance wide(Operation operation) {
  switch (operation) {
    case Operation::kCopy:
      return {0, 0, 0, "Copies and conversions are defined to the last bit."};
    case Operation::kElementwise:
      return {4, 0, 0,
              "Compilers differ in which multiplications and additions they fuse; each of the few "
              "roundings is half a unit in the last place."};
    case Operation::kTranscendental:
      return {32, 0, 0,
              "The CUDA and ROCm math libraries are each accurate to about 4 units in the last "
              "place per function but round differently, and formulas chain several calls."};
    case Operation::kReduction:
      return {4, 0, 4,
              "A 64-lane wave adds in a different order than a 32-lane wave; the rounding error of "
              "a sum grows with the square root of the number of terms."};
    case Operation::kMatrixProduct:
      return {4, 0, 4,
              "Tiles and matrix instructions add products in different orders; the rounding error "
              "grows with the square root of the inner dimension."};
    case Operation::kAtomicSum:
      return {
          8, 0, 8,
          "The order of atomic additions varies from run to run, in the expected result as well."};
  }
  return {};
}

// f16 and bf16: computed in f32, rounded once at the end.
Allowance half(Operation operation) {
  switch (operation) {
    case Operation::kCopy:
      return wide(operation);
    case Operation::kElementwise:
      return {1, 0, 0,
              "Computed in 32 bits and rounded once, so that results differ by at most one unit in "
              "the last place."};
    case Operation::kTranscendental:
      return {2, 0, 0,
              "The 16-bit library functions are accurate to 1 to 2 units in the last place."};
    case Operation::kReduction:
      return {
          1, 8, 0,
          "The sum is kept in 32 bits, where its error grows with the square root of the number of "
          "terms, and rounded once. A kernel that sums in 16 bits needs its own tolerance."};
    case Operation::kMatrixProduct:
      return {2, 8, 0,
              "Matrix instructions add in 32 bits; the result, and often an intermediate result, "
              "is rounded to 16 bits."};
    case Operation::kAtomicSum:
      return {2, 0, 1,
              "Every atomic addition rounds to 16 bits, in an order that varies from run to run."};
  }
  return {};
}

Allowance quarter(Operation operation) {
  if (operation == Operation::kCopy) return wide(operation);
  return {
      1, 0, 0,
      "Computed in 32 bits and rounded once to 8, so that results differ by at most one unit in "
      "the last place, which is 6 to 25 % of the value; a relative bound would not be tighter."};
}

ToleranceRow row_of(DataType type, Operation operation) {
  const FloatFormat* format = format_of(type);
  if (format == nullptr) {
    const bool adds = operation != Operation::kCopy;
    return {type,
            operation,
            {.why = adds ? "Integers are exact, and sums do not depend on the order, even if they "
                           "wrap around."
                         : "Copies and conversions are defined to the last bit."},
            0,
            0};
  }
  const Allowance allowed = format->bits == 8    ? quarter(operation)
                            : format->bits == 16 ? half(operation)
                                                 : wide(operation);
  ToleranceRow row{type, operation, {.why = std::string(allowed.why)}, 0, 0};
  if (allowed.units == 0) return row;
  row.tolerance.ulps = allowed.units;
  if (format->bits == 8) return row;
  row.tolerance.relative = row.tolerance.scaled =
      std::min(kLoosest, allowed.units * format->epsilon());
  row.growth = allowed.growth_f32 * kFloat32.epsilon() + allowed.growth_own * format->epsilon();
  row.limit = format->bits == 16 ? kLoosest : 1e-2;
  return row;
}

std::vector<ToleranceRow> made_table() {
  std::vector<ToleranceRow> rows;
  for (const DataType type : kTypes)
    for (const Operation operation : kOperations) rows.push_back(row_of(type, operation));
  return rows;
}

}  // namespace

std::string_view to_string(Operation operation) {
  return kOperationNames[static_cast<std::size_t>(operation)];
}

Result<Operation> parse_operation(std::string_view word) {
  const auto found = std::ranges::find(kOperationNames, word);
  if (found == kOperationNames.end())
    return fail("unknown operation", std::string(word), {},
                fmt::format("Use one of {}.", fmt::join(kOperationNames, ", ")));
  return kOperations[static_cast<std::size_t>(found - kOperationNames.begin())];
}

std::string to_string(const Tolerance& tolerance) {
  std::vector<std::string> parts;
  const auto add = [&](double value, const char* form) {
    if (value > 0) parts.push_back(fmt::format(fmt::runtime(form), value));
  };
  add(tolerance.relative, "relative {:.2g}");
  add(tolerance.absolute, "absolute {:.2g}");
  add(tolerance.scaled, "absolute {:.2g} of the median");
  add(tolerance.ulps.value_or(0), "{:.4g} ulps");
  add(tolerance.cosine.value_or(0), "cosine {:.6g}");
  if (parts.empty()) parts.push_back("equal");
  if (tolerance.any_order) parts.push_back("in any order");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::span<const ToleranceRow> tolerance_table() {
  static const std::vector<ToleranceRow> rows = made_table();
  return rows;
}

Tolerance default_tolerance(DataType type, Operation operation, std::size_t terms) {
  const auto table = tolerance_table();
  const auto row = std::ranges::find_if(table, [&](const ToleranceRow& each) {
    return each.type == type && each.operation == operation;
  });
  Tolerance tolerance = row->tolerance;
  if (row->growth > 0 && terms > 1) {
    const double more = row->growth * std::sqrt(static_cast<double>(terms - 1));
    tolerance.relative = std::min(row->limit, tolerance.relative + more);
    tolerance.scaled = std::min(row->limit, tolerance.scaled + more);
  }
  return tolerance;
}

Tolerance pytorch_tolerance(DataType type) {
  Tolerance tolerance{.equal_nan = false, .why = "The defaults of torch.testing.assert_close."};
  const auto set = [&](double relative, double absolute) {
    tolerance.relative = relative;
    tolerance.absolute = absolute;
  };
  switch (type) {
    case DataType::kF16:
      set(1e-3, 1e-5);
      break;
    case DataType::kBF16:
      set(1.6e-2, 1e-5);
      break;
    case DataType::kF32:
      set(1.3e-6, 1e-5);
      break;
    case DataType::kF64:
      set(1e-7, 1e-7);
      break;
    default:
      break;  // all others, 8-bit floats among them, must be equal
  }
  return tolerance;
}

}  // namespace hipwright::verify
