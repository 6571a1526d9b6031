// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/html.h"
#include "base/json.h"
#include "base/table.h"
#include "graph/optimize/optimize.h"

namespace hipwright::graph {

namespace {

constexpr Level kLevels[] = {Level::kConservative, Level::kBalanced, Level::kAggressive};

std::string tolerance_text(double tolerance) {
  return tolerance == 0 ? "exact" : fmt::format("{:g}", tolerance);
}

std::string accuracy_text(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return "not checked";
  return fmt::format("{}: largest relative difference {:.2g}, allowed {:.2g}",
                     accuracy->passes ? "pass" : "fail", accuracy->relative, accuracy->allowed);
}

// Operators of either graph, with their counts.
std::map<std::string, std::pair<std::size_t, std::size_t>> counts_of(const Summary& summary) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const auto& [op, count] : summary.before.by_op) counts[op].first = count;
  for (const auto& [op, count] : summary.after.by_op) counts[op].second = count;
  return counts;
}

Json size_json(const GraphSize& size) {
  return {
      {"nodes", size.nodes}, {"constant_bytes", size.constant_bytes}, {"operators", size.by_op}};
}

}  // namespace

std::string passes_text(bool colour) {
  Table table({"pass", "group", "conservative", "balanced", "aggressive", "tolerance", "what"});
  for (const Pass& pass : all_passes()) {
    std::vector<std::string> row{std::string(pass.name), std::string(pass.group)};
    for (const Level level : kLevels)
      row.emplace_back(!is_included(pass, level, true) ? "-"
                       : pass.needs_matrix_cores       ? "matrix cores"
                                                       : "yes");
    row.push_back(tolerance_text(pass.tolerance));
    row.emplace_back(pass.summary);
    table.add(std::move(row));
  }
  return table.text(colour);
}

Json passes_json() {
  Json list = Json::array();
  for (const Pass& pass : all_passes()) {
    Json levels = Json::array();
    for (const Level level : kLevels)
      if (is_included(pass, level, true)) levels.push_back(to_string(level));
    list.push_back({{"pass", pass.name},
                    {"group", pass.group},
                    {"levels", levels},
                    {"needs_matrix_cores", pass.needs_matrix_cores},
                    {"tolerance", pass.tolerance},
                    {"summary", pass.summary}});
  }
  return {{"passes", list}};
}

std::string summary_text(const Summary& summary, bool colour) {
  std::string text = fmt::format(
      "level:         {}\narchitecture:  {}\nmatrix cores:  {}\nnodes:         {} -> {}\n"
      "accuracy:      {}\n",
      to_string(summary.level), summary.architecture.empty() ? "none" : summary.architecture,
      summary.matrix_cores_enabled ? "used" : "not used", summary.before.nodes, summary.after.nodes,
      accuracy_text(summary.accuracy));
  if (summary.optimizations_applied.empty()) return text + "No pass changed the model.\n";
  Table table({"pass", ">count", "what"});
  for (const AppliedPass& each : summary.optimizations_applied)
    table.add({std::string(each.pass), std::to_string(each.nodes.size()),
               std::string(find_pass(each.pass)->summary)});
  return text + "\n" + table.text(colour);
}

Json summary_json(const Summary& summary) {
  Json applied = Json::array();
  for (const AppliedPass& each : summary.optimizations_applied)
    applied.push_back({{"pass", each.pass}, {"count", each.nodes.size()}, {"nodes", each.nodes}});
  Json json{{"architecture", summary.architecture},
            {"level", to_string(summary.level)},
            {"matrix_cores_enabled", summary.matrix_cores_enabled},
            {"optimizations_applied", applied},
            {"before", size_json(summary.before)},
            {"after", size_json(summary.after)}};
  if (summary.accuracy)
    json["accuracy"] = {{"passes", summary.accuracy->passes},
                        {"relative", summary.accuracy->relative},
                        {"absolute", summary.accuracy->absolute},
                        {"allowed", summary.accuracy->allowed}};
  else
    json["accuracy"] = nullptr;
  return json;
}

std::string summary_html(const Summary& summary, const std::string& model) {
  HtmlTable passes({"Pass", ">Count", "What", "Nodes"}),
      operators({"Operator", ">Before", ">After"});
  for (const AppliedPass& each : summary.optimizations_applied)
    passes.row({html_code(each.pass), std::to_string(each.nodes.size()),
                html_text(find_pass(each.pass)->summary),
                html_text(fmt::format("{}", fmt::join(each.nodes, ", ")))});
  for (const auto& [op, counts] : counts_of(summary))
    operators.row({html_code(op), std::to_string(counts.first), std::to_string(counts.second)});
  const bool is_checked = summary.accuracy.has_value();
  const Tone tone = !is_checked ? Tone::kOpen : summary.accuracy->passes ? Tone::kGood : Tone::kBad;
  return html_page(
      {.title = "Optimized model",
       .lead_html =
           fmt::format(
               "<p>{}, level {}, {}</p>", html_code(model), to_string(summary.level),
               summary.architecture.empty() ? "no target" : html_text(summary.architecture)) +
           html_cards({{std::to_string(summary.before.nodes), "nodes before"},
                       {std::to_string(summary.after.nodes), "nodes after"},
                       {is_checked ? fmt::format("{:.2g}", summary.accuracy->relative)
                                   : std::string("not checked"),
                        "largest relative difference", tone}}),
       .sections = {{"passes", "Passes", passes.html()},
                    {"operators", "Operators", operators.html()}}});
}

}  // namespace hipwright::graph
