// SPDX-License-Identifier: MIT
#include "port/source/include_place.h"

#include <algorithm>

#include "project/standard_headers.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

const syntax::Name kExtern("extern");

bool is_standard(const cu::Include& include) {
  return include.is_system && project::is_standard_header(include.path);
}

}  // namespace

Span include_line(const cu::File& file, cu::TokenIndex hash) {
  const std::string_view text = file.text();
  const std::size_t begin = text.rfind('\n', file.span(hash).begin) + 1;  // npos + 1 is 0
  std::size_t end = text.find('\n', file.span(hash).begin);
  end = end == std::string_view::npos ? text.size() : end + 1;
  return {begin, end};
}

std::optional<std::size_t> before_c_linkage(const cu::File& file, cu::TokenIndex token) {
  for (const cu::TokenIndex at : file.occurrences(kExtern)) {
    if (at > token) break;
    if (file.text(at + 1) != "\"C\"" || !file.is(at + 2, "{")) continue;
    const cu::TokenIndex close = file.partner(at + 2);
    if (close == cu::kNoToken || close < token) continue;
    // #ifdef __cplusplus is part of it.
    cu::TokenIndex first = at;
    if (at >= 3 && (file.tokens()[at - 1].flags & cu::kInDirective) != 0)
      for (cu::TokenIndex back = at - 1; back > 0; --back)
        if (file.is(back - 1, "#") && (file.tokens()[back - 1].flags & cu::kFirstOnLine) != 0) {
          if (file.text(back).starts_with("if")) first = back - 1;
          break;
        }
    return include_line(file, first).begin;
  }
  return std::nullopt;
}

std::optional<std::size_t> end_of_guard(const cu::File& file) {
  if (file.tokens().size() < 7 || !file.is(0, "#")) return std::nullopt;
  if (file.text(1) == "pragma" && file.text(2) == "once") return file.span(2).end;
  if (file.text(1) == "ifndef" && file.is(3, "#") && file.text(4) == "define" &&
      file.text(2) == file.text(5))
    return file.span(2).end;
  return std::nullopt;
}

std::size_t place_for_include(const cu::File& file) {
  for (const cu::Include& include : file.includes())
    if (file.conditions(include.hash).empty())
      return before_c_linkage(file, include.hash).value_or(include_line(file, include.hash).begin);
  if (file.tokens().front().kind == cu::Kind::kEnd) return 0;
  const bool has_pragma = file.is(0, "#") && file.text(1) == "pragma";
  return include_line(file, has_pragma ? 3 : 0).begin;
}

std::size_t place_for_late_include(const cu::File& file) {
  const auto other = std::ranges::find_if_not(file.includes(), is_standard);
  if (other == file.includes().end() || !file.conditions(other->hash).empty() ||
      before_c_linkage(file, other->hash))
    return place_for_include(file);
  for (cu::TokenIndex at = 0; at < other->hash; ++at)
    if ((file.tokens()[at].flags & cu::kInDirective) == 0) return place_for_include(file);
  return include_line(file, other->hash).begin;
}

}  // namespace hipwright::port
