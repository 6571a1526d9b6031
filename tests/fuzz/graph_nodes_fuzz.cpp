// SPDX-License-Identifier: MIT
// A node of any operator with any inputs and attributes, as bytes choose: an error, or results of
// the inferred types, by the reference code and by the kernel library.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "graph/execute/execute.h"
#include "graph/op.h"

using namespace hipwright;
using namespace hipwright::graph;

namespace {

constexpr std::array kTypes = {ElementType::kF32,  ElementType::kI64,  ElementType::kF16,
                               ElementType::kI32,  ElementType::kBool, ElementType::kF64,
                               ElementType::kBF16, ElementType::kU8,   ElementType::kI8,
                               ElementType::kU64,  ElementType::kE4M3, ElementType::kString};
constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
// The last ones are too large for any result.
constexpr std::array<std::int64_t, 16> kIntegers = {
    0,      1,          2,     3,        4, -1, -2, 5, 7, -3, -kMost, std::int64_t{1} << 31,
    kLeast, kLeast + 1, kMost, kMost - 1};
constexpr std::array kFloats = {0.0,
                                1.0,
                                -1.0,
                                0.5,
                                2.0,
                                3.0,
                                1e30,
                                -1e30,
                                1e-40,
                                -0.0,
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
constexpr std::array kAttributes = {"axis",
                                    "axes",
                                    "keepdims",
                                    "perm",
                                    "to",
                                    "alpha",
                                    "beta",
                                    "auto_pad",
                                    "pads",
                                    "strides",
                                    "dilations",
                                    "kernel_shape",
                                    "group",
                                    "mode",
                                    "transA",
                                    "transB",
                                    "epsilon",
                                    "num_outputs",
                                    "start",
                                    "end",
                                    "allowzero",
                                    "batch_dims",
                                    "upper",
                                    "value",
                                    "value_ints",
                                    "value_float",
                                    "value_int",
                                    "noop_with_empty_axes",
                                    "ceil_mode",
                                    "is_causal",
                                    "direction",
                                    "reduction",
                                    "num_groups",
                                    "exclusive",
                                    "reverse",
                                    "fmod",
                                    "scale",
                                    "count_include_pad",
                                    "select_last_index",
                                    "approximate",
                                    "saturate",
                                    "storage_order",
                                    "blocksize",
                                    "q_num_heads",
                                    "kv_num_heads",
                                    "softcap",
                                    "largest",
                                    "sorted"};
constexpr std::array kWords = {
    "",       "constant", "reflect", "edge", "wrap", "SAME_UPPER", "SAME_LOWER",
    "VALID",  "NOTSET",   "add",     "mul",  "max",  "min",        "none",
    "linear", "nearest",  "cubic",   "DCR",  "CRD",  "tanh",       "LEFT"};

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::size_t pick(std::size_t limit) {
    if (at_ >= bytes_.size()) return 0;
    return static_cast<unsigned char>(bytes_[at_++]) % limit;
  }
  template <class List>
  auto of(const List& list) {
    return list[pick(list.size())];
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

Dims dims_from(Bytes& bytes) {
  static constexpr std::array<std::int64_t, 8> kSizes = {2, 1, 3, 4, 0, 2, 8, 5};
  Dims dims(bytes.pick(6));
  for (std::int64_t& each : dims) each = bytes.of(kSizes);
  return dims;
}

Tensor tensor_from(Bytes& bytes) {
  const ElementType type = bytes.of(kTypes);
  const Dims dims = dims_from(bytes);
  const auto count = static_cast<std::size_t>(*count_elements(dims));
  if (is_integer(type) || type == ElementType::kBool) {
    std::vector<Integer> values(count);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 16); ++i) {
      values[i] = bytes.of(kIntegers);
      // 255 as a size would be allowed, and slow.
      if (size_of(type) < 4) values[i] &= 7;
    }
    return tensor_of_integers(type, dims, values);
  }
  if (!is_float(type)) return raw_tensor(type, dims, "");
  std::vector<double> values(count);
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 16); ++i) values[i] = bytes.of(kFloats);
  return tensor_of(type, dims, values);
}

Attribute attribute_from(Bytes& bytes) {
  const std::size_t count = bytes.pick(7);
  switch (bytes.pick(6)) {
    case 0:
      return bytes.of(kIntegers);
    case 1: {
      std::vector<std::int64_t> list(count);
      for (std::int64_t& each : list) each = bytes.of(kIntegers);
      return list;
    }
    case 2:
      return static_cast<float>(bytes.of(kFloats));
    case 3:
      return std::string(bytes.of(kWords));
    case 4:
      return std::vector<float>(count, static_cast<float>(bytes.of(kFloats)));
    default:
      return tensor_from(bytes);
  }
}

bool is_of(const Tensor& tensor, const Type& type) {
  if (type.element != ElementType::kUndefined && type.element != tensor.type) return false;
  if (!type.shape) return true;
  if (type.shape->size() != tensor.dims.size()) return false;
  for (std::size_t i = 0; i < tensor.dims.size(); ++i)
    if ((*type.shape)[i].is_known() && (*type.shape)[i].size != tensor.dims[i]) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes({reinterpret_cast<const char*>(data), size});
  Graph graph;
  const Operator& op = bytes.of(all_operators());
  graph.opsets[""] = 13 + static_cast<std::int64_t>(bytes.pick(11));
  graph.opsets[std::string(kOwnDomain)] = 1;
  Node node{.op = std::string(op.name), .domain = std::string(op.domain)};
  std::vector<Tensor> inputs;
  const std::size_t count = bytes.pick(op.least_inputs + 3);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t how = bytes.pick(8);
    if (how == 7) {
      node.inputs.push_back(kNoValue);
    } else if (how > 3 && i > 0) {
      node.inputs.push_back(graph.add_constant("c", tensor_from(bytes)));
    } else {
      inputs.push_back(tensor_from(bytes));
      Type type{inputs.back().type, shape_of(inputs.back().dims)};
      if (how == 3) type.shape.reset();
      node.inputs.push_back(graph.add_value("x", std::move(type)));
      graph.inputs.push_back(node.inputs.back());
    }
  }
  for (std::size_t i = bytes.pick(5); i-- > 0;) {
    const char* const name = bytes.of(kAttributes);
    node.attributes.insert_or_assign(name, attribute_from(bytes));
  }
  for (std::size_t i = 0, outputs = 1 + bytes.pick(4) / 2; i < outputs; ++i) {
    node.outputs.push_back(graph.add_value("y"));
    graph.outputs.push_back(node.outputs.back());
  }
  graph.nodes.push_back(node);
  if (!check(graph) || !infer_types(graph)) return 0;
  const auto expected = run(graph, inputs, {.uses_library = false});
  const auto actual = run(graph, inputs);
  HW_ASSERT(expected.has_value() == actual.has_value());
  if (!expected) {
    HW_ASSERT(!expected.error().why.empty());
    return 0;
  }
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    HW_ASSERT(is_of(expected->outputs[i], *graph.type(graph.outputs[i])));
    HW_ASSERT(difference(expected->outputs[i], actual->outputs[i]).is_same_type);
  }
  return 0;
}
