// SPDX-License-Identifier: MIT
// `hipwright port` as one pipeline: port, compile and repair, write, verify. Each stage is done at
// most once a round, in this order, and later ones reuse the objects of earlier ones.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "port/compile/compile.h"
#include "port/output/merge.h"
#include "port/port.h"
#include "verify/pyramid.h"

namespace hipwright::verify {

struct FlowOptions {
  port::Options port;
  bool renames = false;  // .cu files become .hip files
  bool compiles = false;
  bool verifies = false;  // compiles, too
  bool fixes = false;     // where verification fails, the linter's safe fixes are tried
  // Where the port goes: to a folder of its own, into the tree itself, or nowhere.
  std::filesystem::path out;
  bool in_place = false;
  bool force = false;      // in place although git has uncommitted changes
  PyramidOptions pyramid;  // its path is the port's
};

// Options that contradict each other, and what to do about it.
Status check(const FlowOptions& options);

struct Round {
  Pyramid pyramid;
  std::string fixes;  // applied after it, as a patch; empty: none
  std::size_t fixed = 0;
};

struct Flow {
  port::Ported ported;
  std::optional<port::CompiledPort> compiled;
  port::Merged merged;                  // with the user's changes in `out`
  std::size_t written_in_place = 0;     // files
  std::vector<std::string> hard_links;  // that writing in place cut
  std::vector<Round> rounds;            // of verification; the last says what is proven

  const Pyramid* proven() const { return rounds.empty() ? nullptr : &rounds.back().pyramid; }
  // Nothing is known to be wrong: no error, no unit that does not compile, no failed check, no
  // merge conflict.
  bool succeeded() const;
  // Nothing that was asked for is unknown: every unit was compiled; of a verification, every check
  // below the numerical level, which needs golden results, was made.
  bool is_checked() const;
};

// A conflict in `out` ends it: what does not build is not verified.
Result<Flow> run_flow(const FlowOptions& options);

}  // namespace hipwright::verify
