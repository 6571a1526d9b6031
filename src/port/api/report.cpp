// SPDX-License-Identifier: MIT
#include "port/api/report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"

namespace hipwright::port::api {

namespace {

// "HIP 6.2 and later", "HIP 5.1 and later, removed in 7.0", "HIP 7.0 and later; compat.h before"
std::string where_text(const Entry& entry) {
  if (entry.compat && entry.since == kNoRelease) return "compat.h";
  if (entry.compat && entry.since != HipVersion{})
    return fmt::format("HIP {} and later; compat.h before", text_of(entry.since));
  if (entry.until != kNoRelease)
    return fmt::format("HIP {} and later, removed in {}",
                       text_of(std::max(entry.since, HipVersion{5, 0})), text_of(entry.until));
  if (entry.since == HipVersion{}) return "HIP 5.0 or earlier";
  return fmt::format("HIP {} and later", text_of(entry.since));
}

std::string short_where(const Entry& entry) {
  if (!entry.mapped()) return "-";
  const std::string since = entry.since == kNoRelease     ? ""
                            : entry.since == HipVersion{} ? "5.0"
                                                          : text_of(entry.since);
  const std::string until =
      entry.until == kNoRelease ? "" : fmt::format(" until {}", text_of(entry.until));
  return fmt::format("{}{}{}", since, until,
                     entry.compat ? since.empty() ? "compat.h" : ", compat.h" : "");
}

std::string verdict_text(const Entry& entry, HipVersion version) {
  const std::string name = text_of(version);
  if (!entry.mapped()) return fmt::format("no counterpart in HIP {}", name);
  if (entry.declared_in(version)) return fmt::format("declared by HIP {}", name);
  if (entry.compat) return fmt::format("not declared by HIP {}; compat.h provides it", name);
  return version < entry.since ? fmt::format("not yet in HIP {}", name)
                               : fmt::format("no longer in HIP {}", name);
}

void append_entry(std::string& out, const Entry& entry, std::optional<HipVersion> version,
                  bool colour) {
  out += paint(entry.cuda, Colour::kBold, colour);
  if (entry.mapped()) {
    out += " → " + paint(entry.hip, Colour::kBold, colour);
  } else {
    out += ": " + paint("no counterpart", Colour::kYellow, colour);
  }
  out += fmt::format("\n  {} ({})\n", title_of(entry.library), name_of(entry.kind));
  if (entry.mapped()) out += fmt::format("  {}\n", where_text(entry));
  if (version)
    out += "  " +
           paint(verdict_text(entry, *version),
                 entry.usable_in(*version) ? Colour::kGreen : Colour::kRed, colour) +
           "\n";
  if (!entry.call.empty()) out += fmt::format("  call: {}\n", entry.call);
  if (!entry.caveat.empty()) out += fmt::format("  note: {}\n", entry.caveat);
}

Json json_of_entry(const Entry& entry, std::optional<HipVersion> version) {
  const auto text_or_null = [](std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(std::string(text));
  };
  const auto version_or_null = [](HipVersion v) {
    return v == HipVersion{} || v == kNoRelease ? Json(nullptr) : Json(text_of(v));
  };
  Json json = {
      {"cuda", std::string(entry.cuda)},
      {"hip", text_or_null(entry.hip)},
      {"library", std::string(name_of(entry.library))},
      {"kind", std::string(name_of(entry.kind))},
      {"in_hip", entry.mapped() && entry.since != kNoRelease},
      {"since", version_or_null(entry.since)},
      {"until", version_or_null(entry.until)},
      {"compat", entry.compat},
      {"call", text_or_null(entry.call)},
      {"note", text_or_null(entry.caveat)},
  };
  if (version) {
    json["declared"] = entry.declared_in(*version);
    json["usable"] = entry.usable_in(*version);
  }
  return json;
}

}  // namespace

Answer look_up(std::string_view name) {
  Answer answer{.asked = std::string(name)};
  if (const Entry* entry = find(name)) {
    answer.entries = {entry};
  } else if (const Entry* header = find_header(name)) {
    answer.entries = {header};
  } else {
    answer.entries = find_hip(name);
  }
  if (answer.entries.empty()) answer.nearest = similar(name, 5);
  return answer;
}

bool is_good(const Answer& answer, std::optional<HipVersion> version) {
  if (answer.entries.empty()) return false;
  return !version || std::ranges::all_of(answer.entries, [&](const Entry* entry) {
    return entry->usable_in(*version);
  });
}

std::string answers_text(const std::vector<Answer>& answers, std::optional<HipVersion> version,
                         bool colour) {
  std::string out;
  for (const Answer& answer : answers) {
    if (!out.empty()) out += "\n";
    for (std::size_t i = 0; i < answer.entries.size(); ++i) {
      if (i > 0) out += "\n";
      append_entry(out, *answer.entries[i], version, colour);
    }
    if (!answer.entries.empty()) continue;
    out += paint(answer.asked, Colour::kBold, colour) + ": unknown name\n";
    for (const Entry* entry : answer.nearest)
      out += entry->mapped() && !entry->unchanged()
                 ? fmt::format("  similar: {} → {}\n", entry->cuda, entry->hip)
                 : fmt::format("  similar: {}\n", entry->cuda);
  }
  return out;
}

Json answers_json(const std::vector<Answer>& answers, std::optional<HipVersion> version) {
  Json json = Json::array();
  for (const Answer& answer : answers) {
    Json item = {{"asked", answer.asked}, {"known", !answer.entries.empty()}};
    item["entries"] = list_json(answer.entries, version);
    item["nearest"] = Json::array();
    for (const Entry* entry : answer.nearest) item["nearest"].push_back(std::string(entry->cuda));
    json.push_back(std::move(item));
  }
  return json;
}

std::vector<const Entry*> select(const Selection& selection) {
  std::vector<const Entry*> result;
  for (const Entry& entry : all()) {
    if (selection.library && entry.library != *selection.library) continue;
    const bool there = selection.version ? entry.usable_in(*selection.version) : entry.mapped();
    if (selection.missing && there) continue;
    result.push_back(&entry);
  }
  std::ranges::stable_sort(result, {}, [](const Entry* entry) { return entry->library; });
  return result;
}

std::string list_text(const std::vector<const Entry*>& entries, bool colour) {
  Table table({"CUDA", "HIP", "kind", "since"});
  for (const Entry* entry : entries)
    table.add({std::string(entry->cuda), entry->mapped() ? std::string(entry->hip) : "-",
               std::string(name_of(entry->kind)), short_where(*entry)});
  return table.text(colour);
}

Json list_json(const std::vector<const Entry*>& entries, std::optional<HipVersion> version) {
  Json json = Json::array();
  for (const Entry* entry : entries) json.push_back(json_of_entry(*entry, version));
  return json;
}

std::vector<Coverage> coverage() {
  std::vector<Coverage> result;
  for (std::size_t i = 0; i < kLibraryCount; ++i)
    result.push_back({.library = static_cast<Library>(i)});
  for (const Entry& entry : all()) {
    Coverage& row = result[static_cast<std::size_t>(entry.library)];
    ++row.total;
    row.mapped += entry.mapped() ? 1 : 0;
    row.compat += entry.compat ? 1 : 0;
  }
  return result;
}

std::string coverage_text(bool colour) {
  Table table({"library", "of", ">names", ">with a counterpart", ">of these in compat.h"});
  for (const Coverage& row : coverage())
    table.add({std::string(name_of(row.library)), std::string(title_of(row.library)),
               std::to_string(row.total), std::to_string(row.mapped), std::to_string(row.compat)});
  return table.text(colour);
}

Json coverage_json() {
  Json json = Json::array();
  for (const Coverage& row : coverage())
    json.push_back({{"library", std::string(name_of(row.library))},
                    {"title", std::string(title_of(row.library))},
                    {"names", row.total},
                    {"mapped", row.mapped},
                    {"compat", row.compat}});
  return json;
}

}  // namespace hipwright::port::api
