// SPDX-License-Identifier: MIT
#include "toolchain/libraries/package.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "toolchain/code_object/find.h"
#include "toolchain/libraries/program_loader.h"
#include "toolchain/library_table.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kUsrLibrary = "usr/lib/x86_64-linux-gnu/";

bool is_shared_library(std::string_view name) {
  return name.starts_with("ld-linux") ||
         (name.starts_with("lib") && name.find(".so") != std::string_view::npos);
}

std::string runtime_place(std::string_view file) {
  for (const std::string_view folder : {kUsrLibrary, kUsrLibrary.substr(4)}) {
    if (!file.starts_with(folder)) continue;
    const std::string_view name = file.substr(folder.size());
    if (name.find('/') == std::string_view::npos && is_shared_library(name))
      return fmt::format("{}/{}", kRuntimeFolder, name);
  }
  return {};
}

Result<std::string> depends_of(const fs::path& deb) {
  HW_TRY(const Finished finished, run({.argv = {"dpkg-deb", "-f", deb.string(), "Depends"},
                                       .environment = {{"LC_ALL", "C"}}}));
  if (!finished.ok())
    return fail("cannot read the package", deb.string(), std::string(trimmed(finished.err)));
  return finished.out;
}

}  // namespace

std::string place_of(std::string_view file, std::string_view package) {
  if (file.starts_with("./")) file.remove_prefix(2);
  if (file == fmt::format("usr/share/doc/{}/copyright", package))
    return fmt::format("licences/{}", package);
  if (!is_rocm_package(package)) return runtime_place(file);
  if (!file.starts_with("usr/")) return {};
  file.remove_prefix(4);
  for (const std::string_view skipped :
       {"share/doc/", "share/doc-base/", "share/lintian/", "share/man/", "share/bug/"})
    if (file.starts_with(skipped)) return {};
  return std::string(file);
}

std::string licences_in(std::string_view copyright) {
  std::vector<std::string> names;
  if (copyright.find("Format:") == std::string_view::npos) return {};
  while (!copyright.empty()) {
    const std::size_t end = std::min(copyright.find('\n'), copyright.size());
    const std::string_view line = copyright.substr(0, end);
    if (line.starts_with("License:")) {
      std::string name(trimmed(line.substr(8)));
      if (!name.empty() && !is_any(name, names)) names.push_back(std::move(name));
    }
    copyright.remove_prefix(std::min(end + 1, copyright.size()));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::string> names_in_depends(std::string_view depends) {
  std::vector<std::string> names;
  std::string name;
  bool open = true;  // still in the name, before a version or a qualifier
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::move(name));
    name.clear();
    open = true;
  };
  for (const char c : depends) {
    if (c == ',' || c == '|')
      finish();
    else if (c == '(' || c == ':' || c == '[')
      open = false;
    else if (open && c != ' ' && c != '\n' && c != '\t')
      name += c;
  }
  finish();
  return names;
}

std::vector<std::string> targets_in(const fs::path& file) {
  std::set<std::string> targets;
  auto mapped = MappedFile::open(file);
  if (!mapped) return {};
  const auto owner = std::make_shared<MappedFile>(*std::move(mapped));
  const auto images = find_code_objects(Bytes(owner, owner->bytes()), file.string());
  if (!images) return {};
  for (const DeviceImage& image : *images)
    if (image.target.starts_with("gfx")) targets.insert(image.target);
  return {targets.begin(), targets.end()};
}

Status move_into(const fs::path& file, const fs::path& tree, const std::string& place,
                 AddedPackage& package) {
  const fs::path target = tree / place;
  HW_CHECK(make_directories(target.parent_path()));
  std::error_code error;
  const bool is_link = fs::is_symlink(fs::symlink_status(file, error));
  if (!is_link) package.bytes += fs::file_size(file, error);
  fs::rename(file, target, error);
  if (error) return fail("cannot move a file of the package to", target.string(), error.message());
  package.files.push_back(place);
  return {};
}

Result<AddedPackage> unpack(const AptPackage& package, const std::string& origin,
                            const fs::path& scratch, const fs::path& tree) {
  AddedPackage added{.name = package.name,
                     .version = package.version,
                     .origin = origin,
                     .downloaded_bytes = package.bytes};
  HW_TRY(const std::string depends, depends_of(package.file));
  added.depends = names_in_depends(depends);
  const fs::path folder = scratch / package.name;
  HW_CHECK(make_directories(folder));
  HW_TRY(const Finished finished,
         run({.argv = {"dpkg-deb", "-x", package.file.string(), folder.string()},
              .environment = {{"LC_ALL", "C"}}}));
  if (!finished.ok())
    return fail("cannot unpack the package", package.file.filename().string(),
                std::string(trimmed(finished.err)), "Nothing was changed.");

  std::vector<std::pair<fs::path, std::string>> kept;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_directory(error) && !at->is_symlink(error)) continue;
    std::string place =
        place_of(at->path().lexically_relative(folder).generic_string(), package.name);
    if (!place.empty()) kept.emplace_back(at->path(), std::move(place));
  }
  if (error) return fail("cannot read the unpacked package", package.name, error.message());
  std::ranges::sort(kept);
  std::set<std::string> targets;
  for (const auto& [file, place] : kept) {
    if (place.starts_with("licences/")) {
      if (const auto text = read_file(file)) added.licence = licences_in(*text);
    } else if (is_rocm_package(package.name) &&
               fs::is_regular_file(fs::symlink_status(file, error)) && place.starts_with("lib")) {
      targets.merge([&] {
        const auto found = targets_in(file);
        return std::set<std::string>(found.begin(), found.end());
      }());
    }
    if (is_shared_library(fs::path(place).filename().string()) &&
        fs::is_regular_file(fs::symlink_status(file, error)))
      HW_CHECK(drop_search_path(file));
    HW_CHECK(move_into(file, tree, place, added));
  }
  added.targets.assign(targets.begin(), targets.end());
  remove_tree(folder);
  return added;
}

}  // namespace hipwright::toolchain
