// SPDX-License-Identifier: MIT
// What a kernel is tested with: a TOML file beside it.
//
//   kernel = "saxpy"                    # its name; template: "saxpy<float>"
//   source = "saxpy.hip"                # or code = "saxpy.hsaco"
//   [sizes]
//   n = 10000
//   [[arguments]]
//   name = "x"
//   type = "f32"
//   shape = ["n"]
//   fill = "uniform(-1, 1)"
//   [[arguments]]
//   name = "y"
//   type = "f32"
//   shape = ["n"]
//   output = true
//   operation = "elementwise"           # or relative/absolute/ulps/cosine/any_order
//   [[arguments]]
//   name = "a"
//   type = "f32"
//   value = 2.5
//   [launch]
//   block = [256]
//   grid = ["(n + 255) / 256"]          # wave: the device's wave size may be used, too
//   shared = "0"
//   [[invariants]]
//   expression = "sum(y) >= 0"
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "hipwright/device.h"
#include "verify/numeric/fill.h"
#include "verify/numeric/tolerance.h"

namespace hipwright::verify {

// "(n + 255) / 256": 64-bit integers, + - * / % ( ) min max ceil_div, names of sizes, `wave`.
class Expression {
 public:
  Expression() = default;
  static Result<Expression> parse(std::string_view text);
  Result<std::int64_t> value(const std::map<std::string, std::int64_t, std::less<>>& names) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Argument {
  std::string name;
  DataType type = DataType::kF32;
  std::vector<Expression> shape;  // of a buffer; empty: a scalar
  bool is_buffer = false;
  Distribution fill;              // of a buffer
  std::optional<double> value;    // of a scalar
  std::optional<Expression> value_of;  // of a scalar: "n"
  bool is_output = false;
  Tolerance tolerance;
};

struct KernelSpec {
  std::filesystem::path file;  // of the spec; what it names is beside it
  std::string kernel;
  std::filesystem::path source, code;      // one of them
  std::filesystem::path reference;         // a C++ file with a function for the CPU; may be empty
  std::filesystem::path golden;            // may be empty
  std::vector<std::string> flags;          // for the compiler
  std::map<std::string, std::int64_t, std::less<>> sizes;
  std::vector<Argument> arguments;
  Expression grid[3], block[3], shared;
  std::vector<std::string> invariants;
  std::uint64_t seed = 1;
};

// Errors have the file, line and column.
Result<std::vector<KernelSpec>> read_specs(const std::filesystem::path& file);
// A first spec for every kernel of a source, as TOML; what was guessed says so in a comment.
Result<std::string> initial_specs(const std::filesystem::path& source);

}  // namespace hipwright::verify
