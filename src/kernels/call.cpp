// SPDX-License-Identifier: MIT
#include "kernels/call.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "kernels/state.h"
#include "runtime/raise.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

constexpr std::uintptr_t kVectorBytes = 16;
constexpr std::int64_t kMostColumnsOfRows = 1 << 30;
constexpr std::int64_t kMostBlocks = 0x7fffffff;

const Op& op_called(const char* name) {
  const Op* op = find_op(name);
  HW_ASSERT(op != nullptr);
  return *op;
}

bool begins_aligned(const ConstMatrix& matrix) {
  const auto stride = static_cast<std::uintptr_t>(matrix.stride) * size_of(matrix.type);
  return reinterpret_cast<std::uintptr_t>(matrix.data) % kVectorBytes == 0 &&
         (matrix.rows <= 1 || stride % kVectorBytes == 0);
}

std::string shape_text(std::int64_t rows, std::int64_t columns) {
  return fmt::format("{}x{}", rows, columns);
}

}  // namespace

Call::Call(Kernels& kernels, const char* op, std::initializer_list<Named> matrices,
           std::initializer_list<Named> vectors)
    : kernels_(kernels),
      op_(op_called(op)),
      type_(matrices.begin()->matrix.type),
      rows_(matrices.begin()->matrix.rows),
      columns_(matrices.begin()->matrix.columns),
      matrices_(matrices.size()) {
  for (const Named& each : matrices) {
    check(each, false);
    aligned_ = aligned_ && begins_aligned(each.matrix);
    packed_ = packed_ && each.matrix.stride == each.matrix.columns;
    add(each.matrix.data);
    add(each.matrix.stride);
  }
  for (const Named& each : vectors) {
    check(each, true);
    aligned_ = aligned_ && begins_aligned(each.matrix);
    add(each.matrix.data);
  }
}

void Call::append(const void* value, std::size_t bytes) {
  HW_ASSERT(count_ < kMost);
  std::memcpy(&values_[count_], value, bytes);
  arguments_[count_] = {&values_[count_], bytes};
  ++count_;
}

void Call::reject(const Named& operand, std::string why, std::string advice) const {
  runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                        fmt::format("{} {}", operand.name, why), std::move(advice));
}

void Call::check(const Named& operand, bool is_vector) const {
  const ConstMatrix& matrix = operand.matrix;
  if (std::ranges::find(element_types(), matrix.type) == element_types().end())
    reject(operand, fmt::format("has the type {}", to_string(matrix.type)),
           "Use F32, F16 or BF16.");
  if (matrix.type != type_)
    reject(operand,
           fmt::format("has the type {}, the first operand {}", to_string(matrix.type),
                       to_string(type_)),
           "Use one type for all operands.");
  const std::int64_t rows = is_vector ? 1 : rows_;
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.rows != rows || matrix.columns != columns_)
    reject(operand,
           fmt::format("has the shape {}, expected {}", shape_text(matrix.rows, matrix.columns),
                       shape_text(rows, columns_)),
           "Pass operands of matching shapes.");
  if (matrix.rows > 1 && matrix.stride < matrix.columns)
    reject(operand, fmt::format("has a stride of {} for {} columns", matrix.stride, matrix.columns),
           "Rows must not overlap: the stride is in elements.");
  const bool is_empty = matrix.rows == 0 || matrix.columns == 0;
  if (!is_empty && matrix.data == nullptr)
    reject(operand, "is a null pointer", "Pass device memory.");
  if (reinterpret_cast<std::uintptr_t>(matrix.data) % size_of(matrix.type) != 0)
    reject(operand, "is not aligned to its elements", "Pass a multiple of the element size.");
}

const std::int32_t& Call::columns_of_rows() {
  if (columns_ > kMostColumnsOfRows)
    runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                          fmt::format("rows of {} columns are too long", columns_),
                          fmt::format("Use at most {}.", kMostColumnsOfRows));
  narrow_columns_ = static_cast<std::int32_t>(columns_);
  return narrow_columns_;
}

void Call::join_rows() {
  if (!packed_ || rows_ == 0) return;
  columns_ *= rows_;
  rows_ = 1;
}

// A matrix that is one long row needs no aligned rows.
bool Call::allows_vectors() const {
  if (aligned_ || rows_ != 1) return aligned_;
  for (std::size_t i = 0; i < matrices_; ++i)
    if (values_[2 * i] % kVectorBytes != 0) return false;
  return true;
}

const Tile& Call::tile() const {
  const bool vectors = allows_vectors();
  const auto elements = static_cast<std::int64_t>(vectors ? kVectorBytes / size_of(type_) : 1);
  for (const Tile& tile : op_.tiles) {
    const std::int64_t room = elements * tile.threads * tile.items;
    if (tile.vectors == vectors && (tile.items == 0 || room >= columns_)) return tile;
  }
  // Of elements the largest is enough: there are as many blocks as needed.
  for (std::size_t i = op_.tiles.size(); i-- > 0;)
    if (op_.tiles[i].vectors == vectors) return op_.tiles[i];
  bug("an operation has no tile", __FILE__, __LINE__);
}

void Call::launch_rows(const Stream& stream) {
  if (rows_ == 0 || columns_ == 0) return;
  launch(stream, tile(), rows_);
}

void Call::launch_elements(const Stream& stream) {
  if (rows_ == 0 || columns_ == 0) return;
  const Tile& chosen = tile();
  const std::int64_t elements = static_cast<std::int64_t>(
      chosen.threads * chosen.items * (chosen.vectors ? kVectorBytes / size_of(type_) : 1));
  const std::int64_t per_row = (columns_ + elements - 1) / elements;
  add(static_cast<std::uint32_t>(std::min(per_row, kMostBlocks)));
  launch(stream, chosen, per_row > kMostBlocks / rows_ ? kMostBlocks + 1 : per_row * rows_);
}

void Call::launch(const Stream& stream, const Tile& tile, std::int64_t blocks) {
  Kernels::State& state = kernels_.state();
  const std::span<const KernelArgument> arguments(arguments_.data(), count_);
  if (blocks > kMostBlocks)
    runtime::raise_misuse(fmt::format("{}(…)", op_.name), kernels_.device().id(),
                          fmt::format("{} rows of {} columns are too many", rows_, columns_),
                          "Call it for a part of the rows at a time.");
  if (state.on_cpu) {
    // Stretches of some thousand elements: enough for each thread, and small ones for balance.
    constexpr std::int64_t kElements = 1 << 14;
    const std::int64_t by_rows = op_.tiles.data() == row_tiles().data() ? rows_ : kMostBlocks;
    const std::int64_t by_size = rows_ * columns_ / kElements + 1;
    const auto shares = static_cast<unsigned>(std::min({by_rows, by_size, std::int64_t{4096}}));
    state.utilities.launch_with(state.cpu_kernel(op_, type_), {shares}, {1}, 0, stream, arguments);
    return;
  }
  state.utilities.launch_with(state.gpu_kernel(op_, type_, tile), {static_cast<unsigned>(blocks)},
                              {tile.threads}, 0, stream, arguments);
}

}  // namespace hipwright::kernels
