// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/report/text.h"

namespace hipwright::trace {

std::string time_text(Nanoseconds time) {
  const double ns = static_cast<double>(time);
  struct Unit {
    double size;
    const char* name;
  };
  for (const Unit& unit : {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "µs"}})
    if (std::abs(ns) >= unit.size) {
      const double value = ns / unit.size;
      return fmt::format("{:.{}f} {}", value,
                         std::abs(value) < 10    ? 2
                         : std::abs(value) < 100 ? 1
                                                 : 0,
                         unit.name);
    }
  return fmt::format("{} ns", time);
}

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f}%", 100 * part / whole) : "-";
}

std::string bar_text(double share, std::size_t width) {
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = static_cast<std::size_t>(
      std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width) * 8));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += "█";
  return out + kParts[eighths % 8];
}

std::string shapes_text(const Trace& trace, const OpUse& op) {
  constexpr std::size_t kMost = 4;
  const std::vector<Shape> shapes = parse_shapes(trace.text(op.shapes));
  std::string out;
  std::size_t shown = 0;
  for (const Shape& shape : shapes) {
    if (shape.empty()) continue;
    if (shown++ == kMost) {
      out += " …";
      break;
    }
    out += fmt::format("{}[{}]", out.empty() ? "" : " ", fmt::join(shape, ","));
  }
  const std::string& types = trace.text(op.types);
  const std::string_view type = std::string_view(types).substr(0, types.find(','));
  if (!out.empty() && !type.empty()) {
    const std::size_t colon = type.rfind(':');
    out += ' ';
    out += colon == std::string_view::npos ? type : type.substr(colon + 1);
  }
  return out;
}

}  // namespace hipwright::trace
