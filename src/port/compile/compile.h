// SPDX-License-Identifier: MIT
// Compiles a port: every translation unit for every target. Known kinds of errors are repaired in
// the port itself; the rest is reported with the compiler's messages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "base/source.h"
#include "port/options.h"
#include "port/ported_file.h"
#include "toolchain/compile/unit_compiler.h"

namespace hipwright::port {

struct CompileOptions {
  Mode mode = Mode::kDual;
  ProgressOutput progress;
  std::vector<std::string> ignore = {};  // files of which the build's flags are not read
};

struct CompileError {
  std::string path;  // of the tree, or as the compiler reports it
  Position position;
  std::string text;
};

struct Unit {
  std::string path;
  bool compiles = false;
  std::vector<CompileError> errors;
  // A header that neither the tree nor this machine has, and its library. Such a unit is not
  // checked.
  std::string missing_header, missing_library;

  bool is_checked() const { return missing_library.empty(); }
};

struct CompiledPort {
  std::vector<Unit> units;  // by path
  std::size_t repairs = 0;

  std::size_t compiling() const;
  std::size_t failing() const;
  std::size_t not_checked() const;
};

// The repairs become changes of `ported`. An error means that nothing could be compiled.
Result<CompiledPort> compile_and_repair(Ported& ported, const CompileOptions& options,
                                        toolchain::UnitCompiler& compiler);

// "12 of 14 files compile …", each missing library once, then the errors that remain.
std::string text_of(const CompiledPort& compiled);

}  // namespace hipwright::port
