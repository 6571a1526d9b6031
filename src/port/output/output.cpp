// SPDX-License-Identifier: MIT
#include "port/output/output.h"

#include <fmt/format.h>

#include "base/text_edit.h"
#include "base/visible.h"

namespace hipwright::port {

std::string bytes_of(const PortedFile& file) {
  return syntax::encode(file.after(), file.source->encoding());
}

namespace {

// In the form that git writes and GNU patch accepts.
std::string renaming(const PortedFile& file, const std::string& diff) {
  const std::string& old = file.source->path();
  std::string out =
      fmt::format("diff --git {} {}\nrename from {}\nrename to {}\n", patch_name("a/" + old),
                  patch_name("b/" + file.renamed), patch_name(old), patch_name(file.renamed));
  if (diff.empty()) return out;
  return out +
         fmt::format("--- {}\n+++ {}\n", patch_name("a/" + old), patch_name("b/" + file.renamed)) +
         diff.substr(diff.find("\n@@ ") + 1);
}

}  // namespace

std::string diff_of(const Ported& ported) {
  std::string out;
  for (const PortedFile& file : ported.files) {
    if (!file.is_changed() || ported.added.contains(file.source->path())) continue;
    const std::string diff = unified_diff(file.source->path(), file.source->text(), file.after());
    out += file.renamed.empty() ? diff : renaming(file, diff);
  }
  for (const auto& [path, content] : ported.added) {
    const SourceFile* old = ported.tree.find(path);
    const std::string diff = unified_diff(path, old != nullptr ? old->text() : "", content);
    if (diff.empty()) continue;
    // Only in this form do all patch tools create the new file.
    out += old != nullptr ? diff : "--- /dev/null" + diff.substr(diff.find('\n'));
  }
  return out;
}

}  // namespace hipwright::port
