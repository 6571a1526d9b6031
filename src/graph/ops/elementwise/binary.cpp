// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

// One operation for integers, one for floats; integers wrap around in the type.
struct Arithmetic {
  Integer (*whole)(Integer, Integer, const Node&);
  double (*real)(double, double, const Node&);
};

template <const Arithmetic& arithmetic>
Result<Tensor> apply(const Tensor& a, const Tensor& b, ElementType type, const Node& node) {
  HW_TRY(const Dims dims, broadcast(a.dims, b.dims));
  HW_TRY(const std::size_t count, result_count(dims));
  const std::vector<Dims> strides{broadcast_strides(a.dims, dims), broadcast_strides(b.dims, dims)};
  if (is_float(a.type) || is_float(b.type)) {
    const std::vector<double> x = floats_of(a), y = floats_of(b);
    std::vector<double> out;
    out.reserve(count);
    each_position(dims, strides, [&](const std::int64_t* at) {
      out.push_back(arithmetic.real(x[static_cast<std::size_t>(at[0])],
                                    y[static_cast<std::size_t>(at[1])], node));
    });
    return tensor_of(type, dims, out);
  }
  const std::vector<Integer> x = integers_of(a), y = integers_of(b);
  std::vector<Integer> out;
  out.reserve(count);
  each_position(dims, strides, [&](const std::int64_t* at) {
    out.push_back(arithmetic.whole(x[static_cast<std::size_t>(at[0])],
                                   y[static_cast<std::size_t>(at[1])], node));
  });
  return tensor_of_integers(type, dims, out);
}

Integer add_whole(Integer a, Integer b, const Node&) {
  return a + b;
}
double add_real(double a, double b, const Node&) {
  return a + b;
}
constexpr Arithmetic add_of{add_whole, add_real};
Integer sub_whole(Integer a, Integer b, const Node&) {
  return a - b;
}
double sub_real(double a, double b, const Node&) {
  return a - b;
}
constexpr Arithmetic sub_of{sub_whole, sub_real};
Integer mul_whole(Integer a, Integer b, const Node&) {
  return wrapped_product(a, b);
}
double mul_real(double a, double b, const Node&) {
  return a * b;
}
constexpr Arithmetic mul_of{mul_whole, mul_real};
Integer equal_whole(Integer a, Integer b, const Node&) {
  return a == b;
}
double equal_real(double a, double b, const Node&) {
  return a == b;
}
constexpr Arithmetic equal_of{equal_whole, equal_real};
Integer less_whole(Integer a, Integer b, const Node&) {
  return a < b;
}
double less_real(double a, double b, const Node&) {
  return a < b;
}
constexpr Arithmetic less_of{less_whole, less_real};
Integer less_equal_whole(Integer a, Integer b, const Node&) {
  return a <= b;
}
double less_equal_real(double a, double b, const Node&) {
  return a <= b;
}
constexpr Arithmetic less_equal_of{less_equal_whole, less_equal_real};
Integer greater_whole(Integer a, Integer b, const Node&) {
  return a > b;
}
double greater_real(double a, double b, const Node&) {
  return a > b;
}
constexpr Arithmetic greater_of{greater_whole, greater_real};
Integer greater_equal_whole(Integer a, Integer b, const Node&) {
  return a >= b;
}
double greater_equal_real(double a, double b, const Node&) {
  return a >= b;
}
constexpr Arithmetic greater_equal_of{greater_equal_whole, greater_equal_real};
Integer both_whole(Integer a, Integer b, const Node&) {
  return (a != 0) & (b != 0);
}
double both_real(double a, double b, const Node&) {
  return (a != 0) & (b != 0);
}
constexpr Arithmetic both_of{both_whole, both_real};
Integer either_whole(Integer a, Integer b, const Node&) {
  return (a != 0) | (b != 0);
}
double either_real(double a, double b, const Node&) {
  return (a != 0) | (b != 0);
}
constexpr Arithmetic either_of{either_whole, either_real};
Integer differ_whole(Integer a, Integer b, const Node&) {
  return (a != 0) != (b != 0);
}
double differ_real(double a, double b, const Node&) {
  return (a != 0) != (b != 0);
}
constexpr Arithmetic differ_of{differ_whole, differ_real};
Integer prelu_whole(Integer a, Integer b, const Node&) {
  return a < 0 ? wrapped_product(a, b) : a;
}
double prelu_real(double a, double b, const Node&) {
  return a < 0 ? a * b : a;
}
constexpr Arithmetic prelu_of{prelu_whole, prelu_real};

// Division by zero is undefined in ONNX: 0.
Integer div_whole(Integer a, Integer b, const Node&) {
  return b == 0 ? 0 : a / b;
}
double div_real(double a, double b, const Node&) {
  return a / b;
}
Integer max_whole(Integer a, Integer b, const Node&) {
  return std::max(a, b);
}
double max_real(double a, double b, const Node&) {
  return std::isnan(a) || a > b ? a : b;
}
Integer min_whole(Integer a, Integer b, const Node&) {
  return std::min(a, b);
}
double min_real(double a, double b, const Node&) {
  return std::isnan(a) || a < b ? a : b;
}
double pow_real(double a, double b, const Node&) {
  return std::pow(a, b);
}
Integer bit_and(Integer a, Integer b, const Node&) {
  return a & b;
}
Integer bit_or(Integer a, Integer b, const Node&) {
  return a | b;
}
Integer bit_xor(Integer a, Integer b, const Node&) {
  return a ^ b;
}
double no_real(double a, double, const Node&) {
  return a;
}

constexpr Arithmetic div_of{div_whole, div_real};
constexpr Arithmetic max_of{max_whole, max_real};
constexpr Arithmetic min_of{min_whole, min_real};
constexpr Arithmetic bit_and_of{bit_and, no_real};
constexpr Arithmetic bit_or_of{bit_or, no_real};
constexpr Arithmetic bit_xor_of{bit_xor, no_real};

Integer pow_whole(Integer a, Integer b, const Node&) {
  if (b < 0) return a == 1 ? 1 : 0;
  unsigned __int128 out = 1, base = static_cast<unsigned __int128>(a);
  for (; b != 0; b >>= 1, base *= base)
    if ((b & 1) != 0) out *= base;
  return static_cast<Integer>(out);
}
constexpr Arithmetic pow_of{pow_whole, pow_real};

Integer mod_whole(Integer a, Integer b, const Node& node) {
  if (b == 0) return 0;
  const Integer rest = a % b;
  const bool truncates = node.integer("fmod", 0) != 0;
  return truncates || rest == 0 || (rest < 0) == (b < 0) ? rest : rest + b;
}
double mod_real(double a, double b, const Node& node) {
  const double rest = std::fmod(a, b);
  const bool truncates = node.integer("fmod", 0) != 0;
  return truncates || rest == 0 || (rest < 0) == (b < 0) ? rest : rest + b;
}
constexpr Arithmetic mod_of{mod_whole, mod_real};

Integer shift_whole(Integer a, Integer b, const Node& node) {
  if (b < 0 || b > 63) return 0;
  return node.text("direction", "") == "LEFT" ? wrapped_product(a, Integer{1} << b) : a >> b;
}
constexpr Arithmetic shift_of{shift_whole, no_real};

template <const Arithmetic& arithmetic>
Result<Tensors> run(const Call& call) {
  if (call[0].type != call[1].type && call.node.op != "Pow")
    return mismatch("the inputs have different element types");
  HW_TRY(Tensor out, apply<arithmetic>(call[0], call[1], call[0].type, call.node));
  return Tensors{std::move(out)};
}

template <const Arithmetic& arithmetic>
Result<Tensors> run_comparison(const Call& call) {
  HW_TRY(Tensor out, apply<arithmetic>(call[0], call[1], ElementType::kBool, call.node));
  return Tensors{std::move(out)};
}

Result<Types> infer_comparison(const TypedCall& call) {
  HW_TRY(Types types, broadcast_of_all(call));
  types[0].element = ElementType::kBool;
  return types;
}

template <const Arithmetic& arithmetic>
Result<Tensors> run_many(const Call& call) {
  Tensor out = call[0];
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr || call[i].type != out.type)
      return mismatch("the inputs have different element types");
    HW_TRY(out, apply<arithmetic>(out, call[i], out.type, call.node));
  }
  if (call.node.op == "Mean") {
    std::vector<double> values = floats_of(out);
    for (double& value : values) value /= static_cast<double>(call.inputs.size());
    out = tensor_of(out.type, out.dims, values);
  }
  return Tensors{std::move(out)};
}

Result<Types> infer_where(const TypedCall& call) {
  HW_TRY(Types types, broadcast_of_all(call));
  types[0].element = call.element(1);
  return types;
}

Result<Tensors> run_where(const Call& call) {
  if (call[1].type != call[2].type) return mismatch("the inputs have different element types");
  HW_TRY(Dims dims, broadcast(call[1].dims, call[2].dims));
  HW_TRY(dims, broadcast(dims, call[0].dims));
  HW_TRY(const std::size_t count, result_count(dims));
  const std::size_t size = size_of(call[1].type);
  std::string bytes;
  bytes.reserve(count * size);
  const std::vector<Integer> condition = integers_of(call[0]);
  each_position(dims,
                {broadcast_strides(call[0].dims, dims), broadcast_strides(call[1].dims, dims),
                 broadcast_strides(call[2].dims, dims)},
                [&](const std::int64_t* at) {
                  const int from = condition[static_cast<std::size_t>(at[0])] != 0 ? 1 : 2;
                  bytes.append(*call[static_cast<std::size_t>(from)].bytes,
                               static_cast<std::size_t>(at[from]) * size, size);
                });
  return Tensors{raw_tensor(call[1].type, dims, std::move(bytes))};
}

// Bounds are scalars, and may be omitted.
Result<Tensors> run_clip(const Call& call) {
  Tensor out = call[0];
  for (const std::size_t bound : {1, 2}) {
    const Tensor* limit = call.input(bound);
    if (limit == nullptr) continue;
    if (!limit->is_scalar()) return mismatch("a bound is not a scalar");
    Tensor scalar = *limit;
    scalar.dims = {};
    HW_TRY(out, bound == 1 ? apply<max_of>(out, scalar, out.type, call.node)
                           : apply<min_of>(out, scalar, out.type, call.node));
  }
  return Tensors{std::move(out)};
}

template <const Arithmetic& arithmetic>
Operator row(std::string_view name, std::int64_t since = 1) {
  return {name, 2, 2, broadcast_of_all, run<arithmetic>, since};
}
template <const Arithmetic& arithmetic>
Operator comparison(std::string_view name) {
  return {name, 2, 2, infer_comparison, run_comparison<arithmetic>};
}
template <const Arithmetic& arithmetic>
Operator many(std::string_view name) {
  return {name, 1, kAnyNumber, broadcast_of_all, run_many<arithmetic>};
}

}  // namespace

Operators binary() {
  return {row<add_of>("Add"),
          row<sub_of>("Sub"),
          row<mul_of>("Mul"),
          row<div_of>("Div"),
          row<pow_of>("Pow"),
          row<mod_of>("Mod"),
          row<prelu_of>("PRelu"),
          row<bit_and_of>("BitwiseAnd", 18),
          row<bit_or_of>("BitwiseOr", 18),
          row<bit_xor_of>("BitwiseXor", 18),
          row<shift_of>("BitShift"),
          comparison<equal_of>("Equal"),
          comparison<less_of>("Less"),
          comparison<less_equal_of>("LessOrEqual"),
          comparison<greater_of>("Greater"),
          comparison<greater_equal_of>("GreaterOrEqual"),
          comparison<both_of>("And"),
          comparison<either_of>("Or"),
          comparison<differ_of>("Xor"),
          many<max_of>("Max"),
          many<min_of>("Min"),
          many<add_of>("Sum"),
          many<add_of>("Mean"),
          {"Where", 3, 3, infer_where, run_where},
          {"Clip", 1, 3, same_as_first, run_clip}};
}

}  // namespace hipwright::graph::ops
