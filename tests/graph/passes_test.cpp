// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "graph/decoder.h"
#include "graph/onnx/onnx.h"
#include "graph/optimize/optimize.h"
#include "graph/random_graph.h"
#include "paths.h"

namespace hipwright::graph {
namespace {

std::string random_bytes(std::uint64_t seed) {
  std::string bytes;
  for (int i = 0; i < 400; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    bytes += static_cast<char>(seed >> 56);
  }
  return bytes;
}

Graph random_graph(std::uint64_t seed) {
  const std::string bytes = random_bytes(seed);
  Graph graph = RandomGraph(bytes).make();
  EXPECT_TRUE(check(graph));
  const Status typed = infer_types(graph);
  EXPECT_TRUE(typed) << typed.error().message();
  return graph;
}

void expect_equivalent(const Graph& original, const OptimizeOptions& options, std::uint64_t seed) {
  Graph optimized = original;
  const auto summary = optimize(optimized, options);
  ASSERT_TRUE(summary) << seed << ": " << summary.error().message() << graph_text(original);
  const auto accuracy = compare_graphs(original, optimized, *summary, 1);
  ASSERT_TRUE(accuracy) << seed << ": " << accuracy.error().message() << graph_text(optimized);
  EXPECT_TRUE(accuracy->passes) << seed << ": " << accuracy->relative << " of " << accuracy->allowed
                                << "\n"
                                << graph_text(original) << graph_text(optimized);
}

TEST(Passes, RandomGraphsStayTheSameAtEveryLevel) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed)
    for (const Level level : {Level::kConservative, Level::kBalanced, Level::kAggressive})
      expect_equivalent(random_graph(seed), {level, "", {}}, seed);
}

TEST(Passes, EachPassAloneKeepsRandomGraphsTheSame) {
  for (const Pass& pass : all_passes()) {
    OptimizeOptions options{Level::kAggressive, "gfx942", {}};
    for (const Pass& other : all_passes())
      if (other.name != pass.name) options.skips.emplace_back(other.name);
    for (std::uint64_t seed = 1; seed <= 25; ++seed)
      expect_equivalent(random_graph(seed), options, seed);
  }
}

TEST(Passes, EveryPassChangesSomeRandomGraph) {
  std::map<std::string, std::size_t> counts;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Graph graph = random_graph(seed);
    const auto summary = optimize(graph, {Level::kAggressive, "gfx942", {}});
    ASSERT_TRUE(summary) << summary.error().message();
    for (const AppliedPass& each : summary->optimizations_applied)
      counts[std::string(each.pass)] += each.nodes.size();
  }
  // These have tests of their own: random graphs have no convolutions and no grouped heads; what a
  // pattern leaves behind is removed with it.
  for (const Pass& pass : all_passes()) {
    if (pass.name == "conv_batch_norm" || pass.name == "repeat_kv" || pass.name == "dead_code")
      continue;
    EXPECT_GT(counts[std::string(pass.name)], 0U) << pass.name;
  }
}

// The model that the documentation uses. HIPWRIGHT_WRITE_FIXTURES=1 writes it anew.
TEST(Decoder, TheFixtureIsThisModel) {
  const auto path = tests_folder() / "fixtures/graph/decoder.onnx";
  const std::string bytes = onnx::model_bytes(Decoder().make(2));
  if (std::getenv("HIPWRIGHT_WRITE_FIXTURES") != nullptr)
    ASSERT_TRUE(write_file_atomic(path, bytes));
  const auto fixture = read_file(path);
  ASSERT_TRUE(fixture);
  EXPECT_EQ(*fixture, bytes);
}

TEST(Decoder, EveryPartIsFused) {
  const Graph original = Decoder().make(2);
  Graph graph = original;
  const auto summary = optimize(graph, {Level::kAggressive, "", {}});
  ASSERT_TRUE(summary) << summary.error().message();
  const auto by_op = size_of_graph(graph).by_op;
  EXPECT_EQ(by_op.at("hipwright.Attention"), 2U) << graph_text(graph);
  EXPECT_EQ(by_op.at("hipwright.AddRMSNormalization"), 4U);
  EXPECT_EQ(by_op.at("hipwright.RMSNormalization"), 1U);
  EXPECT_EQ(by_op.at("hipwright.SiluMul"), 2U);
  EXPECT_EQ(by_op.at("Split"), 4U);  // of queries, keys and values; of gate and up
  EXPECT_EQ(by_op.at("MatMul"), 8U);
  EXPECT_FALSE(by_op.contains("Expand"));
  const auto accuracy = compare_graphs(original, graph, *summary, 2);
  ASSERT_TRUE(accuracy);
  EXPECT_TRUE(accuracy->passes) << accuracy->relative;
}

TEST(Passes, UnknownPassesAndTargetsAreErrors) {
  Graph graph = random_graph(1);
  EXPECT_FALSE(optimize(graph, {Level::kBalanced, "", {"no_such_pass"}}));
  EXPECT_FALSE(optimize(graph, {Level::kBalanced, "gfx1", {}}));
}

TEST(Passes, MatrixCoresAreUsedWhereTheTargetHasThem) {
  Graph graph;
  graph.opsets[""] = 18;
  const ValueId x = graph.add_value("x", {ElementType::kF32, Shape{2, 4}});
  const ValueId w =
      graph.add_constant("w", tensor_of(ElementType::kF32, {4, 4}, std::vector<double>(16, 0.5)));
  const ValueId y = graph.add_value("y");
  graph.inputs = {x};
  graph.outputs = {y};
  graph.nodes.push_back({"MatMul", "", "product", {x, w}, {y}, {}});
  const auto uses = [&](const char* architecture, Level level) {
    Graph copy = graph;
    const auto summary = optimize(copy, {level, architecture, {}});
    EXPECT_TRUE(summary);
    return summary->matrix_cores_enabled;
  };
  EXPECT_TRUE(uses("gfx942", Level::kAggressive));
  EXPECT_FALSE(uses("gfx942", Level::kBalanced));
  EXPECT_FALSE(uses("gfx1030", Level::kAggressive));
}

// softmax(q kᵀ) v with heads that share keys and values, as exporters write it.
// x, transposed by each of `perms`.
Graph transposed(std::optional<Shape> shape, const std::vector<std::vector<std::int64_t>>& perms) {
  Graph graph;
  graph.opsets[""] = 18;
  ValueId last = graph.add_value("x", {ElementType::kF32, std::move(shape)});
  graph.inputs = {last};
  for (const auto& perm : perms) {
    const ValueId next = graph.add_value("y");
    graph.nodes.push_back({"Transpose", "", "", {last}, {next}, {{"perm", perm}}});
    last = next;
  }
  graph.outputs = {last};
  return graph;
}

TEST(Passes, TransposesMayCountAxesFromTheEnd) {
  for (const auto& perms : std::vector<std::vector<std::vector<std::int64_t>>>{
           {{-1, 0}}, {{-1, 0}, {0, -1}}, {{-1, 0, 1}, {0, -1, -2}}, {{-3, -2, -1}, {2, 0, 1}}}) {
    const Graph original = transposed(perms[0].size() == 2 ? Shape{2, 3} : Shape{2, 3, 4}, perms);
    expect_equivalent(original, {Level::kConservative, "", {}}, 0);
  }
}

TEST(Passes, AxesThatNoTensorHasAreErrorsWhereNoShapeIsKnown) {
  for (const std::vector<std::int64_t>& perm :
       std::vector<std::vector<std::int64_t>>{{1000000000, 0}, {-3, 0}, {1, 1}}) {
    Graph graph = transposed(std::nullopt, {{1, 0}, perm});
    const auto summary = optimize(graph, {Level::kConservative, "", {}});
    ASSERT_FALSE(summary);
    EXPECT_THAT(summary.error().message(), testing::HasSubstr("axis"));
  }
}

TEST(Passes, GroupedHeadsAreReadUnrepeated) {
  Graph graph;
  graph.opsets[""] = 18;
  const auto constant = [&](Dims dims, std::vector<std::int64_t> values) {
    return graph.add_constant("c", int64_tensor(std::move(dims), values));
  };
  const auto node = [&](const char* op, std::vector<ValueId> inputs,
                        std::map<std::string, Attribute, std::less<>> attributes = {}) {
    const ValueId out = graph.add_value(op);
    graph.nodes.push_back({op, "", op, std::move(inputs), {out}, std::move(attributes)});
    return out;
  };
  const auto input = [&](const char* name, std::int64_t heads) {
    graph.inputs.push_back(graph.add_value(name, {ElementType::kF32, Shape{2, heads, 3, 4}}));
    return graph.inputs.back();
  };
  const auto repeated = [&](ValueId x) {
    const ValueId five = node("Unsqueeze", {x, constant({1}, {2})});
    const ValueId wide = node("Expand", {five, constant({5}, {2, 2, 3, 3, 4})});
    return node("Reshape", {wide, constant({4}, {2, 6, 3, 4})});
  };
  const ValueId q = input("q", 6), k = repeated(input("k", 2)), v = repeated(input("v", 2));
  const ValueId keys = node("Transpose", {k}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
  const ValueId scores = node("Softmax", {node("MatMul", {q, keys})}, {{"axis", std::int64_t{-1}}});
  graph.outputs = {node("MatMul", {scores, v})};
  const Graph original = graph;
  const auto summary = optimize(graph, {Level::kBalanced, "", {}});
  ASSERT_TRUE(summary) << summary.error().message();
  EXPECT_EQ(graph.nodes.size(), 1U) << graph_text(graph);
  EXPECT_EQ(op_text(graph.nodes[0]), "hipwright.Attention");
  const auto accuracy = compare_graphs(original, graph, *summary, 2);
  ASSERT_TRUE(accuracy) << accuracy.error().message();
  EXPECT_TRUE(accuracy->passes) << accuracy->relative;
}

TEST(Passes, BatchNormsAreFoldedIntoConvolutions) {
  Graph graph;
  graph.opsets[""] = 18;
  const auto parameter = [&](Dims dims, double start) {
    std::vector<double> values;
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count *= dim;
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(start + 0.25 * static_cast<double>(i % 7));
    return graph.add_constant("p", tensor_of(ElementType::kF32, std::move(dims), values));
  };
  const ValueId x = graph.add_value("x", {ElementType::kF32, Shape{1, 2, 5, 5}});
  const ValueId mid = graph.add_value("mid"), y = graph.add_value("y");
  graph.inputs = {x};
  graph.outputs = {y};
  graph.nodes.push_back({"Conv", "", "conv", {x, parameter({3, 2, 3, 3}, -1)}, {mid}, {}});
  graph.nodes.push_back(
      {"BatchNormalization",
       "",
       "norm",
       {mid, parameter({3}, 0.5), parameter({3}, -1), parameter({3}, 0.1), parameter({3}, 0.75)},
       {y},
       {}});
  const Graph original = graph;
  const auto summary = optimize(graph, {Level::kConservative, "", {}});
  ASSERT_TRUE(summary) << summary.error().message();
  EXPECT_EQ(graph.nodes.size(), 1U);
  const auto accuracy = compare_graphs(original, graph, *summary, 2);
  ASSERT_TRUE(accuracy);
  EXPECT_TRUE(accuracy->passes) << accuracy->relative;
}

}  // namespace
}  // namespace hipwright::graph
