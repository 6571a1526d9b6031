// SPDX-License-Identifier: MIT
#include "kernels/call.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/state.h"
#include "runtime/raise.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

constexpr std::size_t kVectorBytes = 16;
constexpr std::int64_t kMostColumnsOfRows = 1 << 30;
constexpr std::int64_t kMostBlocks = 0x7fffffff;

const Op& op_called(const char* name) {
  const Op* op = find_op(name);
  HW_ASSERT(op != nullptr);
  return *op;
}

std::string shape_text(std::int64_t rows, std::int64_t columns) {
  return fmt::format("{}x{}", rows, columns);
}

std::string names_of(std::initializer_list<DataType> types) {
  std::vector<std::string_view> names;
  for (const DataType type : types) names.push_back(to_string(type));
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

Call::Call(Kernels& kernels, const char* op, const char* name, const ConstMatrix& leader)
    : kernels_(kernels),
      op_(op_called(op)),
      type_(leader.type),
      rows_(leader.rows),
      columns_(leader.columns) {
  if (std::ranges::find(element_types(), type_) == element_types().end())
    reject(name, fmt::format("has the type {}, expected F32, F16 or BF16", to_string(type_)),
           "Convert it first.");
  if (rows_ < 0 || columns_ < 0)
    reject(name, fmt::format("has the shape {}", shape_text(rows_, columns_)),
           "Rows and columns are 0 or more.");
}

Call& Call::matrix(const char* name, const ConstMatrix& matrix) {
  return table(name, matrix, {{type_}, rows_, columns_});
}

Call& Call::table(const char* name, const ConstMatrix& table, const Expected& expected) {
  check(name, table, expected);
  note_alignment(table);
  packed_ = packed_ && table.stride == table.columns;
  add(table.data);
  add(table.stride);
  return *this;
}

Call& Call::vector(const char* name, const ConstMatrix& vector) {
  check(name, vector, {{type_}, 1, columns_});
  note_alignment(vector);
  add(vector.data);
  return *this;
}

Call& Call::list(const char* name, const ConstMatrix& list, const Expected& expected) {
  check(name, list, expected);
  if (list.rows > 1 && list.stride != list.columns)
    reject(name, fmt::format("has a stride of {}", list.stride), "Pass it without gaps.");
  add(list.data);
  return *this;
}

Call& Call::column(const char* name, const ConstMatrix& column, DataType type) {
  check(name, column, {{type}, rows_, 1});
  add(column.data);
  add(column.stride);
  return *this;
}

Call& Call::scales(const ConstMatrix& scales) {
  const bool is_one = scales.rows == 1;
  check("scales", scales, {{DataType::kF32}, is_one ? 1 : rows_, 1});
  add(scales.data);
  add(is_one ? std::int64_t{0} : scales.stride);
  return *this;
}

void Call::append(const void* value, std::size_t bytes) {
  HW_ASSERT(count_ < kMost);
  std::memcpy(&values_[count_], value, bytes);
  arguments_[count_] = {&values_[count_], bytes};
  ++count_;
}

void Call::reject(const char* name, std::string why, std::string advice) const {
  runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                        fmt::format("{} {}", name, why), std::move(advice));
}

void Call::check(const char* name, const ConstMatrix& operand, const Expected& expected) const {
  const std::size_t size = size_of(operand.type);
  if (std::ranges::find(expected.types, operand.type) == expected.types.end())
    reject(name,
           fmt::format("has the type {}, expected {}", to_string(operand.type),
                       names_of(expected.types)),
           "Pass operands of matching types.");
  if (operand.rows != expected.rows || operand.columns != expected.columns)
    reject(name,
           fmt::format("has the shape {}, expected {}", shape_text(operand.rows, operand.columns),
                       shape_text(expected.rows, expected.columns)),
           "Pass operands of matching shapes.");
  if (operand.rows > 1 && operand.stride < operand.columns)
    reject(name, fmt::format("has a stride of {} for {} columns", operand.stride, operand.columns),
           "Rows must not overlap; the stride is in elements.");
  if (operand.rows > 0 && operand.columns > 0 && operand.data == nullptr)
    reject(name, "is a null pointer", "Pass device memory.");
  if (reinterpret_cast<std::uintptr_t>(operand.data) % size != 0)
    reject(name, "is not aligned to its elements", "Pass a multiple of the element size.");
}

// A vector of the leader's type has 16 bytes; other operands move as many elements at once.
void Call::note_alignment(const ConstMatrix& operand) {
  const std::size_t size = size_of(operand.type);
  const std::size_t needed = std::min(kVectorBytes, kVectorBytes / size_of(type_) * size);
  begins_aligned_ = begins_aligned_ && reinterpret_cast<std::uintptr_t>(operand.data) % needed == 0;
  rows_aligned_ = rows_aligned_ && (operand.rows <= 1 ||
                                    static_cast<std::size_t>(operand.stride) * size % needed == 0);
}

std::int32_t Call::columns_of_rows() const {
  if (columns_ > kMostColumnsOfRows)
    runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                          fmt::format("rows of {} columns are too long", columns_),
                          fmt::format("Use at most {}.", kMostColumnsOfRows));
  return static_cast<std::int32_t>(columns_);
}

void Call::start(const Work& work) {
  begins_aligned_ = begins_aligned_ && work.allows_vectors;
  if (work.columns >= 0) columns_ = work.columns;
  if (!work.joins_rows || !packed_ || rows_ == 0) return;
  columns_ *= rows_;
  rows_ = 1;
  rows_aligned_ = true;
}

std::int64_t Call::elements_of(const Tile& tile) const {
  return std::max<std::int64_t>(1, tile.bytes / static_cast<std::int64_t>(size_of(type_)));
}

bool Call::has_vectors() const {
  const auto elements = static_cast<std::int64_t>(kVectorBytes / size_of(type_));
  return begins_aligned_ && rows_aligned_ && columns_ % elements == 0;
}

// The first that has room for `columns` in a block, else the last.
const Tile& Call::tile(Fill fill) const {
  const bool vectors = has_vectors();
  const Tile* chosen = nullptr;
  for (const Tile& tile : op_.tiles) {
    if ((tile.bytes != 0) != vectors || (vectors && tile.fill != fill)) continue;
    chosen = &tile;
    if (tile.items == 0 || elements_of(tile) * tile.threads * tile.items >= columns_) break;
  }
  HW_ASSERT(chosen != nullptr);
  return *chosen;
}

void Call::launch_rows(const Stream& stream) {
  if (rows_ == 0 || columns_ == 0) return;
  if (rows_ > kMostBlocks) reject_size();
  launch(stream, tile(rows_ <= kernels_.state().compute_units ? Fill::kPart : Fill::kWhole),
         {static_cast<unsigned>(rows_)});
}

void Call::launch_elements(const Stream& stream) {
  if (rows_ == 0 || columns_ == 0) return;
  constexpr std::int64_t kMostRows = 65535;  // in y and in z
  // Elements per compute unit, measured on an H200.
  constexpr std::int64_t kTiny = 64, kPart = 8192;
  const std::int64_t units = kernels_.state().compute_units;
  const std::int64_t all = rows_ * columns_;
  const Tile& chosen = tile(all <= kTiny * units   ? Fill::kTiny
                            : all <= kPart * units ? Fill::kPart
                                                   : Fill::kWhole);
  const std::int64_t elements = elements_of(chosen) * chosen.threads * chosen.items;
  const std::int64_t stretches = (columns_ + elements - 1) / elements;
  const std::int64_t y = std::min(rows_, kMostRows), z = (rows_ + y - 1) / y;
  if (stretches > kMostBlocks || z > kMostRows) reject_size();
  launch(stream, chosen,
         {static_cast<unsigned>(stretches), static_cast<unsigned>(y), static_cast<unsigned>(z)});
}

void Call::reject_size() const {
  runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                        fmt::format("{} rows of {} columns are too many", rows_, columns_),
                        "Call it for a part of the rows at a time.");
}

void Call::launch(const Stream& stream, const Tile& tile, Dim3 grid) {
  Kernels::State& state = kernels_.state();
  const std::span<const KernelArgument> arguments(arguments_.data(), count_);
  if (state.on_cpu) {
    // Stretches of some thousand elements: enough for each thread, and small ones for balance.
    constexpr std::int64_t kElements = 1 << 14;
    const std::int64_t by_rows = op_.by_rows() ? rows_ : kMostBlocks;
    const std::int64_t by_size = rows_ * columns_ / kElements + 1;
    const auto shares = static_cast<unsigned>(std::min({by_rows, by_size, std::int64_t{4096}}));
    state.utilities.launch_with(state.cpu_kernel(op_, type_), {shares}, {1}, 0, stream, arguments);
    return;
  }
  state.utilities.launch_with(state.gpu_kernel(op_, type_, tile), grid, {tile.threads}, 0, stream,
                              arguments);
}

}  // namespace hipwright::kernels
