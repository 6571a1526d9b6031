// SPDX-License-Identifier: MIT
#include "github/owners/line_authors.h"

#include <algorithm>

#include "lint/like/patch.h"

namespace hipwright::github {

namespace {

using lint::like::PatchLine;

void add_hunk(const lint::like::Hunk& hunk, std::vector<LineSpan>& out) {
  unsigned line = hunk.old_line;
  const std::size_t before = out.size();
  for (const PatchLine& each : hunk.lines) {
    if (each.kind == PatchLine::Kind::kAdded) continue;
    if (each.kind == PatchLine::Kind::kRemoved) {
      if (out.size() > before && out.back().last + 1 == line)
        out.back().last = line;
      else
        out.push_back({line, line});
    }
    ++line;
  }
  if (out.size() == before && line > hunk.old_line) out.push_back({hunk.old_line, line - 1});
}

}  // namespace

std::map<std::string, std::vector<LineSpan>> replaced_lines(std::string_view diff) {
  std::map<std::string, std::vector<LineSpan>> all;
  const auto patch = lint::like::read_patch(diff, "diff");
  if (!patch) return all;
  for (const lint::like::PatchedFile& file : patch->files) {
    if (file.old_path.empty()) continue;
    std::vector<LineSpan> spans;
    for (const lint::like::Hunk& hunk : file.hunks) add_hunk(hunk, spans);
    if (!spans.empty()) all[file.old_path] = std::move(spans);
  }
  return all;
}

std::vector<Ranked> line_authors(const std::map<std::string, std::vector<LineSpan>>& lines,
                                 const std::vector<BlameRange>& blame, std::string_view author) {
  std::map<std::string, unsigned> counts;
  for (const BlameRange& range : blame) {
    const auto spans = lines.find(range.path);
    if (spans == lines.end() || range.login.empty() || range.login == author) continue;
    for (const LineSpan& span : spans->second) {
      const unsigned first = std::max(span.first, range.first);
      const unsigned last = std::min(span.last, range.last);
      if (first <= last) counts[range.login] += last - first + 1;
    }
  }
  return ranked(counts);
}

}  // namespace hipwright::github
