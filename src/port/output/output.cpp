// SPDX-License-Identifier: MIT
#include "port/output/output.h"

#include <algorithm>

#include "base/file.h"
#include "base/text_edit.h"

namespace hipwright::port {

namespace fs = std::filesystem;

namespace {

Status failed(const fs::path& path, const std::error_code& error) {
  return fail("cannot copy", path.string(), error.message());
}

bool lies_in(const fs::path& inner, const fs::path& outer) {
  const auto [at, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return at == outer.end();
}

Status copy_tree(const fs::path& from, const fs::path& to) {
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(from, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    const fs::path target = to / at->path().lexically_relative(from);
    if (at->is_symlink())
      fs::copy_symlink(at->path(), target, error);
    else if (at->is_directory())
      fs::create_directories(target, error);
    else if (at->is_regular_file())
      fs::copy_file(at->path(), target, error);
    if (error) return failed(at->path(), error);
  }
  return error ? failed(from, error) : Status();
}

}  // namespace

std::string diff_of(const Ported& ported) {
  std::string out;
  for (const PortedFile& file : ported.files)
    if (!file.changes.empty())
      out += unified_diff(file.source->path(), file.source->text(), file.after());
  for (const auto& [path, content] : ported.added) out += unified_diff(path, "", content);
  return out;
}

Status write_tree(const Ported& ported, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return fail("cannot write the port", folder.string(), "the folder is not empty",
                "Name a new folder, or empty this one.");
  if (lies_in(fs::weakly_canonical(folder, error), fs::canonical(ported.tree.root, error)))
    return fail("cannot write the port", folder.string(), "it lies inside of what is ported",
                "Name a folder elsewhere.");
  HW_CHECK(make_directories(folder));
  HW_CHECK(copy_tree(ported.tree.root, folder));
  for (const PortedFile& file : ported.files) {
    if (file.changes.empty()) continue;
    const std::string bytes = syntax::encode(file.after(), file.source->encoding());
    HW_CHECK(
        write_file_atomic(folder / file.source->path(), bytes, 0666, Durability::kProcessDeath));
  }
  for (const auto& [path, content] : ported.added)
    HW_CHECK(write_file_atomic(folder / path, content, 0666, Durability::kProcessDeath));
  return {};
}

}  // namespace hipwright::port
