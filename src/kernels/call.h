// SPDX-License-Identifier: MIT
// One call of an operation: checks its operands, chooses the tile, launches. On the CPU it launches
// the function that is registered for the operation and the type.
#pragma once

#include <array>
#include <initializer_list>

#include "hipwright/kernels.h"
#include "kernels/op.h"

namespace hipwright::kernels {

class Call {
 public:
  struct Named {
    const char* name;
    ConstMatrix matrix;
  };
  // `matrices` have one type and shape; `vectors` are one row of as many columns, without gaps.
  // Throws AMDDeviceError otherwise.
  Call(Kernels& kernels, const char* op, std::initializer_list<Named> matrices,
       std::initializer_list<Named> vectors = {});

  // The arguments of kernels: pointer and stride of each matrix, pointer of each vector, rows,
  // columns, then those of `rows` and `elements`. A block for each row.
  template <class... Scalars>
  void rows(const Stream& stream, const Scalars&... scalars) {
    add(rows_);
    add(columns_of_rows());
    (add(scalars), ...);
    launch_rows(stream);
  }
  // Blocks for stretches of a row; a matrix without gaps is one row. The last argument is the
  // number of blocks for each row.
  template <class... Scalars>
  void elements(const Stream& stream, const Scalars&... scalars) {
    join_rows();
    add(rows_);
    add(columns_);
    (add(scalars), ...);
    launch_elements(stream);
  }

 private:
  static constexpr std::size_t kMost = 20;

  template <class T>
  void add(const T& value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    append(&value, sizeof value);
  }
  void append(const void* value, std::size_t bytes);
  [[noreturn]] void reject(const Named& operand, std::string why, std::string advice) const;
  void check(const Named& operand, bool is_vector) const;
  const std::int32_t& columns_of_rows();
  void join_rows();
  bool allows_vectors() const;
  const Tile& tile() const;
  void launch_rows(const Stream& stream);
  void launch_elements(const Stream& stream);
  void launch(const Stream& stream, const Tile& tile, std::int64_t blocks);

  Kernels& kernels_;
  const Op& op_;
  std::array<std::uint64_t, kMost> values_{};
  std::array<KernelArgument, kMost> arguments_{};
  std::size_t count_ = 0;
  DataType type_;
  std::int64_t rows_, columns_;
  std::int32_t narrow_columns_ = 0;
  std::size_t matrices_;
  bool aligned_ = true;  // every row of every matrix and every vector, for accesses of 16 bytes
  bool packed_ = true;   // no matrix has gaps between rows
};

}  // namespace hipwright::kernels
