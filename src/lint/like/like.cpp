// SPDX-License-Identifier: MIT
#include "lint/like/like.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

#include "lint/like/search.h"
#include "lint/run.h"
#include "project/read_source.h"

namespace hipwright::lint::like {

namespace {

namespace fs = std::filesystem;

fs::path root_of(const Options& options) {
  return options.root.empty() ? fs::path(".") : options.root;
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && value > 0 && value < (1U << 30U) ? std::optional(value) : std::nullopt;
}

// The request as shapes, lines and rules.
struct Asked {
  std::vector<Shape> shapes;
  OwnLines own;
  std::set<std::string> codes;
  std::vector<std::string> not_read;  // files of the patch without shapes: build files, text
};

bool is_on(const Finding& finding, const Lines& lines) {
  return lines.overlaps(finding.position.line, finding.end.line);
}

Result<Asked> ask(const Origin& origin, const Options& options) {
  const project::ReadText read = project::read_source(root_of(options) / origin.path, {});
  if (!read.why_not.empty())
    return fail("cannot read", origin.path, read.why_not, "--like expects FILE:LINE");
  const project::Language language = project::language_of(origin.path);
  if (!project::is_code(language))
    return fail("cannot search for places like", origin.path,
                "not a C++, CUDA, HIP or Python file");
  Asked asked;
  const Stream stream = read_stream(read.text.bytes, language);
  asked.shapes = shapes_of_lines(stream, language, origin.lines);
  if (asked.shapes.empty())
    return fail(
        "cannot search for places like", origin.path + ":" + std::to_string(origin.lines.begin),
        LineIndex(read.text.bytes).line_count() < origin.lines.begin ? "the file has fewer lines"
                                                                     : "the line has no code");
  const std::string shown = (root_of(options) / origin.path)
                                .lexically_normal()
                                .lexically_relative(root_of(options).lexically_normal())
                                .generic_string();
  const std::string project_path = ProjectPaths(options)(shown.empty() ? origin.path : shown);
  for (Shape& shape : asked.shapes) shape.path = project_path;
  asked.own.emplace(project_path, origin.lines);
  Options one = options;
  one.paths = {origin.path};
  HW_TRY(const Report report, lint(one));
  for (const Finding& finding : report.findings)
    if (is_on(finding, origin.lines)) asked.codes.insert(finding.code);
  return asked;
}

// Rules that report the lines before the fix and report fewer after it.
void add_codes(const ChangedText& change, const Options& options, std::set<std::string>& codes) {
  if (change.in_tree == TreeSide::kNeither) return;
  const auto before = lint_text(options, change.path, change.before);
  const auto after = lint_text(options, change.path, change.after);
  if (!before || !after) return;
  for (const Finding& finding : before->findings) {
    const auto of_code = [&](const Finding& other) { return other.code == finding.code; };
    const bool is_changed =
        std::any_of(change.runs.begin(), change.runs.end(),
                    [&](const auto& run) { return is_on(finding, run.before); });
    if (is_changed && std::count_if(before->findings.begin(), before->findings.end(), of_code) >
                          std::count_if(after->findings.begin(), after->findings.end(), of_code))
      codes.insert(finding.code);
  }
}

void add_own_lines(const ChangedText& change, OwnLines& own) {
  for (const auto& run : change.runs) {
    if (change.in_tree == TreeSide::kNeither) continue;
    Lines lines = change.in_tree == TreeSide::kBefore ? run.before : run.after;
    // Nothing remains there; both neighbours were handled.
    if (lines.empty()) lines = {lines.begin - (lines.begin > 1), lines.begin + 1};
    own.emplace(change.path, lines);
  }
}

Result<Asked> ask(const Patch& patch, const Options& options) {
  const fs::path folder = options.project.empty() ? root_of(options) : options.project;
  const ProjectPaths project_paths(options);
  std::vector<ChangedText> changes =
      changed_texts(patch, [&](const std::string& path) -> std::optional<std::string> {
        project::ReadText read = project::read_source(folder / path, {});
        // Paths of `git diff --relative` or another tool, relative to the current folder.
        if (!read.why_not.empty()) read = project::read_source(root_of(options) / path, {});
        if (!read.why_not.empty()) return std::nullopt;
        return std::move(read.text.bytes);
      });
  for (ChangedText& change : changes) {
    std::error_code ignored;
    if (!fs::exists(folder / change.path, ignored) &&
        fs::exists(root_of(options) / change.path, ignored))
      change.path = project_paths(change.path);
  }
  const bool has_code = std::any_of(changes.begin(), changes.end(), [](const ChangedText& change) {
    return project::is_code(project::language_of(change.path)) &&
           !project::facts_of_path(change.path).is_test;
  });
  Asked asked;
  std::set<std::string> known;
  for (const ChangedText& change : changes) {
    const project::Language language = project::language_of(change.path);
    // A fix's tests show how the code is used, not what was wrong.
    if (project::is_code(language) && has_code && project::facts_of_path(change.path).is_test)
      continue;
    if (!project::is_code(language)) {
      // Build files have no shapes, but rules apply to them.
      const std::size_t known_codes = asked.codes.size();
      add_codes(change, options, asked.codes);
      if (asked.codes.size() == known_codes)
        asked.not_read.push_back(change.path);
      else
        add_own_lines(change, asked.own);
      continue;
    }
    add_own_lines(change, asked.own);
    add_codes(change, options, asked.codes);
    for (Shape& shape : shapes_of_change(change, language))
      if (known.insert(plain_text(shape.before) + "\n" + plain_text(shape.after)).second)
        asked.shapes.push_back(std::move(shape));
  }
  if (asked.shapes.empty() && asked.codes.empty())
    return fail("cannot search for places like those of the patch", "",
                "the patch changes no C++, CUDA, HIP or Python statement",
                "New files, comments and new functions do not show a bug; CMake, TOML and shell "
                "files are checked by rules only");
  return asked;
}

Status add_findings(const Asked& asked, const Options& options, Found& found) {
  if (asked.codes.empty()) return {};
  Options same = options;
  same.select.assign(asked.codes.begin(), asked.codes.end());
  HW_TRY(Report report, lint(same));
  const ProjectPaths project_paths(options);
  for (Finding& finding : report.findings) {
    if (!asked.codes.contains(finding.code)) continue;
    const auto [own, own_end] = asked.own.equal_range(project_paths(finding.path));
    if (std::none_of(own, own_end, [&](const auto& each) { return is_on(finding, each.second); }))
      found.findings.push_back(std::move(finding));
  }
  found.codes.assign(asked.codes.begin(), asked.codes.end());
  return {};
}

}  // namespace

Result<Origin> parse_origin(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string wanted = "Use FILE:LINE or FILE:LINE-LINE";
  if (colon == std::string::npos || colon == 0)
    return fail("cannot search for places like", text, "missing line number", wanted);
  const std::string_view lines = std::string_view(text).substr(colon + 1);
  const std::size_t dash = std::min(lines.find('-'), lines.size());
  const auto first = number(lines.substr(0, dash));
  const auto last = dash == lines.size() ? first : number(lines.substr(dash + 1));
  if (!first || !last || *last < *first)
    return fail("cannot search for places like", text, "invalid line range", wanted);
  return Origin{text.substr(0, colon), {*first, *last + 1}};
}

Result<Found> find_like(const Request& asked_for) {
  Request request = asked_for;
  if (request.least_score <= 0) request.least_score = request.patch ? kLeastOfFix : kLeastOfLines;
  const auto began = std::chrono::steady_clock::now();
  HW_TRY(Asked asked,
         request.origin ? ask(*request.origin, request.lint) : ask(*request.patch, request.lint));
  Found found;
  HW_CHECK(add_findings(asked, request.lint, found));
  found.not_read = std::move(asked.not_read);
  if (!asked.shapes.empty())
    HW_CHECK(Search(request, std::move(asked.shapes), asked.own).run(found));
  std::erase_if(found.places, [&](const Place& place) {
    return std::any_of(found.findings.begin(), found.findings.end(), [&](const Finding& finding) {
      return finding.path == place.path && finding.position.line <= place.end.line &&
             place.position.line <= finding.end.line;
    });
  });
  if (request.limit > 0 && found.places.size() > request.limit) {
    found.left_out = found.places.size() - request.limit;
    found.places.resize(request.limit);
  }
  found.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return found;
}

}  // namespace hipwright::lint::like
