// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>

#include "port/source/parts.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

constexpr std::string_view kRuntime = "hip/hip_runtime.h";

// The lines of an #include, its line break with it.
Span line_of(const cu::File& file, cu::TokenIndex hash) {
  const std::string_view text = file.text();
  const std::size_t begin = text.rfind('\n', file.span(hash).begin) + 1;  // npos + 1 is 0
  std::size_t end = text.find('\n', file.span(hash).begin);
  end = end == std::string_view::npos ? text.size() : end + 1;
  return {begin, end};
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

class Headers {
 public:
  explicit Headers(SourceContext& context) : context_(context), file_(context.file) {}

  void translate() {
    for (const cu::Include& include : file_.includes())
      if (!context_.is_settled(include.hash)) look_at(include);
    if (context_.needs.compat)
      insert(fmt::format("#include \"{}\"", compat_path()));
    else if (needs_runtime_first())
      insert(fmt::format("#include <{}>", kRuntime));
  }

 private:
  void look_at(const cu::Include& include) {
    const api::Entry* entry = api::find_header(include.path);
    if (entry == nullptr) {
      is_behind_own_ |= !include.is_system || context_.tree.includes(include.path);
      return;
    }
    // The project's own header of that name goes before CUDA's.
    if (context_.tree.includes(include.path)) {
      is_behind_own_ = true;
      return;
    }
    const Span place = path_span(include);
    if (!entry->mapped() && !entry->compat) {
      if (entry->caveat.empty())
        context_.change(line_of(file_, include.hash), "", "HP208", "HIP needs no such header");
      else
        context_.tell("HP209", Severity::kError, place,
                      fmt::format("HIP has no counterpart of <{}>", include.path),
                      std::string(entry->caveat));
      return;
    }
    if (entry->compat && !entry->declared_in(context_.options.hip)) {
      context_.needs.compat = true;
      context_.change(line_of(file_, include.hash), "", "HP208", "hip_compat.h has it");
      return;
    }
    const std::string path = api::header_path(*entry, include.path);
    if (path == kRuntime && context_.needs.compat) {
      context_.change(line_of(file_, include.hash), "", "HP208", "hip_compat.h includes it");
      return;
    }
    if (path == kRuntime) has_runtime_ |= !is_behind_own_;
    const bool is_at_top = file_.conditions(include.hash).empty();
    if (path != include.path && is_at_top && !included_.insert(path).second) {
      context_.change(line_of(file_, include.hash), "", "HP208", "included before");
      return;
    }
    if (path != include.path) context_.change(place, fmt::format("<{}>", path), "HP208");
    if (!entry->caveat.empty())
      context_.tell("HP204", Severity::kNote, place,
                    fmt::format("<{}> differs from <{}>", path, include.path),
                    std::string(entry->caveat));
  }

  // With its quotes or brackets.
  Span path_span(const cu::Include& include) const { return file_.span(include.hash + 2); }

  // nvcc puts the runtime's header before every source; hipcc does not.
  bool needs_runtime_first() const {
    return context_.needs.runtime && !context_.source.is_header() && !has_runtime_ &&
           context_.source.path().ends_with(".cu");
  }

  std::string compat_path() const {
    std::string up;
    for (const char c : folder_of(context_.source.path()))
      if (c == '/') up += "../";
    return up + std::string(kCompatName);
  }

  void insert(const std::string& line) {
    const std::size_t place = place_for_first();
    context_.change({place, place}, line + std::string(line_break()), "HP208");
  }

  // Before the first #include; without one, behind the comments and #pragma once at the top.
  std::size_t place_for_first() const {
    for (const cu::Include& include : file_.includes())
      if (file_.conditions(include.hash).empty()) return line_of(file_, include.hash).begin;
    if (file_.tokens().front().kind == cu::Kind::kEnd) return 0;
    cu::TokenIndex first = 0;
    if (file_.is(0, "#") && file_.text(1) == "pragma") first = 3;
    return line_of(file_, first).begin;
  }

  std::string_view line_break() const {
    const std::size_t at = file_.text().find('\n');
    return at != std::string_view::npos && at > 0 && file_.text()[at - 1] == '\r' ? "\r\n" : "\n";
  }

  SourceContext& context_;
  const cu::File& file_;
  bool is_behind_own_ = false;  // an #include of the project came first
  bool has_runtime_ = false;
  std::set<std::string, std::less<>> included_;
};

}  // namespace

void translate_headers(SourceContext& context) {
  Headers(context).translate();
}

}  // namespace hipwright::port
