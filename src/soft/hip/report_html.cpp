// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <numeric>

#include "base/html.h"
#include "soft/check/report.h"
#include "soft/hip/instruments.h"

namespace hipwright::soft::hip {

namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}%",
                             100.0 * static_cast<double>(part) / static_cast<double>(whole))
               : std::string("–");
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.2f}", static_cast<double>(part) / static_cast<double>(whole))
               : std::string("–");
}

class Counters {
 public:
  void add(std::string_view name, const std::string& value) {
    table_.row({html_text(name), html_text(value)});
  }
  std::string html(std::string_view title) const {
    return fmt::format("<h3>{}</h3>\n{}", title, table_.html());
  }

 private:
  HtmlTable table_{{"counter", "value"}, "counters"};
};

std::string of_instructions(const KernelCounts& kernel) {
  const auto total =
      std::accumulate(kernel.instructions.begin(), kernel.instructions.end(), std::uint64_t{0});
  Counters out;
  out.add("all, each counted once per wave", fmt::format("{}", total));
  for (unsigned i = 0; i < kOpClasses; ++i)
    if (kernel.instructions[i])
      out.add(name_of(static_cast<OpClass>(i)),
              fmt::format("{} ({})", kernel.instructions[i], share(kernel.instructions[i], total)));
  out.add("active lanes", share(kernel.vector_lanes, kernel.vector_lane_slots));
  return out.html("Instructions");
}

std::string of_memory(const KernelCounts& kernel) {
  Counters out;
  constexpr const char* kKinds[] = {"global loads", "global stores", "global atomics"};
  for (unsigned i = 0; i < kernel.global.size(); ++i) {
    const auto& traffic = kernel.global[i];
    if (traffic.accesses == 0) continue;
    out.add(
        kKinds[i],
        fmt::format(
            "{} bytes in {} wave accesses, {} lines of {} bytes each, {} of the moved bytes used",
            traffic.bytes, traffic.accesses, ratio(traffic.lines, traffic.accesses),
            kernel.line_bytes, share(traffic.bytes, traffic.lines * kernel.line_bytes)));
  }
  if (kernel.lds_accesses)
    out.add("LDS", fmt::format("{} bytes in {} accesses, {} passes lost to bank conflicts ({})",
                               kernel.lds_bytes_moved, kernel.lds_accesses, kernel.lds_conflicts,
                               share(kernel.lds_conflicts, kernel.lds_passes)));
  if (kernel.scalar_bytes) out.add("scalar loads", fmt::format("{} bytes", kernel.scalar_bytes));
  if (kernel.scratch_accesses)
    out.add("scratch", fmt::format("{} accesses", kernel.scratch_accesses));
  return out.html("Memory");
}

std::string of_fidelity(const KernelCounts& kernel) {
  std::uint64_t exact = 0, all = 0;
  for (const auto& [name, operation] : kernel.operations) {
    all += operation.count;
    if (operation.fidelity == Fidelity::kExact) exact += operation.count;
  }
  Counters out;
  out.add("exact", fmt::format("{} of {} operations ({})", exact, all, share(exact, all)));
  for (const auto& [name, operation] : kernel.operations)
    if (operation.fidelity != Fidelity::kExact)
      out.add(name, fmt::format("{} times, {}", operation.count, operation.bound));
  for (const auto& [key, use] : kernel.approximate_uses)
    out.add(use.branch ? "approximate value decided a branch" : "approximate value in an address",
            fmt::format("{} times at {} {} {}", use.count, use.place.location,
                        use.place.instruction, use.place.source));
  return out.html("Fidelity");
}

std::string of_kernel(const KernelCounts& kernel, bool is_open) {
  Counters out;
  out.add("target", kernel.target);
  out.add("compiled by", kernel.producer.empty() ? "unknown" : kernel.producer);
  out.add("launches, workgroups, waves",
          fmt::format("{}, {}, {}", kernel.launches, kernel.workgroups, kernel.waves));
  out.add("resources",
          fmt::format("{} VGPRs, {} SGPRs, {} bytes of LDS, {} bytes of scratch per lane, {}-lane "
                      "waves",
                      kernel.vgprs, kernel.sgprs, kernel.lds_bytes, kernel.scratch_bytes,
                      kernel.wave_size));
  if (kernel.occupancy.simds != 0) out.add("occupancy", text_of(kernel.occupancy));
  return html_details(
      {.summary_html = fmt::format("<span class=\"path\">{}</span>{}", html_text(kernel.name),
                                   html_badge(kernel.target, Tone::kSoft)),
       .body_html =
           out.html("Launches") + of_instructions(kernel) + of_memory(kernel) + of_fidelity(kernel),
       .is_open = is_open});
}

HtmlSection checks_section(bool checked, const std::vector<CheckFinding>& findings) {
  HtmlSection section{"checks", "Checks", ""};
  if (!checked)
    section.html = fmt::format("<p class=\"open\">Checks were off: {} enables them.</p>\n",
                               html_code("hipwright run --check"));
  else if (findings.empty())
    section.html = "<p class=\"good\">No findings.</p>\n";
  for (const CheckFinding& finding : findings)
    section.html += fmt::format("<pre>{}</pre>\n", html_text(text_of(finding)));
  return section;
}

}  // namespace

std::string report_html(const std::string& program, const std::string& target, bool checked,
                        Findings& findings, Report& report) {
  constexpr std::size_t kFewKernels = 3;
  const std::vector<CheckFinding> found = checked ? findings.all() : std::vector<CheckFinding>();
  const std::vector<KernelCounts> kernels = report.kernels();
  HtmlSection section{"kernels", "Kernels", ""};
  std::uint64_t launches = 0;
  for (const KernelCounts& kernel : kernels) {
    section.html += of_kernel(kernel, kernels.size() <= kFewKernels);
    launches += kernel.launches;
  }
  return html_page({.title = fmt::format("{} on the software GPU, {}", program, target),
                    .lead_html = html_cards({{std::to_string(found.size()), "check findings",
                                              !checked        ? Tone::kOpen
                                              : found.empty() ? Tone::kGood
                                                              : Tone::kBad},
                                             {std::to_string(kernels.size()), "kernels"},
                                             {std::to_string(launches), "launches"}}),
                    .sections = {checks_section(checked, found), std::move(section)},
                    .style = ".counters td:first-child { width: 16rem; }"});
}

}  // namespace hipwright::soft::hip
