// SPDX-License-Identifier: MIT
#include "graph/op.h"

#include <filesystem>

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

}  // namespace
}  // namespace hipwright::graph
