// SPDX-License-Identifier: MIT
#include "graph/onnx/onnx.h"

#include <filesystem>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "graph/onnx/schema.h"
#include "graph/onnx/wire.h"

namespace hipwright::graph {
namespace {

using onnx::MessageWriter;
using testing::HasSubstr;

Graph small_model() {
  Graph graph;
  graph.name = "small";
  graph.opsets[""] = 21;
  const ValueId x = graph.add_value("x", {ElementType::kF32, Shape{Dim("batch"), Dim(2)}});
  const ValueId w = graph.add_constant("w", tensor_of(ElementType::kBF16, {2, 2}, {1, 2, -3, 0.5}));
  const ValueId cast = graph.add_value("w32", {ElementType::kF32, Shape{2, 2}});
  const ValueId y = graph.add_value("y", {ElementType::kF32, Shape{Dim("batch"), Dim(2)}});
  graph.inputs = {x};
  graph.outputs = {y};
  graph.nodes.push_back({"Cast", "", "widen", {w}, {cast}, {{"to", std::int64_t{1}}}});
  graph.nodes.push_back({"MatMul", "", "product", {x, cast}, {y}, {}});
  return graph;
}

std::string error_of(const std::string& model) {
  const auto read = onnx::parse_model(model, "m.onnx");
  return read ? "" : read.error().message();
}

TEST(Onnx, WhatIsWrittenReadsTheSame) {
  const Graph graph = small_model();
  ASSERT_TRUE(check(graph));
  const auto read = onnx::parse_model(onnx::model_bytes(graph), "m.onnx");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(graph_text(*read), graph_text(graph));
  EXPECT_EQ(*read->constant(*read->find_value("w")), *graph.constant(*graph.find_value("w")));
}

// Until version 3 every initializer had to be an input; since version 4 that is a default value,
// which the caller could have replaced.
TEST(Onnx, InputsWithADefaultValueAreConstants) {
  Graph graph = small_model();
  graph.inputs.push_back(*graph.find_value("w"));
  for (const std::int64_t version : {3, 4, 10}) {
    graph.ir_version = version;
    const auto read = onnx::parse_model(onnx::model_bytes(graph), "m.onnx");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(read->inputs.size(), 1U) << version;
    EXPECT_EQ(read->notes.empty(), version == 3) << version;
  }
}

TEST(Onnx, AttributesOfEveryTypeReadTheSame) {
  Graph graph = small_model();
  graph.nodes[0].attributes = {
      {"a", std::int64_t{-5}},           {"b", 0.25F},
      {"c", std::string("text")},        {"d", std::vector<std::int64_t>{1, -2}},
      {"e", std::vector<float>{1, 2.5}}, {"f", std::vector<std::string>{"p", "q"}},
      {"g", int64_tensor({2}, {7, 8})},
  };
  const auto read = onnx::parse_model(onnx::model_bytes(graph), "m.onnx");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->nodes[0].attributes, graph.nodes[0].attributes);
}

TEST(Onnx, NodesAreOrderedAndCyclesNamed) {
  Graph graph = small_model();
  std::swap(graph.nodes[0], graph.nodes[1]);
  const auto read = onnx::parse_model(onnx::model_bytes(graph), "m.onnx");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->nodes[0].op, "Cast");
  graph.nodes[1].inputs = {*graph.find_value("y")};
  EXPECT_THAT(error_of(onnx::model_bytes(graph)), HasSubstr("cycle"));
}

TEST(Onnx, EveryPrefixIsAnErrorOrAModel) {
  const std::string bytes = onnx::model_bytes(small_model());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto read = onnx::parse_model(bytes.substr(0, size), "m.onnx");
    if (!read) {
      EXPECT_THAT(read.error().message(), HasSubstr("m.onnx"));
    }
  }
}

TEST(Onnx, ErrorsNameWhatIsInvalid) {
  Graph graph = small_model();
  graph.opsets[""] = 12;
  EXPECT_EQ(error_of(onnx::model_bytes(graph)),
            "cannot read the model 'm.onnx': unsupported model 'small': opset 12; supported are 13 "
            "to 23. Export it with another opset, or convert it with onnx.version_converter.");
  graph = small_model();
  graph.outputs.push_back(graph.add_value("nothing"));
  EXPECT_THAT(error_of(onnx::model_bytes(graph)), HasSubstr("nothing defines this output"));
  graph = small_model();
  graph.nodes[1].inputs[1] = graph.add_value("ghost");
  EXPECT_THAT(error_of(onnx::model_bytes(graph)), HasSubstr("'ghost' is not defined"));
  graph = small_model();
  graph.nodes.push_back(graph.nodes.back());
  EXPECT_THAT(error_of(onnx::model_bytes(graph)), HasSubstr("'y' is defined before"));
  EXPECT_THAT(error_of("not a model"), HasSubstr("invalid"));
  EXPECT_THAT(error_of(""), HasSubstr("no graph"));
}

// A tensor with these fields.
std::string tensor(const std::vector<std::int64_t>& dims, std::int64_t type,
                   const std::string& raw) {
  MessageWriter out;
  for (const std::int64_t dim : dims) out.integer(onnx::tensor_field::kDims, dim);
  out.integer(onnx::tensor_field::kDataType, type);
  out.bytes(onnx::tensor_field::kRawData, raw);
  return out.take();
}

TEST(Onnx, TensorsWithoutTheirBytesAreErrors) {
  const auto why = [](const std::string& bytes) {
    const auto read = onnx::parse_tensor(bytes, "t.pb");
    return read ? "" : read.error().message();
  };
  EXPECT_EQ(why(tensor({2}, 1, std::string(8, '\0'))), "");
  EXPECT_THAT(why(tensor({2}, 1, "1234")), HasSubstr("needs 8 bytes, but there are 4"));
  EXPECT_THAT(why(tensor({-1}, 1, "1234")), HasSubstr("negative"));
  EXPECT_THAT(why(tensor({std::int64_t{1} << 62, 4}, 1, "")), HasSubstr("2^40"));
  EXPECT_THAT(why(tensor({0, std::int64_t{1} << 62}, 1, "")), HasSubstr("2^40"));
  EXPECT_THAT(why(tensor({1}, 99, "1")), HasSubstr("type 99 is unsupported"));
  EXPECT_THAT(why(tensor({1}, 8, "")), HasSubstr("strings are unsupported"));
}

TEST(Onnx, NumbersMayBeInTypedFields) {
  MessageWriter out;
  out.integer(onnx::tensor_field::kDims, 2);
  out.integer(onnx::tensor_field::kDataType, static_cast<int>(ElementType::kF16));
  out.integer(onnx::tensor_field::kInt32Data, 0x3c00);
  out.integer(onnx::tensor_field::kInt32Data, 0xc000);
  const auto read = onnx::parse_tensor(out.text(), "t.pb");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_THAT(floats_of(*read), testing::ElementsAre(1, -2));
}

// A graph with one value, of a shape with one dimension.
std::string model_with_dim(const std::function<void(MessageWriter&)>& write_dim) {
  MessageWriter dim, shape, tensor_type, type, value, graph, opset, model;
  write_dim(dim);
  shape.message(onnx::shape_field::kDim, dim);
  tensor_type.integer(onnx::tensor_type::kElement, static_cast<int>(ElementType::kF32));
  tensor_type.message(onnx::tensor_type::kShape, shape);
  type.message(onnx::type_field::kTensor, tensor_type);
  value.bytes(onnx::value_field::kName, "x");
  value.message(onnx::value_field::kType, type);
  graph.message(onnx::graph_field::kInput, value);
  graph.message(onnx::graph_field::kOutput, value);
  opset.integer(onnx::opset::kVersion, 21);
  model.message(onnx::model::kGraph, graph);
  model.message(onnx::model::kOpsetImport, opset);
  return model.take();
}

TEST(Onnx, ExportersWriteUnknownDimensionsInOtherWays) {
  const auto shape_of_x = [](const std::function<void(MessageWriter&)>& write_dim) {
    const auto read = onnx::parse_model(model_with_dim(write_dim), "m.onnx");
    return read ? to_string(*read->values[read->inputs[0]].type.shape) : read.error().message();
  };
  const auto number = [](std::int64_t size) {
    return [=](MessageWriter& dim) { dim.integer(onnx::dim_field::kValue, size); };
  };
  const auto symbol = [](const char* name) {
    return [=](MessageWriter& dim) { dim.bytes(onnx::dim_field::kParam, name); };
  };
  EXPECT_EQ(shape_of_x(number(3)), "[3]");
  EXPECT_EQ(shape_of_x(number(-1)), "[?]");
  EXPECT_THAT(shape_of_x(number(-2)), HasSubstr("a dimension is negative"));
  EXPECT_EQ(shape_of_x(symbol("batch")), "[batch]");
  EXPECT_EQ(shape_of_x(symbol("?")), "[?]");
}

class ExternalData : public testing::Test {
 protected:
  // The model, with its weight in `location`.
  std::string error_for(const std::string& location, std::uint64_t offset, std::uint64_t length) {
    MessageWriter external, weight, graph, opset, model;
    const auto entry = [&](const std::string& key, const std::string& value) {
      MessageWriter each;
      each.bytes(onnx::entry::kKey, key);
      each.bytes(onnx::entry::kValue, value);
      weight.message(onnx::tensor_field::kExternalData, each);
    };
    weight.integer(onnx::tensor_field::kDims, 4);
    weight.integer(onnx::tensor_field::kDataType, 1);
    weight.bytes(onnx::tensor_field::kName, "w");
    weight.integer(onnx::tensor_field::kDataLocation, 1);
    entry("location", location);
    entry("offset", std::to_string(offset));
    entry("length", std::to_string(length));
    graph.message(onnx::graph_field::kInitializer, weight);
    model.message(onnx::model::kGraph, graph);
    const auto path = directory_->path() / "model" / "m.onnx";
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(write_file_atomic(path, model.text()));
    const auto read = onnx::read_model(path);
    return read ? "" : read.error().message();
  }
  Result<TemporaryDirectory> directory_ = TemporaryDirectory::create();
};

TEST_F(ExternalData, IsReadBelowTheModelOnly) {
  const auto root = directory_->path();
  ASSERT_TRUE(write_file_atomic(root / "secret", std::string(64, 's')));
  std::filesystem::create_directories(root / "model" / "sub");
  ASSERT_TRUE(write_file_atomic(root / "model" / "sub" / "w.bin", std::string(32, '\0')));
  std::filesystem::create_symlink(root / "secret", root / "model" / "link");
  EXPECT_EQ(error_for("sub/w.bin", 16, 16), "");
  EXPECT_THAT(error_for("sub/w.bin", 24, 16), HasSubstr("the file 32"));
  EXPECT_THAT(error_for("sub/w.bin", ~std::uint64_t{0}, 16), HasSubstr("the file 32"));
  EXPECT_THAT(error_for("sub/w.bin", 0, 8), HasSubstr("the tensor has 16"));
  EXPECT_THAT(error_for("../secret", 0, 16), HasSubstr("leaves the directory"));
  EXPECT_THAT(error_for("sub/../../secret", 0, 16), HasSubstr("leaves the directory"));
  EXPECT_THAT(error_for((root / "secret").string(), 0, 16), HasSubstr("absolute"));
  EXPECT_THAT(error_for("link", 0, 16), HasSubstr("a link leaves"));
  EXPECT_THAT(error_for("missing", 0, 16), HasSubstr("No such file"));
  EXPECT_THAT(error_for("", 0, 16), HasSubstr("no file is named"));
}

TEST_F(ExternalData, LargeWeightsAreWrittenBesideTheModel) {
  Graph graph = small_model();
  graph.nodes[1].inputs[1] = graph.add_constant(
      "large", tensor_of(ElementType::kF32, {2, 1024}, std::vector<double>(2048, 0.5)));
  graph.values[graph.outputs[0]].type.shape->back() = Dim(1024);
  const auto path = directory_->path() / "m.onnx";
  ASSERT_TRUE(onnx::write_model(graph, path, 100));
  EXPECT_EQ(std::filesystem::file_size(directory_->path() / "m.onnx.data"), 8192U);
  EXPECT_LT(std::filesystem::file_size(path), 1000U);
  const auto read = onnx::read_model(path);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(graph_text(*read), graph_text(graph));
}

TEST(GraphPicture, HasEveryNodeAndEdge) {
  const std::string dot = graph_dot(small_model());
  EXPECT_THAT(dot, HasSubstr("n1 [label=\"MatMul\"]"));
  EXPECT_THAT(dot, HasSubstr("n0 -> n1 [label=\"f32[2, 2]\"]"));
}

}  // namespace
}  // namespace hipwright::graph
