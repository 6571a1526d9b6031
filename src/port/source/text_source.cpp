// SPDX-License-Identifier: MIT
#include "port/source/text_source.h"

#include <set>

#include <fmt/format.h>

#include "port/api/api.h"
#include "syntax/cuda/file.h"

namespace hipwright::port {

namespace cu = syntax::cuda;

namespace {

// Warp functions: HIP's take 64-bit masks and act on 64 lanes.
bool is_of_a_warp(std::string_view name) {
  return (name.starts_with("__") && name.ends_with("_sync") && name != "__syncthreads") ||
         name == "__activemask" || name == "warpSize";
}

void list(std::string& out, std::string_view what, const std::set<std::string>& names) {
  if (names.empty()) return;
  out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", what, fmt::join(names, ", "));
}

}  // namespace

std::string string_content(std::string_view literal) {
  const std::size_t quote = literal.find('"');
  if (quote == std::string_view::npos) return {};
  if (quote > 0 && literal[quote - 1] == 'R') {
    const std::size_t open = literal.find('(', quote), close = literal.rfind(')');
    return open == std::string_view::npos || close == std::string_view::npos || close < open
               ? std::string()
               : std::string(literal.substr(open + 1, close - open - 1));
  }
  std::string out;
  for (std::size_t at = quote + 1; at + 1 < literal.size(); ++at) {
    if (literal[at] != '\\') {
      out += literal[at];
      continue;
    }
    ++at;
    out += literal[at] == 'n' ? '\n' : literal[at] == 't' ? '\t' : literal[at];
  }
  return out;
}

bool is_cuda_source(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return text.size() > 20 && text.find('(') != std::string_view::npos &&
         (has("__global__") || (has("__device__") && text.find('{') != std::string_view::npos));
}

std::string trouble_in_source(std::string_view text) {
  const cu::File file(text);
  std::set<std::string> headers, names, unknown, lanes;
  for (const cu::Include& include : file.includes())
    if (const api::Entry* entry = api::find_header(include.path); entry != nullptr)
      headers.emplace(include.path);
  const auto tokens = file.tokens();
  bool has_ptx = false;
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != cu::Kind::kName) continue;
    const std::string_view name = file.text(at);
    has_ptx |= name == "asm" || name == "__asm__";
    if (is_of_a_warp(name)) {
      lanes.emplace(name);
      continue;
    }
    const api::Entry* entry = api::find(name);
    if (entry == nullptr || entry->kind == api::Kind::kNamespace) continue;
    if (!entry->mapped() || entry->compat)
      unknown.emplace(name);
    else if (entry->hip != entry->cuda)
      names.emplace(name);
  }
  std::string out;
  list(out, "renamed headers", headers);
  list(out, "renamed names", names);
  list(out, "names that HIP lacks", unknown);
  list(out, "32-lane warps and their masks", lanes);
  if (has_ptx) out += fmt::format("{}inline PTX", out.empty() ? "" : "; ");
  return out;
}

}  // namespace hipwright::port
