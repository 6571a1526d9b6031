// SPDX-License-Identifier: MIT
#include "trace/compare/compare.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "trace/report/text.h"

namespace hipwright::trace {

namespace {

using Key = std::pair<std::string, std::string>;

// AMD's and NVIDIA's libraries have operations of their own for the same work; some also take the
// bias.
struct CommonOp {
  std::string name, shapes;
};
CommonOp common_op(const Trace& trace, const OpUse& op) {
  CommonOp out{trace.text(op.name), shapes_text(trace, op)};
  for (const std::string_view library : {"miopen_", "cudnn_"}) {
    const std::size_t at = out.name.find(library);
    if (at == std::string::npos) continue;
    out.name.erase(at, library.size());
    std::size_t third = 0;  // where the shape after input and weight begins
    for (int shape = 0; shape < 3 && third != std::string::npos; ++shape)
      third = out.shapes.find('[', third + (shape == 0 ? 0 : 1));
    const std::size_t type = out.shapes.rfind("] ");
    if (third != std::string::npos && type != std::string::npos && third < type)
      out.shapes.erase(third, type + 2 - third);
    break;
  }
  return out;
}

// Adds the uses of one trace to the pairs.
class Pairs {
 public:
  void operations(const Trace& trace, const Summary& summary, bool is_a) {
    for (const OpUse& op : summary.ops) {
      const auto [name, shapes] = common_op(trace, op);
      Pair& pair = at(name, shapes, op.category);
      add(pair, is_a, op.calls, op.gpu);
      std::string& kernel = is_a ? pair.kernel_a : pair.kernel_b;
      if (kernel.empty() && !op.names.empty()) kernel = short_name(trace.text(op.names.front()));
    }
  }
  void kernels(const Trace& trace, const Summary& summary, bool is_a) {
    for (const KernelUse& kernel : summary.kernels)
      add(at(short_name(trace.text(kernel.name)), "", kernel.category), is_a, kernel.count,
          kernel.sum);
  }
  std::vector<Pair> sorted() {
    std::vector<Pair> out;
    for (auto& [key, pair] : pairs_) out.push_back(std::move(pair));
    std::ranges::stable_sort(out, std::ranges::greater(),
                             [](const Pair& pair) { return std::abs(pair.difference()); });
    return out;
  }

 private:
  Pair& at(const std::string& name, const std::string& shapes, Category category) {
    Pair& pair = pairs_[{name, shapes}];
    if (pair.name.empty()) pair = {.name = name, .shapes = shapes, .category = category};
    return pair;
  }
  static void add(Pair& pair, bool is_a, std::size_t count, Nanoseconds time) {
    Side& side = is_a ? pair.a : pair.b;
    side.count += count;
    side.time += time;
  }
  std::map<Key, Pair> pairs_;
};

Nanoseconds time_in_ops(const Summary& summary) {
  Nanoseconds sum = 0;
  for (const OpUse& op : summary.ops) sum += op.gpu;
  return sum;
}

bool mostly_in_ops(const Summary& summary) {
  Nanoseconds all = 0;
  for (const KernelUse& kernel : summary.kernels) all += kernel.sum;
  return all > 0 && time_in_ops(summary) * 2 > all;
}

}  // namespace

Comparison compare(const Trace& a, const Summary& summary_a, const Trace& b,
                   const Summary& summary_b) {
  Comparison out{.file_a = summary_a.file,
                 .file_b = summary_b.file,
                 .device_a = summary_a.device,
                 .device_b = summary_b.device};
  out.span_a = summary_a.span;
  out.span_b = summary_b.span;
  out.busy_a = summary_a.busy;
  out.busy_b = summary_b.busy;
  for (const Category category : all_categories())
    if (summary_a.of(category).events + summary_b.of(category).events > 0)
      out.steps.push_back({std::string(title_of(category)), summary_a.exclusive(category),
                           summary_b.exclusive(category)});
  out.steps.push_back({"launch overhead", summary_a.idle.launch, summary_b.idle.launch});
  out.steps.push_back({"other idle time", summary_a.idle.total - summary_a.idle.launch,
                       summary_b.idle.total - summary_b.idle.launch});
  std::ranges::stable_sort(out.steps, std::ranges::greater(),
                           [](const Step& step) { return std::abs(step.difference()); });
  out.by_operation = mostly_in_ops(summary_a) && mostly_in_ops(summary_b);
  Pairs pairs;
  if (out.by_operation) {
    pairs.operations(a, summary_a, true);
    pairs.operations(b, summary_b, false);
  } else {
    pairs.kernels(a, summary_a, true);
    pairs.kernels(b, summary_b, false);
    out.notes.push_back(
        "compared by kernel name: in one of the traces most kernels belong to no operation");
  }
  out.pairs = pairs.sorted();
  std::size_t common = 0;
  for (const Pair& pair : out.pairs) common += pair.a.count > 0 && pair.b.count > 0 ? 1 : 0;
  if (common * 4 < out.pairs.size())
    out.notes.push_back(
        "less than a quarter of the rows is in both traces: is it the same workload?");
  for (const auto* summary : {&summary_a, &summary_b})
    if (!summary->is_complete)
      out.notes.push_back(summary->file + ": incomplete; see `hipwright trace summary`");
  return out;
}

}  // namespace hipwright::trace
