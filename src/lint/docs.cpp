// SPDX-License-Identifier: MIT
#include "lint/docs.h"

#include <fmt/format.h>

#include "base/file.h"
#include "lint/output/output.h"

namespace hipwright::lint {

namespace {

std::string_view describe(Area area) {
  switch (area) {
    case Area::kSuppression:
      return "Suppression comments";
    case Area::kWaveSize:
      return "Assumptions about 32 or 64 lanes";
    case Area::kCrossLane:
      return "Ballots, masks and shuffles";
    case Area::kFp8:
      return "fnuz and OCP fp8";
    case Area::kUninitialised:
      return "Uninitialised values";
    case Area::kDevice:
      return "Device and platform selection";
    case Area::kCapture:
      return "Graph capture and torch.compile";
    case Area::kEnvironment:
      return "Allocator settings, environment variables, imports";
    case Area::kNvidiaOnly:
      return "NVIDIA-only PTX, intrinsics, headers and build settings";
    case Area::kPython:
      return "Exceptions and aliasing in Python";
    case Area::kWorkflow:
      return "GitHub Actions workflows";
  }
  bug("area out of range", __FILE__, __LINE__);
}

std::string index() {
  std::string text =
      "# Rules of hipwright lint\n\n"
      "Generated from the rules by `hipwright lint rules --write-docs docs/rules`; do not edit.\n"
      "`hipwright lint explain CODE` prints the same pages.\n";
  for (unsigned i = 0; i < kAreaCount; ++i) {
    const Area area = static_cast<Area>(i);
    std::string rows;
    for (const Rule& rule : all_rules())
      if (rule.area() == area)
        rows +=
            fmt::format("| [{}]({}) | {} | {} | {} | {} |\n", rule.code, page_name(rule), rule.name,
                        to_string(rule.severity), to_string(rule.relevance), rule.summary);
    if (rows.empty()) continue;
    text += fmt::format(
        "\n## {} {}: {}\n\n| code | name | severity | matters for | finds |\n"
        "| --- | --- | --- | --- | --- |\n{}",
        area == Area::kWorkflow ? "HCxxx" : fmt::format("HW{}xx", i), to_string(area),
        describe(area), rows);
  }
  return text;
}

}  // namespace

std::string page_name(const Rule& rule) {
  return fmt::format("{}-{}.md", rule.code, rule.name);
}

std::map<std::string, std::string> rule_pages() {
  std::map<std::string, std::string> pages = {{"README.md", index()}};
  for (const Rule& rule : all_rules()) pages[page_name(rule)] = explanation(rule);
  return pages;
}

Status write_rule_pages(const std::filesystem::path& folder) {
  HW_CHECK(make_directories(folder));
  const auto pages = rule_pages();
  for (const auto& [name, content] : pages) HW_CHECK(write_file_atomic(folder / name, content));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if ((name.starts_with("HW") || name.starts_with("HC")) && name.ends_with(".md") &&
        !pages.contains(name))
      std::filesystem::remove(entry.path(), error);
  }
  return {};
}

}  // namespace hipwright::lint
