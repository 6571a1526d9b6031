// SPDX-License-Identifier: MIT
// Convolutions as matrix products of weights and columns: the elements below each place of the
// kernel. The host makes the columns. Images of one or two dimensions, in f32.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "graph/execute/library.h"
#include "graph/ops/window.h"

namespace hipwright::graph {

namespace {

// With one dimension, the height is 1.
struct Image {
  std::int64_t height, width;
  std::int64_t area() const { return height * width; }
};
struct Axis {
  std::int64_t kernel = 1, stride = 1, dilation = 1, begin = 0, out = 1;
  // Where tap `tap` of the window at `place` lies.
  std::int64_t at(std::int64_t place, std::int64_t tap) const {
    return place * stride - begin + tap * dilation;
  }
};
struct Plane {
  Image image;
  Axis y, x;
  std::int64_t places() const { return y.out * x.out; }
  std::int64_t taps() const { return y.kernel * x.kernel; }
};

std::optional<Plane> plane_of(const Dims& dims, const Result<Window>& window) {
  if (!window || dims.size() > 4) return std::nullopt;
  const auto axis = [&](std::size_t i) {
    return Axis{window->kernel[i], window->strides[i], window->dilations[i], window->begin[i],
                window->out[i]};
  };
  if (dims.size() == 3) return Plane{{1, dims[2]}, Axis{}, axis(0)};
  return Plane{{dims[2], dims[3]}, axis(0), axis(1)};
}

// The places [first, second) of a row at which a tap lies inside the image.
std::pair<std::int64_t, std::int64_t> inside(const Axis& axis, std::int64_t tap,
                                             std::int64_t length) {
  std::int64_t first = 0, last = axis.out;
  while (first < last && axis.at(first, tap) < 0) ++first;
  while (last > first && axis.at(last - 1, tap) >= length) --last;
  return {first, last};
}

// One row for each channel and tap, with an element for each place.
std::string columns_of(const float* image, std::int64_t channels, const Plane& plane) {
  const auto places = static_cast<std::size_t>(plane.places());
  std::string bytes(static_cast<std::size_t>(channels * plane.taps()) * places * sizeof(float),
                    '\0');
  auto* row = reinterpret_cast<float*>(bytes.data());
  for (std::int64_t channel = 0; channel < channels; ++channel, image += plane.image.area())
    for (std::int64_t ky = 0; ky < plane.y.kernel; ++ky)
      for (std::int64_t kx = 0; kx < plane.x.kernel; ++kx, row += places) {
        const auto [first, last] = inside(plane.x, kx, plane.image.width);
        const auto [top, bottom] = inside(plane.y, ky, plane.image.height);
        for (std::int64_t y = top; y < bottom; ++y) {
          const float* from = image + plane.y.at(y, ky) * plane.image.width + plane.x.at(first, kx);
          float* to = row + y * plane.x.out + first;
          if (plane.x.stride == 1)
            std::copy_n(from, last - first, to);
          else
            for (std::int64_t x = first; x < last; ++x, from += plane.x.stride) *to++ = *from;
        }
      }
  return bytes;
}

bool is_pointwise(const Plane& plane) {
  return plane.taps() == 1 && plane.y.stride == 1 && plane.x.stride == 1 &&
         plane.places() == plane.image.area();
}

// The bias of each row, in every column.
RunValue repeated(const Tensor& bias, std::int64_t columns) {
  std::string bytes(static_cast<std::size_t>(bias.count() * columns) * sizeof(float), '\0');
  auto* to = reinterpret_cast<float*>(bytes.data());
  const auto* from = reinterpret_cast<const float*>(bias.bytes->data());
  for (std::int64_t i = 0; i < bias.count(); ++i) to = std::fill_n(to, columns, from[i]);
  return RunValue(raw_tensor(bias.type, {bias.count(), columns}, std::move(bytes)));
}

class Convolution {
 public:
  Convolution(const LibraryCall& call, const Plane& plane)
      : call_(call),
        plane_(plane),
        groups_(call.node.integer("group", 1)),
        channels_(call[1].dims[1]),
        outputs_(call[1].dims[0] / groups_),
        is_pointwise_(is_pointwise(plane)) {}

  LibraryResults run(Dims out_dims) {
    LibraryResult out(call_, std::move(out_dims));
    std::optional<RunValue> bias;
    if (RunValue* given = call_.input(2))
      bias = repeated(call_.store.on_host(*given), plane_.places());
    const std::int64_t images = call_.dims()[0];
    const std::int64_t results = outputs_ * plane_.places();
    for (std::int64_t i = 0; i < images * groups_; ++i) {
      const std::int64_t group = i % groups_;
      kernels::Gemm form;
      if (bias)
        form.residual.emplace(
            static_cast<const float*>(call_.store.to_read(*bias)) + group * results, outputs_,
            plane_.places());
      multiply(static_cast<float*>(out.data) + i * results, i, group, form);
    }
    call_.store.finish_node();  // the repeated bias lives until here
    return one_result(std::move(out));
  }

 private:
  void multiply(float* out, std::int64_t image_of_group, std::int64_t group,
                const kernels::Gemm& form) {
    const std::int64_t depth = channels_ * plane_.taps();
    const auto* weights = static_cast<const float*>(call_.store.to_read(call_[1]));
    const std::int64_t begin = image_of_group * channels_ * plane_.image.area();
    std::optional<RunValue> columns;
    const float* factor = nullptr;
    if (is_pointwise_) {
      factor = static_cast<const float*>(call_.store.to_read(call_[0])) + begin;
    } else {
      const Tensor x = call_.store.on_host(call_[0]);
      columns.emplace(raw_tensor(
          x.type, {depth, plane_.places()},
          columns_of(reinterpret_cast<const float*>(x.bytes->data()) + begin, channels_, plane_)));
      factor = static_cast<const float*>(call_.store.to_read(*columns));
    }
    kernels::gemm(call_.kernels(), {out, outputs_, plane_.places()},
                  {weights + group * outputs_ * depth, outputs_, depth},
                  {factor, depth, plane_.places()}, form);
    // The columns live until here.
    if (columns) call_.store.finish_node();
  }

  const LibraryCall& call_;
  const Plane plane_;
  const std::int64_t groups_, channels_, outputs_;
  const bool is_pointwise_;
};

Dims with_spatial(const LibraryCall& call, std::int64_t channels, const Window& window) {
  Dims out{call.dims()[0], channels};
  out.insert(out.end(), window.out.begin(), window.out.end());
  return out;
}

LibraryResults convolution(const LibraryCall& call) {
  if (call.type() != ElementType::kF32 || !call.has_type(1)) return {};
  const auto window = conv_window(call.node, call.dims(), call[1].dims);
  const auto plane = plane_of(call.dims(), window);
  const std::int64_t outputs = call[1].dims.empty() ? 0 : call[1].dims[0];
  if (!plane || outputs == 0 || plane->places() == 0 ||
      (call.input(2) != nullptr && (!call.has_type(2) || call[2].count() != outputs)))
    return {};
  return Convolution(call, *plane).run(with_spatial(call, outputs, *window));
}

// The largest element of the window at a place.
float largest(const float* image, const Plane& plane, std::int64_t y, std::int64_t x) {
  float most = -std::numeric_limits<float>::infinity();
  for (std::int64_t ky = 0; ky < plane.y.kernel; ++ky) {
    const std::int64_t row = plane.y.at(y, ky);
    if (row < 0 || row >= plane.image.height) continue;
    for (std::int64_t kx = 0; kx < plane.x.kernel; ++kx) {
      const std::int64_t column = plane.x.at(x, kx);
      if (column >= 0 && column < plane.image.width)
        most = std::max(most, image[row * plane.image.width + column]);
    }
  }
  return most;
}

// On the CPU only: elsewhere the image would travel for as little work.
LibraryResults max_pool(const LibraryCall& call) {
  if (call.type() != ElementType::kF32 || !call.store.device().is_cpu() ||
      call.node.outputs.size() > 1 || call.rank() < 3)
    return {};
  const auto window = pool_window(call.node, spatial_of(call.dims()));
  const auto plane = plane_of(call.dims(), window);
  if (!plane || plane->places() == 0) return {};
  const std::int64_t planes = call.dims()[0] * call.dims()[1];
  LibraryResult out(call, with_spatial(call, call.dims()[1], *window));
  const Tensor x = call.store.on_host(call[0]);
  const auto* image = reinterpret_cast<const float*>(x.bytes->data());
  auto* to = static_cast<float*>(out.data);
  for (std::int64_t i = 0; i < planes; ++i, image += plane->image.area())
    for (std::int64_t y = 0; y < plane->y.out; ++y)
      for (std::int64_t place = 0; place < plane->x.out; ++place)
        *to++ = largest(image, *plane, y, place);
  return one_result(std::move(out));
}

LibraryResults global_average_pool(const LibraryCall& call) {
  if (call.rank() < 3) return {};
  const std::int64_t planes = call.dims()[0] * call.dims()[1];
  Dims dims(call.rank(), 1);
  dims[0] = call.dims()[0];
  dims[1] = call.dims()[1];
  LibraryResult out(call, std::move(dims));
  kernels::reduce_rows(call.kernels(), out.matrix(planes, 1),
                       call.in(0, planes, call[0].count() / planes), kernels::Reduction::kMean);
  return one_result(std::move(out));
}

constexpr LibraryRow kImages[] = {
    {"Conv", convolution},
    {"MaxPool", max_pool},
    {"GlobalAveragePool", global_average_pool},
};

}  // namespace

std::span<const LibraryRow> library_of_images() {
  return kImages;
}

}  // namespace hipwright::graph
