// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/html.h"
#include "trace/report/html.h"
#include "trace/report/text.h"

namespace hipwright::trace {

namespace {

constexpr double kWidth = 760, kHeight = 380, kLeft = 62, kRight = 16, kTop = 14, kBottom = 46;

struct Point {
  double intensity, rate;  // FLOP per byte, TFLOP/s
  const OpUse* op;
};

// Decades along an axis.
struct Scale {
  double low, high, from, to;
  double operator()(double value) const {
    return from + (std::log10(value) - low) / (high - low) * (to - from);
  }
};

std::vector<Point> points_of(const Summary& summary) {
  std::vector<Point> points;
  for (const OpUse& op : summary.ops) {
    if (!op.work || op.work->flops <= 0 || op.work->bytes <= 0 || op.gpu <= 0) continue;
    points.push_back({op.work->flops / op.work->bytes, op.flops_per_second() * 1e-12, &op});
    if (points.size() == 400) break;
  }
  return points;
}

}  // namespace

std::string roofline_svg(const Trace& trace, const Summary& summary) {
  const std::vector<Point> points = points_of(summary);
  if (points.empty()) return {};
  double low_x = 0, high_x = 3, low_y = 0, high_y = 1;
  for (const Point& point : points) {
    low_x = std::min(low_x, std::floor(std::log10(point.intensity)));
    high_x = std::max(high_x, std::ceil(std::log10(point.intensity)));
    low_y = std::min(low_y, std::floor(std::log10(std::max(point.rate, 1e-4))));
    high_y = std::max(high_y, std::ceil(std::log10(std::max(point.rate, 1e-4))));
  }
  const auto peak = summary.peaks
                        ? (summary.peaks->bf16 ? summary.peaks->bf16 : summary.peaks->fp16)
                        : std::nullopt;
  if (peak) high_y = std::max(high_y, std::ceil(std::log10(*peak * 1e-12)));
  const Scale x{low_x, high_x, kLeft, kWidth - kRight}, y{low_y, high_y, kHeight - kBottom, kTop};
  std::string svg = fmt::format(
      "<svg class=\"roof\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Roofline: rate over "
      "arithmetic intensity\">",
      kWidth, kHeight);
  for (double decade = low_x; decade <= high_x; ++decade)
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text "
        "x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>",
        x(std::pow(10, decade)), kTop, kHeight - kBottom, kHeight - kBottom + 18,
        std::pow(10, decade));
  for (double decade = low_y; decade <= high_y; ++decade)
    svg += fmt::format(
        "<line class=\"axis\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/><text x=\"{3}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>",
        y(std::pow(10, decade)), kLeft, kWidth - kRight, kLeft - 6, y(std::pow(10, decade)) + 4,
        std::pow(10, decade));
  svg += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">FLOP per byte</text><text x=\"14\" "
      "y=\"{:.0f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.0f})\">TFLOP/s</text>",
      (kLeft + kWidth) / 2, kHeight - 8, kHeight / 2, kHeight / 2);
  if (peak && summary.peaks->bandwidth) {
    const double tera = *peak * 1e-12, slope = *summary.peaks->bandwidth * 1e-12;
    const double ridge = std::clamp(tera / slope, std::pow(10, low_x), std::pow(10, high_x));
    const double start = std::max(std::pow(10, low_x), std::pow(10, low_y) / slope);
    svg += fmt::format(
        "<polyline class=\"line\" points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>", x(start),
        y(start * slope), x(ridge), y(std::min(ridge * slope, tera)), x(std::pow(10, high_x)),
        y(tera));
  }
  double most = 1;
  for (const Point& point : points) most = std::max(most, static_cast<double>(point.op->gpu));
  for (const Point& point : points)
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"><title>{}</title></circle>",
        x(point.intensity), y(std::max(point.rate, std::pow(10, low_y))),
        4 + 9 * std::sqrt(static_cast<double>(point.op->gpu) / most), colour_of(point.op->category),
        html_text(fmt::format("{} {}: {}, {:.1f} TFLOP/s", trace.text(point.op->name),
                              shapes_text(trace, *point.op), time_text(point.op->gpu),
                              point.rate)));
  return svg + "</svg>\n";
}

}  // namespace hipwright::trace
