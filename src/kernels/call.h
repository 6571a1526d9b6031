// SPDX-License-Identifier: MIT
// One call of an operation: checks its operands, chooses the tile, launches. On the CPU it launches
// the function that is registered for the operation and the type.
//
// The arguments of kernels are, in order: those of the operands, the rows, the columns, the
// scalars; of elements(), the number of blocks for each row comes last.
#pragma once

#include <array>
#include <initializer_list>
#include <string>

#include "hipwright/kernels.h"
#include "kernels/op.h"

namespace hipwright::kernels {

class Call {
 public:
  // `leader` decides type and shape.
  Call(Kernels& kernels, const char* op, const char* name, const ConstMatrix& leader);

  // Each adds an operand, or throws AMDDeviceError.
  // Type and shape of the leader. Arguments: pointer, stride.
  Call& matrix(const char* name, const ConstMatrix& matrix);
  // One row, as long as the leader's. Argument: pointer.
  Call& vector(const char* name, const ConstMatrix& vector);
  // Any operand. Arguments: pointer, stride.
  struct Expected {
    std::initializer_list<DataType> types;
    std::int64_t rows, columns;
  };
  Call& table(const char* name, const ConstMatrix& table, const Expected& expected);
  // Elements without gaps, of the expected shape. Argument: pointer.
  Call& list(const char* name, const ConstMatrix& list, const Expected& expected);
  // An element for each row. Arguments: pointer, stride.
  Call& column(const char* name, const ConstMatrix& column, DataType type);
  Call& scales(const ConstMatrix& scales);  // f32, one or one for each row: pointer, step

  // Any operand, without arguments.
  Call& expect(const char* name, const ConstMatrix& operand, const Expected& expected) {
    check(name, operand, expected);
    return *this;
  }

  [[noreturn]] void reject(const char* name, std::string why, std::string advice) const;

  // A block for each row. The columns are an int.
  template <class... Scalars>
  void rows(const Stream& stream, const Scalars&... scalars) {
    add(rows_);
    add(columns_of_rows());
    (add(scalars), ...);
    launch_rows(stream);
  }

  // Blocks for stretches of rows. The columns are a long long. Matrices without gaps become one
  // row, unless rows differ in more than their elements.
  struct Work {
    bool joins_rows = true;
    bool allows_vectors = true;
    std::int64_t columns = -1;  // items of work per row, if not the leader's
  };
  template <class... Scalars>
  void elements(const Stream& stream, const Work& work, const Scalars&... scalars) {
    start(work);
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
  void check(const char* name, const ConstMatrix& operand, const Expected& expected) const;
  void note_alignment(const ConstMatrix& operand);
  std::int32_t columns_of_rows() const;
  void start(const Work& work);
  bool has_vectors() const;
  const Tile& tile(Fill fill) const;
  std::int64_t elements_of(const Tile& tile) const;  // of a vector
  void launch_rows(const Stream& stream);
  void launch_elements(const Stream& stream);
  [[noreturn]] void reject_size() const;
  void launch(const Stream& stream, const Tile& tile, Dim3 grid);

  Kernels& kernels_;
  const Op& op_;
  std::array<std::uint64_t, kMost> values_{};
  std::array<KernelArgument, kMost> arguments_{};
  std::size_t count_ = 0;
  const DataType type_;
  std::int64_t rows_, columns_;
  bool begins_aligned_ = true;  // every operand, for accesses of a vector
  bool rows_aligned_ = true;    // every row of every operand
  bool packed_ = true;          // no gaps between rows
};

}  // namespace hipwright::kernels
