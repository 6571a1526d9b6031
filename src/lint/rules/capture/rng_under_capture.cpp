// SPDX-License-Identifier: MIT
// The state of a random number generator is used during graph capture.
//
// ## What it finds
//
// In code that runs during CUDA graph capture: seeding (`torch.manual_seed`,
// `generator.manual_seed`), reading and writing generator states (`get_rng_state`, `set_rng_state`,
// `fork_rng`), a `generator=` that is not registered with the graph, and random numbers from Python
// or NumPy.
//
// ## Why it matters
//
// Capture replaces the generator's offset with one that each replay advances. Seeding, or reading
// the state, is rejected during capture ("Cannot call …current_seed during CUDA graph capture"). An
// unregistered generator yields the same numbers in every replay, and so do numbers drawn on the
// host: they are constants of the capture.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     torch.manual_seed(0)
//     noise = torch.randn(8, device="cuda", generator=generator)
// ```
//
// ## Use instead
//
// ```python
// torch.manual_seed(0)
// graph.register_generator_state(generator)
// with torch.cuda.graph(graph):
//     noise = torch.randn(8, device="cuda", generator=generator)
// ```
//
// ## When it is not a bug
//
// - `torch.rand`, dropout and similar calls with the default generator: PyTorch handles them.
// - The generator is registered with the graph.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lint/rule.h"
#include "syntax/python/graph_capture.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kRegister("register_generator_state");
const Name kGenerator("generator");
const Name kRandom("random");

constexpr std::array<std::string_view, 9> kStates = {
    "manual_seed",       "manual_seed_all",   "seed_all",     "get_rng_state", "set_rng_state",
    "get_rng_state_all", "set_rng_state_all", "initial_seed", "fork_rng"};

// random.random(), np.random.randn(), numpy.random.…
bool is_of_host(const File& file, TokenRange name) {
  if (name.size() < 3) return false;
  if (file.is(name.begin, kRandom)) return true;
  return (file.is(name.begin, "np") || file.is(name.begin, "numpy")) &&
         file.is(name.begin + 2, kRandom);
}

void look_at(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  const TokenRange name = file.dotted(at);
  const Confidence sure = Confidence::kMedium;
  if (std::ranges::find(kStates, file.text(at)) != kStates.end()) {
    check.report(
        file.span(name), sure,
        fmt::format("{}() is rejected during graph capture; call it before", file.text(at)));
  } else if (is_of_host(file, name)) {
    check.report(file.span(name), Confidence::kMedium,
                 "the host draws this number once, so every replay uses the same");
  } else if (const auto given = file.keyword_argument(at + 1, kGenerator.text());
             given && !file.is(given->begin, "None") && !file.has(kRegister)) {
    check.report(
        file.span(*given), Confidence::kMedium,
        "generator is not registered with the graph; call register_generator_state() first");
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  for (const auto& captured : captured_statements(file)) {
    const StatementIndex index = captured.statement;
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    const TokenRange tokens = file.statements()[index].tokens;
    for (TokenIndex at = tokens.begin; at + 1 < tokens.end; ++at)
      if (file.tokens()[at].kind == Kind::kName && file.is(at + 1, "(")) look_at(check, at);
  }
}

}  // namespace

Rule rng_under_capture() {
  return {.code = "HW605",
          .name = "rng-under-capture",
          .summary = "random generator state used during graph capture",
          .severity = Severity::kError,
          .triggers = capture_words(),
          .python = find};
}

}  // namespace hipwright::lint::rules
