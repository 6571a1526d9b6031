// SPDX-License-Identifier: MIT
#include "graph/op.h"

#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "graph/execute/execute.h"
#include "graph/onnx/onnx.h"
#include "paths.h"

namespace hipwright::graph {
namespace {

TEST(Operators, NamesAreUnique) {
  const auto& all = all_operators();
  ASSERT_FALSE(all.empty());
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_NE(std::pair(all[i - 1].domain, all[i - 1].name), std::pair(all[i].domain, all[i].name));
}

// Tables of docs/graph-operators.md.
TEST(Operators, ThePageIsUpToDate) {
  const auto page = read_file(tests_folder().parent_path() / "docs/graph-operators.md");
  ASSERT_TRUE(page);
  EXPECT_EQ(*page, operators_page())
      << "write it anew: hipwright run-model --write-docs docs/graph-operators.md";
}

TEST(Operators, UnknownOnesAreNamedWithTheirNode) {
  Graph graph;
  graph.opsets[""] = 21;
  graph.nodes.push_back({"Bogus", "", "layer7", {}, {graph.add_value("y")}, {}});
  const Status typed = infer_types(graph);
  ASSERT_FALSE(typed);
  EXPECT_THAT(typed.error().message(), testing::HasSubstr("Bogus 'layer7'"));
}

// One node with constant inputs.
Graph one_node(const char* op, const std::vector<Tensor>& inputs,
               std::map<std::string, Attribute, std::less<>> attributes = {}) {
  Graph graph;
  graph.opsets[""] = 21;
  Node node{op, "", "it", {}, {}, std::move(attributes)};
  for (const Tensor& input : inputs) node.inputs.push_back(graph.add_constant("in", input));
  node.outputs = {graph.add_value("out")};
  graph.outputs = node.outputs;
  graph.nodes.push_back(std::move(node));
  return graph;
}

std::string error_of(Graph graph) {
  if (const Status typed = infer_types(graph); !typed) return typed.error().message();
  const auto result = run(graph, {});
  return result ? "" : result.error().message();
}

Tensor floats(Dims dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return tensor_of(ElementType::kF32, std::move(dims),
                   std::vector<double>(static_cast<std::size_t>(count), 1));
}

Tensor list(std::vector<std::int64_t> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return int64_tensor({count}, values);
}

using List = std::vector<std::int64_t>;

TEST(Operators, InputsThatDoNotFitAreErrors) {
  const std::int64_t huge = std::int64_t{1} << 60;
  const std::vector<Graph> graphs = {
      one_node("Add", {floats({2}), floats({3})}),
      one_node("Add", {floats({2})}),
      one_node("MatMul", {floats({2, 3}), floats({2, 3})}),
      one_node("MatMul", {floats({}), floats({2, 3})}),
      one_node("Reshape", {floats({2, 3}), list({4, -1})}),
      one_node("Reshape", {floats({2, 3}), list({-1, -1})}),
      one_node("Expand", {floats({1}), list({huge})}),
      one_node("Expand", {floats({1}), list({-2})}),
      one_node("Tile", {floats({2}), list({huge})}),
      one_node("ConstantOfShape", {list({huge, huge})}),
      one_node("Pad", {floats({2}), list({huge, huge})}),
      one_node("Gather", {floats({2}), list({2})}),
      one_node("Gather", {floats({2}), list({-3})}),
      one_node("GatherND", {floats({2}), list({7})}),
      one_node("Slice", {floats({2}), list({0}), list({1}), list({5})}),
      one_node("Slice", {floats({2}), list({0}), list({1}), list({0}), list({0})}),
      one_node("Transpose", {floats({2, 3})}, {{"perm", List{0, 0}}}),
      one_node("Concat", {floats({2}), floats({2, 2})}, {{"axis", std::int64_t{0}}}),
      one_node("Split", {floats({4}), list({3, 3})}),
      one_node("Squeeze", {floats({2}), list({0})}),
      one_node("Unsqueeze", {floats({2}), list({9})}),
      one_node("Softmax", {floats({2})}, {{"axis", std::int64_t{3}}}),
      one_node("Conv", {floats({1, 1, 2, 2}), floats({1, 1, 3, 3})}),
      one_node("Conv", {floats({1, 2, 4, 4}), floats({1, 1, 3, 3})}),
      one_node("Conv", {floats({1, 2, 4, 4}), floats({})}),
      one_node("MaxPool", {floats({1, 1, 4, 4})}, {{"kernel_shape", List{huge, 1}}}),
      one_node("MaxPool", {floats({1, 1, 4, 4})}),
      one_node("Range", {floats({}), floats({}), tensor_of(ElementType::kF32, {}, {0})}),
      one_node("Cast", {floats({2})}, {{"to", std::int64_t{99}}}),
      one_node("Relu", {raw_tensor(ElementType::kE4M3Fnuz, {1}, "x")}),
      one_node("Constant", {}),
  };
  for (const Graph& graph : graphs)
    EXPECT_THAT(error_of(graph), testing::HasSubstr("'it'")) << graph_text(graph);
}

TEST(Operators, PartsBehindOneOfUnknownShapeMustFit) {
  Graph graph = one_node("Concat", {floats({2})}, {{"axis", std::int64_t{0}}});
  const auto add_part = [&](std::optional<Shape> shape) {
    graph.inputs.push_back(graph.add_value("part", {ElementType::kF32, std::move(shape)}));
    graph.nodes[0].inputs.push_back(graph.inputs.back());
  };
  add_part(std::nullopt);
  add_part(Shape{3});
  EXPECT_TRUE(infer_types(graph));
  add_part(Shape{3, 3});
  const Status typed = infer_types(graph);
  ASSERT_FALSE(typed);
  EXPECT_THAT(typed.error().message(), testing::HasSubstr("the parts differ in dimensions"));
}

TEST(Operators, ResultsAreRoundedOnceToTheirType) {
  const Graph graph = one_node("Add", {tensor_of(ElementType::kBF16, {2}, {1, 256}),
                                       tensor_of(ElementType::kBF16, {2}, {0.004, 1})});
  const auto result = run(graph, {}, {.uses_library = false});
  ASSERT_TRUE(result);
  EXPECT_THAT(floats_of(result->outputs[0]), testing::ElementsAre(1.0078125, 256));
}

// 1 2 3 4, to twice and to half the size.
TEST(Operators, ResizeInterpolates) {
  const auto resized = [](double scale, const char* mode, const char* coordinates) {
    const Tensor none = tensor_of(ElementType::kF32, {0}, {});
    const Graph graph = one_node("Resize",
                                 {tensor_of(ElementType::kF32, {1, 4}, {1, 2, 3, 4}), none,
                                  tensor_of(ElementType::kF32, {2}, {1, scale})},
                                 {{"mode", std::string(mode)},
                                  {"nearest_mode", std::string("floor")},
                                  {"coordinate_transformation_mode", std::string(coordinates)}});
    const auto result = run(graph, {});
    return result ? floats_of(result->outputs[0]) : std::vector<double>{};
  };
  using testing::ElementsAre;
  EXPECT_THAT(resized(2, "nearest", "asymmetric"), ElementsAre(1, 1, 2, 2, 3, 3, 4, 4));
  EXPECT_THAT(resized(2, "linear", "half_pixel"),
              ElementsAre(1, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75, 4));
  EXPECT_THAT(resized(0.5, "linear", "half_pixel"), ElementsAre(1.5, 3.5));
  EXPECT_THAT(resized(0.5, "linear", "align_corners"), ElementsAre(1, 4));
  EXPECT_THAT(resized(2, "cubic", "half_pixel"), ElementsAre());
}

TEST(Operators, IntegersAreExactAndWrap) {
  const Graph graph = one_node("Mul", {list({(std::int64_t{1} << 62) + 1, -3}), list({3, 5})});
  const auto result = run(graph, {});
  ASSERT_TRUE(result);
  EXPECT_THAT(int64s_of(result->outputs[0]),
              testing::ElementsAre(-(std::int64_t{1} << 62) + 3, -15));
}

}  // namespace
}  // namespace hipwright::graph
