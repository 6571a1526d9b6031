// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/terminal.h"
#include "port/report/report.h"

namespace hipwright::port {

namespace {

// HP218: the function compiles, without its work.
bool stops_compiler(const Diagnostic& said) {
  return said.severity == Severity::kError && said.code != "HP218";
}

}  // namespace

Summary summarise(const Ported& ported) {
  Summary all;
  all.files = ported.files.size();
  all.added = ported.added.size();
  for (const project::NotRead& each : ported.tree.not_read) all.unread += each.is_error;
  for (const PortedFile& file : ported.files) {
    all.changed += file.is_changed();
    std::set<Phase> touched;
    for (const Change& change : file.meant().list()) {
      PhaseCount& phase = all.phases[change.phase()];
      ++phase.changes;
      ++phase.codes[std::string(change.code.text())].changes;
      touched.insert(change.phase());
    }
    for (const Phase phase : touched) ++all.phases[phase].files;
    for (const Diagnostic& said : file.diagnostics) {
      PhaseCount& phase = all.phases[phase_of(said.code)];
      if (said.severity == Severity::kNote) {
        ++phase.notes;
        ++phase.codes[said.code].notes;
        ++all.notes;
        continue;
      }
      ++phase.to_do;
      ++phase.codes[said.code].to_do;
      all.to_do.push_back(&said);
      all.errors += said.severity == Severity::kError;
      all.will_not_compile += stops_compiler(said);
    }
  }
  std::stable_sort(
      all.to_do.begin(), all.to_do.end(),
      [](const Diagnostic* a, const Diagnostic* b) { return a->severity > b->severity; });
  return all;
}

std::string summary_text(const Ported& ported, std::size_t most, bool colour, bool is_compiled) {
  const Summary all = summarise(ported);
  std::string out;
  if (!all.phases.empty())
    out += paint(
        fmt::format("{:<64}{:>9}{:>7}{:>7}{:>7}\n", "phase", "changes", "files", "to do", "notes"),
        Colour::kBold, colour);
  for (const auto& [phase, count] : all.phases) {
    out += fmt::format("{:<64}{:>9}{:>7}{:>7}{:>7}\n",
                       fmt::format("{} {}", static_cast<int>(phase), to_string(phase)),
                       count.changes, count.files, count.to_do, count.notes);
    for (const auto& [code, of_code] : count.codes) {
      const Code* known = find_code(code);
      const std::string_view title = known != nullptr ? known->title : "";
      out += paint(fmt::format("  {} {:<56.56}{:>9}{:>7}{:>7}{:>7}\n", code, title, of_code.changes,
                               "", of_code.to_do, of_code.notes),
                   Colour::kDim, colour);
    }
  }
  if (!all.to_do.empty() && most != 0)
    out += paint("\nmanual work; `hipwright port explain CODE` explains each\n", Colour::kBold,
                 colour);
  for (std::size_t i = 0; i < std::min(most, all.to_do.size()); ++i)
    out += fmt::format("  {}:{}: {} [{}]\n", all.to_do[i]->path, all.to_do[i]->position.line,
                       all.to_do[i]->message, all.to_do[i]->code);
  if (most != 0 && all.to_do.size() > most)
    out += fmt::format("  and {} more: --format json and --report have all\n",
                       all.to_do.size() - most);
  out +=
      fmt::format("{}{} of {} files changed, {} added{}; {} to do by hand", out.empty() ? "" : "\n",
                  all.changed, all.files, all.added,
                  all.unread == 0 ? "" : fmt::format(", {} not read", counted(all.unread, "path")),
                  counted(all.to_do.size(), "place"));
  if (!is_compiled) out += fmt::format(", {} of which will not compile", all.will_not_compile);
  return out + "\n";
}

}  // namespace hipwright::port
