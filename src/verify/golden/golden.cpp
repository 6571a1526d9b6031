// SPDX-License-Identifier: MIT
#include "verify/golden/golden.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/file.h"
#include "runtime/data_type.h"

namespace hipwright::verify {

namespace {

// As in fill.cpp, but part of a file format: it never changes.
std::uint64_t hash_of(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

Values gathered(const Values& values, const std::vector<std::int64_t>& indices) {
  Values sample{values.type, {static_cast<std::int64_t>(indices.size())}, {}};
  const std::size_t size = size_of(values.type);
  sample.bytes.resize(indices.size() * size);
  for (std::size_t i = 0; i < indices.size(); ++i)
    std::memcpy(sample.bytes.data() + i * size,
                values.bytes.data() + static_cast<std::size_t>(indices[i]) * size, size);
  return sample;
}

Comparison problem(const StoredValues* expected, std::string text) {
  Comparison comparison{.problem = std::move(text)};
  if (expected != nullptr) {
    comparison.type = expected->values.type;
    comparison.shape = expected->shape;
  }
  return comparison;
}

}  // namespace

std::vector<std::int64_t> sample_indices(std::uint64_t count, std::uint64_t stored) {
  std::vector<std::int64_t> indices;
  indices.reserve(stored);
  const auto part = [&](std::uint64_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(count) * i / stored);
  };
  for (std::uint64_t i = 0; i < stored; ++i) {
    const std::uint64_t begin = part(i), size = part(i + 1) - begin;
    const std::uint64_t place = i == 0 ? 0 : i + 1 == stored ? size - 1 : hash_of(i) % size;
    indices.push_back(static_cast<std::int64_t>(begin + place));
  }
  return indices;
}

StoredValues sampled(const Values& values, std::size_t at_most) {
  if (values.count() <= std::max<std::size_t>(at_most, 1)) return {values, values.shape, {}};
  std::vector<std::int64_t> indices =
      sample_indices(values.count(), std::max<std::size_t>(at_most, 1));
  return {gathered(values, indices), values.shape, std::move(indices)};
}

Comparison compare(const StoredValues& expected, const Values& actual, const Tolerance& tolerance,
                   const Layout& layout) {
  if (expected.indices.empty()) return compare(expected.values, actual, tolerance, layout);
  if (expected.values.type != actual.type)
    return problem(&expected, fmt::format("expected {}, got {}", short_name(expected.values.type),
                                          short_name(actual.type)));
  const auto bytes = runtime::count_bytes(actual.type, actual.shape);
  if (expected.shape != actual.shape || !bytes || *bytes != actual.bytes.size())
    return problem(&expected,
                   fmt::format("expected shape {}, got {}", runtime::shape_text(expected.shape),
                               runtime::shape_text(actual.shape)));
  if (tolerance.any_order)
    return problem(&expected,
                   "only a sample is stored, and any order is allowed, so elements cannot be "
                   "matched. Store the whole tensor");
  return compare_sample(expected.values, gathered(actual, expected.indices), expected.shape,
                        expected.indices, tolerance, layout);
}

std::vector<NamedComparison> check(
    const Golden& golden, const std::map<std::string, Values>& actual,
    const std::function<Tolerance(const std::string&, DataType)>& tolerance_of,
    const Layout& layout) {
  std::vector<NamedComparison> checked;
  for (const auto& [name, stored] : golden.tensors) {
    const auto found = actual.find(name);
    if (found == actual.end())
      checked.push_back({name, problem(&stored,
                                       "missing from the captures. Capture it in the program, or "
                                       "recreate the golden file without it")});
    else
      checked.push_back(
          {name, compare(stored, found->second, tolerance_of(name, stored.values.type), layout)});
  }
  for (const auto& [name, values] : actual) {
    if (golden.tensors.contains(name)) continue;
    Comparison comparison = problem(nullptr,
                                    "captured, but not in the golden file. Recreate the golden "
                                    "file with it, or stop capturing it");
    comparison.type = values.type;
    comparison.shape = values.shape;
    checked.push_back({name, std::move(comparison)});
  }
  std::ranges::sort(checked, {}, &NamedComparison::name);
  return checked;
}

Result<Golden> read_golden(const std::filesystem::path& file) {
  HW_TRY(const std::string bytes, read_file(file));
  return parse_golden(bytes, file.string());
}

Status write_golden(const Golden& golden, const std::filesystem::path& file) {
  HW_TRY(const std::string bytes, golden_bytes(golden, file.string()));
  return write_file_atomic(file, bytes);
}

}  // namespace hipwright::verify
