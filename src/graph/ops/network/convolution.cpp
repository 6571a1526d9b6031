// SPDX-License-Identifier: MIT
// Convolutions and pooling, with any number of spatial dimensions.
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/window.h"

namespace hipwright::graph::ops {

namespace {

// Calls body(element of the kernel, offset in the image) for what of the window at `position` lies
// inside.
void each_in_window(const Window& w, const Dims& spatial, const Dims& position,
                    const std::function<void(std::size_t, std::size_t)>& body) {
  const Dims strides = strides_of(spatial), kernel_strides = strides_of(w.kernel);
  const std::int64_t count = product(w.kernel, 0, w.kernel.size());
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    bool is_inside = true;
    for (std::size_t d = 0; d < spatial.size(); ++d) {
      const std::int64_t at = position[d] * w.strides[d] - w.begin[d] +
                              i / kernel_strides[d] % w.kernel[d] * w.dilations[d];
      is_inside &= at >= 0 && at < spatial[d];
      offset += at * strides[d];
    }
    if (is_inside) body(static_cast<std::size_t>(i), static_cast<std::size_t>(offset));
  }
}

Dims position_of(std::int64_t index, const Dims& dims) {
  const Dims strides = strides_of(dims);
  Dims out;
  for (std::size_t d = 0; d < dims.size(); ++d) out.push_back(index / strides[d] % dims[d]);
  return out;
}

Dims with_spatial(std::int64_t batch, std::int64_t channels, const Dims& spatial) {
  Dims out{batch, channels};
  out.insert(out.end(), spatial.begin(), spatial.end());
  return out;
}

Result<Tensors> run_conv(const Call& call) {
  const Tensor &x = call[0], &weight = call[1];
  HW_TRY(const Window w, conv_window(call.node, x.dims, weight.dims));
  const Dims out_dims = with_spatial(x.dims[0], weight.dims[0], w.out),
             spatial = spatial_of(x.dims);
  HW_TRY(const std::size_t count, result_count(out_dims));
  if (call.input(2) != nullptr && call[2].count() != weight.dims[0])
    return mismatch("the bias is not one for each channel");
  const std::vector<double> image = floats_of(x), kernel = floats_of(weight),
                            bias =
                                call.input(2) == nullptr
                                    ? std::vector<double>(static_cast<std::size_t>(weight.dims[0]))
                                    : floats_of(call[2]);
  const auto groups = static_cast<std::size_t>(call.node.integer("group", 1));
  const auto channels = static_cast<std::size_t>(weight.dims[1]);
  const auto outputs = static_cast<std::size_t>(weight.dims[0]);
  const auto area = static_cast<std::size_t>(product(spatial, 0, spatial.size()));
  const auto taps = static_cast<std::size_t>(product(w.kernel, 0, w.kernel.size()));
  const auto places = static_cast<std::size_t>(product(w.out, 0, w.out.size()));
  std::vector<double> out(count);
  for (std::size_t place = 0; place < places; ++place) {
    std::vector<std::pair<std::size_t, std::size_t>> inside;
    each_in_window(w, spatial, position_of(static_cast<std::int64_t>(place), w.out),
                   [&](std::size_t tap, std::size_t offset) { inside.emplace_back(tap, offset); });
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(x.dims[0]) * outputs; ++plane) {
      const std::size_t output = plane % outputs, image_number = plane / outputs;
      const std::size_t group = output / (outputs / groups);
      double sum = bias[output];
      for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t base = ((image_number * groups + group) * channels + c) * area;
        for (const auto& [tap, offset] : inside)
          sum += image[base + offset] * kernel[(output * channels + c) * taps + tap];
      }
      out[plane * places + place] = sum;
    }
  }
  return Tensors{tensor_of(x.type, out_dims, out)};
}

Result<Types> infer_conv(const TypedCall& call) {
  const Shape *x = call.shape(0), *weight = call.shape(1);
  if (x == nullptr || weight == nullptr || x->size() < 3) return unknown_shape(call);
  if (weight->size() != x->size()) return mismatch("image and kernel differ in dimensions");
  Shape out(x->size());
  out[0] = (*x)[0];
  out[1] = (*weight)[0];
  Shape probe = *x;
  probe[0] = 1;
  const auto dims = dims_of(probe), kernel = dims_of(*weight);
  if (dims && kernel) {
    HW_TRY(const Window w, conv_window(call.node, *dims, *kernel));
    for (std::size_t i = 0; i < w.out.size(); ++i) out[i + 2] = w.out[i];
  }
  return Types{{call.element(0), out}};
}

// How many elements of the window at `position` lie inside the padded image: what an average with
// padding divides by.
double padded_count(const Window& w, const Dims& spatial, const Dims& position) {
  double count = 1;
  for (std::size_t d = 0; d < spatial.size(); ++d) {
    std::int64_t inside = 0;
    for (std::int64_t k = 0; k < w.kernel[d]; ++k)
      inside +=
          position[d] * w.strides[d] + k * w.dilations[d] < spatial[d] + w.begin[d] + w.end[d];
    count *= static_cast<double>(inside);
  }
  return count;
}

Result<Tensors> run_pool(const Call& call) {
  const Tensor& x = call[0];
  if (x.dims.size() < 3) return mismatch("the input is not an image");
  if (call.node.outputs.size() > 1) return mismatch("indices are unsupported");
  const Dims spatial = spatial_of(x.dims);
  HW_TRY(const Window w, pool_window(call.node, spatial));
  const Dims out_dims = with_spatial(x.dims[0], x.dims[1], w.out);
  HW_TRY(const std::size_t count, result_count(out_dims));
  const bool takes_most = call.node.op.ends_with("MaxPool");
  const bool counts_padding = call.node.integer("count_include_pad", 0) != 0;
  const std::vector<double> image = floats_of(x);
  std::vector<double> out(count);
  const auto places = static_cast<std::size_t>(product(w.out, 0, w.out.size()));
  const auto area = static_cast<std::size_t>(product(spatial, 0, spatial.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const Dims position = position_of(static_cast<std::int64_t>(i % places), w.out);
    double sum = 0, most = -std::numeric_limits<double>::infinity(), inside = 0;
    each_in_window(w, spatial, position, [&](std::size_t, std::size_t offset) {
      const double value = image[i / places * area + offset];
      sum += value;
      most = std::max(most, value);
      ++inside;
    });
    out[i] =
        takes_most ? most : sum / (counts_padding ? padded_count(w, spatial, position) : inside);
  }
  return Tensors{tensor_of(x.type, out_dims, out)};
}

Result<Types> infer_pool(const TypedCall& call) {
  const Shape* x = call.shape(0);
  if (x == nullptr || x->size() < 3) return unknown_shape(call);
  Shape out(x->size());
  out[0] = (*x)[0];
  out[1] = (*x)[1];
  const auto spatial = dims_of({x->begin() + 2, x->end()});
  if (spatial) {
    HW_TRY(const Window w, pool_window(call.node, *spatial));
    for (std::size_t i = 0; i < w.out.size(); ++i) out[i + 2] = w.out[i];
  }
  return Types{{call.element(0), out}};
}

}  // namespace

Operators convolution() {
  return {{"Conv", 2, 3, infer_conv, run_conv},
          {"MaxPool", 1, 1, infer_pool, run_pool},
          {"AveragePool", 1, 1, infer_pool, run_pool},
          {"GlobalMaxPool", 1, 1, infer_pool, run_pool},
          {"GlobalAveragePool", 1, 1, infer_pool, run_pool}};
}

}  // namespace hipwright::graph::ops
