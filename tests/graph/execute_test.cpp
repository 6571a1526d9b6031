// SPDX-License-Identifier: MIT
#include "graph/execute/execute.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "graph/decoder.h"
#include "graph/op.h"
#include "graph/optimize/optimize.h"

namespace hipwright::graph {
namespace {

using List = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

// Values between -1 and 1, without a pattern.
Tensor numbers(Dims dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  std::vector<double> values;
  std::uint64_t state = static_cast<std::uint64_t>(count) + 7;
  for (std::int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    values.push_back(static_cast<double>(state >> 40) / (1 << 23) - 1);
  }
  return tensor_of(ElementType::kF32, std::move(dims), values);
}

struct NodeCase {
  const char* op;
  std::vector<Tensor> inputs;
  Attributes attributes = {};
};
Graph graph_of(const NodeCase& each) {
  Graph graph;
  graph.opsets = {{"", 23}, {kOwnDomain, 1}};
  const bool is_own = find_operator("", each.op) == nullptr;
  Node node{each.op, is_own ? kOwnDomain : "", "it", {}, {}, each.attributes};
  for (const Tensor& input : each.inputs)
    node.inputs.push_back(input.bytes ? graph.add_constant("in", input) : kNoValue);
  node.outputs = {graph.add_value("out")};
  graph.outputs = node.outputs;
  graph.nodes.push_back(std::move(node));
  return graph;
}

// Every form of every operation that the library computes.
std::vector<NodeCase> library_cases() {
  const Tensor x = numbers({3, 5, 64}), row = numbers({64});
  const Tensor q = numbers({2, 6, 5, 16}), k = numbers({2, 6, 7, 16}), v = numbers({2, 6, 7, 16});
  const Tensor shared_k = numbers({2, 2, 7, 16}), shared_v = numbers({2, 2, 7, 8});
  const Tensor image = numbers({2, 4, 9, 7});
  const auto relu = [] { return Attributes{{"activation", std::string("relu")}}; };
  return {
      {"Add", {x, x}},
      {"Add", {x, row}},
      {"Add", {numbers({1, 64}), x}},
      {"Relu", {x}},
      {"Silu", {x}},
      {"Gelu", {x}},
      {"Gelu", {x}, {{"approximate", std::string("tanh")}}},
      {"Softmax", {x}},
      {"RMSNormalization", {x, row}},
      {"LayerNormalization", {x, row, row}},
      {"AddRMSNormalization", {x, x, row}},
      {"AddLayerNormalization", {x, x, row, row}},
      {"SiluMul", {x, x}},
      {"GeluMul", {x, x}},
      {"Gather", {numbers({9, 12}), int64_tensor({2, 3}, {0, 8, 3, 3, 1, 0})}},
      {"MatMul", {x, numbers({64, 10})}},
      {"MatMul", {numbers({2, 3, 4, 6}), numbers({2, 3, 6, 5})}},
      {"MatMul", {numbers({2, 3, 4, 6}), numbers({1, 1, 6, 5})}},
      {"Linear", {x, numbers({64, 10}), numbers({10})}},
      {"Linear", {x, numbers({64, 10}), numbers({10})}, relu()},
      {"Linear", {x, numbers({64, 10})}, {{"activation", std::string("gelu_tanh")}}},
      {"Gemm", {numbers({4, 6}), numbers({6, 5}), numbers({5})}},
      {"Gemm",
       {numbers({6, 4}), numbers({5, 6}), numbers({4, 5})},
       {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 0.5F}}},
      {"Attention", {q, k, v}},
      {"Attention", {q, q, q}, {{"is_causal", std::int64_t{1}}, {"scale", 0.3F}}},
      {"Attention", {q, shared_k, shared_v}},
      {"Attention", {q, k, v, numbers({2, 1, 1, 7})}},
      {"Attention", {q, k, v, numbers({5, 7})}},
      {"Attention", {q, k, v, numbers({2, 6, 5, 7})}},
      {"Attention", {q, k, v, numbers({1, 6, 1, 7})}},
      {"Attention", {q, shared_k, shared_v, numbers({2, 1, 5, 7})}},
      {"Attention", {q, shared_k, shared_v, numbers({2, 6, 1, 7})}},
      {"Conv", {image, numbers({6, 4, 3, 3}), numbers({6})}},
      {"Conv", {image, numbers({6, 4, 1, 1})}},
      {"Conv",
       {image, numbers({6, 2, 3, 2}), numbers({6})},
       {{"group", std::int64_t{2}}, {"strides", List{2, 3}}, {"pads", List{1, 2, 0, 1}}}},
      {"Conv",
       {image, numbers({4, 1, 3, 3})},
       {{"group", std::int64_t{4}}, {"dilations", List{2, 2}}, {"pads", List{2, 2, 2, 2}}}},
      {"Conv", {numbers({2, 4, 9}), numbers({3, 4, 3}), numbers({3})}, {{"pads", List{1, 1}}}},
      {"GlobalAveragePool", {image}},
  };
}

class OnDevice : public testing::TestWithParam<const char*> {};

TEST_P(OnDevice, TheLibraryAgreesWithTheReference) {
  for (const NodeCase& each : library_cases()) {
    const Graph graph = graph_of(each);
    const auto library = run(graph, {}, {.device = GetParam()});
    const auto reference = run(graph, {}, {.uses_library = false});
    ASSERT_TRUE(library) << library.error().message();
    ASSERT_TRUE(reference) << reference.error().message();
    EXPECT_EQ(library->nodes[0].by, RunBy::kLibrary) << graph_text(graph);
    EXPECT_EQ(reference->nodes[0].by, RunBy::kReference);
    const Difference difference_of = difference(reference->outputs[0], library->outputs[0]);
    EXPECT_TRUE(difference_of.is_same_type) << graph_text(graph);
    EXPECT_LT(difference_of.relative, 2e-6) << graph_text(graph);
  }
}

// What the library lacks is computed by reference code, which reads what the device wrote.
TEST_P(OnDevice, AModelRunsWithBothAndIsTheSame) {
  Graph graph = Decoder().make(2);
  const auto inputs = random_inputs(graph, 5);
  ASSERT_TRUE(inputs);
  const auto reference = run(graph, *inputs, {.uses_library = false});
  ASSERT_TRUE(reference) << reference.error().message();
  ASSERT_TRUE(optimize(graph, {Level::kAggressive, "", {}}));
  auto created = Executor::create(graph, {.device = GetParam()});
  ASSERT_TRUE(created) << created.error().message();
  Executor& executor = *created;
  EXPECT_EQ(executor.device(), GetParam());
  for (int i = 0; i < 2; ++i) {
    const auto result = executor.run(*inputs);
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_LT(difference(reference->outputs[0], result->outputs[0]).relative, 1e-5);
    EXPECT_GT(result->count(RunBy::kLibrary), 10U);
    EXPECT_GT(result->count(RunBy::kReference), 0U);
    EXPECT_EQ(result->count(RunBy::kLibrary) + result->count(RunBy::kReference) +
                  result->count(RunBy::kShape),
              graph.nodes.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, OnDevice, testing::Values("cpu", "soft:gfx942"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, ':', '_');
                           return name;
                         });

TEST(Execute, PoolingAgreesWithTheReference) {
  const Attributes window{{"kernel_shape", List{3, 2}},
                          {"strides", List{2, 1}},
                          {"pads", List{1, 0, 1, 1}},
                          {"dilations", List{1, 2}}};
  const Graph graph = graph_of({"MaxPool", {numbers({2, 3, 9, 8})}, window});
  const auto library = run(graph, {}), reference = run(graph, {}, {.uses_library = false});
  ASSERT_TRUE(library && reference);
  EXPECT_EQ(library->nodes[0].by, RunBy::kLibrary);
  EXPECT_TRUE(library->outputs[0] == reference->outputs[0]);
}

// Not even host and device exchange anything.
TEST(Execute, ShapesChangeWithoutCopies) {
  Graph graph;
  graph.opsets[""] = 21;
  graph.inputs = {graph.add_value("x", {ElementType::kF32, Shape{4, 6}})};
  const ValueId relu = graph.add_value("relu"), wide = graph.add_value("wide"),
                out = graph.add_value("out");
  graph.nodes.push_back({"Relu", "", "", {graph.inputs[0]}, {relu}, {}});
  const ValueId shape = graph.add_constant("shape", int64_tensor({1}, {24}));
  graph.nodes.push_back({"Reshape", "", "", {relu, shape}, {wide}, {}});
  graph.nodes.push_back({"Relu", "", "", {wide}, {out}, {}});
  graph.outputs = {out};
  const auto result = run(graph, {numbers({4, 6})}, {.device = "soft:gfx942"});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->nodes[1].by, RunBy::kShape);
  EXPECT_EQ(result->outputs[0].dims, (Dims{24}));
  // The input, a row of zeros for each width, and the result.
  EXPECT_EQ(result->copied_bytes, (24 + 6 + 24 + 24) * sizeof(float));
}

TEST(Execute, UnknownDevicesAreErrors) {
  const Graph graph = graph_of({"Relu", {numbers({3})}});
  const auto result = run(graph, {}, {.device = "soft:gfx1"});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), testing::HasSubstr("gfx1"));
}

TEST(Execute, TheTraceHasEveryNode) {
  const Graph graph = graph_of({"Softmax", {numbers({3, 4})}});
  const auto result = run(graph, {});
  ASSERT_TRUE(result);
  const Json trace = Json::parse(trace_text(*result, "cpu"));
  ASSERT_EQ(trace["traceEvents"].size(), 1U);
  EXPECT_EQ(trace["traceEvents"][0]["name"], "Softmax");
  EXPECT_EQ(trace["traceEvents"][0]["args"]["node"], "Softmax 'it'");
}

// So short that a string holds them in itself, and moves with it.
TEST(Execute, TheLibraryMayReturnAFewBytes) {
  const Graph graph = graph_of({"Softmax", {tensor_of(ElementType::kF32, {1, 3}, {-1, 0, 1})}});
  for (int i = 0; i < 50; ++i) {
    const auto library = run(graph, {}), reference = run(graph, {}, {.uses_library = false});
    ASSERT_TRUE(library && reference);
    ASSERT_LT(difference(reference->outputs[0], library->outputs[0]).relative, 1e-6);
  }
}

TEST(Execute, InputsMustHaveTheDeclaredTypes) {
  Graph graph;
  graph.opsets[""] = 21;
  graph.inputs = {graph.add_value("a", {ElementType::kF32, Shape{Dim("n"), 2}}),
                  graph.add_value("b", {ElementType::kF32, Shape{Dim("n")}})};
  graph.outputs = {graph.inputs[0]};
  const auto why = [&](Dims a, Dims b) {
    const auto result = run(graph, {numbers(std::move(a)), numbers(std::move(b))});
    return result ? "" : result.error().message();
  };
  EXPECT_EQ(why({3, 2}, {3}), "");
  EXPECT_THAT(why({3, 2}, {4}), testing::HasSubstr("n is 4 here and 3"));
  EXPECT_THAT(why({3, 3}, {3}), testing::HasSubstr("'a'"));
  EXPECT_FALSE(run(graph, {numbers({3, 2})}));
}

}  // namespace
}  // namespace hipwright::graph
