// SPDX-License-Identifier: MIT
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/json.h"
#include "base/terminal.h"
#include "lint/like/like.h"
#include "lint/output/output.h"

namespace hipwright::lint::like {

namespace {

std::string_view to_string(syntax::Truth truth) {
  return truth == syntax::Truth::kYes ? "yes" : truth == syntax::Truth::kNo ? "no" : "maybe";
}

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// "mask is lanes; also .contiguous(); not width"
std::string sentence(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& each : differences) {
    if (!text.empty()) text += "; ";
    if (each.in_shape.empty())
      text += "also " + each.here;
    else if (each.here.empty())
      text += "not " + each.in_shape;
    else
      text += each.in_shape + " is " + each.here;
  }
  return text.empty() ? "the same" : text;
}

// Control bytes are not written to the terminal.
std::string printable(std::string_view line) {
  std::string text;
  for (const char byte : line) {
    const bool is_control =
        (static_cast<unsigned char>(byte) < 0x20 && byte != '\t') || byte == 0x7F;
    if (byte != '\r') text += is_control ? '?' : byte;
  }
  return text;
}

std::set<std::size_t> shapes_in_use(const Found& found) {
  std::set<std::size_t> used;
  for (const Place& place : found.places) used.insert(place.shape);
  return used;
}

std::string shape_lines(const Found& found, bool colour) {
  const std::set<std::size_t> used = shapes_in_use(found);
  std::string text;
  for (const std::size_t index : used) {
    const Shape& shape = found.shapes[index];
    text +=
        fmt::format("{}:{}: {}{}\n", shape.path, shape.line, paint("shape", Colour::kBold, colour),
                    used.size() > 1 ? fmt::format(" {}", index + 1) : "");
    text += fmt::format("  {}\n", printable(pattern_text(shape)));
    if (!shape.after.empty())
      text += fmt::format("  fixed: {}\n", printable(plain_text(shape.after)));
  }
  return text.empty() ? text : text + "\n";
}

double rounded(float value) {
  return std::round(static_cast<double>(value) * 1000) / 1000;
}

Json place_json(const Place& place) {
  Json differences = Json::array();
  for (const Difference& each : place.differences)
    differences.push_back({{"shape", each.in_shape}, {"here", each.here}});
  return {{"path", place.path},
          {"line", place.position.line},
          {"column", place.position.column},
          {"end_line", place.end.line},
          {"end_column", place.end.column},
          {"score", rounded(place.score)},
          {"likeness", rounded(place.likeness)},
          {"shape", place.shape + 1},
          {"text", place.line.text},
          {"differences", std::move(differences)},
          {"on_amd", to_string(place.on_amd)}};
}

std::string summary_text(const Found& found) {
  std::set<std::string_view> files;
  for (const Place& place : found.places) files.insert(place.path);
  std::string text =
      found.places.empty()
          ? "no places"
          : fmt::format("{} in {} of", plural(found.places.size(), "place"), files.size());
  text += fmt::format("{} {}", found.places.empty() ? " in" : "",
                      plural(found.statistics.files, "file"));
  if (found.left_out > 0) text += fmt::format("; {} more with --like-limit 0", found.left_out);
  if (found.fixed > 0) text += fmt::format("; {} already fixed", found.fixed);
  if (found.unreachable > 0)
    text +=
        fmt::format("; {} never reached on AMD (--like-everywhere shows them)", found.unreachable);
  if (found.too_common > 0)
    text += fmt::format("; {} too common to search for", plural(found.too_common, "shape"));
  if (!found.not_read.empty())
    text += fmt::format("; skipped in the patch (neither C++ nor Python): {}",
                        fmt::join(found.not_read, ", "));
  return text;
}

}  // namespace

std::string text_output(const Found& found, bool colour) {
  std::string text;
  if (!found.findings.empty()) {
    Report report;
    report.findings = found.findings;
    report.statistics.files = found.statistics.files;
    text += lint::text_output(report, colour) + "\n";
  }
  text += shape_lines(found, colour);
  const bool has_many = shapes_in_use(found).size() > 1;
  for (const Place& place : found.places) {
    text += fmt::format("{}:{}:{}: {} {:.2f}{}: {}\n", place.path, place.position.line,
                        place.position.column, paint("like", Colour::kYellow, colour), place.score,
                        has_many ? fmt::format(" (shape {})", place.shape + 1) : "",
                        printable(sentence(place.differences)));
    text += fmt::format("  {}\n", printable(place.line.text));
    if (place.on_amd == syntax::Truth::kNo) text += "  never reached on AMD\n";
  }
  return text + summary_text(found) + "\n";
}

std::string json_output(const Found& found) {
  Json shapes = Json::array();
  for (std::size_t i = 0; i < found.shapes.size(); ++i) {
    const Shape& shape = found.shapes[i];
    Json json = {{"number", i + 1},
                 {"path", shape.path},
                 {"line", shape.line},
                 {"pattern", pattern_text(shape)},
                 {"before", plain_text(shape.before)}};
    if (shape.is_fix) json["after"] = plain_text(shape.after);
    shapes.push_back(std::move(json));
  }
  Json places = Json::array();
  for (const Place& place : found.places) places.push_back(place_json(place));
  Report report;
  report.findings = found.findings;
  report.notes = found.notes;
  Json json = *parse_json(lint::json_output(report, false), "findings");
  Json all = {{"findings", std::move(json["findings"])},
              {"codes", found.codes},
              {"shapes", std::move(shapes)},
              {"places", std::move(places)},
              {"left_out", found.left_out},
              {"fixed", found.fixed},
              {"unreachable", found.unreachable},
              {"too_common", found.too_common},
              {"not_read", found.not_read},
              {"notes", std::move(json["notes"])},
              {"files", found.statistics.files},
              {"bytes", found.statistics.bytes},
              {"seconds", found.statistics.seconds}};
  return json_text(all);
}

}  // namespace hipwright::lint::like
