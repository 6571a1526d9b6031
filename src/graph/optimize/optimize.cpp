// SPDX-License-Identifier: MIT
#include "graph/optimize/optimize.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "arch/arch.h"
#include "arch/target.h"
#include "graph/execute/execute.h"
#include "graph/op.h"

namespace hipwright::graph {

namespace {

// Passes enable each other; a graph that changes more often than this is a bug.
constexpr int kMostRounds = 8;
// Those from here on run once, at the end.
constexpr unsigned kLast = 800;

class Optimizer {
 public:
  Optimizer(Graph& graph, const OptimizeOptions& options, bool matrix_cores)
      : graph_(graph), options_(options), matrix_cores_(matrix_cores) {
    if (matrix_cores) context_.low_precision = ElementType::kBF16;
  }

  Result<std::vector<AppliedPass>> run() {
    for (int round = 0; round < kMostRounds; ++round) {
      bool changes = false;
      for (const Pass& pass : all_passes()) {
        if (pass.order >= kLast) continue;
        HW_TRY(const bool changed, run_pass(pass));
        changes |= changed;
      }
      if (!changes) break;
    }
    for (const Pass& pass : all_passes())
      if (pass.order >= kLast) HW_CHECK(run_pass(pass));
    return std::move(applied_);
  }

 private:
  Result<bool> run_pass(const Pass& pass) {
    if (!is_included(pass, options_.level, matrix_cores_) ||
        std::ranges::find(options_.skips, pass.name) != options_.skips.end())
      return false;
    HW_TRY(Applied applied, checked(pass));
    if (applied.count() == 0) return false;
    // What a pattern leaves behind must not keep others from matching.
    if (pass.name != "dead_code") HW_CHECK(find_pass("dead_code")->apply(graph_, context_));
    auto found = std::ranges::find(applied_, pass.name, &AppliedPass::pass);
    if (found == applied_.end())
      found = applied_.insert(applied_.end(), AppliedPass{pass.name, {}, pass.tolerance});
    std::ranges::move(applied.nodes, std::back_inserter(found->nodes));
    return true;
  }

  Result<Applied> checked(const Pass& pass) {
    auto applied = pass.apply(graph_, context_);
    Status valid;
    if (applied && applied->count() != 0) {
      valid = check(graph_);
      if (valid) valid = infer_types(graph_);
    }
    const Error* error = !applied ? &applied.error() : !valid ? &valid.error() : nullptr;
    if (error == nullptr) return applied;
    return fail("cannot optimize the model", std::string(pass.name), error->message(),
                fmt::format("Omit the pass: --skip {}", pass.name));
  }

  Graph& graph_;
  const OptimizeOptions& options_;
  bool matrix_cores_;
  PassContext context_;
  std::vector<AppliedPass> applied_;
};

}  // namespace

Result<bool> has_matrix_cores(std::string_view architecture) {
  if (architecture.empty()) return false;
  HW_TRY(const arch::Target target, arch::parse_target(architecture));
  return target.info->matrix.value != arch::MatrixUnit::kNone;
}

bool is_included(const Pass& pass, Level level, bool matrix_cores) {
  return pass.level <= level && (matrix_cores || !pass.needs_matrix_cores);
}

GraphSize size_of_graph(const Graph& graph) {
  GraphSize size{
      .nodes = graph.nodes.size(), .constant_bytes = graph.constant_bytes(), .by_op = {}};
  for (const Node& node : graph.nodes) ++size.by_op[op_text(node)];
  return size;
}

Result<Summary> optimize(Graph& graph, const OptimizeOptions& options) {
  for (const std::string& name : options.skips)
    if (find_pass(name) == nullptr)
      return fail("unknown pass", name, "", "List them: hipwright optimize --passes");
  HW_TRY(const bool matrix_cores, has_matrix_cores(options.architecture));
  Summary summary{.level = options.level, .architecture = options.architecture};
  summary.before = size_of_graph(graph);
  graph.opsets[kOwnDomain] = 1;
  HW_CHECK(infer_types(graph));
  HW_TRY(summary.optimizations_applied, Optimizer(graph, options, matrix_cores).run());
  graph.compact();
  if (std::ranges::none_of(graph.nodes, [](const Node& node) { return node.domain == kOwnDomain; }))
    graph.opsets.erase(kOwnDomain);
  HW_CHECK(check(graph));
  summary.after = size_of_graph(graph);
  summary.matrix_cores_enabled = std::ranges::any_of(
      summary.optimizations_applied,
      [](const AppliedPass& each) { return find_pass(each.pass)->needs_matrix_cores; });
  return summary;
}

Result<Accuracy> compare_graphs(const Graph& original, const Graph& optimized,
                                const Summary& summary, unsigned seeds) {
  Accuracy accuracy{.passes = true};
  // Each pass may round differently; what follows amplifies it.
  for (const AppliedPass& each : summary.optimizations_applied) accuracy.allowed += each.tolerance;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    HW_TRY(const auto inputs, random_inputs(original, seed));
    HW_TRY(const RunResult expected, run(original, inputs, {.uses_library = false}));
    HW_TRY(const RunResult actual, run(optimized, inputs, {.uses_library = false}));
    for (std::size_t i = 0; i < expected.outputs.size(); ++i) {
      const Difference each = difference(expected.outputs[i], actual.outputs[i]);
      accuracy.relative = std::max(accuracy.relative, each.relative);
      accuracy.absolute = std::max(accuracy.absolute, each.absolute);
      accuracy.passes &= each.is_same_type && !each.has_other_specials;
    }
  }
  accuracy.passes &= accuracy.relative <= accuracy.allowed;
  return accuracy;
}

Shapes gemm_shapes(const Graph& graph) {
  Shapes out{.csv = "M,N,K,bias,dtype,outdtype,scaleAB,bpreshuffle\n"};
  std::vector<std::string> seen;
  for (const Node& node : graph.nodes) {
    if (node.op != "MatMul" && node.op != "Linear" && node.op != "Gemm") continue;
    const Type &a = graph.values[node.input(0)].type, &b = graph.values[node.input(1)].type;
    const auto left = a.shape ? dims_of(*a.shape) : std::nullopt;
    const auto right = b.shape ? dims_of(*b.shape) : std::nullopt;
    if (!left || !right || right->size() != 2 || left->empty()) {
      ++out.unknown;
      continue;
    }
    const bool is_gemm = node.op == "Gemm";
    const bool flips_a = is_gemm && node.integer("transA", 0) != 0;
    const bool flips_b = is_gemm && node.integer("transB", 0) != 0;
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < left->size(); ++i) rows *= (*left)[i];
    const std::int64_t m = flips_a ? left->back() : rows;
    const std::string type = a.element == ElementType::kBF16  ? "torch.bfloat16"
                             : a.element == ElementType::kF16 ? "torch.float16"
                                                              : "torch.float32";
    const std::string row = fmt::format("{},{},{},{},{},{},False,False\n", m,
                                        (*right)[flips_b ? 0 : 1], (*right)[flips_b ? 1 : 0],
                                        node.input(2) == kNoValue ? "False" : "True", type, type);
    if (std::ranges::find(seen, row) != seen.end()) continue;
    seen.push_back(row);
    out.csv += row;
    ++out.count;
  }
  return out;
}

}  // namespace hipwright::graph
