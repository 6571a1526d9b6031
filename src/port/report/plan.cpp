// SPDX-License-Identifier: MIT
#include "port/plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/json.h"
#include "base/terminal.h"

namespace hipwright::port {

namespace {

Json json_of(const Place& place) {
  return {{"path", place.path}, {"line", place.line}};
}

Json json_of(const std::vector<Place>& places) {
  Json list = Json::array();
  for (const Place& place : places) list.push_back(json_of(place));
  return list;
}

std::string line(std::string_view name, std::string_view text) {
  return fmt::format("  {:<16} {}\n", name, text);
}

std::string inventory_text(const ProjectInventory& all) {
  std::string out, list;
  const auto add = [&](const std::string& item) { list += (list.empty() ? "" : ", ") + item; };
  const auto flush = [&](std::string_view name) {
    if (!list.empty()) out += line(name, list);
    list.clear();
  };
  for (const auto& [language, count] : all.languages)
    add(fmt::format("{} ({} files, {} lines)", to_string(language), count.files, count.lines));
  flush("languages");
  if (all.kernel_count != 0 || all.launches != 0)
    out += line("kernels", fmt::format("{} in {} files, launched at {} places; {} device functions",
                                       all.kernel_count, all.kernels.size(), all.launches,
                                       all.device_functions));
  for (const auto& [library, use] : all.libraries)
    add(use.names == 0 ? fmt::format("{} (headers)", api::title_of(library))
        : use.no_counterpart == 0
            ? fmt::format("{} ({})", api::title_of(library), use.names)
            : fmt::format("{} ({}, {} without counterpart)", api::title_of(library), use.names,
                          use.no_counterpart));
  flush("libraries");
  for (const auto& [system, files] : all.build_systems)
    add(fmt::format("{} ({})", system, files.size()));
  flush("build systems");
  for (const Place& place : all.extensions) add(fmt::format("{}:{}", place.path, place.line));
  for (const Place& place : all.run_time_extensions)
    add(fmt::format("{}:{} (when run)", place.path, place.line));
  flush("extensions");
  for (const auto& [use, places] : all.python)
    add(fmt::format("{} ({})", to_string(use), places.size()));
  flush("Python");
  return out;
}

// One line per name: the places of each are in the JSON.
std::string cutlass_text(const ProjectInventory& all) {
  constexpr std::size_t kMost = 30;
  struct Uses {
    const CutlassUse* first = nullptr;
    std::size_t count = 0;
  };
  std::map<std::string_view, Uses> names;
  for (const CutlassUse& use : all.cutlass) {
    Uses& uses = names[use.name];
    if (uses.count++ == 0) uses.first = &use;
  }
  std::vector<Uses> list;
  for (const auto& [name, uses] : names) list.push_back(uses);
  std::stable_sort(list.begin(), list.end(), [](const Uses& a, const Uses& b) {
    return std::pair(!a.first->counterpart.empty(), a.count) >
           std::pair(!b.first->counterpart.empty(), b.count);
  });
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, list.size()); ++i) {
    const CutlassUse& use = *list[i].first;
    out += fmt::format("  {:>5} x {} -> {} ({}:{}{})\n", list[i].count, use.name,
                       use.counterpart.empty() ? "none known" : use.counterpart, use.place.path,
                       use.place.line, list[i].count > 1 ? ", …" : "");
  }
  if (list.size() > kMost)
    out += fmt::format("  and {} more names: --json has every place\n", list.size() - kMost);
  return out;
}

Json inventory_json(const ProjectInventory& all) {
  Json languages = Json::object(), libraries = Json::array(), python = Json::object();
  Json cutlass = Json::array(), kernels = Json::array(), knows_rocm = Json::object();
  for (const auto& [language, files] : all.knows_rocm)
    knows_rocm[std::string(to_string(language))] = files;
  for (const auto& [language, count] : all.languages)
    languages[std::string(to_string(language))] = {{"files", count.files}, {"lines", count.lines}};
  for (const auto& [library, use] : all.libraries)
    libraries.push_back({{"library", api::name_of(library)},
                         {"title", api::title_of(library)},
                         {"uses", use.names},
                         {"no_counterpart", use.no_counterpart},
                         {"files", use.files},
                         {"headers", use.headers}});
  for (const auto& [use, places] : all.python)
    python[std::string(to_string(use))] = json_of(places);
  for (const CutlassUse& use : all.cutlass) {
    Json one = {{"name", use.name}, {"counterpart", nullptr}};
    if (!use.counterpart.empty()) one["counterpart"] = use.counterpart;
    one.update(json_of(use.place));
    cutlass.push_back(std::move(one));
  }
  for (const auto& [path, count] : all.kernels)
    kernels.push_back({{"path", path}, {"count", count}});
  return {{"languages", std::move(languages)},
          {"cuda_sources", all.cuda_sources},
          {"kernels",
           {{"count", all.kernel_count},
            {"launches", all.launches},
            {"device_functions", all.device_functions},
            {"files", std::move(kernels)}}},
          {"libraries", std::move(libraries)},
          {"build_systems", all.build_systems},
          {"extensions", json_of(all.extensions)},
          {"run_time_extensions", json_of(all.run_time_extensions)},
          {"python", std::move(python)},
          {"cutlass", std::move(cutlass)},
          {"knows_rocm", std::move(knows_rocm)},
          {"inline_ptx", json_of(all.inline_ptx)},
          {"lane_masks", json_of(all.lane_masks)}};
}

}  // namespace

std::string plan_text(const Plan& plan, bool colour) {
  const auto heading = [&](const char* text) { return paint(text, Colour::kBold, colour) + "\n"; };
  std::string out = heading("inventory") + inventory_text(plan.inventory);
  out += heading("\nphases");
  for (const PlannedPhase& phase : plan.phases)
    out += fmt::format(
        "  {} {} {:<20} {}\n",
        phase.applies ? paint("yes", Colour::kGreen, colour) : paint("no ", Colour::kDim, colour),
        phase.number, phase.name, phase.why);
  out += heading("\ndecisions");
  for (const std::string& branch : plan.branches) out += "  " + branch + "\n";
  if (!plan.inventory.cutlass.empty())
    out += heading("\nCUTLASS, and what Composable Kernel has") + cutlass_text(plan.inventory);
  out +=
      heading("\neffort: manual work after the port, times hours by rule of thumb (not measured)");
  for (const EffortItem& item : plan.effort)
    out += fmt::format("  {:>7.1f} h  {} {} x {} h\n", item.hours(), item.count, item.what,
                       item.hours_each);
  return out + fmt::format("  {:>7.1f} h  together\n", plan.hours());
}

std::string plan_json(const Plan& plan) {
  Json phases = Json::array(), effort = Json::array();
  for (const PlannedPhase& phase : plan.phases)
    phases.push_back({{"phase", phase.number},
                      {"name", phase.name},
                      {"applies", phase.applies},
                      {"why", phase.why}});
  for (const EffortItem& item : plan.effort)
    effort.push_back({{"what", item.what},
                      {"count", item.count},
                      {"hours_each", item.hours_each},
                      {"hours", item.hours()}});
  return json_text(
      {{"inventory", inventory_json(plan.inventory)},
       {"phases", std::move(phases)},
       {"decisions", plan.branches},
       {"remaining", plan.remaining},
       {"effort",
        {{"basis", "manual work after the port, times hours by rule of thumb; not measured"},
         {"hours", plan.hours()},
         {"items", std::move(effort)}}}});
}

}  // namespace hipwright::port
