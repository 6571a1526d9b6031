// SPDX-License-Identifier: MIT
// Resizing by nearest or linear interpolation, one axis after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

struct Axis {
  std::size_t index;
  std::int64_t in, out;
  double scale;
};

// Where position x of the result lies in the input. ONNX counts with the length that the scale
// gives, which need not be whole.
double coordinate(const std::string& mode, const Axis& axis, double x) {
  const auto in = static_cast<double>(axis.in), out = static_cast<double>(axis.out);
  const double exact = axis.scale * in;
  if (mode == "asymmetric") return x / axis.scale;
  if (mode == "align_corners") return exact == 1 ? 0 : x * (in - 1) / (exact - 1);
  if (mode == "pytorch_half_pixel" && axis.out == 1) return 0;
  const double centre = mode == "half_pixel_symmetric" ? in / 2 * (1 - out / exact) : 0;
  return centre + (x + 0.5) / axis.scale - 0.5;
}
constexpr std::array kCoordinates = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                                     "align_corners", "asymmetric"};

std::int64_t nearest(const std::string& mode, double x) {
  const double rounded = mode == "floor"               ? std::floor(x)
                         : mode == "ceil"              ? std::ceil(x)
                         : mode == "round_prefer_ceil" ? std::floor(x + 0.5)
                                                       : std::ceil(x - 0.5);
  return static_cast<std::int64_t>(rounded);
}

// Two elements of the input, and the weight of the second.
struct Mix {
  std::int64_t first, second;
  double weight;
};
std::vector<Mix> mixes_of(const Node& node, const Axis& axis) {
  const std::string coordinates = node.text("coordinate_transformation_mode", "half_pixel");
  const bool is_linear = node.text("mode", "nearest") == "linear";
  const auto inside = [&](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, axis.in - 1); };
  std::vector<Mix> mixes;
  for (std::int64_t i = 0; i < axis.out; ++i) {
    const double x = coordinate(coordinates, axis, static_cast<double>(i));
    if (is_linear) {
      const auto below = static_cast<std::int64_t>(std::floor(x));
      mixes.push_back({inside(below), inside(below + 1), x - std::floor(x)});
    } else {
      const std::int64_t at = inside(nearest(node.text("nearest_mode", "round_prefer_floor"), x));
      mixes.push_back({at, at, 0});
    }
  }
  return mixes;
}

std::vector<double> resized(const std::vector<double>& from, const Dims& dims, const Axis& axis,
                            const std::vector<Mix>& mixes) {
  const auto inner = static_cast<std::size_t>(product(dims, axis.index + 1, dims.size()));
  const auto outer = static_cast<std::size_t>(product(dims, 0, axis.index));
  const std::size_t plane = static_cast<std::size_t>(axis.in) * inner;
  std::vector<double> out;
  out.reserve(outer * mixes.size() * inner);
  for (std::size_t i = 0; i < outer; ++i)
    for (const Mix& mix : mixes) {
      const double* first = from.data() + i * plane + static_cast<std::size_t>(mix.first) * inner;
      const double* second = from.data() + i * plane + static_cast<std::size_t>(mix.second) * inner;
      for (std::size_t k = 0; k < inner; ++k)
        out.push_back(mix.weight == 0 ? first[k]
                                      : first[k] * (1 - mix.weight) + second[k] * mix.weight);
    }
  return out;
}

Status check_form(const Node& node) {
  const std::string mode = node.text("mode", "nearest");
  if (mode != "nearest" && mode != "linear") return mismatch("unsupported mode " + mode);
  const std::string how = node.text("coordinate_transformation_mode", "half_pixel");
  if (std::ranges::find(kCoordinates, how) == kCoordinates.end())
    return mismatch("unsupported coordinate_transformation_mode " + how);
  if (node.integer("antialias", 0) != 0) return mismatch("antialias is unsupported");
  if (node.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    return mismatch("unsupported keep_aspect_ratio_policy");
  return {};
}

// `scales` or `sizes` is given: one number for each of the axes.
Result<std::vector<Axis>> axes_to_resize(const Node& node, const Dims& dims, const Tensor* scales,
                                         const Tensor* sizes) {
  HW_CHECK(check_form(node));
  const bool by_size = sizes != nullptr && sizes->count() != 0;
  if (!by_size && (scales == nullptr || scales->count() == 0))
    return mismatch("neither scales nor sizes are given");
  Dims axes = node.integers("axes").value_or(Dims{});
  if (axes.empty())
    for (std::size_t i = 0; i < dims.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  HW_CHECK(axes_of(axes, dims.size()));
  const std::vector<double> given = floats_of(by_size ? *sizes : *scales);
  if (given.size() != axes.size()) return mismatch("not one number for each axis");
  std::vector<Axis> out;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    HW_TRY(const std::size_t axis, axis_of(axes[i], dims.size()));
    const auto in = static_cast<double>(dims[axis]);
    const double wanted = by_size ? given[i] : std::floor(in * given[i]);
    if (dims[axis] < 1 || !(wanted >= 1) || !(wanted <= static_cast<double>(kMostElements)))
      return mismatch("a dimension would be empty, or too large");
    out.push_back(
        {axis, dims[axis], static_cast<std::int64_t>(wanted), by_size ? wanted / in : given[i]});
  }
  return out;
}

Result<Tensors> run_resize(const Call& call) {
  HW_TRY(const auto axes, axes_to_resize(call.node, call[0].dims, call.input(2), call.input(3)));
  Dims dims = call[0].dims;
  std::vector<double> values = floats_of(call[0]);
  for (const Axis& axis : axes) {
    if (axis.in == axis.out && axis.scale == 1) continue;
    Dims next = dims;
    next[axis.index] = axis.out;
    HW_CHECK(result_count(next));
    values = resized(values, dims, axis, mixes_of(call.node, axis));
    dims = std::move(next);
  }
  return Tensors{tensor_of(call[0].type, std::move(dims), values)};
}

Result<Types> infer_resize(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  if (shape == nullptr) return unknown_shape(call);
  const auto dims = dims_of(*shape);
  const Tensor *scales = call.constant(2), *sizes = call.constant(3);
  const auto is_known = [](const Tensor* each) { return each != nullptr && each->count() != 0; };
  if (!dims || (!is_known(scales) && !is_known(sizes)))
    return Types{{call.element(0), Shape(shape->size())}};
  HW_TRY(const auto axes, axes_to_resize(call.node, *dims, scales, sizes));
  Shape out = *shape;
  for (const Axis& axis : axes) out[axis.index] = axis.out;
  return Types{{call.element(0), out}};
}

}  // namespace

Operators resize() {
  return {{"Resize", 1, 4, infer_resize, run_resize}};
}

}  // namespace hipwright::graph::ops
