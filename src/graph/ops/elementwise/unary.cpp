// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

template <double (*function)(double, const Node&)>
Result<Tensors> run(const Call& call) {
  std::vector<double> values = floats_of(call[0]);
  for (double& value : values) value = function(value, call.node);
  return Tensors{tensor_of(call[0].type, call[0].dims, values)};
}

template <double (*function)(double, const Node&)>
Operator row(std::string_view name, std::int64_t since = 1) {
  return {name, 1, 1, same_as_first, run<function>, since};
}

double exp_of(double x, const Node&) {
  return std::exp(x);
}
double log_of(double x, const Node&) {
  return std::log(x);
}
double sqrt_of(double x, const Node&) {
  return std::sqrt(x);
}
double reciprocal(double x, const Node&) {
  return 1 / x;
}
double sigmoid(double x, const Node&) {
  return 1 / (1 + std::exp(-x));
}
double tanh_of(double x, const Node&) {
  return std::tanh(x);
}
double erf_of(double x, const Node&) {
  return std::erf(x);
}
double sin_of(double x, const Node&) {
  return std::sin(x);
}
double cos_of(double x, const Node&) {
  return std::cos(x);
}
double tan_of(double x, const Node&) {
  return std::tan(x);
}
double asin_of(double x, const Node&) {
  return std::asin(x);
}
double acos_of(double x, const Node&) {
  return std::acos(x);
}
double atan_of(double x, const Node&) {
  return std::atan(x);
}
double sinh_of(double x, const Node&) {
  return std::sinh(x);
}
double cosh_of(double x, const Node&) {
  return std::cosh(x);
}
double asinh_of(double x, const Node&) {
  return std::asinh(x);
}
double acosh_of(double x, const Node&) {
  return std::acosh(x);
}
double atanh_of(double x, const Node&) {
  return std::atanh(x);
}
double floor_of(double x, const Node&) {
  return std::floor(x);
}
double ceil_of(double x, const Node&) {
  return std::ceil(x);
}
double round_of(double x, const Node&) {
  return std::nearbyint(x);
}  // half to even
double softplus(double x, const Node&) {
  return x > 30 ? x : std::log1p(std::exp(x));
}
double softsign(double x, const Node&) {
  return x / (1 + std::abs(x));
}
double mish(double x, const Node&) {
  return x * std::tanh(x > 30 ? x : std::log1p(std::exp(x)));
}
double leaky_relu(double x, const Node& node) {
  return x < 0 ? node.number("alpha", 0.01F) * x : x;
}
double elu(double x, const Node& node) {
  return x < 0 ? node.number("alpha", 1) * std::expm1(x) : x;
}
double celu(double x, const Node& node) {
  return std::max(0.0, x) +
         std::min(0.0, node.number("alpha", 1) * std::expm1(x / node.number("alpha", 1)));
}
double selu(double x, const Node& node) {
  return node.number("gamma", 1.0507010F) *
         (x > 0 ? x : node.number("alpha", 1.6732632F) * std::expm1(x));
}
double hard_sigmoid(double x, const Node& node) {
  return std::clamp(node.number("alpha", 0.2F) * x + node.number("beta", 0.5F), 0.0, 1.0);
}
double hard_swish(double x, const Node&) {
  return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
}
double thresholded(double x, const Node& node) {
  return x > node.number("alpha", 1) ? x : 0;
}
double shrink(double x, const Node& node) {
  return x < -node.number("lambd", 0.5F)  ? x + node.number("bias", 0)
         : x > node.number("lambd", 0.5F) ? x - node.number("bias", 0)
                                          : 0;
}
double swish(double x, const Node& node) {
  return x / (1 + std::exp(-node.number("alpha", 1) * x));
}

double gelu(double x, const Node& node) {
  if (node.text("approximate", "none") != "tanh") return 0.5 * x * (1 + std::erf(x / std::sqrt(2)));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

// Exact for every type.
template <Integer (*whole)(Integer), double (*real)(double)>
Result<Tensors> run_both(const Call& call) {
  const Tensor& x = call[0];
  if (is_float(x.type)) {
    std::vector<double> values = floats_of(x);
    for (double& value : values) value = real(value);
    return Tensors{tensor_of(x.type, x.dims, values)};
  }
  std::vector<Integer> values = integers_of(x);
  for (Integer& value : values) value = whole(value);
  return Tensors{tensor_of_integers(x.type, x.dims, values)};
}
Integer abs_whole(Integer x) {
  return x < 0 ? -x : x;
}
double abs_real(double x) {
  return std::abs(x);
}
Integer neg_whole(Integer x) {
  return -x;
}
double neg_real(double x) {
  return -x;
}
Integer sign_whole(Integer x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}
double sign_real(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}
Integer relu_whole(Integer x) {
  return x < 0 ? 0 : x;
}
double relu_real(double x) {
  return x < 0 ? 0 : x;
}
Integer not_whole(Integer x) {
  return x == 0;
}
double not_real(double x) {
  return x == 0;
}
Integer complement(Integer x) {
  return ~x;
}
double no_complement(double x) {
  return x;
}

Result<Tensors> run_identity(const Call& call) {
  return Tensors{call[0]};
}

template <bool (*is)(double)>
Result<Tensors> run_is(const Call& call) {
  std::vector<Integer> out;
  const bool positive = call.node.integer("detect_positive", 1) != 0;
  const bool negative = call.node.integer("detect_negative", 1) != 0;
  for (const double value : floats_of(call[0]))
    out.push_back(is(value) && (std::isnan(value) || (value > 0 ? positive : negative)));
  return Tensors{tensor_of_integers(ElementType::kBool, call[0].dims, out)};
}
bool is_nan(double x) {
  return std::isnan(x);
}
bool is_infinite(double x) {
  return std::isinf(x);
}

Result<Types> infer_bool(const TypedCall& call) {
  HW_TRY(Types types, same_as_first(call));
  types[0].element = ElementType::kBool;
  return types;
}

Result<ElementType> cast_type(const Node& node) {
  const std::int64_t to = node.integer("to", 0);
  if (to <= 0 || to > 255 || !has_arithmetic(static_cast<ElementType>(to)))
    return mismatch("casts to type " + std::to_string(to) + " are unsupported");
  return static_cast<ElementType>(to);
}

// What the 8-bit floats cannot hold becomes their largest number, or else an infinity, or NaN where
// they have none. 464 lies between the largest number of e4m3 and the next step; the tie is even.
void saturate(std::vector<double>& values, ElementType to, bool saturates) {
  const double most = to == ElementType::kE4M3 ? 448 : 57344;
  for (double& value : values) {
    if (saturates && std::abs(value) > most) value = std::copysign(most, value);
    if (!saturates && to == ElementType::kE4M3 && std::abs(value) > 464) value = std::nan("");
  }
}

Tensor cast(const Tensor& x, ElementType to, bool saturates) {
  if (x.type == to) return x;
  if (!is_float(x.type)) return tensor_of_integers(to, x.dims, integers_of(x));
  std::vector<double> values = floats_of(x);
  if (size_of(to) == 1 && is_float(to)) saturate(values, to, saturates);
  if (!is_integer(to)) return tensor_of(to, x.dims, values);
  return tensor_of_integers(to, x.dims, integers_of(x));
}

Result<Types> infer_cast(const TypedCall& call) {
  HW_TRY(const ElementType to, cast_type(call.node));
  HW_TRY(Types types, same_as_first(call));
  types[0].element = to;
  return types;
}

Result<Tensors> run_cast(const Call& call) {
  HW_TRY(const ElementType to, cast_type(call.node));
  return Tensors{cast(call[0], to, call.node.integer("saturate", 1) != 0)};
}

Result<Types> infer_cast_like(const TypedCall& call) {
  HW_TRY(Types types, same_as_first(call));
  types[0].element = call.element(1);
  return types;
}

Result<Tensors> run_cast_like(const Call& call) {
  return Tensors{cast(call[0], call[1].type, call.node.integer("saturate", 1) != 0)};
}

}  // namespace

Operators unary() {
  return {row<exp_of>("Exp"),
          row<log_of>("Log"),
          row<sqrt_of>("Sqrt"),
          row<reciprocal>("Reciprocal"),
          row<sigmoid>("Sigmoid"),
          row<tanh_of>("Tanh"),
          row<erf_of>("Erf"),
          row<sin_of>("Sin"),
          row<cos_of>("Cos"),
          row<tan_of>("Tan"),
          row<asin_of>("Asin"),
          row<acos_of>("Acos"),
          row<atan_of>("Atan"),
          row<sinh_of>("Sinh"),
          row<cosh_of>("Cosh"),
          row<asinh_of>("Asinh"),
          row<acosh_of>("Acosh"),
          row<atanh_of>("Atanh"),
          row<floor_of>("Floor"),
          row<ceil_of>("Ceil"),
          row<round_of>("Round"),
          row<softplus>("Softplus"),
          row<softsign>("Softsign"),
          row<mish>("Mish", 18),
          row<leaky_relu>("LeakyRelu"),
          row<elu>("Elu"),
          row<celu>("Celu"),
          row<selu>("Selu"),
          row<hard_sigmoid>("HardSigmoid"),
          row<hard_swish>("HardSwish", 14),
          row<thresholded>("ThresholdedRelu"),
          row<shrink>("Shrink"),
          row<gelu>("Gelu", 20),
          {"Abs", 1, 1, same_as_first, run_both<abs_whole, abs_real>},
          {"Neg", 1, 1, same_as_first, run_both<neg_whole, neg_real>},
          {"Sign", 1, 1, same_as_first, run_both<sign_whole, sign_real>},
          {"Relu", 1, 1, same_as_first, run_both<relu_whole, relu_real>},
          {"Not", 1, 1, same_as_first, run_both<not_whole, not_real>},
          {"BitwiseNot", 1, 1, same_as_first, run_both<complement, no_complement>, 18},
          {"Identity", 1, 1, same_as_first, run_identity, 1, "", true},
          {"IsNaN", 1, 1, infer_bool, run_is<is_nan>},
          {"IsInf", 1, 1, infer_bool, run_is<is_infinite>},
          {"Cast", 1, 1, infer_cast, run_cast},
          {"CastLike", 2, 2, infer_cast_like, run_cast_like, 15},
          // What the optimizer makes of primitive operators, where ONNX's own need a later opset.
          {"Gelu", 1, 1, same_as_first, run<gelu>, 1, kOwnDomain},
          {"Silu", 1, 1, same_as_first, run<swish>, 1, kOwnDomain}};
}

}  // namespace hipwright::graph::ops
