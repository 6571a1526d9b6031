// SPDX-License-Identifier: MIT
// Operators that scale rows by their own statistics.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

// Softmax or its logarithm over elements `stride` apart.
void softmax(double* row, std::size_t length, std::size_t stride, bool is_log) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < length; ++i) most = std::max(most, row[i * stride]);
  for (std::size_t i = 0; i < length; ++i) sum += std::exp(row[i * stride] - most);
  for (std::size_t i = 0; i < length; ++i) {
    double& value = row[i * stride];
    value = is_log ? value - most - std::log(sum) : std::exp(value - most) / sum;
  }
}

Result<Tensors> run_softmax(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", -1), x.dims.size()));
  const auto length = static_cast<std::size_t>(x.dims[axis]);
  const auto inner = static_cast<std::size_t>(product(x.dims, axis + 1, x.dims.size()));
  std::vector<double> values = floats_of(x);
  for (std::size_t block = 0; block < values.size(); block += length * inner)
    for (std::size_t i = 0; i < inner; ++i)
      softmax(&values[block + i], length, inner, call.node.op == "LogSoftmax");
  return Tensors{tensor_of(x.type, x.dims, values)};
}

Result<Tensors> run_hardmax(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", -1), x.dims.size()));
  const auto length = static_cast<std::size_t>(x.dims[axis]);
  const auto inner = static_cast<std::size_t>(product(x.dims, axis + 1, x.dims.size()));
  const std::vector<double> values = floats_of(x);
  std::vector<double> out(values.size());
  for (std::size_t block = 0; block < values.size(); block += length * inner)
    for (std::size_t i = 0; i < inner; ++i) {
      std::size_t best = 0;
      for (std::size_t k = 1; k < length; ++k)
        if (values[block + i + k * inner] > values[block + i + best * inner]) best = k;
      out[block + i + best * inner] = 1;
    }
  return Tensors{tensor_of(x.type, x.dims, out)};
}

// A scale or bias that is repeated over the rows of `dims` from `axis` on.
Result<std::vector<double>> per_row(const Tensor* tensor, const Dims& dims, std::size_t axis,
                                    double otherwise) {
  const Dims row(dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end());
  std::vector<double> out(static_cast<std::size_t>(product(row, 0, row.size())), otherwise);
  if (tensor == nullptr) return out;
  HW_TRY(const Dims both, broadcast(tensor->dims, row));
  if (both != row)
    return mismatch(dims_text(tensor->dims) + " is not a scale of " + dims_text(row));
  const std::vector<double> values = floats_of(*tensor);
  std::size_t next = 0;
  each_position(row, {broadcast_strides(tensor->dims, row)}, [&](const std::int64_t* at) {
    out[next++] = values[static_cast<std::size_t>(at[0])];
  });
  return out;
}

struct Normalized {
  Tensor out, mean, inverse;
};

Result<Normalized> normalize(const Tensor& x, const Tensor* scale, const Tensor* bias,
                             std::int64_t from_axis, double epsilon, bool centers) {
  HW_TRY(const std::size_t axis, axis_of(from_axis, x.dims.size()));
  HW_TRY(const std::vector<double> weight, per_row(scale, x.dims, axis, 1));
  HW_TRY(const std::vector<double> shift, per_row(bias, x.dims, axis, 0));
  std::vector<double> values = floats_of(x), means, inverses;
  const std::size_t length = weight.size();
  for (std::size_t row = 0; row < values.size(); row += length) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < length; ++i) sum += values[row + i];
    const double mean = centers ? sum / static_cast<double>(length) : 0;
    for (std::size_t i = 0; i < length; ++i)
      squares += (values[row + i] - mean) * (values[row + i] - mean);
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(length) + epsilon);
    for (std::size_t i = 0; i < length; ++i)
      values[row + i] = (values[row + i] - mean) * inverse * weight[i] + shift[i];
    means.push_back(mean);
    inverses.push_back(inverse);
  }
  Dims statistics = x.dims;
  for (std::size_t i = axis; i < statistics.size(); ++i) statistics[i] = 1;
  if (means.size() != static_cast<std::size_t>(product(statistics, 0, statistics.size()))) {
    means.assign(static_cast<std::size_t>(product(statistics, 0, statistics.size())), 0);
    inverses = means;  // rows without elements
  }
  return Normalized{tensor_of(x.type, x.dims, values),
                    tensor_of(ElementType::kF32, statistics, means),
                    tensor_of(ElementType::kF32, statistics, inverses)};
}

Result<Tensors> run_layer_norm(const Call& call) {
  HW_TRY(Normalized n, normalize(call[0], &call[1], call.input(2), call.node.integer("axis", -1),
                                 call.node.number("epsilon", 1e-5F), true));
  return Tensors{std::move(n.out), std::move(n.mean), std::move(n.inverse)};
}

Result<Tensors> run_rms_norm(const Call& call) {
  HW_TRY(Normalized n, normalize(call[0], &call[1], nullptr, call.node.integer("axis", -1),
                                 call.node.number("epsilon", 1e-5F), false));
  return Tensors{std::move(n.out)};
}

// sum = x + residual, rounded to the type; the norm of the sum; the sum itself.
Result<Tensors> run_add_norm(const Call& call) {
  if (call[0].dims != call[1].dims || call[0].type != call[1].type)
    return mismatch("the summands have different types");
  std::vector<double> sum = floats_of(call[0]);
  const std::vector<double> residual = floats_of(call[1]);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += residual[i];
  Tensor total = tensor_of(call[0].type, call[0].dims, sum);
  HW_TRY(Normalized n,
         normalize(total, &call[2], call.input(3), -1, call.node.number("epsilon", 1e-5F),
                   call.node.op == "AddLayerNormalization"));
  return Tensors{std::move(n.out), std::move(total)};
}

Result<Types> infer_add_norm(const TypedCall& call) {
  HW_TRY(Types types, same_as_first(call));
  types.push_back(types[0]);
  return types;
}

Result<Types> infer_layer_norm(const TypedCall& call) {
  HW_TRY(Types types, same_as_first(call));
  types.resize(3, {ElementType::kF32, std::nullopt});
  if (types[0].shape) {
    HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", -1), types[0].shape->size()));
    Shape statistics = *types[0].shape;
    for (std::size_t i = axis; i < statistics.size(); ++i) statistics[i] = Dim(1);
    types[1].shape = types[2].shape = statistics;
  }
  return types;
}

Result<Tensors> run_batch_norm(const Call& call) {
  const Tensor& x = call[0];
  if (call.node.integer("training_mode", 0) != 0) return mismatch("training_mode is unsupported");
  if (x.dims.size() < 2) return mismatch("the input has no channels");
  const auto channels = static_cast<std::size_t>(x.dims[1]);
  for (std::size_t i = 1; i < 5; ++i)
    if (call[i].count() != x.dims[1]) return mismatch("a parameter is not one for each channel");
  const std::vector<double> scale = floats_of(call[1]), bias = floats_of(call[2]),
                            mean = floats_of(call[3]), variance = floats_of(call[4]);
  const double epsilon = call.node.number("epsilon", 1e-5F);
  std::vector<double> values = floats_of(x);
  const auto inner = static_cast<std::size_t>(product(x.dims, 2, x.dims.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / inner % channels;
    values[i] = (values[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
  }
  return Tensors{tensor_of(x.type, x.dims, values)};
}

// Normalizes over groups of channels; scale and bias are one for each channel, or each group.
Result<Tensors> run_group_norm(const Call& call) {
  const Tensor& x = call[0];
  if (x.dims.size() < 2) return mismatch("the input has no channels");
  const std::int64_t groups =
      call.node.op == "InstanceNormalization" ? x.dims[1] : call.node.integer("num_groups", 0);
  if (groups <= 0 || x.dims[1] % groups != 0)
    return mismatch("the groups do not divide the channels");
  Tensor flat = x;
  flat.dims = {x.dims[0], groups, x.count() / std::max<std::int64_t>(1, x.dims[0] * groups)};
  if (flat.count() != x.count()) return Tensors{x};
  HW_TRY(Normalized n,
         normalize(flat, nullptr, nullptr, -1, call.node.number("epsilon", 1e-5F), true));
  if (call[1].count() != x.dims[1] || call[2].count() != x.dims[1])
    return mismatch("a parameter is not one for each channel");
  const std::vector<double> scale = floats_of(call[1]), bias = floats_of(call[2]);
  std::vector<double> values = floats_of(n.out);
  const auto inner = static_cast<std::size_t>(product(x.dims, 2, x.dims.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t channel = i / inner % scale.size();
    values[i] = values[i] * scale[channel] + bias[channel];
  }
  return Tensors{tensor_of(x.type, x.dims, values)};
}

}  // namespace

Operators normalize() {
  return {{"Softmax", 1, 1, same_as_first, run_softmax},
          {"LogSoftmax", 1, 1, same_as_first, run_softmax},
          {"Hardmax", 1, 1, same_as_first, run_hardmax},
          {"LayerNormalization", 2, 3, infer_layer_norm, run_layer_norm, 17},
          {"RMSNormalization", 2, 2, same_as_first, run_rms_norm, 23},
          {"BatchNormalization", 5, 5, same_as_first, run_batch_norm, 13},
          {"InstanceNormalization", 3, 3, same_as_first, run_group_norm},
          {"GroupNormalization", 3, 3, same_as_first, run_group_norm, 21},
          {"LayerNormalization", 2, 3, infer_layer_norm, run_layer_norm, 1, kOwnDomain},
          {"RMSNormalization", 2, 2, same_as_first, run_rms_norm, 1, kOwnDomain},
          {"AddLayerNormalization", 3, 4, infer_add_norm, run_add_norm, 1, kOwnDomain},
          {"AddRMSNormalization", 3, 3, infer_add_norm, run_add_norm, 1, kOwnDomain}};
}

}  // namespace hipwright::graph::ops
