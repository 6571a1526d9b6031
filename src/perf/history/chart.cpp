// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/html.h"
#include "perf/history/report.h"
#include "perf/history/report_parts.h"

namespace hipwright::perf {

namespace {

constexpr double kWidth = 720, kHeight = 220;
constexpr double kLeft = 70, kRight = 12, kTop = 14, kBottom = 26;
// Each is an element of the page.
constexpr std::size_t kMostPoints = 2'000;
constexpr std::size_t kMostCharts = 300;

constexpr std::string_view kStyle = R"(
.chart { height: auto; max-width: 100%; } .chart text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.chart .axis { stroke: var(--line); } .chart .spread { stroke: var(--line); stroke-width: 3; } .chart .point { fill: var(--link); }
.chart .level { stroke: var(--ink); stroke-width: 1.5; } .chart .worse { stroke: var(--bad); } .chart .better { stroke: var(--good); }
.chart .change { stroke-dasharray: 4 3; stroke-width: 1.5; }
)";

// From results to places in the picture.
class Scale {
 public:
  explicit Scale(std::span<const Point> points) : count_(points.size()) {
    low_ = points.front().low;
    high_ = points.front().high;
    for (const Point& each : points) {
      low_ = std::min({low_, each.low, each.value});
      high_ = std::max({high_, each.high, each.value});
    }
    const double margin = std::max((high_ - low_) * 0.1, high_ * 0.01 + 1e-300);
    low_ = std::max(0.0, low_ - margin);
    high_ += margin;
  }
  double x(std::size_t index) const {
    const double step =
        (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(count_, 2));
    return kLeft + step * (static_cast<double>(index) + 0.5);
  }
  // Between points.
  double edge(std::size_t index) const {
    const double step =
        (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(count_, 2));
    return kLeft + step * static_cast<double>(index);
  }
  double y(double value) const {
    const double part = (value - low_) / (high_ - low_);
    return kHeight - kBottom - (std::isfinite(part) ? part : 0.5) * (kHeight - kTop - kBottom);
  }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  std::size_t count_;
  double low_, high_;
};

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1, y1, x2,
      y2, style);
}

std::string axes(const Scale& scale, const Series& series, std::span<const Point> points) {
  std::string svg;
  for (int i = 0; i <= 4; ++i) {
    const double value = scale.low() + (scale.high() - scale.low()) * i / 4;
    svg += line(kLeft, scale.y(value), kWidth - kRight, scale.y(value), "axis");
    svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6,
                       scale.y(value) + 4, html_text(number_text(value, series.key.unit)));
  }
  svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n", kLeft, kHeight - 8,
                     html_text(time_text(points.front().commit.time)));
  svg += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n",
                     kWidth - kRight, kHeight - 8, html_text(time_text(points.back().commit.time)));
  return svg;
}

// The latest results, when there are more than a page can show.
std::size_t first_shown(const Series& series) {
  return series.points.size() > kMostPoints ? series.points.size() - kMostPoints : 0;
}

std::string levels(const Scale& scale, const Series& series, std::size_t first) {
  std::string svg;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= series.changes.size(); ++i) {
    const bool is_last = i == series.changes.size();
    const std::size_t end = is_last ? series.points.size() : series.changes[i].at;
    std::vector<double> values;
    for (std::size_t k = begin; k < end; ++k) values.push_back(series.points[k].value);
    if (end > first && !values.empty()) {
      const std::size_t from = std::max(begin, first) - first;
      const double y = scale.y(median(std::move(values)));
      svg += line(scale.edge(from), y, scale.edge(end - first), y, "level");
      if (!is_last) {
        const ChangePoint& change = series.changes[i];
        const double x = scale.edge(end - first);
        svg += line(x, kTop, x, kHeight - kBottom,
                    is_worse(series, change) ? "change worse" : "change better");
        svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x,
                           kTop - 3, html_text(change_percent(change)));
      }
    }
    begin = end;
  }
  return svg;
}

std::string chart(const Series& series) {
  const std::size_t first = first_shown(series);
  const std::span<const Point> points = std::span(series.points).subspan(first);
  const Scale scale(points);
  std::string svg = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n",
      kWidth, kHeight, kWidth, html_text(series.title));
  svg += axes(scale, series, points) + levels(scale, series, first);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (point.high > point.low)
      svg += line(scale.x(i), scale.y(point.low), scale.x(i), scale.y(point.high), "spread");
    svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" class=\"point\"><title>{}: "
        "{}</title></circle>\n",
        scale.x(i), scale.y(point.value), html_text(commit_title(point.commit)),
        html_text(number_text(point.value, series.key.unit)));
  }
  return svg + "</svg>\n";
}

std::string changes_table(const std::vector<const Series*>& list) {
  HtmlTable table({"series", ">change", ">before", ">after", "first result of the new level"});
  bool is_empty = true;
  for (const Series* series : list)
    for (const ChangePoint& change : series->changes) {
      is_empty = false;
      table.row(
          {html_text(series->title),
           html_badge(change_percent(change), is_worse(*series, change) ? Tone::kBad : Tone::kGood),
           html_text(number_text(change.before, series->key.unit)),
           html_text(number_text(change.after, series->key.unit)),
           html_text(commit_title(series->points[change.at].commit))});
    }
  return is_empty ? "<p>No level changed.</p>\n" : table.html();
}

}  // namespace

std::string history_html(const std::vector<Series>& list, const std::string& title) {
  std::vector<const Series*> shown;
  std::size_t constant = 0, changes = 0;
  for (const Series& each : list) {
    changes += each.changes.size();
    if (each.key.exact && each.changes.empty())
      ++constant;
    else
      shown.push_back(&each);
  }
  // What changed comes first.
  std::stable_sort(shown.begin(), shown.end(), [](const Series* a, const Series* b) {
    return a->changes.size() > b->changes.size();
  });
  std::string charts = html_filter("charts", "Filter by benchmark, kernel or metric");
  for (std::size_t i = 0; i < std::min(shown.size(), kMostCharts); ++i) {
    const std::string name = shown[i]->title;
    charts += html_details({.summary_html = html_code(name) + " " +
                                            html_text(counted(shown[i]->changes.size(), "change")),
                            .body_html = chart(*shown[i]),
                            .id = {},
                            .name = name,
                            .is_open = i < 12});
  }
  if (shown.size() > kMostCharts)
    charts +=
        fmt::format("<p>{} more series are in the database.</p>\n", shown.size() - kMostCharts);
  return html_page(
      {.title = title,
       .lead_html = html_cards(
           {{std::to_string(shown.size()), "series"},
            {std::to_string(changes), "changes", changes == 0 ? Tone::kPlain : Tone::kOpen},
            {std::to_string(constant), "counts of kernels without a change"}}),
       .sections = {{"changes", "Changes", changes_table(shown)}, {"charts", "Charts", charts}},
       .style = std::string(kStyle)});
}

}  // namespace hipwright::perf
