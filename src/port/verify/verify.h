// SPDX-License-Identifier: MIT
// A port is compiled before anybody trusts it: every translation unit for every target. Errors of
// known kinds are repaired in the port itself; what remains is told in the compiler's words.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "base/source.h"
#include "port/port.h"

namespace hipwright::port {

struct VerifyOptions {
  Mode mode = Mode::kDual;
  std::vector<std::string> archs;  // as `hipwright cc --arch` takes them; empty: its own choice
  ProgressOutput progress;
};

struct CompileError {
  std::string path;  // of the tree, or where the compiler says
  Position position;
  std::string text;
};

struct Unit {
  std::string path;
  bool compiles = false;
  std::vector<CompileError> errors;
  // A header that neither the tree nor this machine has, and what it belongs to. Such a unit is
  // neither right nor wrong.
  std::string missing_header, missing_library;

  bool is_checked() const { return missing_library.empty(); }
};

struct Verified {
  std::vector<Unit> units;  // by path
  std::size_t repairs = 0;

  std::size_t compiling() const;
  std::size_t failing() const;
  std::size_t not_checked() const;
};

// The repairs become changes of `ported`. An error means that nothing could be compiled at all.
Result<Verified> compile_and_repair(Ported& ported, const VerifyOptions& options);

// "12 of 14 files compile …", each missing library once, then the errors that remain.
std::string text_of(const Verified& verified);

}  // namespace hipwright::port
