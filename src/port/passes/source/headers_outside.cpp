// SPDX-License-Identifier: MIT
// CUDA headers outside the tree that its files include: they are not ported.
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "port/api/api.h"
#include "port/pass.h"
#include "port/ported_file.h"
#include "project/compiler_flags.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
namespace fs = std::filesystem;

namespace {

bool is_cuda(const fs::path& header) {
  const auto text = read_file(header);
  if (!text) return false;
  const cu::File file(*text);
  if (std::ranges::any_of(file.includes(), [](const cu::Include& include) {
        return api::find_header(include.path) != nullptr;
      }))
    return true;
  const auto tokens = file.tokens();
  for (cu::TokenIndex at = 0; at < tokens.size(); ++at)
    if (tokens[at].kind == cu::Kind::kName && file.text(at).starts_with("cuda") &&
        api::find(file.text(at)) != nullptr)
      return true;
  return false;
}

class HeadersOutside {
 public:
  explicit HeadersOutside(const Tree& tree) : tree_(tree), build_(tree) {}

  // Tells those that the file includes.
  void report(PortedFile& file) {
    if (file.source->cuda() == nullptr) return;
    for (const cu::Include& include : file.source->cuda()->includes()) {
      const fs::path outside = header(include, *file.source);
      if (outside.empty()) continue;
      const auto [known, is_new] = is_cuda_.try_emplace(outside, false);
      if (is_new) known->second = is_cuda(tree_.root / outside);
      if (!known->second) continue;
      // That it has no counterpart is true of the name only: the repository has the header.
      std::erase_if(file.diagnostics, [&](const Diagnostic& said) {
        return said.code == "HP209" && file.source->cuda()->span(include.hash + 2) == said.span;
      });
      file.report(
          "HP217", Severity::kError, file.source->cuda()->span(include.hash),
          fmt::format("{} is outside the ported directory and uses CUDA", outside.generic_string()),
          "It is not ported. Port a directory that contains both.");
    }
  }

 private:
  // The header that it means; empty: one of the tree, of the system, or none.
  fs::path header(const cu::Include& include, const SourceFile& from) const {
    const api::Entry* entry = api::find_header(include.path);
    if ((entry != nullptr && entry->mapped()) ||
        !tree_.nearest(include.path, from, include.is_system).empty())
      return {};
    const fs::path folder = fs::path(from.path()).parent_path();
    if (!include.is_system)
      if (fs::path found = existing(folder / include.path); !found.empty()) return found;
    for (const std::string& each : build_.of(from.path()).folders)
      if (fs::path found = existing(fs::path(each) / include.path); !found.empty()) return found;
    return {};
  }

  // From the root of the tree to paths outside it.
  fs::path existing(const fs::path& path) const {
    const fs::path normal = path.lexically_normal();
    std::error_code failed;
    if (!normal.generic_string().starts_with("../") ||
        !fs::is_regular_file(tree_.root / normal, failed))
      return {};
    return normal;
  }

  const Tree& tree_;
  const project::UnitFlags build_;
  std::map<fs::path, bool> is_cuda_;
};

void apply(Ported& ported) {
  HeadersOutside outside(ported.tree);
  for (PortedFile& file : ported.files) outside.report(file);
}

}  // namespace

Pass headers_outside() {
  return {.codes = {"HP217"}, .outside_tree = apply};
}

}  // namespace hipwright::port::passes
