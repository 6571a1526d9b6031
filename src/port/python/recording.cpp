// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "lint/python/around.h"
#include "lint/python/captured.h"
#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kCompile("compile");
const Name kSynchronize("synchronize");
const std::array kStreams = {Name("Stream"), Name("stream"), Name("ExternalStream"),
                             Name("wait_stream"), Name("set_stream")};

bool compiles(const File& file) {
  const auto at = file.occurrences(kCompile);
  return std::any_of(at.begin(), at.end(), [&](TokenIndex each) {
    return file.compact(file.dotted(each)) == "torch.compile";
  });
}

// A graph and torch.compile in one file: a compilation can begin while the graph is recorded.
void allow_rng(PythonContext& context) {
  if (!compiles(context.file)) return;
  if (context.file.text().find("allow_rng_state_during_capture") != std::string_view::npos) return;
  const bool is_put = context.put_on_import(
      {"if " + std::string(context.gate()) + ":", "    allow_rng_state_during_capture()"},
      {"HP701", Phase::kGraphs, "torch.compile asks for the generator's state"},
      {"allow_rng_state_during_capture"});
  if (!is_put)
    context.tell("HP701", Severity::kWarning,
                 context.file.span(context.file.occurrences(kCompile).front()),
                 "torch.compile asks for the generator's state, which fails on ROCm while a graph "
                 "is recorded: compile before");
}

// torch.cuda.synchronize() waits for everything on the device, also for what another thread
// records. Where only one stream is used, waiting for it is the same.
void wait_for_stream(PythonContext& context, const std::vector<lint::Captured>& recorded) {
  const File& file = context.file;
  for (const TokenIndex at : file.occurrences(kSynchronize)) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || context.is_settled(at) ||
        file.statements()[index].kind != StatementKind::kSimple ||
        file.compact(file.statements()[index].tokens) != "torch.cuda.synchronize()")
      continue;
    if (std::any_of(recorded.begin(), recorded.end(),
                    [&](const lint::Captured& each) { return each.statement == index; }))
      continue;
    // Before the recording of the same function: nothing but the warm-up is waited for.
    const bool is_before = std::any_of(recorded.begin(), recorded.end(), [&](const auto& each) {
      return each.depth == 0 && each.statement > index &&
             file.enclosing_def(each.statement) == file.enclosing_def(index);
    });
    if (!is_before || lint::mentions(file, lint::Scope(file, index), kStreams)) continue;
    context.gate_statement(index, {"torch.cuda.current_stream().synchronize()"},
                           {"HP703", Phase::kGraphs, "only one stream is used here"});
  }
}

}  // namespace

void gate_recording(PythonContext& context) {
  const std::vector<Name> words = lint::capture_words();
  if (std::none_of(words.begin(), words.end(),
                   [&](const Name& each) { return context.file.has(each); }))
    return;
  const std::vector<lint::Captured> recorded = lint::captured_statements(context.file);
  if (recorded.empty()) return;
  allow_rng(context);
  wait_for_stream(context, recorded);
  for (const std::string_view rule : {"HW601", "HW602", "HW603", "HW604", "HW605", "HW606"})
    for (const lint::Reported& each : findings(context, rule))
      if (each.diagnostic.confidence != Confidence::kLow)
        context.tell("HP702", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace hipwright::port
