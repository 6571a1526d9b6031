// SPDX-License-Identifier: MIT
#include "port/output/output.h"

#include "base/text_edit.h"

namespace hipwright::port {

std::string bytes_of(const PortedFile& file) {
  return syntax::encode(file.after(), file.source->encoding());
}

std::string diff_of(const Ported& ported) {
  std::string out;
  for (const PortedFile& file : ported.files)
    if (!file.changes.empty() && !ported.added.contains(file.source->path()))
      out += unified_diff(file.source->path(), file.source->text(), file.after());
  for (const auto& [path, content] : ported.added) {
    const SourceFile* old = ported.tree.find(path);
    const std::string diff = unified_diff(path, old != nullptr ? old->text() : "", content);
    if (diff.empty()) continue;
    // Only so do all tools that apply patches make a new file.
    out += old != nullptr ? diff : "--- /dev/null" + diff.substr(diff.find('\n'));
  }
  return out;
}

}  // namespace hipwright::port
