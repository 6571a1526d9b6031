// SPDX-License-Identifier: MIT
#include "toolchain/added_libraries.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "toolchain/library_table.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr const char* kLoader = "ld-linux-x86-64.so.2";

std::unexpected<Error> damaged(const std::string& origin, std::string why) {
  return fail("cannot read the list of added libraries", origin, std::move(why),
              "Remove its directory, and add the libraries again: hipwright sdk add NAME");
}

std::string text_of(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::uint64_t count_of(const Json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_number_unsigned() ? at->get<std::uint64_t>() : 0;
}

std::vector<std::string> texts_of(const Json& object, const char* name) {
  std::vector<std::string> texts;
  const auto at = object.find(name);
  if (at == object.end() || !at->is_array()) return texts;
  for (const Json& each : *at)
    if (each.is_string()) texts.push_back(each.get<std::string>());
  return texts;
}

// Below the directory of the release: its files are removed by these names.
bool stays_inside(const std::string& file) {
  const fs::path path = file;
  return !file.empty() && path.is_relative() &&
         std::ranges::find(path, fs::path("..")) == path.end();
}

}  // namespace

const AddedPackage* AddedLibraries::package(std::string_view name) const {
  const auto found = std::ranges::find(packages, name, &AddedPackage::name);
  return found == packages.end() ? nullptr : &*found;
}

const AddedLibrary* AddedLibraries::library(std::string_view name) const {
  const auto found = std::ranges::find(libraries, name, &AddedLibrary::name);
  return found == libraries.end() ? nullptr : &*found;
}

std::vector<const AddedPackage*> AddedLibraries::closure(const AddedLibrary& library) const {
  std::vector<const AddedPackage*> reached;
  const auto reach = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (const AddedPackage* found = package(name);
          found && std::ranges::find(reached, found) == reached.end())
        reached.push_back(found);
  };
  reach(library.packages);
  for (std::size_t i = 0; i < reached.size(); ++i) reach(reached[i]->depends);
  return reached;
}

Result<AddedLibraries> parse_added(std::string_view text, const std::string& origin) {
  HW_TRY(const Json json, parse_json(text, origin));
  AddedLibraries added;
  if (!json.is_object()) return damaged(origin, "not an object");
  added.release = text_of(json, "release");
  added.origin = text_of(json, "origin");
  if (!find_release(added.release)) return damaged(origin, "unknown release");
  for (const char* list : {"libraries", "packages"})
    if (const auto at = json.find(list);
        at == json.end() || !at->is_array() || !std::ranges::all_of(*at, &Json::is_object))
      return damaged(origin, fmt::format("no list of {}", list));
  for (const Json& each : json["libraries"])
    added.libraries.push_back({text_of(each, "name"), texts_of(each, "packages")});
  for (const Json& each : json["packages"]) {
    added.packages.push_back({.name = text_of(each, "name"),
                              .version = text_of(each, "version"),
                              .origin = text_of(each, "origin"),
                              .licence = text_of(each, "licence"),
                              .bytes = count_of(each, "bytes"),
                              .downloaded_bytes = count_of(each, "downloaded_bytes"),
                              .depends = texts_of(each, "depends"),
                              .files = texts_of(each, "files"),
                              .targets = texts_of(each, "targets")});
    for (const std::string& file : added.packages.back().files)
      if (!stays_inside(file)) return damaged(origin, "a file outside the directory: " + file);
  }
  return added;
}

Json added_json(const AddedLibraries& added) {
  Json libraries = Json::array(), packages = Json::array();
  for (const AddedLibrary& each : added.libraries)
    libraries.push_back({{"name", each.name}, {"packages", each.packages}});
  for (const AddedPackage& each : added.packages)
    packages.push_back({{"name", each.name},
                        {"version", each.version},
                        {"origin", each.origin},
                        {"licence", each.licence},
                        {"bytes", each.bytes},
                        {"downloaded_bytes", each.downloaded_bytes},
                        {"depends", each.depends},
                        {"targets", each.targets},
                        {"files", each.files}});
  return {{"release", added.release},
          {"origin", added.origin},
          {"libraries", std::move(libraries)},
          {"packages", std::move(packages)}};
}

std::optional<fs::path> AddedPrefix::loader() const {
  std::error_code ignored;
  const fs::path file = runtime() / kLoader;
  return fs::exists(file, ignored) ? std::optional(file) : std::nullopt;
}

std::vector<std::string> AddedPrefix::linker_arguments() const {
  // DT_RPATH, not DT_RUNPATH: it also finds what the libraries need in turn.
  std::vector<std::string> arguments = {
      "--disable-new-dtags", fmt::format("-rpath,{}:{}", lib().string(), runtime().string()),
      // Their symbols come from the newer C and C++ libraries.
      "--allow-shlib-undefined"};
  if (const auto own = loader()) arguments.push_back("--dynamic-linker=" + own->string());
  return arguments;
}

std::vector<std::string> AddedPrefix::link_names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(lib(), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("lib") && name.ends_with(".so"))
      names.push_back(name.substr(3, name.size() - 6));
  }
  return names;
}

Result<fs::path> added_home() {
  HW_TRY(const fs::path cache, user_cache_directory());
  return cache / "rocm";
}

std::optional<AddedPrefix> added_prefix(std::string_view release) {
  const auto home = added_home();
  if (!home) return std::nullopt;
  std::error_code error;
  const fs::path link = *home / release;
  const fs::path tree = fs::read_symlink(link, error);
  if (error || !fs::exists(link / kManifest, error)) return std::nullopt;
  return AddedPrefix{link, tree.filename().string()};
}

std::vector<AddedPrefix> added_prefixes() {
  std::vector<AddedPrefix> found;
  for (const Release& release : releases())
    if (auto prefix = added_prefix(release.name)) found.push_back(*std::move(prefix));
  return found;
}

Result<AddedLibraries> read_added(const AddedPrefix& prefix) {
  const fs::path file = prefix.path / kManifest;
  HW_TRY(const std::string text, read_file(file));
  return parse_added(text, file.string());
}

}  // namespace hipwright::toolchain
