// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/html.h"
#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"
#include "trace/compare/compare.h"
#include "trace/report/html.h"
#include "trace/report/text.h"

namespace hipwright::trace {

namespace {

double real(Nanoseconds time) {
  return static_cast<double>(time);
}
std::string ms(Nanoseconds time) {
  return fmt::format("{:.3f}", real(time) * 1e-6);
}

std::string signed_time(Nanoseconds time) {
  return (time > 0 ? "+" : "") + time_text(time);
}
std::string signed_ms(Nanoseconds time) {
  return (time > 0 ? "+" : "") + ms(time);
}

std::string ratio(Nanoseconds a, Nanoseconds b) {
  if (a == 0) return b == 0 ? "-" : "only B";
  return b == 0 ? "only A" : fmt::format("{:.2f}", real(b) / real(a));
}

std::string kernels_of(const Pair& pair) {
  if (pair.kernel_a.empty() || pair.kernel_b.empty() || pair.kernel_a == pair.kernel_b)
    return pair.kernel_a.empty() ? pair.kernel_b : pair.kernel_a;
  return pair.kernel_a + " | " + pair.kernel_b;
}

// A bridge from A's span to B's: each step begins where the one before it ended.
std::string waterfall_svg(const Comparison& comparison) {
  constexpr double kWidth = 760, kBar = 24, kLabel = 210, kNumber = 96;
  const double rows = static_cast<double>(comparison.steps.size() + 2),
               height = rows * (kBar + 6) + 6;
  double low = 0, high = std::max(real(comparison.span_a), real(comparison.span_b)),
         at = real(comparison.span_a);
  for (const Step& step : comparison.steps) {
    at += real(step.difference());
    low = std::min(low, at);
    high = std::max(high, at);
  }
  const auto x = [&](double time) {
    return kLabel + (time - low) / std::max(high - low, 1.0) * (kWidth - kLabel - kNumber);
  };
  std::string svg = fmt::format(
      "<svg class=\"roof\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Where the difference "
      "comes from\">",
      kWidth, height);
  double y = 6;
  const auto bar = [&](const std::string& label, double from, double to, const char* colour,
                       const std::string& number) {
    svg += fmt::format(
        "<text x=\"0\" y=\"{0:.0f}\">{1}</text><rect x=\"{2:.1f}\" y=\"{3:.0f}\" width=\"{4:.1f}\" "
        "height=\"{5}\" rx=\"2\" fill=\"{6}\"/><text x=\"{7:.1f}\" y=\"{0:.0f}\">{8}</text>",
        y + 16, html_text(label), x(std::min(from, to)), y,
        std::max(std::abs(x(to) - x(from)), 1.0), kBar, colour, x(std::max(from, to)) + 6,
        html_text(number));
    y += kBar + 6;
  };
  bar("A", 0, real(comparison.span_a), "#4a5fa5", time_text(comparison.span_a));
  at = real(comparison.span_a);
  for (const Step& step : comparison.steps) {
    bar(step.what, at, at + real(step.difference()), step.difference() > 0 ? "#c62828" : "#2e7d32",
        signed_time(step.difference()));
    at += real(step.difference());
  }
  bar("B", 0, real(comparison.span_b), "#4a5fa5", time_text(comparison.span_b));
  return svg + "</svg>\n";
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t rows, bool colour) {
  std::string out =
      fmt::format("A: {} ({}), span {}, busy {}\nB: {} ({}), span {}, busy {}\n", comparison.file_a,
                  comparison.device_a, time_text(comparison.span_a), time_text(comparison.busy_a),
                  comparison.file_b, comparison.device_b, time_text(comparison.span_b),
                  time_text(comparison.busy_b));
  for (const std::string& note : comparison.notes) out += "note: " + note + "\n";
  out += "\n" + paint("Where the difference comes from", Colour::kBold, colour) + "\n";
  Table steps({"", ">A", ">B", ">B - A", ">B/A"});
  steps.add({"span", time_text(comparison.span_a), time_text(comparison.span_b),
             signed_time(comparison.span_b - comparison.span_a),
             ratio(comparison.span_a, comparison.span_b)});
  for (const Step& step : comparison.steps)
    steps.add({"  " + step.what, time_text(step.a), time_text(step.b),
               signed_time(step.difference()), ratio(step.a, step.b)});
  out += steps.text(colour) + "\n" +
         paint(comparison.by_operation ? "Operations" : "Kernels", Colour::kBold, colour) + "\n";
  Table pairs({">A", ">B", ">B - A", ">B/A", ">calls A", ">calls B",
               comparison.by_operation ? "operation" : "kernel",
               comparison.by_operation ? "shapes" : "category"});
  for (std::size_t i = 0; i < std::min(rows, comparison.pairs.size()); ++i) {
    const Pair& pair = comparison.pairs[i];
    pairs.add({time_text(pair.a.time), time_text(pair.b.time), signed_time(pair.difference()),
               ratio(pair.a.time, pair.b.time), std::to_string(pair.a.count),
               std::to_string(pair.b.count), pair.name,
               comparison.by_operation ? pair.shapes : std::string(title_of(pair.category))});
  }
  out += pairs.text(colour);
  if (comparison.pairs.size() > rows)
    out += fmt::format("… {} more\n", comparison.pairs.size() - rows);
  return out;
}

Json comparison_json(const Comparison& comparison) {
  const auto us = [](Nanoseconds time) { return real(time) / 1000; };
  Json steps = Json::array(), pairs = Json::array();
  for (const Step& step : comparison.steps)
    steps.push_back({{"what", step.what},
                     {"a_us", us(step.a)},
                     {"b_us", us(step.b)},
                     {"difference_us", us(step.difference())}});
  for (const Pair& pair : comparison.pairs)
    pairs.push_back(
        {{"name", pair.name},
         {"shapes", pair.shapes},
         {"category", key_of(pair.category)},
         {"a", {{"count", pair.a.count}, {"us", us(pair.a.time)}, {"kernel", pair.kernel_a}}},
         {"b", {{"count", pair.b.count}, {"us", us(pair.b.time)}, {"kernel", pair.kernel_b}}}});
  return {{"a",
           {{"file", comparison.file_a},
            {"device", comparison.device_a},
            {"span_us", us(comparison.span_a)},
            {"busy_us", us(comparison.busy_a)}}},
          {"b",
           {{"file", comparison.file_b},
            {"device", comparison.device_b},
            {"span_us", us(comparison.span_b)},
            {"busy_us", us(comparison.busy_b)}}},
          {"notes", comparison.notes},
          {"steps", steps},
          {"by_operation", comparison.by_operation},
          {"pairs", pairs}};
}

std::string comparison_html(const Comparison& comparison) {
  std::vector<HtmlAnswer> answers{
      {"A", html_text(fmt::format("{} on {}", comparison.file_a, comparison.device_a)),
       Tone::kPlain},
      {"B", html_text(fmt::format("{} on {}", comparison.file_b, comparison.device_b)),
       Tone::kPlain}};
  std::string notes;
  for (const std::string& note : comparison.notes) notes += "<li>" + html_message(note) + "</li>";
  if (!notes.empty()) answers.push_back({"Note", "<ul>" + notes + "</ul>", Tone::kOpen});
  HtmlPage page{
      .title = "Comparison of two traces",
      .lead_html =
          html_cards({{time_text(comparison.span_a), "span of A", Tone::kPlain},
                      {time_text(comparison.span_b), "span of B", Tone::kPlain},
                      {ratio(comparison.span_a, comparison.span_b), "B / A, span", Tone::kPlain},
                      {ratio(comparison.busy_a, comparison.busy_b), "B / A, busy", Tone::kPlain}}) +
          html_answers(answers),
      .sections = {},
      .style = std::string(kReportStyle)};
  HtmlTable steps({"part of the span", ">A (ms)", ">B (ms)", ">B - A (ms)", ">B/A"}, "sortable");
  for (const Step& step : comparison.steps)
    steps.row({html_text(step.what), ms(step.a), ms(step.b), signed_ms(step.difference()),
               ratio(step.a, step.b)});
  page.sections.push_back(
      {"waterfall", "Where the difference comes from", waterfall_svg(comparison) + steps.html()});
  HtmlTable pairs({comparison.by_operation ? "operation" : "kernel", ">A (ms)", ">B (ms)",
                   ">B - A (ms)", ">B/A", ">calls A", ">calls B", "category"},
                  "sortable");
  std::size_t rows = 0;
  for (const Pair& pair : comparison.pairs) {
    if (rows++ == 2000) break;
    std::string what = html_code(pair.name);
    if (!pair.shapes.empty()) what += "<br>" + html_code(pair.shapes);
    if (const std::string kernels = kernels_of(pair); !kernels.empty())
      what += "<br><span class=\"soft\">" + html_text(kernels) + "</span>";
    pairs.row({what, ms(pair.a.time), ms(pair.b.time), signed_ms(pair.difference()),
               ratio(pair.a.time, pair.b.time), std::to_string(pair.a.count),
               std::to_string(pair.b.count), html_text(title_of(pair.category))});
  }
  page.sections.push_back({"pairs", comparison.by_operation ? "Operations" : "Kernels",
                           table_filter("pair-table", "Filter rows") + "<div id=\"pair-table\">" +
                               pairs.html() + "</div>\n" +
                               fmt::format("<script>{}</script>\n", kTableScript)});
  return html_page(page);
}

}  // namespace hipwright::trace
