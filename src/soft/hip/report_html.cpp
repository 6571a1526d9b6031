// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <numeric>

#include "soft/check/report.h"
#include "soft/hip/instruments.h"

namespace hipwright::soft::hip {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f}%",
                             100.0 * static_cast<double>(part) / static_cast<double>(whole))
               : std::string("–");
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.2f}", static_cast<double>(part) / static_cast<double>(whole))
               : std::string("–");
}

void row(std::string& out, std::string_view name, const std::string& value) {
  out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(value));
}

std::string of_instructions(const KernelCounts& kernel) {
  const auto total =
      std::accumulate(kernel.instructions.begin(), kernel.instructions.end(), std::uint64_t{0});
  std::string out = "<h3>Instructions</h3><table>\n";
  row(out, "all (per wave: one)", fmt::format("{}", total));
  for (unsigned i = 0; i < kOpClasses; ++i)
    if (kernel.instructions[i])
      row(out, name_of(static_cast<OpClass>(i)),
          fmt::format("{} ({})", kernel.instructions[i], share(kernel.instructions[i], total)));
  row(out, "lanes that worked", share(kernel.vector_lanes, kernel.vector_lane_slots));
  return out + "</table>\n";
}

std::string of_memory(const KernelCounts& kernel) {
  std::string out = "<h3>Memory</h3><table>\n";
  constexpr const char* kKinds[] = {"global loads", "global stores", "global atomics"};
  for (unsigned i = 0; i < kernel.global.size(); ++i) {
    const auto& traffic = kernel.global[i];
    if (traffic.accesses == 0) continue;
    row(out, kKinds[i],
        fmt::format(
            "{} bytes in {} wave accesses, {} lines of {} bytes each, {} of the moved bytes used",
            traffic.bytes, traffic.accesses, ratio(traffic.lines, traffic.accesses),
            kernel.line_bytes, share(traffic.bytes, traffic.lines * kernel.line_bytes)));
  }
  if (kernel.lds_accesses)
    row(out, "LDS",
        fmt::format("{} bytes in {} accesses, {} passes lost to bank conflicts ({})",
                    kernel.lds_bytes_moved, kernel.lds_accesses, kernel.lds_conflicts,
                    share(kernel.lds_conflicts, kernel.lds_passes)));
  if (kernel.scalar_bytes) row(out, "scalar loads", fmt::format("{} bytes", kernel.scalar_bytes));
  if (kernel.scratch_accesses)
    row(out, "scratch", fmt::format("{} accesses", kernel.scratch_accesses));
  return out + "</table>\n";
}

std::string of_fidelity(const KernelCounts& kernel) {
  std::string out = "<h3>Fidelity</h3><table>\n";
  std::uint64_t exact = 0, all = 0;
  std::string approximate;
  for (const auto& [name, operation] : kernel.operations) {
    all += operation.count;
    if (operation.fidelity == Fidelity::kExact) {
      exact += operation.count;
    } else {
      row(approximate, name, fmt::format("{} times, {}", operation.count, operation.bound));
    }
  }
  row(out, "exact", fmt::format("{} of {} operations ({})", exact, all, share(exact, all)));
  out += approximate;
  for (const auto& [key, use] : kernel.approximate_uses)
    row(out, use.branch ? "approximate value decided a branch" : "approximate value in an address",
        fmt::format("{} times at {} {} {}", use.count, use.place.location, use.place.instruction,
                    use.place.source));
  return out + "</table>\n";
}

std::string of_kernel(const KernelCounts& kernel) {
  std::string out = fmt::format("<section><h2>{}</h2><table>\n", escaped(kernel.name));
  row(out, "target", kernel.target);
  row(out, "compiled by", kernel.producer.empty() ? "unknown" : kernel.producer);
  row(out, "launches, workgroups, waves",
      fmt::format("{}, {}, {}", kernel.launches, kernel.workgroups, kernel.waves));
  row(out, "resources",
      fmt::format("{} VGPRs, {} SGPRs, {} bytes of LDS, {} bytes of scratch per lane, waves of {}",
                  kernel.vgprs, kernel.sgprs, kernel.lds_bytes, kernel.scratch_bytes,
                  kernel.wave_size));
  if (kernel.occupancy.simds != 0) row(out, "occupancy", text_of(kernel.occupancy));
  return out + "</table>\n" + of_instructions(kernel) + of_memory(kernel) + of_fidelity(kernel) +
         "</section>\n";
}

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;"
    "color:#222}h1{font-size:1.5em}h2{font-size:1.15em;font-family:monospace;border-top:1px solid "
    "#ccc;padding-top:1em}h3{font-size:1em;margin:.8em 0 .2em}table{border-collapse:collapse}"
    "th{text-align:left;font-weight:normal;color:#666;padding-right:2em;vertical-align:top}"
    "td{font-variant-numeric:tabular-nums}pre{background:#fff4f2;border-left:3px solid #c33;"
    "padding:.6em 1em;overflow-x:auto}@media(prefers-color-scheme:dark){body{background:#161616;"
    "color:#ddd}th{color:#999}pre{background:#2a1a18}}";

}  // namespace

std::string report_html(const std::string& program, const std::string& target, bool checked,
                        Findings& findings, Report& report) {
  std::string out = fmt::format(
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0} on {1}</title>"
      "<style>{2}</style>\n<h1>{0} on the software GPU, {1}</h1>\n",
      escaped(program), escaped(target), kStyle);
  if (checked) {
    const auto all = findings.all();
    out += fmt::format("<p>Checks: {}</p>\n", all.empty() ? "nothing found" : "");
    for (const Finding& finding : all)
      out += fmt::format("<pre>{}</pre>\n", escaped(text_of(finding)));
  } else {
    out += "<p>Checks were off.</p>\n";
  }
  for (const KernelCounts& kernel : report.kernels()) out += of_kernel(kernel);
  return out + "</html>\n";
}

}  // namespace hipwright::soft::hip
