// SPDX-License-Identifier: MIT
#include "toolchain/libraries/listing.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/table.h"
#include "toolchain/library_table.h"

namespace hipwright::toolchain {

namespace {

// What a library brought: its own packages and the parts of ROCm that they need. A package of two
// libraries counts for both.
struct Sum {
  std::string version;
  std::set<std::string> targets, licences, origins;
  std::uint64_t bytes = 0;
};

bool is_own_part(const AddedPackage& package) {
  return is_rocm_package(package.name) || package.downloaded_bytes == 0;
}

Sum sum_of(const AddedLibraries& added, const AddedLibrary& library) {
  Sum sum;
  for (const AddedPackage* package : added.closure(library)) {
    if (!is_own_part(*package)) continue;
    if (sum.version.empty()) sum.version = package->version;
    sum.bytes += package->bytes;
    sum.targets.insert(package->targets.begin(), package->targets.end());
    if (!package->licence.empty()) sum.licences.insert(package->licence);
    sum.origins.insert(package->origin);
  }
  return sum;
}

// gfx90a:xnack+ and gfx90a:xnack- are one column entry.
std::string short_targets(const std::set<std::string>& targets) {
  std::set<std::string> plain;
  for (const std::string& each : targets) plain.insert(each.substr(0, each.find(':')));
  return fmt::format("{}", fmt::join(plain, " "));
}

// Of each package the licence that its copyright file names first; --json has all.
std::string short_licences(const std::set<std::string>& licences) {
  std::set<std::string> names;
  for (const std::string& each : licences) names.insert(each.substr(0, each.find(", ")));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string megabytes(std::uint64_t bytes) {
  return bytes < 100'000'000 ? fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6)
                             : fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

std::string libraries_text(const std::vector<AddedLibraries>& added, bool colour) {
  std::string text;
  for (const AddedLibraries& each : added) {
    if (each.libraries.empty()) continue;
    Table table({"library", "version", "size", "code for", "licence"});
    for (const AddedLibrary& library : each.libraries) {
      const Sum sum = sum_of(each, library);
      table.add({library.name, sum.version, megabytes(sum.bytes),
                 sum.targets.empty() ? "headers" : short_targets(sum.targets),
                 short_licences(sum.licences)});
    }
    text += fmt::format("ROCm {}", each.release);
    if (!each.origin.empty()) text += fmt::format(", from {}", each.origin);
    text += "\n" + table.text(colour) + "\n";
  }
  if (text.empty()) text = "No libraries were added.\n\n";
  for (const Release& release : releases()) {
    std::vector<std::string_view> names;
    const auto at = std::ranges::find(added, release.name, &AddedLibraries::release);
    for (const Library& library : libraries())
      if (!library.is_tests && !packages_of(library, release.name).empty() &&
          (at == added.end() || !at->library(library.name)))
        names.push_back(library.name);
    if (!names.empty())
      text += fmt::format("Can be added for ROCm {}: {}\n", release.name, fmt::join(names, " "));
  }
  return text;
}

Json libraries_json(const std::vector<AddedLibraries>& added) {
  Json all = Json::array();
  for (const AddedLibraries& each : added) {
    Json rows = Json::array();
    for (const AddedLibrary& library : each.libraries) {
      const Sum sum = sum_of(each, library);
      Json packages = Json::array();
      for (const AddedPackage* package : each.closure(library))
        packages.push_back({{"name", package->name},
                            {"version", package->version},
                            {"origin", package->origin},
                            {"licence", package->licence},
                            {"bytes", package->bytes},
                            {"downloaded_bytes", package->downloaded_bytes},
                            {"targets", package->targets}});
      rows.push_back({{"name", library.name},
                      {"version", sum.version},
                      {"bytes", sum.bytes},
                      {"targets", sum.targets},
                      {"packages", std::move(packages)}});
    }
    all.push_back(
        {{"release", each.release}, {"origin", each.origin}, {"libraries", std::move(rows)}});
  }
  return {{"releases", std::move(all)}};
}

}  // namespace hipwright::toolchain
