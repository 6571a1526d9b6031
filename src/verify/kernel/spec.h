// SPDX-License-Identifier: MIT
// The inputs that a kernel is tested with: a TOML file beside it, one table per case.
//
//   [saxpy]                             # the kernel's name, unless kernel = "saxpy<float>" is set
//   source = "saxpy.hip"                # or code = "saxpy.hsaco"; for NVIDIA: cuda = "saxpy.cu"
//   sizes = { n = 10000 }
//   block = [256]
//   grid = ["(n + 255) / 256"]          # `wave` is the device's wave size
//   arguments = [
//     { name = "a", type = "f32", value = 2.5 },
//     { name = "x", type = "f32", shape = ["n"], fill = "uniform(-1, 1)" },
//     { name = "y", type = "f32", shape = ["n"], output = true, operation = "elementwise" },
//     { name = "n", type = "i32", value = "n" },
//     { name = "p", fields = [{ type = "i32", value = "n" }, { type = "f32", value = 2 }] },
//   ]
//   invariants = ["nans(y) == 0"]
//   limits = { spills = 0 }             # exceeding a limit fails the build check
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "hipwright/device.h"
#include "verify/kernel/expression.h"
#include "verify/kernel/resources.h"
#include "verify/numeric/fill.h"
#include "verify/numeric/tolerance.h"

namespace hipwright::verify {

struct Argument {
  std::string name;
  DataType type = DataType::kF32;
  bool is_buffer = false;
  std::vector<Expression> shape;      // of a buffer
  Distribution fill;                  // of a buffer; outputs default to zeros
  std::optional<std::uint64_t> seed;  // of the fill; empty: from the argument's position
  bool is_output = false;
  Tolerance tolerance;             // of an output
  std::optional<Expression> size;  // of a scalar: "n"
  double value = 0;                // of a scalar without a size
  std::vector<Argument> fields;    // of a struct passed by value: scalars, in order

  bool is_struct() const { return !fields.empty(); }
};

struct KernelSpec {
  std::string label;           // the table's name
  std::filesystem::path file;  // the spec; other paths are absolute
  std::string kernel;
  std::filesystem::path source, code, cuda;
  // C++ with a function of the kernel's name and arguments that processes whole arrays; may be
  // empty.
  std::filesystem::path reference;
  std::filesystem::path golden;  // may be empty
  std::vector<std::string> flags;
  Sizes sizes;
  std::vector<Argument> arguments;
  std::vector<Expression> grid, block;  // one to three
  Expression shared;                    // bytes
  std::vector<Expression> invariants;
  Limits limits;  // on hardware resources
  std::uint64_t seed = 1;
  std::string hash;  // of the table and all files that it names, except the golden file

  // The source that golden results belong to: the CUDA source if there is one.
  std::filesystem::path golden_source() const {
    return !cuda.empty() ? cuda : !source.empty() ? source : code;
  }
};

// Errors name file, line and column.
Result<std::vector<KernelSpec>> read_specs(const std::filesystem::path& file);
// The same from text; files that it names are searched beside `file`.
Result<std::vector<KernelSpec>> parse_specs(std::string_view text,
                                            const std::filesystem::path& file);

// A first spec for every kernel of a source, as TOML. Comments mark what was guessed.
Result<std::string> initial_specs(const std::filesystem::path& source);

struct LaunchShape {
  Dim3 grid, block;
  unsigned shared_bytes = 0;
};
// `wave`: the lanes of the device's waves.
Result<LaunchShape> launch_shape(const KernelSpec& spec, unsigned wave);
// Inputs and outputs before the launch, by name.
Result<std::map<std::string, Values>> initial_values(const KernelSpec& spec, unsigned wave,
                                                     std::uint64_t seed);

}  // namespace hipwright::verify
