// SPDX-License-Identifier: MIT
// A pass is one file, passes/<phase>/<name>.cpp, with the pages of its codes next to it and a
// fixture in tests/port/passes/<name>. It reads one file of the tree, or the tree as a whole, adds
// changes and reports what it could not change. The file defines one function with its own name in
// hipwright::port::passes, from which the build generates the list of all passes (`tools/new pass`
// writes all of it):
//
//   void apply(SourceContext& context) { … context.rename(at, "hipMalloc", "HP201"); … }
//   Pass names() {
//     return {.codes = {"HP201", "HP202"}, .after = {"project_rules"}, .cuda = apply};
//   }
//
// Code shared by several passes is in source/, python/, build/, wave/ and ptx/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "port/code_id.h"
#include "port/options.h"
#include "port/project_names.h"

namespace hipwright::port {

class AmdSupport;
class PythonContext;
class PythonLayout;
class SourceContext;
struct Ported;
struct PortedFile;
struct PythonNeeds;

// A build file or a script, read as text.
struct TextContext {
  const Options& options;
  const Tree& tree;
  const AmdSupport& amd;
  PortedFile& file;
};

// The whole tree, after the passes over its files.
struct TreeContext {
  const Options& options;
  Ported& ported;
  const PythonLayout& layout;
  const std::vector<PythonNeeds>& needs;  // of each file of `ported`
};

struct Pass {
  std::vector<CodeId> codes;  // all that it may emit; their first digit is the phase
  // Passes over the same file that come first, or later: names. The order of all passes follows
  // from these; where they leave it open, phase and name decide.
  std::vector<std::string_view> after = {}, before = {};

  // Its inputs. A pass may have several of the first four.
  void (*cuda)(SourceContext& context) = nullptr;    // CUDA and C++
  void (*python)(PythonContext& context) = nullptr;  // Python modules
  void (*setup)(PythonContext& context) = nullptr;   // setup.py
  void (*text)(TextContext& context) = nullptr;      // files of `language`
  Language language = Language::kOther;
  void (*tree)(TreeContext& context) = nullptr;
  // Files outside the tree, on disk; not part of a plan.
  void (*outside_tree)(Ported& ported) = nullptr;

  std::string_view source = {};  // "source/names.cpp"; set by all_passes()
  std::string_view name = {};    // "names"; set by all_passes()

  Phase phase() const { return codes.front().phase(); }
  bool may_emit(std::string_view code) const;
  std::string files() const;  // "CUDA C++, Python"
};

// All passes, in the order in which they are run.
const std::vector<Pass>& all_passes();
const Pass* find_pass(std::string_view name);

// In the order given by `after` and `before`. Errors name the passes of a cycle, duplicate names,
// and unknown names.
Result<std::vector<Pass>> in_order(std::vector<Pass> passes);

// Steps after the passes also emit codes.
struct LaterStep {
  std::string_view name;  // "isolation"
  std::vector<CodeId> codes;
  bool may_emit(std::string_view code) const;
};
const std::vector<LaterStep>& later_steps();

}  // namespace hipwright::port
