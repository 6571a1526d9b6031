// SPDX-License-Identifier: MIT
#include "verify/static_checks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lint/engine.h"
#include "port/port.h"
#include "syntax/cuda/file.h"

namespace hipwright::verify {

namespace {

struct Leftover {
  std::string_view question;
  std::vector<port::CodeId> codes;
};
const std::array kLeftovers = std::to_array<Leftover>({
    {"no CUDA headers remain", {"HP208", "HP209"}},
    {"no inline PTX remains", {"HP310", "HP311", "HP313", "HP314", "HP315", "HP316"}},
    {"no CUDA names remain", {"HP201", "HP202", "HP203", "HP205", "HP207"}},
    {"no branch depends on an NVIDIA architecture number", {"HP210", "HP211"}},
    {"warp sizes are ported", {"HP301"}},
    {"build files use AMD compilers", {"HP401", "HP402", "HP403", "HP404"}},
});

constexpr std::size_t kShown = 20;

// The first places, and how many more. `complete`: whether everything was read.
void set_evidence(Check& check, std::size_t files, const Status& complete) {
  check.verdict = !check.diagnostics.empty() ? Verdict::kFail
                  : files != 0               ? Verdict::kPass
                                             : Verdict::kNotChecked;
  if (check.diagnostics.empty()) {
    check.evidence = files == 0 ? "no sources found" : fmt::format("none in {} files", files);
    if (complete) return;
    check.verdict = Verdict::kNotChecked;
    check.evidence = complete.error().message();
    return;
  }
  for (std::size_t i = 0; i < std::min(check.diagnostics.size(), kShown); ++i) {
    const Diagnostic& each = check.diagnostics[i];
    check.evidence += fmt::format("{}{}:{}: {} [{}]", i == 0 ? "" : "\n", each.path,
                                  each.position.line, each.message, each.code);
  }
  if (check.diagnostics.size() > kShown)
    check.evidence += fmt::format("\nand {} more", check.diagnostics.size() - kShown);
}

std::string_view before(const port::PortedFile& file, const port::Change& change) {
  return std::string_view(file.source->text())
      .substr(change.edit.span.begin, change.edit.span.size());
}

// An include line that only accompanies other changes is not CUDA code.
bool is_own_include(const port::PortedFile& file, const port::Change& change) {
  const std::string_view text = before(file, change);
  return change.code == "HP208" && (text.empty() || text.find("hip/") != text.npos);
}

// In a source written for HIP, warpSize is the device's wave size, not an unported warp.
bool is_of_hip(const port::PortedFile& file) {
  const syntax::cuda::File* text = file.source->cuda();
  if (text == nullptr ||
      std::none_of(text->includes().begin(), text->includes().end(),
                   [](const auto& include) { return include.path.starts_with("hip/"); }))
    return false;
  const auto& changes = file.meant().list();
  return std::all_of(changes.begin(), changes.end(), [&](const port::Change& change) {
    return is_own_include(file, change) ||
           (change.code == "HP301" && before(file, change) == "warpSize");
  });
}

// What remains to be ported in a file: a change that port would make, or code it cannot translate.
void add_leftovers(const port::PortedFile& file, std::vector<Diagnostic>& all) {
  const LineIndex lines(file.source->text());
  // In a dual port, names that a header maps are already ported.
  const bool is_done = file.changes.empty() || is_of_hip(file);
  for (const port::Change& change : file.meant().list()) {
    if (is_done) break;
    if (is_own_include(file, change)) continue;
    Diagnostic& left = all.emplace_back();
    left.code = change.code.text();
    left.severity = Severity::kError;
    left.path = file.source->path();
    left.span = change.edit.span;
    left.position = lines.position(change.edit.span.begin);
    const std::string_view text = before(file, change);
    left.message = fmt::format("'{}' is not ported", text.substr(0, text.find('\n')));
  }
  for (const Diagnostic& each : file.diagnostics)
    if (each.severity == Severity::kError) all.push_back(each);
}

Status check_leftovers(const std::filesystem::path& path, const project::Rules& rules,
                       std::vector<Check>& checks) {
  HW_TRY(const port::Ported ported,
         port::port({.path = path, .mode = port::Mode::kDual, .rules = rules}));
  std::vector<Diagnostic> all;
  for (const port::PortedFile& file : ported.files) add_leftovers(file, all);
  for (const Leftover& leftover : kLeftovers) {
    Check& check = checks.emplace_back();
    check.level = Level::kStatic;
    check.subject = path.string();
    check.question = leftover.question;
    for (const Diagnostic& each : all)
      if (std::ranges::find(leftover.codes, each.code, &port::CodeId::text) != leftover.codes.end())
        check.diagnostics.push_back(each);
    set_evidence(check, ported.files.size(), ported.tree.is_complete());
  }
  return {};
}

// What the linter could not read, as one error.
Status is_complete(const lint::Report& report) {
  std::string list;
  for (const lint::FileNote& note : report.notes)
    if (note.is_error) list += "\n  " + note.path + ": " + note.what;
  if (list.empty()) return {};
  return fail("cannot read all sources", "", list.substr(1));
}

Status check_with_linter(const std::filesystem::path& path, const project::Rules& rules,
                         std::vector<Check>& checks) {
  lint::Options options;
  options.exclude = rules.ignore;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    options.root = path;
  } else {
    // The project of a file is its folder, not the current folder.
    options.root = std::filesystem::absolute(path).parent_path();
    options.paths = {std::filesystem::absolute(path)};
  }
  HW_TRY(const lint::Report report, lint::lint(options));
  Check& check = checks.emplace_back();
  check.level = Level::kStatic;
  check.subject = path.string();
  check.question = "lint reports no high-confidence errors";
  std::size_t unsure = 0;
  for (const lint::Finding& finding : report.findings) {
    const bool is_sure =
        finding.confidence == Confidence::kHigh && finding.severity == Severity::kError;
    unsure += !is_sure;
    if (is_sure) check.diagnostics.push_back(finding);
  }
  set_evidence(check, report.statistics.files, is_complete(report));
  if (unsure != 0)
    check.evidence +=
        fmt::format("\n{} findings of lower confidence; run hipwright lint to see them", unsure);
  return {};
}

}  // namespace

Result<std::vector<Check>> check_statically(const std::filesystem::path& path,
                                            const project::Rules& rules) {
  std::vector<Check> checks;
  HW_CHECK(check_leftovers(path, rules, checks));
  HW_CHECK(check_with_linter(path, rules, checks));
  return checks;
}

}  // namespace hipwright::verify
