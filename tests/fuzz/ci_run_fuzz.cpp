// SPDX-License-Identifier: MIT
// What `ci run` reads: expressions, matrices, and the files that steps write. Any bytes are a value
// or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ci/run/evaluate.h"
#include "ci/run/matrix.h"
#include "ci/run/step_files.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const ci::Contexts contexts{
      .values = {{"github", {{"ref", "refs/heads/main"}, {"event", {{"labels", {"a", "b"}}}}}},
                 {"env", {{"A", "1"}}},
                 {"matrix", {{"gfx", "gfx942"}}},
                 {"needs", {{"build", {{"outputs", {{"list", "[1, 2]"}}}}}}}}};
  if (const auto value = ci::evaluate(text, contexts)) (void)ci::as_text(*value);
  (void)ci::holds(text, contexts);
  (void)ci::interpolate(text, contexts);
  if (const auto assignments = ci::read_assignments(text, "env"))
    for (const auto& [name, value] : *assignments) HW_ASSERT(name.size() + value.size() <= size);
  if (const auto matrix = parse_json(text, "matrix"))
    if (const auto rows = ci::matrix_rows(*matrix)) {
      HW_ASSERT(rows->size() <= 256);
      for (const Json& row : *rows) HW_ASSERT(row.is_object());
    }
  return 0;
}
