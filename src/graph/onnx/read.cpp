// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "graph/onnx/onnx.h"
#include "graph/onnx/schema.h"
#include "graph/onnx/tensor.h"
#include "graph/onnx/wire.h"

namespace hipwright::graph::onnx {

namespace {

// What is not known is not read: documentation, quantization annotations, training information.
class ModelReader {
 public:
  explicit ModelReader(const std::filesystem::path& directory) : external_(directory) {}
  Result<Graph> read(std::string_view message);

 private:
  Status read_opset(std::string_view message);
  Status read_entry(std::string_view message);
  Status read_graph(std::string_view message);
  Status read_initializer(std::string_view message);
  Result<ValueId> read_value(std::string_view message);
  Result<Type> read_type(std::string_view message);
  Result<Shape> read_shape(std::string_view message);
  Status read_node(std::string_view message);
  Status read_attribute(std::string_view message, Node& node);
  Status check_opsets() const;
  ValueId value(std::string_view name);
  void drop_constant_inputs();

  Graph graph_;
  ExternalData external_;
  std::unordered_map<std::string, ValueId> names_;
};

ValueId ModelReader::value(std::string_view name) {
  if (name.empty()) return kNoValue;
  const auto [found, is_new] =
      names_.emplace(std::string(name), static_cast<ValueId>(graph_.values.size()));
  if (is_new) graph_.values.push_back({std::string(name), {}, {}});
  return found->second;
}

Status ModelReader::read_opset(std::string_view message) {
  MessageReader reader(message);
  std::string domain;
  std::int64_t version = 0;
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number == opset::kDomain) domain = field.bytes;
    if (field.number == opset::kVersion) version = static_cast<std::int64_t>(field.bits);
  }
  graph_.opsets[domain == "ai.onnx" ? "" : domain] = version;
  return {};
}

Status ModelReader::read_entry(std::string_view message) {
  MessageReader reader(message);
  std::string key, text;
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number == entry::kKey) key = field.bytes;
    if (field.number == entry::kValue) text = field.bytes;
  }
  graph_.metadata[key] = text;
  return {};
}

Result<Shape> ModelReader::read_shape(std::string_view message) {
  Shape shape;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number != shape_field::kDim) continue;
    Dim dim;
    MessageReader parts(field.bytes);
    while (!parts.at_end()) {
      HW_TRY(const Field part, parts.next());
      if (part.number == dim_field::kValue) {
        dim.size = static_cast<std::int64_t>(part.bits);
        // Some exporters write what they do not know as -1.
        if (dim.size < -1) return fail("invalid shape", "", "a dimension is negative");
      }
      // And some call everything that they do not know "?".
      if (part.number == dim_field::kParam && part.bytes != "?") dim.symbol = part.bytes;
    }
    shape.push_back(dim.is_known() ? Dim(dim.size) : dim);
  }
  return shape;
}

Result<Type> ModelReader::read_type(std::string_view message) {
  Type type;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number > 9) continue;
    if (field.number != type_field::kTensor)
      return fail("unsupported type", "", "only tensors are supported");
    MessageReader parts(field.bytes);
    while (!parts.at_end()) {
      HW_TRY(const Field part, parts.next());
      if (part.number == tensor_type::kElement)
        type.element =
            part.bits > 255 ? ElementType::kUndefined : static_cast<ElementType>(part.bits);
      if (part.number == tensor_type::kShape) {
        HW_TRY(Shape shape, read_shape(part.bytes));
        type.shape = std::move(shape);
      }
    }
  }
  return type;
}

Result<ValueId> ModelReader::read_value(std::string_view message) {
  MessageReader reader(message);
  std::string name;
  Type type;
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    if (field.number == value_field::kName) name = field.bytes;
    if (field.number != value_field::kType) continue;
    auto read = read_type(field.bytes);
    if (!read) return fail("cannot read the value", name, read.error().message());
    type = *std::move(read);
  }
  if (name.empty()) return fail("invalid graph", "", "a value has no name");
  const ValueId id = value(name);
  if (!graph_.values[id].constant) graph_.values[id].type = std::move(type);
  return id;
}

Status ModelReader::read_initializer(std::string_view message) {
  HW_TRY(NamedTensor read, read_tensor(message, external_));
  if (read.name.empty()) return fail("invalid graph", "", "an initializer has no name");
  Value& value_of = graph_.values[value(read.name)];
  if (value_of.constant) return fail("invalid graph", read.name, "two initializers have this name");
  value_of.type = {read.tensor.type, shape_of(read.tensor.dims)};
  value_of.constant = std::move(read.tensor);
  return {};
}

Status ModelReader::read_attribute(std::string_view message, Node& node) {
  std::string name, text;
  std::int64_t type = 0, integer = 0;
  float number = 0;
  std::vector<float> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  std::string_view tensor;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    switch (field.number) {
      case attribute_field::kName:
        name = field.bytes;
        break;
      case attribute_field::kType:
        type = static_cast<std::int64_t>(field.bits);
        break;
      case attribute_field::kInt:
        integer = static_cast<std::int64_t>(field.bits);
        break;
      case attribute_field::kString:
        text = field.bytes;
        break;
      case attribute_field::kTensor:
        tensor = field.bytes;
        break;
      case attribute_field::kInts:
        HW_CHECK(append_varints(field, integers));
        break;
      case attribute_field::kFloats:
        HW_CHECK(append_floats(field, numbers));
        break;
      case attribute_field::kStrings:
        texts.emplace_back(field.bytes);
        break;
      case attribute_field::kFloat: {
        std::vector<float> one;
        HW_CHECK(append_floats(field, one));
        if (!one.empty()) number = one.back();
        break;
      }
      default:
        break;
    }
  }
  Attribute& out = node.attributes[name];
  switch (type) {
    case attribute_type::kFloat:
      out = number;
      return {};
    case attribute_type::kInt:
      out = integer;
      return {};
    case attribute_type::kString:
      out = std::move(text);
      return {};
    case attribute_type::kFloats:
      out = std::move(numbers);
      return {};
    case attribute_type::kInts:
      out = std::move(integers);
      return {};
    case attribute_type::kStrings:
      out = std::move(texts);
      return {};
    case attribute_type::kTensor: {
      HW_TRY(NamedTensor read, read_tensor(tensor, external_));
      out = std::move(read.tensor);
      return {};
    }
    default:
      return fail("unsupported attribute", name,
                  type == attribute_type::kGraph
                      ? std::string("subgraphs (If, Loop, Scan) are unsupported")
                      : fmt::format("attribute type {} is unsupported", type));
  }
}

Status ModelReader::read_node(std::string_view message) {
  Node node;
  std::vector<std::string_view> attributes;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    switch (field.number) {
      case node_field::kInput:
        node.inputs.push_back(value(field.bytes));
        break;
      case node_field::kOutput:
        node.outputs.push_back(value(field.bytes));
        break;
      case node_field::kName:
        node.name = field.bytes;
        break;
      case node_field::kOpType:
        node.op = field.bytes;
        break;
      case node_field::kDomain:
        node.domain = field.bytes == "ai.onnx" ? "" : field.bytes;
        break;
      case node_field::kAttribute:
        attributes.push_back(field.bytes);
        break;
      default:
        break;
    }
  }
  for (const std::string_view attribute : attributes)
    if (const Status read = read_attribute(attribute, node); !read)
      return fail("cannot read the node", node_text(node), read.error().message());
  graph_.nodes.push_back(std::move(node));
  return {};
}

Status ModelReader::read_graph(std::string_view message) {
  // Inputs and types first: initializers may have the same names.
  MessageReader reader(message);
  std::vector<std::string_view> initializers;
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    switch (field.number) {
      case graph_field::kNode:
        HW_CHECK(read_node(field.bytes));
        break;
      case graph_field::kName:
        graph_.name = field.bytes;
        break;
      case graph_field::kInitializer:
        initializers.push_back(field.bytes);
        break;
      case graph_field::kInput: {
        HW_TRY(const ValueId id, read_value(field.bytes));
        graph_.inputs.push_back(id);
        break;
      }
      case graph_field::kOutput: {
        HW_TRY(const ValueId id, read_value(field.bytes));
        graph_.outputs.push_back(id);
        break;
      }
      case graph_field::kValueInfo:
        HW_CHECK(read_value(field.bytes));
        break;
      case graph_field::kSparseInitializer:
        return fail("unsupported graph", graph_.name, "sparse initializers are unsupported");
      default:
        break;
    }
  }
  for (const std::string_view initializer : initializers) HW_CHECK(read_initializer(initializer));
  return {};
}

// An input with an initializer is an input with a default value.
void ModelReader::drop_constant_inputs() {
  std::erase_if(graph_.inputs, [&](ValueId id) {
    if (!graph_.values[id].constant) return false;
    if (graph_.ir_version >= 4)
      graph_.notes.push_back(fmt::format("input '{}' has a default value and is now a constant",
                                         graph_.values[id].name));
    return true;
  });
}

Status ModelReader::check_opsets() const {
  const std::int64_t opset = graph_.opset("");
  if (opset >= kLeastOpset && opset <= kMostOpset) return {};
  const bool uses_it =
      std::ranges::any_of(graph_.nodes, [](const Node& node) { return node.domain.empty(); });
  if (opset == 0 && !uses_it) return {};
  return fail("unsupported model", graph_.name,
              opset == 0
                  ? std::string("no opset of the default domain is imported")
                  : fmt::format("opset {}; supported are {} to {}", opset, kLeastOpset, kMostOpset),
              "Export it with another opset, or convert it with onnx.version_converter.");
}

Result<Graph> ModelReader::read(std::string_view message) {
  bool has_graph = false;
  MessageReader reader(message);
  while (!reader.at_end()) {
    HW_TRY(const Field field, reader.next());
    switch (field.number) {
      case model::kIrVersion:
        graph_.ir_version = static_cast<std::int64_t>(field.bits);
        break;
      case model::kOpsetImport:
        HW_CHECK(read_opset(field.bytes));
        break;
      case model::kMetadata:
        HW_CHECK(read_entry(field.bytes));
        break;
      case model::kGraph:
        if (has_graph) return fail("invalid model", "", "it has two graphs");
        has_graph = true;
        HW_CHECK(read_graph(field.bytes));
        break;
      default:
        break;
    }
  }
  if (!has_graph) return fail("invalid model", "", "it has no graph", "Is it an ONNX file?");
  HW_CHECK(check_opsets());
  drop_constant_inputs();
  HW_CHECK(sort_nodes(graph_));
  HW_CHECK(check(graph_));
  return std::move(graph_);
}

}  // namespace

Result<Graph> parse_model(std::string_view bytes, const std::string& origin,
                          const std::filesystem::path& directory) {
  auto graph = ModelReader(directory).read(bytes);
  if (graph) return graph;
  Error inner = std::move(graph).error();
  std::string fix = std::exchange(inner.fix, {});
  return fail("cannot read the model", origin, inner.message(), std::move(fix));
}

Result<Graph> read_model(const std::filesystem::path& path) {
  HW_TRY(const std::string bytes, read_file(path));
  const std::filesystem::path directory = path.parent_path();
  return parse_model(bytes, path.string(), directory.empty() ? "." : directory);
}

}  // namespace hipwright::graph::onnx
