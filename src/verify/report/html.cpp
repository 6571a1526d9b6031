// SPDX-License-Identifier: MIT
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/html.h"
#include "port/report/report.h"
#include "verify/report/report.h"

namespace hipwright::verify {

namespace {

constexpr std::array kLevels = {Level::kNumerical, Level::kFunctional, Level::kBuild,
                                Level::kStatic};

constexpr std::string_view kStyle = R"(
.pyramid { margin: 1rem 0; } .pyramid div { margin: 3px auto; padding: .5rem 1rem; border-radius: 4px; color: #fff; text-align: center; }
.pyramid .pass { background: var(--pass); } .pyramid .fail { background: #b3261e; } .pyramid .open { background: #8a6d1f; }
.pyramid small { opacity: .9; } .verdict { white-space: nowrap; font-weight: 600; }
img { image-rendering: pixelated; max-width: 100%; min-width: 128px; border: 1px solid var(--line); }
figcaption { font-size: 13px; opacity: .8; } figure { margin: .5rem 0; } .scroll table { width: 100%; }
.checks { table-layout: fixed; } .checks td { overflow-wrap: anywhere; }
.checks col:nth-child(1) { width: 7rem; } .checks col:nth-child(2) { width: 16%; } .checks col:nth-child(3) { width: 32%; }
.patch ins, .patch del { text-decoration: none; } .patch ins { color: var(--pass); } .patch del { color: var(--fail); }
)";

// All tables of checks have the same columns.
constexpr std::string_view kChecks =
    "<div class=\"scroll\"><table class=\"checks\"><colgroup><col><col><col><col></colgroup>\n";

std::string_view style_of(Verdict verdict) {
  return verdict == Verdict::kPass ? "pass" : verdict == Verdict::kFail ? "fail" : "open";
}

// The top is what proves most, and is the narrowest.
std::string pyramid_html(const Pyramid& pyramid) {
  std::string out = "<div class=\"pyramid\">\n";
  int width = 40;
  for (const Level level : kLevels) {
    const Counts counts = counts_of(pyramid, level);
    const Verdict verdict = verdict_of(pyramid, level);
    out += fmt::format(
        "<div class=\"{}\" style=\"width:{}%\"><a href=\"#{}\" style=\"color:inherit\">{}</a>: "
        "{}<br><small>{}</small></div>\n",
        style_of(verdict), width, to_string(level), to_string(level), to_string(verdict),
        counts.all == 0 ? "not asked for"
                        : fmt::format("{} passed, {} failed, {} not checked", counts.pass,
                                      counts.fail, counts.open));
    width += 18;
  }
  return out + "</div>\n";
}

std::string proof_html(const Pyramid& pyramid) {
  std::set<std::string> devices, compilers;
  bool is_hardware = false;
  for (const Check& check : pyramid.checks) {
    if (check.verdict == Verdict::kNotChecked) continue;
    is_hardware |= check.setting.kind == "hip";
    if (!check.setting.device.empty()) devices.insert(check.setting.device);
    if (!check.setting.compiler.empty()) compilers.insert(check.setting.compiler);
  }
  return fmt::format(
      "<p>Ran on {}. Compiled by {}. {}</p>\n",
      devices.empty() ? "nothing" : html_text(fmt::format("{}", fmt::join(devices, ", "))),
      compilers.empty() ? "nobody" : html_text(fmt::format("{}", fmt::join(compilers, "; "))),
      is_hardware ? "" : "<strong>Not verified on AMD hardware.</strong>");
}

std::string row_of(const Check& check) {
  std::string out = fmt::format(
      "<tr><td class=\"verdict {}\">{}</td><td>{}</td><td>{}{}</td><td>", style_of(check.verdict),
      to_string(check.verdict), html_text(check.subject), html_text(check.question),
      check.setting.device.empty()
          ? ""
          : fmt::format("<br><small>{}</small>", html_text(check.setting.device)));
  const bool is_long =
      check.evidence.size() > 240 || check.evidence.find('\n') != std::string::npos;
  if (is_long && check.verdict == Verdict::kPass)
    out += fmt::format("<details><summary>evidence</summary><pre>{}</pre></details>",
                       html_text(check.evidence));
  else
    out += fmt::format("<pre>{}</pre>", html_text(check.evidence));
  if (!check.picture.empty())
    out += fmt::format(
        "<figure><img alt=\"errors by row and column\" src=\"{}\"><figcaption>Errors by row and "
        "column: black equal, blue within the tolerance, red wrong (the brighter the further), "
        "yellow NaN or infinity.</figcaption></figure>",
        data_url("image/png", check.picture));
  return out + "</td></tr>\n";
}

std::string level_html(const Pyramid& pyramid, Level level) {
  if (counts_of(pyramid, level).all == 0) return "";
  std::string out = fmt::format(
      "<h2 "
      "id=\"{0}\">{0}</h2>\n{1}<tr><th>verdict</th><th>of</th><th>question</th><th>evidence</th></"
      "tr>\n",
      to_string(level), kChecks);
  for (const Verdict verdict : {Verdict::kFail, Verdict::kNotChecked, Verdict::kPass})
    for (const Check& check : pyramid.checks)
      if (check.level == level && check.verdict == verdict) out += row_of(check);
  return out + "</table></div>\n";
}

std::string checklist_html(const Pyramid& pyramid) {
  std::string out = "<h2>Checklist of a ROCm pull request</h2>\n<div class=\"scroll\"><table>\n";
  for (const ChecklistItem& item : checklist(pyramid))
    out += fmt::format("<tr><td class=\"verdict {}\">{}</td><td>{}</td><td>{}</td></tr>\n",
                       style_of(item.verdict), to_string(item.verdict), html_text(item.item),
                       html_text(item.evidence));
  return out + "</table></div>\n";
}

std::string name_of(const std::string& path) {
  const std::size_t end = path.find_last_not_of('/') + 1;
  const std::size_t slash = path.rfind('/', end == 0 ? 0 : end - 1);
  return path.substr(slash == std::string::npos ? 0 : slash + 1,
                     end - (slash == std::string::npos ? 0 : slash + 1));
}

// A patch with its lines in colours.
std::string patch_html(std::string_view patch) {
  std::string out = "<pre class=\"patch\">";
  for (std::size_t at = 0; at < patch.size();) {
    const std::size_t end = std::min(patch.find('\n', at), patch.size());
    const std::string_view line = patch.substr(at, end - at);
    const std::string_view kind = line.starts_with("+++") || line.starts_with("---") ? "b"
                                  : line.starts_with('+')                            ? "ins"
                                  : line.starts_with('-')                            ? "del"
                                                                                     : "span";
    out += fmt::format("<{0}>{1}</{0}>\n", kind, html_text(line));
    at = end + 1;
  }
  return out + "</pre>\n";
}

std::string port_html(const Flow& flow) {
  const port::Summary all = port::summarise(flow.ported);
  std::string out = fmt::format(
      "<h2>Ported</h2>\n<p>{} of {} files changed, {} added; {}.</p>\n<div class=\"scroll\"><table>"
      "<tr><th>phase</th><th>why</th><th class=\"n\">changes</th><th class=\"n\">for a "
      "person</th></tr>\n",
      all.changed, all.files, all.added,
      all.to_do.empty() ? "nothing is left to do by hand"
                        : fmt::format("{} places are left to a person", all.to_do.size()));
  for (const auto& [phase, count] : all.phases)
    for (const auto& [code, of_code] : count.codes) {
      if (of_code.changes == 0 && of_code.to_do == 0) continue;  // a remark
      const port::Code* known = port::find_code(code);
      out += fmt::format(
          "<tr><td>{}</td><td><code>{}</code> {}</td><td class=\"n\">{}</td>"
          "<td class=\"n\">{}</td></tr>\n",
          html_text(port::to_string(phase)), html_text(code),
          known != nullptr ? html_text(known->title) : "", of_code.changes, of_code.to_do);
    }
  out += "</table></div>\n";
  for (const Diagnostic* said : all.to_do)
    out += fmt::format("<pre>{}:{}: {} [{}]</pre>\n", html_text(said->path), said->position.line,
                       html_text(said->message), html_text(said->code));
  return out;
}

// What a first look caught, what explains it, and what was done about it.
std::string round_html(const Round& round) {
  std::string caught, explained;
  for (const Check& check : round.pyramid.checks) {
    if (check.verdict != Verdict::kFail) continue;
    if (check.diagnostics.empty()) caught += row_of(check);
    for (const Diagnostic& each : check.diagnostics)
      explained += fmt::format(
          "<tr><td><code>{}:{}</code></td><td>{}<br><small>{} <code>hipwright lint explain "
          "{}</code></small></td></tr>\n",
          html_text(each.path), each.position.line, html_text(each.message), html_text(each.why),
          html_text(each.code));
  }
  std::string out;
  if (!caught.empty()) out += fmt::format("<h2>Caught</h2>\n{}{}</table></div>\n", kChecks, caught);
  if (!explained.empty())
    out += "<h2>Explained</h2>\n<div class=\"scroll\"><table>\n" + explained + "</table></div>\n";
  if (!round.fixes.empty())
    out += fmt::format("<h2>Fixed</h2>\n<p>{} fixes that keep the meaning:</p>\n{}", round.fixed,
                       patch_html(round.fixes));
  return out;
}

}  // namespace

std::string html_report(const Pyramid& pyramid) {
  std::string body = fmt::format("<h1>{}: what is proven, and what is not</h1>\n",
                                 html_text(name_of(pyramid.subject)));
  body += pyramid_html(pyramid) + proof_html(pyramid);
  for (const Level level : kLevels) body += level_html(pyramid, level);
  body += checklist_html(pyramid);
  return html_page(name_of(pyramid.subject) + ": verified", kStyle, body);
}

std::string html_report(const Flow& flow) {
  const Pyramid& proven = flow.proven();
  std::string body = fmt::format("<h1>{}: ported, and what is proven of it</h1>\n",
                                 html_text(name_of(proven.subject)));
  body += pyramid_html(proven) + proof_html(proven);
  body += port_html(flow);
  for (std::size_t i = 0; i + 1 < flow.rounds.size(); ++i) body += round_html(flow.rounds[i]);
  if (flow.rounds.size() > 1) body += "<h2>Proven, after the fixes</h2>\n";
  for (const Level level : kLevels) body += level_html(proven, level);
  body += checklist_html(proven);
  return html_page(name_of(proven.subject) + ": ported and verified", kStyle, body);
}

}  // namespace hipwright::verify
