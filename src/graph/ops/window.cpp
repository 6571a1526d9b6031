// SPDX-License-Identifier: MIT
#include "graph/ops/window.h"

#include <algorithm>
#include <string>

namespace hipwright::graph {

namespace {

// Windows with more elements are errors: each of them is visited for each result.
constexpr std::int64_t kMostTaps = 1 << 24;

Result<Dims> per_axis(const Node& node, std::string_view name, std::size_t count,
                      std::int64_t otherwise, std::int64_t least) {
  Dims out = node.integers(name).value_or(Dims(count, otherwise));
  if (out.size() != count)
    return mismatch(std::string(name) + " has not one number for each dimension");
  for (const std::int64_t each : out)
    if (each < least || each > kMostElements) return mismatch("invalid " + std::string(name));
  return out;
}

Result<Window> window_of(const Node& node, const Dims& spatial, Dims kernel) {
  const std::size_t rank = spatial.size();
  Window w{.kernel = std::move(kernel)};
  if (w.kernel.size() != rank || rank == 0) return mismatch("the kernel's dimensions do not fit");
  HW_TRY(const std::int64_t taps, count_elements(w.kernel));
  if (taps > kMostTaps) return mismatch("the kernel is too large");
  HW_TRY(w.strides, per_axis(node, "strides", rank, 1, 1));
  HW_TRY(w.dilations, per_axis(node, "dilations", rank, 1, 1));
  HW_TRY(const Dims pads, per_axis(node, "pads", 2 * rank, 0, 0));
  const std::string mode = node.text("auto_pad", "NOTSET");
  w.rounds_up = node.integer("ceil_mode", 0) != 0;
  for (std::size_t i = 0; i < rank; ++i) {
    if (w.kernel[i] < 1 || w.kernel[i] > kMostElements) return mismatch("invalid kernel");
    const std::int64_t extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
    std::int64_t before = pads[i], after = pads[i + rank], out = 0;
    if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
      out = (spatial[i] + w.strides[i] - 1) / w.strides[i];
      const std::int64_t total =
          std::max<std::int64_t>(0, (out - 1) * w.strides[i] + extent - spatial[i]);
      before = mode == "SAME_UPPER" ? total / 2 : (total + 1) / 2;
      after = total - before;
    } else {
      if (mode == "VALID") before = after = 0;
      const std::int64_t room = spatial[i] + before + after - extent;
      if (room < 0) return mismatch("the kernel is larger than the input");
      out = room / w.strides[i] + 1;
      if (w.rounds_up && room % w.strides[i] != 0 && out * w.strides[i] < spatial[i] + before)
        ++out;  // the window begins inside
    }
    w.begin.push_back(before);
    w.end.push_back(after);
    w.out.push_back(out);
  }
  return w;
}

}  // namespace

Dims spatial_of(const Dims& dims) {
  return {dims.begin() + 2, dims.end()};
}

Result<Window> conv_window(const Node& node, const Dims& x, const Dims& w) {
  if (x.size() < 3 || w.size() != x.size())
    return mismatch("image and kernel differ in dimensions");
  const std::int64_t groups = node.integer("group", 1);
  if (groups < 1 || w[0] % groups != 0 || x[1] % groups != 0 || w[1] != x[1] / groups)
    return mismatch("channels of " + dims_text(x) + " and " + dims_text(w) + " do not fit");
  return window_of(node, spatial_of(x), spatial_of(w));
}

Result<Window> pool_window(const Node& node, const Dims& spatial) {
  if (node.op.starts_with("Global")) return window_of(Node{}, spatial, spatial);
  return window_of(node, spatial, node.integers("kernel_shape").value_or(Dims{}));
}

}  // namespace hipwright::graph
