// SPDX-License-Identifier: MIT
// Whether AMD compiles or runs a place.
#pragma once

#include <optional>

#include "lint/engine.h"
#include "project/build/build_graph.h"
#include "project/language.h"

namespace hipwright::lint::like {

// By the conditions around it alone: #if lines, Python branches.
std::vector<syntax::Truth> on_amd_by_conditions(std::string_view text, project::Language language,
                                                const std::vector<std::size_t>& offsets);

// By build lists and includes of the whole project, which are read on first use.
class BuiltFacts {
 public:
  explicit BuiltFacts(const Options& options) : options_(options) {}
  syntax::Truth on_amd(std::string_view project_path);

 private:
  void read();

  const Options& options_;
  std::optional<project::BuildGraph> project_;
};

}  // namespace hipwright::lint::like
