// SPDX-License-Identifier: MIT
// Matrix values that no row defines.
//
// ## What it finds
//
// `matrix.KEY` in a job whose matrix does not define the key, or that has no matrix.
//
// ## Why it matters
//
// The value is the empty string: a build without targets, or a job on no runner.
//
// ## Example
//
// ```yaml
// strategy:
//   matrix:
//     gfx: [gfx942, gfx1100]
// steps:
//   - run: make ARCH=${{ matrix.arch }}
// ```
//
// ## Use instead
//
// ```yaml
//   - run: make ARCH=${{ matrix.gfx }}
// ```
//
// ## When it is not a bug
//
// - A matrix that another job computes is not checked.
#include <vector>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

using syntax::yaml::Kind;

// False where the keys cannot be known.
bool add_keys(const File& file, const Node* node, std::vector<std::string>& keys) {
  if (node == nullptr) return true;
  if (node->kind == Kind::kScalar) return false;
  if (node->kind == Kind::kSequence) {
    for (const Node* item : file.items(node))
      if (!add_keys(file, item, keys)) return false;
    return true;
  }
  for (const auto& entry : node->entries)
    keys.push_back(lowered(file.yaml().node(entry.key).value));
  return true;
}

void find(WorkflowCheck& check) {
  for (const Placed& placed : check.file.expressions()) {
    if (placed.job == nullptr) continue;
    std::vector<std::string> keys;
    const Node* matrix = placed.job->matrix;
    if (!add_keys(check.file, matrix, keys) ||
        !add_keys(check.file, check.file.get(matrix, "include"), keys))
      continue;
    for (const Reference& reference : placed.parsed.references) {
      if (reference.context() != "matrix" || reference.path.size() < 8) continue;
      const std::string key = reference.path.substr(7, reference.path.find('.', 7) - 7);
      if (key == "*" || is_any(key, keys)) continue;
      check.report(source_span(*placed.node, {placed.span.begin + reference.span.begin,
                                              placed.span.begin + reference.span.end}),
                   Confidence::kHigh,
                   matrix == nullptr ? "this job has no matrix"
                                     : fmt::format("no row of the matrix defines '{}'", key));
    }
  }
}

}  // namespace

Rule unknown_matrix_key() {
  return {.code = "HC107",
          .name = "unknown-matrix-key",
          .summary = "matrix values that no row defines",
          .severity = Severity::kWarning,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
