// SPDX-License-Identifier: MIT
#include "trace/analysis/flops.h"

#include <algorithm>
#include <charconv>

#include "base/words.h"
#include "trace/peaks.h"

namespace hipwright::trace {

namespace {

double elements(const Shape& shape) {
  double product = 1;
  for (const std::int64_t size : shape) product *= static_cast<double>(size);
  return product;
}

const Shape* shape_at(const OpCall& call, std::size_t index) {
  return index < call.shapes.size() && !call.shapes[index].empty() ? &call.shapes[index] : nullptr;
}

unsigned bytes_at(const OpCall& call, std::size_t index) {
  return index < call.types.size() ? bytes_of_type(call.types[index]) : 0;
}

GemmShape gemm(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
               const OpCall& call, std::size_t type, bool has_bias) {
  return {batch, m, n, k, type < call.types.size() ? call.types[type] : std::string(), has_bias};
}

// Two matrices at `first` and after it: [m,k] and [k,n], or [b,m,k] and [b,k,n].
std::optional<GemmShape> two_matrices(const OpCall& call, std::size_t first, bool has_bias) {
  const Shape* a = shape_at(call, first);
  const Shape* b = shape_at(call, first + 1);
  if (a == nullptr || b == nullptr || a->size() != b->size()) return std::nullopt;
  if (a->size() == 2 && (*a)[1] == (*b)[0])
    return gemm(1, (*a)[0], (*b)[1], (*a)[1], call, first, has_bias);
  if (a->size() == 3 && (*a)[2] == (*b)[1] && (*a)[0] == (*b)[0])
    return gemm((*a)[0], (*a)[1], (*b)[2], (*a)[2], call, first, has_bias);
  return std::nullopt;
}

// x[…,k] with w[n,k].
std::optional<GemmShape> linear(const OpCall& call) {
  const Shape* x = shape_at(call, 0);
  const Shape* w = shape_at(call, 1);
  if (x == nullptr || w == nullptr || w->size() != 2 || x->back() != (*w)[1] || (*w)[1] <= 0)
    return std::nullopt;
  const double rows = elements(*x) / static_cast<double>((*w)[1]);
  if (!(rows <= 9e15)) return std::nullopt;  // also not a number
  return gemm(1, static_cast<std::int64_t>(rows), (*w)[0], (*w)[1], call, 0,
              shape_at(call, 2) != nullptr);
}

// "[16, 16]"
std::vector<std::int64_t> numbers(std::string_view text) {
  std::vector<std::int64_t> out;
  for (std::size_t at = 0; at < text.size();) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error == std::errc()) {
      out.push_back(number);
      at = static_cast<std::size_t>(end - text.data());
    } else {
      ++at;
    }
  }
  return out;
}

// input [b,c,…], weight [o,c/groups,…]; arguments: stride, padding, dilation, transposed.
std::optional<Work> convolution(const OpCall& call, std::size_t input_at, std::size_t weight_at,
                                std::size_t scalars_at) {
  const Shape* input = shape_at(call, input_at);
  const Shape* weight = shape_at(call, weight_at);
  if (input == nullptr || weight == nullptr || input->size() != weight->size() || input->size() < 3)
    return std::nullopt;
  if (scalars_at + 2 >= call.arguments.size()) return std::nullopt;
  const auto stride = numbers(call.arguments[scalars_at]),
             padding = numbers(call.arguments[scalars_at + 1]),
             dilation = numbers(call.arguments[scalars_at + 2]);
  const auto at = [](const std::vector<std::int64_t>& list, std::size_t i, std::int64_t otherwise) {
    return list.empty() ? otherwise : list[std::min(i, list.size() - 1)];
  };
  const bool is_transposed =
      scalars_at + 3 < call.arguments.size() && call.arguments[scalars_at + 3] == "True";
  if (is_transposed || stride.empty()) return std::nullopt;
  double places = static_cast<double>((*input)[0]) * static_cast<double>((*weight)[0]),
         taps = static_cast<double>((*weight)[1]);
  for (std::size_t i = 2; i < input->size(); ++i) {
    const double extent =
        static_cast<double>(at(dilation, i - 2, 1)) * (static_cast<double>((*weight)[i]) - 1) + 1;
    const double step = static_cast<double>(std::max<std::int64_t>(at(stride, i - 2, 1), 1));
    const double size = static_cast<double>((*input)[i]) +
                        2.0 * static_cast<double>(at(padding, i - 2, 0)) - extent;
    if (!(size >= 0 && size < 1e15)) return std::nullopt;
    places *= static_cast<double>(static_cast<std::int64_t>(size / step) + 1);
    taps *= static_cast<double>((*weight)[i]);
  }
  const double width = bytes_at(call, input_at);
  return Work{2 * places * taps, width * (elements(*input) + elements(*weight) + places)};
}

// Padding, stride and dilation from `first` on.
std::optional<Work> library_convolution(const OpCall& call, std::size_t first) {
  if (first + 2 >= call.arguments.size()) return std::nullopt;
  OpCall ordered = call;
  ordered.arguments = {
      "", "", "", call.arguments[first + 1], call.arguments[first], call.arguments[first + 2]};
  return convolution(ordered, 0, 1, 3);
}

// q [b,h,s,d], k and v [b,h',t,d]; with `tokens_first`, [b,s,h,d].
std::optional<Work> attention(const OpCall& call, bool tokens_first) {
  const Shape *q = shape_at(call, 0), *k = shape_at(call, 1), *v = shape_at(call, 2);
  if (q == nullptr || k == nullptr || v == nullptr || q->size() != 4 || k->size() != 4 ||
      v->size() != 4)
    return std::nullopt;
  const std::size_t tokens = tokens_first ? 1 : 2, heads = 3 - tokens;
  const double s = static_cast<double>((*q)[tokens]), t = static_cast<double>((*k)[tokens]);
  const double rows = static_cast<double>((*q)[0]) * static_cast<double>((*q)[heads]);
  double flops = 2 * rows * s * t * (static_cast<double>((*q)[3]) + static_cast<double>((*v)[3]));
  // A causal mask leaves half of a square.
  const bool is_causal =
      std::ranges::find(call.arguments, "True") != call.arguments.end() && s == t && s > 1;
  if (is_causal) flops /= 2;
  const double width = bytes_at(call, 0);
  return Work{flops, width * (2 * elements(*q) + elements(*k) + elements(*v))};
}

// Every tensor once, and a result as large as the largest of them.
std::optional<Work> streaming(const OpCall& call, double results) {
  double bytes = 0, largest = 0;
  for (std::size_t i = 0; i < call.shapes.size(); ++i) {
    if (call.shapes[i].empty()) continue;
    const unsigned width = bytes_at(call, i);
    if (width == 0) return std::nullopt;
    const double size = elements(call.shapes[i]) * width;
    bytes += size;
    largest = std::max(largest, size);
  }
  if (bytes <= 0) return std::nullopt;
  return Work{0, bytes + results * largest};
}

// aten::copy_ reads its second tensor and writes its first; the others read all and write one more.
constexpr Words kInPlace = {"aten::copy_"};
constexpr Words kElementwise = {"aten::add",
                                "aten::sub",
                                "aten::mul",
                                "aten::div",
                                "aten::silu",
                                "aten::gelu",
                                "aten::relu",
                                "aten::sigmoid",
                                "aten::tanh",
                                "aten::neg",
                                "aten::exp",
                                "aten::rsqrt",
                                "aten::pow",
                                "aten::cos",
                                "aten::sin",
                                "aten::where",
                                "aten::clamp",
                                "aten::add_",
                                "aten::mul_",
                                "aten::div_",
                                "aten::sub_",
                                "aten::relu_",
                                "aten::masked_fill",
                                "aten::_softmax",
                                "aten::_log_softmax",
                                "aten::native_layer_norm",
                                "aten::layer_norm",
                                "aten::rms_norm",
                                "aten::_fused_rms_norm",
                                "aten::gelu_backward",
                                "aten::silu_backward",
                                "aten::clamp_min",
                                "aten::threshold_backward",
                                "aten::native_batch_norm",
                                "aten::cudnn_batch_norm",
                                "aten::miopen_batch_norm",
                                "aten::native_group_norm"};

}  // namespace

std::vector<Shape> parse_shapes(std::string_view text) {
  std::vector<Shape> out;
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::int64_t number = 0;
    if (c == '[') {
      if (++depth == 2) out.emplace_back();
      ++at;
    } else if (c == ']') {
      --depth;
      ++at;
    } else if (const auto [end, error] =
                   std::from_chars(text.data() + at, text.data() + text.size(), number);
               error == std::errc()) {
      if (depth == 2 && number >= 0) out.back().push_back(number);
      if (depth == 1) out.emplace_back();
      at = static_cast<std::size_t>(end - text.data());
    } else {
      ++at;
    }
  }
  return out;
}

std::vector<std::string> split_text(std::string_view text, char separator) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::optional<GemmShape> gemm_of(const OpCall& call) {
  if (is_any(call.name, {"aten::mm", "aten::bmm"})) return two_matrices(call, 0, false);
  if (is_any(call.name, {"aten::addmm", "aten::baddbmm"})) return two_matrices(call, 1, true);
  if (call.name == "aten::_scaled_mm") return two_matrices(call, 0, false);
  if (call.name == "aten::linear") return linear(call);
  return std::nullopt;
}

namespace {

std::optional<Work> known_work(const OpCall& call) {
  if (const auto shape = gemm_of(call)) {
    const double b = static_cast<double>(shape->batch), m = static_cast<double>(shape->m),
                 n = static_cast<double>(shape->n), k = static_cast<double>(shape->k);
    const double width = bytes_of_type(shape->type);
    return Work{2 * b * m * n * k, width * b * (m * k + k * n + m * n)};
  }
  if (is_any(call.name, {"aten::convolution", "aten::_convolution", "aten::conv2d"}))
    return convolution(call, 0, 1, 3);
  // The libraries' operations have the paddings before the strides, and cuDNN's has no bias.
  if (call.name == "aten::miopen_convolution") return library_convolution(call, 3);
  if (call.name == "aten::cudnn_convolution") return library_convolution(call, 2);
  if (call.name == "aten::_flash_attention_forward") return attention(call, true);
  if (is_any(call.name,
             {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention",
              "aten::_scaled_dot_product_efficient_attention",
              "aten::_scaled_dot_product_cudnn_attention"}))
    return attention(call, false);
  if (is_any(call.name, kInPlace)) return streaming(call, 0);
  if (is_any(call.name, kElementwise)) return streaming(call, 1);
  return std::nullopt;
}

}  // namespace

std::optional<Work> work_of(const OpCall& call) {
  constexpr double kMost = 1e30;  // what damaged shapes exceed
  const auto work = known_work(call);
  if (!work || !(work->flops < kMost) || !(work->bytes < kMost)) return std::nullopt;
  return work;
}

}  // namespace hipwright::trace
