// SPDX-License-Identifier: MIT
// Whether AMD gets to see a place.
#pragma once

#include <optional>

#include "lint/engine.h"
#include "lint/source_kind.h"
#include "syntax/build/project.h"

namespace hipwright::lint::like {

// By the conditions around it alone: #if lines, Python's branches.
std::vector<syntax::Truth> on_amd_by_conditions(std::string_view text, Language language,
                                                const std::vector<std::size_t>& offsets);

// By build lists and includes of the whole project, which are read when first asked for.
class BuiltFacts {
 public:
  explicit BuiltFacts(const Options& options) : options_(options) {}
  syntax::Truth on_amd(std::string_view project_path);

 private:
  void read();

  const Options& options_;
  std::optional<syntax::build::Project> project_;
};

}  // namespace hipwright::lint::like
