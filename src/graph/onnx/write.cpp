// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/file.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/schema.h"
#include "graph/onnx/wire.h"

namespace hipwright::graph::onnx {

namespace {

// The file beside the model that holds its weights.
struct DataFile {
  std::string name;
  std::string bytes;
};
constexpr std::size_t kLeastOutside = 1024;  // smaller tensors stay in the model
constexpr std::size_t kAlignment = 4096;

MessageWriter pair(std::uint32_t key_field, std::string_view key, std::uint32_t value_field,
                   std::string_view value) {
  MessageWriter out;
  out.bytes(key_field, key);
  out.bytes(value_field, value);
  return out;
}

MessageWriter tensor_message(const Tensor& tensor, std::string_view name, DataFile* outside) {
  MessageWriter out;
  for (const std::int64_t dim : tensor.dims) out.integer(tensor_field::kDims, dim);
  out.integer(tensor_field::kDataType, static_cast<std::int64_t>(tensor.type));
  out.bytes(tensor_field::kName, name);
  if (outside == nullptr || tensor.bytes->size() < kLeastOutside) {
    out.bytes(tensor_field::kRawData, *tensor.bytes);
    return out;
  }
  outside->bytes.resize((outside->bytes.size() + kAlignment - 1) / kAlignment * kAlignment);
  const auto entry_of = [&](std::string_view key, std::string_view value) {
    out.message(tensor_field::kExternalData, pair(entry::kKey, key, entry::kValue, value));
  };
  entry_of("location", outside->name);
  entry_of("offset", std::to_string(outside->bytes.size()));
  entry_of("length", std::to_string(tensor.bytes->size()));
  out.integer(tensor_field::kDataLocation, 1);
  outside->bytes += *tensor.bytes;
  return out;
}

MessageWriter attribute_message(const std::string& name, const Attribute& attribute) {
  namespace field = attribute_field;
  MessageWriter out;
  out.bytes(field::kName, name);
  struct Write {
    MessageWriter& to;
    std::int64_t operator()(std::int64_t value) const {
      to.integer(field::kInt, value);
      return attribute_type::kInt;
    }
    std::int64_t operator()(float value) const {
      to.real(field::kFloat, value);
      return attribute_type::kFloat;
    }
    std::int64_t operator()(const std::string& value) const {
      to.bytes(field::kString, value);
      return attribute_type::kString;
    }
    std::int64_t operator()(const std::vector<std::int64_t>& values) const {
      for (const std::int64_t value : values) to.integer(field::kInts, value);
      return attribute_type::kInts;
    }
    std::int64_t operator()(const std::vector<float>& values) const {
      for (const float value : values) to.real(field::kFloats, value);
      return attribute_type::kFloats;
    }
    std::int64_t operator()(const std::vector<std::string>& values) const {
      for (const std::string& value : values) to.bytes(field::kStrings, value);
      return attribute_type::kStrings;
    }
    std::int64_t operator()(const Tensor& value) const {
      to.message(field::kTensor, tensor_message(value, "", nullptr));
      return attribute_type::kTensor;
    }
  };
  out.integer(field::kType, std::visit(Write{out}, attribute));
  return out;
}

MessageWriter node_message(const Graph& graph, const Node& node) {
  MessageWriter out;
  const auto name_of = [&](ValueId id) {
    return id == kNoValue ? std::string_view() : std::string_view(graph.values[id].name);
  };
  for (const ValueId id : node.inputs) out.bytes(node_field::kInput, name_of(id));
  for (const ValueId id : node.outputs) out.bytes(node_field::kOutput, name_of(id));
  if (!node.name.empty()) out.bytes(node_field::kName, node.name);
  out.bytes(node_field::kOpType, node.op);
  if (!node.domain.empty()) out.bytes(node_field::kDomain, node.domain);
  for (const auto& [name, value] : node.attributes)
    out.message(node_field::kAttribute, attribute_message(name, value));
  return out;
}

MessageWriter shape_message(const Shape& shape) {
  MessageWriter out;
  for (const Dim& dim : shape) {
    MessageWriter part;
    if (dim.is_known()) part.integer(dim_field::kValue, dim.size);
    if (!dim.symbol.empty()) part.bytes(dim_field::kParam, dim.symbol);
    out.message(shape_field::kDim, part);
  }
  return out;
}

MessageWriter value_message(const Value& value) {
  MessageWriter tensor, type, out;
  tensor.integer(tensor_type::kElement, static_cast<std::int64_t>(value.type.element));
  if (value.type.shape) tensor.message(tensor_type::kShape, shape_message(*value.type.shape));
  type.message(type_field::kTensor, tensor);
  out.bytes(value_field::kName, value.name);
  out.message(value_field::kType, type);
  return out;
}

MessageWriter graph_message(const Graph& graph, DataFile* outside) {
  MessageWriter out;
  for (const Node& node : graph.nodes) out.message(graph_field::kNode, node_message(graph, node));
  out.bytes(graph_field::kName, graph.name.empty() ? "graph" : graph.name);
  for (const Value& value : graph.values)
    if (value.constant)
      out.message(graph_field::kInitializer, tensor_message(*value.constant, value.name, outside));
  std::vector<bool> is_named(graph.values.size());
  for (const ValueId id : graph.inputs) {
    out.message(graph_field::kInput, value_message(graph.values[id]));
    is_named[id] = true;
  }
  for (const ValueId id : graph.outputs) {
    out.message(graph_field::kOutput, value_message(graph.values[id]));
    is_named[id] = true;
  }
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const Value& value = graph.values[i];
    if (!is_named[i] && !value.constant && value.type.element != ElementType::kUndefined)
      out.message(graph_field::kValueInfo, value_message(value));
  }
  return out;
}

std::string model_message(const Graph& graph, DataFile* outside) {
  MessageWriter out;
  out.integer(model::kIrVersion, graph.ir_version);
  out.bytes(model::kProducerName, "hipwright");
  out.bytes(model::kProducerVersion, HIPWRIGHT_VERSION);
  out.message(model::kGraph, graph_message(graph, outside));
  for (const auto& [domain, version] : graph.opsets) {
    MessageWriter imported;
    imported.bytes(opset::kDomain, domain);
    imported.integer(opset::kVersion, version);
    out.message(model::kOpsetImport, imported);
  }
  for (const auto& [key, value] : graph.metadata)
    out.message(model::kMetadata, pair(entry::kKey, key, entry::kValue, value));
  return out.take();
}

}  // namespace

std::string model_bytes(const Graph& graph) {
  return model_message(graph, nullptr);
}

std::string tensor_bytes(const Tensor& tensor, std::string_view name) {
  return tensor_message(tensor, name, nullptr).take();
}

Status write_model(const Graph& graph, const std::filesystem::path& path,
                   std::uint64_t most_inside) {
  if (graph.constant_bytes() <= most_inside) return write_file_atomic(path, model_bytes(graph));
  DataFile outside{.name = path.filename().string() + ".data", .bytes = {}};
  const std::string model = model_message(graph, &outside);
  HW_CHECK(write_file_atomic(path.parent_path() / outside.name, outside.bytes));
  return write_file_atomic(path, model);
}

}  // namespace hipwright::graph::onnx
