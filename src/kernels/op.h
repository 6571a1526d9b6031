// SPDX-License-Identifier: MIT
// An operation of the kernel library, as a row of a table. The row is all that tests, benchmarks
// and documents know of it.
//
// A folder src/kernels/<name>/ has op.cpp (the public call: checks, arguments, launch), kernel.hip
// (the GPU code), cpu.cpp (the same on the CPU) and cases.cpp (the row).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "hipwright/kernels.h"
#include "verify/numeric/tolerance.h"

namespace hipwright::kernels {

// How much of the device a call fills.
enum class Fill { kTiny, kPart, kWhole };

// How a kernel divides its work; parameters of its template.
struct Tile {
  unsigned bytes;            // of an access: 16, 4; 0: one element, wherever rows begin
  unsigned threads;          // of a block
  unsigned items;            // accesses per thread; of rows, 0: any number
  Fill fill = Fill::kWhole;  // blocks that do not fill the device must be quick instead
};
// A block for each row; a row's vectors fit in a tile's registers, or are read again.
std::span<const Tile> row_tiles();
// Blocks for stretches of rows; the wider ones for operations that write less than they read.
std::span<const Tile> element_tiles();
std::span<const Tile> wide_element_tiles();

// Where operands lie in memory.
enum class Layout {
  kPacked,
  kPadded,    // with a gap between rows; rows begin at multiples of 16 bytes
  kUnaligned  // with a gap, and rows begin anywhere
};
std::string_view to_string(Layout layout);  // "packed"

struct Problem {
  DataType type = DataType::kF32;
  std::int64_t rows = 1, columns = 1;
  Layout layout = Layout::kPacked;
  unsigned variant = 0;    // of Op::variants
  std::int64_t depth = 0;  // of operations that have a third size; 0: as many as columns
};

enum class Role { kIn, kOut, kInPlace, kScratch };

struct Operand {
  const char* name;
  Role role;
  DataType type;
  std::int64_t rows, columns;
  // Of an output.
  verify::Operation arithmetic = verify::Operation::kElementwise;
  // Of an input: as verify::parse_distribution() reads it.
  const char* fill = "normal(0, 1)";
  std::vector<std::int32_t> values = {};  // instead, of I32
};

// What kernels are chosen for.
struct Chip {
  arch::MatrixUnit matrix = arch::MatrixUnit::kNone;
  unsigned wave_size = 32;
};
Chip chip_of(const arch::ArchInfo& info);
Chip chip_of(const DeviceInfo& device);

// A kernel of an operation that has tiles of its own.
struct Instance {
  std::string unit;    // what is compiled together: "bf16"
  std::string symbol;  // the kernel's name
  std::string source;  // the line that defines it
};

struct Op {
  const char* name;     // "rms_norm"; of the folder and of the public call
  const char* summary;  // "out = x / sqrt(mean(x²) + epsilon) · weight"
  std::span<const Tile> tiles;
  std::vector<std::string_view> variants = {""};  // forms of the operation
  std::vector<Operand> (*operands)(const Problem& problem);
  // The public call with operands as operands() lists them.
  void (*run)(Kernels& kernels, const Problem& problem, std::span<const Matrix> operands,
              const Stream& stream);
  // Sources that stand before the kernel's.
  std::vector<const char*> parts = {};
  // Of operations without `tiles`.
  std::vector<Instance> (*instances)(const Chip& chip) = nullptr;
  std::vector<Problem> (*problems)() = nullptr;
  // How many terms a result adds up; the columns, if nothing is given.
  std::int64_t (*terms)(const Problem& problem) = nullptr;

  bool by_rows() const { return tiles.data() == row_tiles().data(); }
};
std::string to_string(const Op& op, const Problem& problem);  // "gelu_mul tanh bf16 128x4096"

// Ascending names.
std::span<const Op> all_ops();
const Op* find_op(std::string_view name);

// Of every operation.
std::span<const DataType> element_types();

// Shapes and layouts at which implementations break: one row, one column, odd widths, rows wider
// than every tile. The order is by size.
std::vector<Problem> awkward_problems(const Op& op);

// The fewest bytes that any implementation moves: inputs once, outputs once.
std::uint64_t ideal_bytes(const Op& op, const Problem& problem);

// The kernel's name in the GPU code.
std::string symbol_of(const Op& op, DataType type, const Tile& tile);

// All kernels of an operation, each for one type and tile.
std::vector<Instance> instances_of(const Op& op, const Chip& chip);
// The units of compilation, in order.
std::vector<std::string> units_of(const Op& op);

// One of its kernels, which compilers are asked for.
std::string any_symbol(const Op& op, const Chip& chip, std::string_view unit);

// The source of a unit: the prelude, the kernel, and its instances.
std::string source_of(const Op& op, const Chip& chip, std::string_view unit);
// What every source of an operation is made of.
std::string fingerprint_of(const Op& op);

}  // namespace hipwright::kernels
