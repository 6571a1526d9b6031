// SPDX-License-Identifier: MIT
#include "kernels/trial.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "verify/numeric/compare.h"
#include "verify/numeric/fill.h"

namespace hipwright::kernels {

namespace {

// NaN in every float type.
constexpr char kUntouched = '\xff';
constexpr std::int64_t kAligned = 8;  // elements of any type: 16 bytes or more

void place(Storage& storage, Layout layout) {
  const std::int64_t columns = storage.operand.columns;
  storage.stride = columns;
  if (layout == Layout::kPadded)
    storage.stride = (columns + kAligned - 1) / kAligned * kAligned + kAligned;
  if (layout == Layout::kUnaligned) {
    storage.stride = columns + 1;
    storage.offset = 1;
  }
}

std::size_t element_at(const Storage& storage, std::int64_t row) {
  return static_cast<std::size_t>(storage.offset + row * storage.stride);
}

// Calls visit(byte offset in storage, byte offset in values, bytes) for each row.
template <class Visit>
void each_row(const Storage& storage, Visit visit) {
  const std::size_t size = size_of(storage.operand.type);
  const auto bytes = static_cast<std::size_t>(storage.operand.columns) * size;
  for (std::int64_t row = 0; row < storage.operand.rows; ++row)
    visit(element_at(storage, row) * size, static_cast<std::size_t>(row) * bytes, bytes);
}

std::string gaps_of(const Storage& storage) {
  std::string gaps = storage.bytes;
  each_row(storage, [&](std::size_t at, std::size_t, std::size_t bytes) {
    std::fill_n(gaps.begin() + static_cast<std::ptrdiff_t>(at), bytes, '\0');
  });
  return gaps;
}

}  // namespace

verify::Values Storage::values() const {
  verify::Values values = verify::zeros(operand.type, {operand.rows, operand.columns});
  each_row(*this, [&](std::size_t at, std::size_t to, std::size_t size) {
    values.bytes.replace(to, size, bytes, at, size);
  });
  return values;
}

std::vector<Storage> initial_storage(const Op& op, const Problem& problem, std::uint64_t seed) {
  std::vector<Storage> list;
  for (const Operand& operand : op.operands(problem)) {
    Storage storage{.operand = operand};
    place(storage, problem.layout);
    const std::size_t elements = operand.rows == 0 ? 0
                                                   : element_at(storage, operand.rows - 1) +
                                                         static_cast<std::size_t>(operand.columns);
    storage.bytes.assign(elements * size_of(operand.type), kUntouched);
    if (!operand.values.empty()) {
      const std::size_t at = element_at(storage, 0) * sizeof(std::int32_t);
      const std::size_t bytes = operand.values.size() * sizeof(std::int32_t);
      HW_ASSERT(storage.bytes.size() == at + bytes);
      std::memcpy(storage.bytes.data() + at, operand.values.data(), bytes);
    } else if (operand.role == Role::kIn || operand.role == Role::kInPlace) {
      const auto distribution = verify::parse_distribution(operand.fill);
      HW_ASSERT(distribution);
      verify::Values values = verify::filled(operand.type, {operand.rows, operand.columns},
                                             *distribution, seed * 64 + list.size());
      // The code of -0 is NaN in other formats of the type.
      if (size_of(operand.type) == 1) std::ranges::replace(values.bytes, '\x80', '\0');
      each_row(storage, [&](std::size_t at, std::size_t from, std::size_t bytes) {
        storage.bytes.replace(at, bytes, values.bytes, from, bytes);
      });
    }
    list.push_back(std::move(storage));
  }
  return list;
}

Trial::Trial(const Op& op, const Problem& problem, Kernels& kernels, AMDMemoryManager& memory,
             const std::vector<Storage>& storage)
    : op_(op),
      problem_(problem),
      kernels_(kernels),
      utilities_(kernels.device(), AMDConfig{}),
      storage_(storage) {
  for (const Storage& each : storage_) {
    DeviceBuffer buffer = memory.allocate(std::max<std::size_t>(each.bytes.size(), 1));
    utilities_.copy_to_device(buffer.data(), each.bytes.data(), each.bytes.size());
    auto* const begin = static_cast<char*>(buffer.data()) +
                        each.offset * static_cast<std::int64_t>(size_of(each.operand.type));
    matrices_.emplace_back(each.operand.type, begin, each.operand.rows, each.operand.columns,
                           each.stride);
    buffers_.push_back(std::move(buffer));
  }
}

void Trial::submit(const Stream& stream) {
  op_.run(kernels_, problem_, matrices_, stream);
}

std::vector<Storage> Trial::results() {
  std::vector<Storage> results = storage_;
  for (std::size_t i = 0; i < results.size(); ++i)
    utilities_.copy_to_host(results[i].bytes.data(), buffers_[i].data(), results[i].bytes.size());
  utilities_.synchronize();
  return results;
}

std::string difference(const Op& op, const Problem& problem, const std::vector<Storage>& expected,
                       const std::vector<Storage>& actual) {
  const std::int64_t terms = op.terms != nullptr ? op.terms(problem) : problem.columns;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Operand& operand = expected[i].operand;
    if (operand.role == Role::kScratch) continue;
    if (gaps_of(expected[i]) != gaps_of(actual[i]))
      return fmt::format("{}: bytes outside of its rows were written", operand.name);
    if (operand.role == Role::kIn) {
      if (expected[i].bytes != actual[i].bytes) return fmt::format("{}: was written", operand.name);
      continue;
    }
    const auto tolerance = verify::default_tolerance(operand.type, operand.arithmetic,
                                                     static_cast<std::size_t>(terms));
    const auto compared = verify::compare(expected[i].values(), actual[i].values(), tolerance);
    if (!compared.passes) return fmt::format("{}: {}", operand.name, compared.text());
  }
  return {};
}

}  // namespace hipwright::kernels
