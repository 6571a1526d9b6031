// SPDX-License-Identifier: MIT
#include "trace/report/html.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/html.h"
#include "trace/report/text.h"

namespace hipwright::trace {

namespace {

constexpr std::size_t kMostRows = 2000;

double real(Nanoseconds time) {
  return static_cast<double>(time);
}
std::string ms(Nanoseconds time) {
  return fmt::format("{:.3f}", real(time) * 1e-6);
}

// White text is readable on each of them.
constexpr std::string_view kColours[] = {"#2563c9", "#7a3fc4", "#1d4f91", "#0f7d86", "#2e7d32",
                                         "#558b2f", "#8a6d00", "#a65e00", "#b0413e", "#00796b",
                                         "#5d7a1f", "#6d5d9b", "#8e4585", "#94603d", "#ad3d73",
                                         "#4a5fa5", "#c62828", "#6b6f76", "#3b3f45"};
static_assert(std::size(kColours) == kCategories);

std::vector<Category> by_time(const Summary& summary) {
  std::vector<Category> order;
  for (const Category category : all_categories())
    if (summary.of(category).events > 0) order.push_back(category);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](Category category) { return summary.exclusive(category); });
  return order;
}

std::string lead(const Summary& summary) {
  const double span = real(summary.span);
  std::string notes;
  for (const std::string& note : summary.notes) notes += "<li>" + html_message(note) + "</li>";
  std::vector<HtmlAnswer> answers{
      {"Trace", html_text(fmt::format("{} ({})", summary.file, summary.format)), Tone::kPlain},
      {"Device", html_text(summary.device), Tone::kPlain}};
  if (summary.peaks && !summary.peaks->is_empty())
    answers.push_back(
        {"Roof",
         html_message(fmt::format("{}, from {}", summary.peaks->device, summary.peaks->source)),
         Tone::kPlain});
  if (!notes.empty())
    answers.push_back({"Not in the trace", "<ul>" + notes + "</ul>",
                       summary.is_complete ? Tone::kPlain : Tone::kBad});
  return html_cards({{time_text(summary.span), "span of the GPU's work", Tone::kPlain},
                     {percent(real(summary.busy), span), "of it busy", Tone::kPlain},
                     {percent(real(summary.idle.launch), span), "launch overhead", Tone::kPlain},
                     {percent(real(summary.exclusive(Category::kCommunication)), span),
                      "exposed communication", Tone::kPlain},
                     {std::to_string(summary.kernel_events), "kernels", Tone::kPlain},
                     {percent(real(summary.exclusive(Category::kOther)), real(summary.busy)),
                      "of busy time uncategorised", Tone::kPlain}}) +
         html_answers(answers);
}

std::string advice_html(const Summary& summary, const std::vector<Advice>& advice) {
  if (advice.empty()) return "<p>" + html_message(why_no_advice(summary)) + "</p>\n";
  std::string out = "<ol class=\"advice\">\n";
  for (const Advice& each : advice) {
    std::string evidence;
    for (const std::string& line : each.evidence) evidence += "<li>" + html_code(line) + "</li>";
    out += fmt::format(
        "<li><h3>{}</h3><p>Saves at most <b>{}</b>, {} of the span ({:.2f}x). "
        "{}</p><ul>{}</ul><p>Next: {}</p></li>\n",
        html_message(each.title), html_text(time_text(each.bound)),
        percent(real(each.bound), real(summary.span)), each.speedup, html_message(each.figures),
        evidence, html_message(each.next));
  }
  return out + "</ol>\n";
}

std::string categories_html(const Summary& summary) {
  std::string stack = "<div class=\"stack\" role=\"img\" aria-label=\"Busy time by category\">",
              legend = "<ul class=\"legend\">";
  for (const Category category : by_time(summary)) {
    const double share = real(summary.exclusive(category)) / std::max(real(summary.busy), 1.0);
    stack += fmt::format("<i style=\"background:{};flex-grow:{:.6f}\" title=\"{} {:.1f}%\"></i>",
                         colour_of(category), share, html_text(title_of(category)), 100 * share);
    legend += fmt::format("<li><i style=\"background:{}\"></i>{} <b>{:.1f}%</b></li>",
                          colour_of(category), html_text(title_of(category)), 100 * share);
  }
  HtmlTable table({"category", ">events", ">time (ms)", ">of busy", ">sum of durations (ms)"},
                  "sortable");
  for (const Category category : by_time(summary)) {
    const CategoryTime& time = summary.of(category);
    table.row({html_text(title_of(category)), std::to_string(time.events), ms(time.exclusive),
               percent(real(time.exclusive), real(summary.busy)), ms(time.sum)});
  }
  return stack + "</div>\n" + legend + "</ul>\n" + table.html() +
         "<p class=\"soft\">Time during which several events run counts once: as computation, else "
         "as communication, else as a copy; among computations, for the one that began first. "
         "The column of times adds up to the busy time.</p>\n";
}

std::string idle_html(const Summary& summary) {
  const Idle& idle = summary.idle;
  HtmlTable table({"idle time", ">time (ms)", ">of span"});
  const auto row = [&](const char* what, Nanoseconds time) {
    table.row({what, ms(time), percent(real(time), real(summary.span))});
  };
  row("all", idle.total);
  row("launch overhead: a launch call had begun", idle.launch);
  row("of that, between kernels of one graph launch", idle.in_graph);
  row("the host had not launched yet", idle.host);
  row("cause not known", idle.unknown);
  table.row({fmt::format("in {} below 100 µs", counted(idle.small_gaps, "gap")), ms(idle.small),
             percent(real(idle.small), real(summary.span))});
  table.row({fmt::format("in {} of 100 µs and more", counted(idle.large_gaps, "gap")),
             ms(idle.large), percent(real(idle.large), real(summary.span))});
  std::string out = table.html();
  if (summary.stalls.empty()) return out;
  HtmlTable stalls({"host stall", ">gaps", ">time (ms)"}, "sortable");
  for (const Stall& stall : summary.stalls)
    stalls.row({html_text(stall.cause + (stall.is_sync ? " (waits for the GPU)" : "")),
                std::to_string(stall.gaps), ms(stall.time)});
  return out + stalls.html();
}

std::string timeline_html(const Trace& trace) {
  return "<p class=\"soft\">Drag to move; Ctrl and wheel, two fingers, or the buttons to zoom; "
         "double-click to zoom in; hover or tap for names.</p>\n"
         "<div class=\"tools\"><button type=\"button\" data-zoom=\"0.5\" aria-label=\"Zoom "
         "in\">+</button><button type=\"button\" data-zoom=\"2\" aria-label=\"Zoom "
         "out\">&minus;</button>"
         "<button type=\"button\" data-zoom=\"0\">All</button></div>\n"
         "<div class=\"timeline\" id=\"timeline\"><canvas tabindex=\"0\" role=\"img\" "
         "aria-label=\"Timeline of the GPU's streams and the host's threads\"></canvas><div "
         "class=\"tip\"></div></div>\n" +
         script_json("timeline-data", timeline_json(trace));
}

std::string kernels_html(const Trace& trace, const Summary& summary) {
  HtmlTable table({"kernel", ">time (ms)", ">share (%)", ">count", ">average (µs)", ">longest (µs)",
                   "category"},
                  "sortable");
  Nanoseconds all = 0;
  for (const KernelUse& kernel : summary.kernels) all += kernel.sum;
  std::size_t rows = 0;
  for (const KernelUse& kernel : summary.kernels) {
    if (rows++ == kMostRows) break;
    table.row(
        {fmt::format("<span title=\"{}\">{}</span>", html_text(trace.text(kernel.name)),
                     html_code(short_name(trace.text(kernel.name)))),
         ms(kernel.sum), fmt::format("{:.2f}", 100 * real(kernel.sum) / std::max(real(all), 1.0)),
         std::to_string(kernel.count),
         fmt::format("{:.2f}", real(kernel.sum) / 1e3 / static_cast<double>(kernel.count)),
         fmt::format("{:.2f}", real(kernel.longest) / 1e3), html_text(title_of(kernel.category))});
  }
  return table_filter("kernel-table", "Filter kernels") + "<div id=\"kernel-table\">" +
         table.html() + "</div>\n";
}

std::string ops_html(const Trace& trace, const Summary& summary) {
  HtmlTable table({"operation", ">GPU time (ms)", ">calls", ">TFLOP/s", ">TB/s", ">of roof (%)",
                   "bound by", "category"},
                  "sortable");
  std::size_t rows = 0;
  for (const OpUse& op : summary.ops) {
    if (rows++ == kMostRows) break;
    const std::string shapes = shapes_text(trace, op);
    table.row(
        {html_code(trace.text(op.name)) + (shapes.empty() ? "" : "<br>" + html_code(shapes)),
         ms(op.gpu), std::to_string(op.calls),
         op.work && op.work->flops > 0 ? fmt::format("{:.1f}", op.flops_per_second() * 1e-12) : "-",
         op.work ? fmt::format("{:.2f}", op.bytes_per_second() * 1e-12) : "-",
         op.roofline ? fmt::format("{:.1f}", *op.roofline * 100) : "-",
         op.roofline ? (op.is_memory_bound ? "memory" : "compute") : "-",
         html_text(title_of(op.category))});
  }
  return table_filter("op-table", "Filter operations") + "<div id=\"op-table\">" + table.html() +
         "</div>\n";
}

std::string host_ops_html(const Trace& trace, const Summary& summary) {
  HtmlTable table({"operation", ">own time (ms)", ">calls"}, "sortable");
  std::size_t rows = 0;
  for (const HostOp& op : summary.host_ops) {
    if (rows++ == kMostRows) break;
    const std::string shapes = shapes_text(trace, {.shapes = op.shapes, .types = op.types});
    table.row({html_code(trace.text(op.name)) + (shapes.empty() ? "" : "<br>" + html_code(shapes)),
               ms(op.self), std::to_string(op.calls)});
  }
  return table_filter("op-table", "Filter operations") + "<div id=\"op-table\">" + table.html() +
         "</div>\n";
}

std::string histogram_html(const Summary& summary) {
  HtmlTable table({"duration (µs)", ">kernels", ">time (ms)", "kernels"});
  std::size_t most = 1;
  for (const HistogramBin& bin : summary.histogram) most = std::max(most, bin.count);
  for (const HistogramBin& bin : summary.histogram)
    if (bin.count > 0)
      table.row(
          {bin.to == 0 ? fmt::format("from {}", bin.from / 1000)
                       : fmt::format("{} to {}", bin.from / 1000, bin.to / 1000),
           std::to_string(bin.count), ms(bin.time),
           fmt::format(
               "<span class=\"meter\" style=\"width:12rem\"><i style=\"width:{:.1f}%\"></i></span>",
               100.0 * static_cast<double>(bin.count) / static_cast<double>(most))});
  return table.html();
}

}  // namespace

std::string_view colour_of(Category category) {
  return kColours[static_cast<std::size_t>(category)];
}

std::string table_filter(std::string_view table, std::string_view label) {
  return fmt::format(
      "<p><input class=\"filter\" type=\"search\" data-table=\"{0}\" placeholder=\"{1}\" "
      "aria-label=\"{1}\"></p>\n",
      html_text(table), html_text(label));
}

std::string script_json(std::string_view id, std::string json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", html_text(id),
                     safe);
}

std::string summary_html(const Trace& trace, const Summary& summary,
                         const std::vector<Advice>& advice) {
  HtmlPage page{.title = "Trace " + std::filesystem::path(summary.file).filename().string(),
                .lead_html = lead(summary),
                .sections = {},
                .style = std::string(kReportStyle)};
  page.sections.push_back({"advice", "What to do", advice_html(summary, advice)});
  page.sections.push_back({"categories", "GPU time by category", categories_html(summary)});
  page.sections.push_back({"timeline-part", "Timeline", timeline_html(trace)});
  page.sections.push_back({"idle", "Idle time", idle_html(summary)});
  if (const std::string roof = roofline_svg(trace, summary); !roof.empty())
    page.sections.push_back(
        {"roofline", "Roofline",
         roof + "<p class=\"soft\">Each circle is an operation with its shapes; its area is its "
                "GPU time. The line is what the device can do at most in bf16.</p>\n"});
  page.sections.push_back({"kernels", "Kernels", kernels_html(trace, summary)});
  if (!summary.ops.empty())
    page.sections.push_back({"operations", "Operations", ops_html(trace, summary)});
  if (!summary.host_ops.empty())
    page.sections.push_back(
        {"host-operations", "Operations on the host", host_ops_html(trace, summary)});
  page.sections.push_back({"durations", "Kernels by duration", histogram_html(summary)});
  page.sections.back().html +=
      fmt::format("<script>{}{}</script>\n", kTableScript, kTimelineScript);
  return html_page(page);
}

}  // namespace hipwright::trace
