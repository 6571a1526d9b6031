// SPDX-License-Identifier: MIT
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "port/api/report.h"

namespace hipwright::port::api {

namespace {

constexpr std::string_view kMade =
    "Generated from `src/port/api/tables` by `hipwright api --write-docs docs/api`; do not edit.";

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-" : fmt::format("{} %", (part * 100 + whole / 2) / whole);
}

std::string overview() {
  std::string out = fmt::format(
      "# CUDA names and their HIP counterparts\n\n{}\n\n"
      "Names are functions, types, constants, macros and headers. CUDA names come from the headers "
      "of CUDA 13.0;\nolder names were added. [`hipwright api NAME`](../commands/api.md) "
      "looks up a name.\n\n"
      "| library | names | with a counterpart | | of these in `compat.h` |\n"
      "| --- | ---: | ---: | ---: | ---: |\n",
      kMade);
  Coverage sum{.library = Library::kOther};
  for (const Coverage& row : coverage()) {
    out += fmt::format("| [{}]({}.md) | {} | {} | {} | {} |\n", title_of(row.library),
                       name_of(row.library), row.total, row.mapped, percent(row.mapped, row.total),
                       row.compat);
    sum.total += row.total;
    sum.mapped += row.mapped;
    sum.compat += row.compat;
  }
  out += fmt::format("| all | {} | {} | {} | {} |\n", sum.total, sum.mapped,
                     percent(sum.mapped, sum.total), sum.compat);
  return out;
}

// Table cells must not contain a bar.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", cell(text));
}

void append_remarks(std::string& out, const std::vector<const Entry*>& entries) {
  std::string rows;
  for (const Entry* entry : entries)
    if (!entry->call.empty() || !entry->caveat.empty())
      rows += fmt::format("| {} | {} | {} | {} |\n", code(entry->cuda),
                          entry->mapped() ? code(entry->hip) : "-", code(entry->call),
                          cell(entry->caveat));
  if (rows.empty()) return;
  out +=
      "\n## Changed calls and notes\n\n| CUDA | HIP | call | note |\n| --- | --- | --- | --- |\n" +
      rows;
}

// The releases that added names, and the removed names.
void append_releases(std::string& out, const std::vector<const Entry*>& entries) {
  std::map<HipVersion, std::vector<const Entry*>> by_release;
  for (const Entry* entry : entries)
    if (entry->mapped() && entry->since != HipVersion{}) by_release[entry->since].push_back(entry);
  if (by_release.empty()) return;
  out += "\n## Added after HIP 5.0\n";
  for (const auto& [release, names] : by_release) {
    out += release == kNoRelease ? std::string("\nin `compat.h` only:")
                                 : fmt::format("\nHIP {}:", text_of(release));
    for (const Entry* entry : names) {
      out += " " + code(entry->cuda);
      if (entry->until != kNoRelease) out += fmt::format(" (removed in {})", text_of(entry->until));
    }
    out += "\n";
  }
}

void append_missing(std::string& out, const std::vector<const Entry*>& entries) {
  std::string names;
  for (const Entry* entry : entries)
    if (!entry->mapped()) names += fmt::format("{}{}", names.empty() ? "" : " ", code(entry->cuda));
  if (!names.empty()) out += fmt::format("\n## No counterpart\n\n{}\n", names);
}

std::string page(const Coverage& row) {
  const auto entries = select({.library = row.library});
  std::string out =
      fmt::format("# {}\n\n{}\n\n{} of {} names have a counterpart ({}).\n", title_of(row.library),
                  kMade, row.mapped, row.total, percent(row.mapped, row.total));
  append_remarks(out, entries);
  append_releases(out, entries);
  append_missing(out, entries);
  return out;
}

}  // namespace

std::map<std::string, std::string> pages() {
  std::map<std::string, std::string> result{{"README.md", overview()}};
  for (const Coverage& row : coverage())
    result.emplace(fmt::format("{}.md", name_of(row.library)), page(row));
  return result;
}

Status write_pages(const std::filesystem::path& folder) {
  HW_CHECK(make_directories(folder));
  for (const auto& [name, content] : pages()) HW_CHECK(write_file_atomic(folder / name, content));
  return {};
}

}  // namespace hipwright::port::api
