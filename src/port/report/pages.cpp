// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/terminal.h"
#include "port/pass.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

std::string page_name(const Code& code) {
  return fmt::format("{}-{}.md", code.code, code.name);
}

// The passes that emit a code, and the steps that follow them.
std::string emitted_by(std::string_view code) {
  std::vector<std::string_view> names;
  for (const Pass& pass : all_passes())
    if (pass.may_emit(code)) names.push_back(pass.name);
  for (const LaterStep& step : later_steps())
    if (step.may_emit(code)) names.push_back(step.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string table_of_passes() {
  std::string text =
      "\n## Passes\n\n"
      "In the order in which they run over a file; passes over the tree follow those over its "
      "files.\n\n"
      "| pass | phase | looks at | codes |\n| --- | --- | --- | --- |\n";
  for (const Pass& pass : all_passes()) {
    std::vector<std::string_view> codes(pass.codes.begin(), pass.codes.end());
    text += fmt::format("| [{}](../../src/port/passes/{}) | {} | {} | {} |\n", pass.name,
                        pass.source, to_string(pass.phase()), pass.files(), fmt::join(codes, " "));
  }
  return text;
}

std::string index() {
  std::string text =
      "# Codes of hipwright port\n\n"
      "Made from src/port by `hipwright port codes --write-docs docs/port`; do not edit.\n"
      "`hipwright port explain CODE` prints the same pages.\n";
  for (int i = 0; i < kPhaseCount; ++i) {
    const auto phase = static_cast<Phase>(i);
    std::string rows;
    for (const Code& code : all_codes())
      if (phase_of(code.code) == phase)
        rows += fmt::format("| [{}]({}) | {} | {} | {} |\n", code.code, page_name(code), code.name,
                            code.title, emitted_by(code.code));
    if (!rows.empty())
      text += fmt::format(
          "\n## HP{}xx: {}\n\n| code | name | meaning | emitted by |\n| --- | --- | --- | --- "
          "|\n{}",
          i, to_string(phase), rows);
  }
  return text + table_of_passes();
}

}  // namespace

std::string explanation(const Code& code) {
  const std::string_view rest = code.page.substr(std::min(code.page.find('\n'), code.page.size()));
  return fmt::format("# {} ({}): {}{}{}", code.code, code.name, code.title, rest,
                     code.page.ends_with('\n') ? "" : "\n");
}

std::string codes_text(bool colour) {
  std::string text;
  for (const Code& code : all_codes())
    text += fmt::format("{}  {:<28} {}\n", paint(code.code, Colour::kBold, colour), code.name,
                        code.title);
  return text;
}

std::string codes_json() {
  Json list = Json::array();
  for (const Code& code : all_codes())
    list.push_back({{"code", code.code},
                    {"name", code.name},
                    {"phase", static_cast<int>(phase_of(code.code))},
                    {"title", code.title}});
  return json_text(list);
}

std::map<std::string, std::string> code_pages() {
  std::map<std::string, std::string> pages = {{"README.md", index()}};
  for (const Code& code : all_codes()) pages[page_name(code)] = explanation(code);
  return pages;
}

Status write_code_pages(const std::filesystem::path& folder) {
  HW_CHECK(make_directories(folder));
  const auto pages = code_pages();
  for (const auto& [name, content] : pages) HW_CHECK(write_file_atomic(folder / name, content));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("HP") && name.ends_with(".md") && !pages.contains(name))
      std::filesystem::remove(entry.path(), error);
  }
  return {};
}

}  // namespace hipwright::port
