// SPDX-License-Identifier: MIT
#include "toolchain/libraries/add.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/edit_distance.h"
#include "base/file.h"
#include "base/words.h"
#include "toolchain/libraries/apt.h"
#include "toolchain/libraries/local.h"
#include "toolchain/libraries/package.h"
#include "toolchain/libraries/program_loader.h"
#include "toolchain/libraries/tree.h"
#include "toolchain/library_table.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// The C and C++ libraries: this machine's where they are new enough, otherwise the release's own.
const std::vector<std::string> kSystemLibraries = {"libc6", "libgcc-s1", "libstdc++6"};

std::string origin_of(const Apt& apt) {
  return fmt::format("{}, {}", apt.title(), apt.archive());
}

std::uint64_t megabytes(std::uint64_t bytes) {
  return (bytes + 500'000) / 1'000'000;
}

// One directory, one origin: libraries of different builds are not mixed.
Status same_origin(const AddedLibraries& current, const std::string& origin) {
  if (current.origin.empty() || current.origin == origin) return {};
  return fail("cannot mix libraries", fmt::format("ROCm {}", current.release),
              fmt::format("those that are there come from {}, not from {}", current.origin, origin),
              "Remove them first: hipwright sdk remove all");
}

// A package that was added, and the version that apt is to take as installed.
std::vector<InstalledPackage> installed_in(const AddedLibraries& current) {
  std::vector<InstalledPackage> installed;
  for (const AddedPackage& each : current.packages) installed.push_back({each.name, each.version});
  return installed;
}

bool has_own_system(const AddedLibraries& current) {
  return std::ranges::any_of(
      kSystemLibraries, [&](const std::string& name) { return current.package(name) != nullptr; });
}

struct Plan {
  std::vector<std::string> packages;  // what apt is asked for
  std::vector<InstalledPackage> installed;
  AptPlan downloads;
};

// apt takes a package for another one of the same version if it knows the installed one by name and
// version alone: it is not asked for those.
void forget_present(Plan& plan) {
  for (const AptPackage& each : plan.downloads.packages)
    if (std::ranges::any_of(plan.installed, [&](const InstalledPackage& there) {
          return there.name == each.name && there.version == each.version;
        }))
      std::erase(plan.packages, each.name);
}

Status ask(const Apt& apt, Plan& plan) {
  HW_TRY(plan.downloads, apt.plan(plan.packages, plan.installed));
  forget_present(plan);
  HW_TRY(plan.downloads, apt.plan(plan.packages, plan.installed));
  return {};
}

// With this machine's C and C++ libraries if they are new enough for all; otherwise with none of
// them, so that the release's own come along.
Result<Plan> plan_for(const Apt& apt, const AddedLibraries& current,
                      const std::vector<std::string>& names) {
  Plan plan;
  for (const std::string& name : names)
    for (std::string& package : packages_of(*find_library(name), current.release))
      plan.packages.push_back(std::move(package));
  plan.installed = installed_in(current);
  if (!has_own_system(current)) {
    Plan native = plan;
    for (InstalledPackage& each : installed_here(kSystemLibraries))
      native.installed.push_back(std::move(each));
    HW_CHECK(ask(apt, native));
    const bool is_enough = std::ranges::none_of(
        native.downloads.packages,
        [](const AptPackage& each) { return is_any(each.name, kSystemLibraries); });
    if (is_enough && native.installed.size() > plan.installed.size()) return native;
  }
  HW_CHECK(ask(apt, plan));
  return plan;
}

std::uint64_t download_size(const AptPlan& plan) {
  std::uint64_t bytes = 0;
  for (const AptPackage& each : plan.packages) bytes += each.bytes;
  return bytes;
}

Status fits_on_disk(const fs::path& home, const AptPlan& plan) {
  std::error_code error;
  const fs::space_info space = fs::space(home, error);
  const std::uint64_t needed = download_size(plan) + plan.unpacked_bytes;
  if (error || space.available >= needed) return {};
  return fail("cannot download the packages to", home.string(),
              fmt::format("not enough space: {} MB needed, {} MB free", megabytes(needed),
                          megabytes(space.available)),
              "Nothing was changed. Free some space, or set XDG_CACHE_HOME to another disk.");
}

// Puts a package in the place of the one with its name.
void replace_package(AddedLibraries& added, AddedPackage package) {
  std::erase_if(added.packages,
                [&](const AddedPackage& each) { return each.name == package.name; });
  added.packages.push_back(std::move(package));
}

void set_library(AddedLibraries& added, const std::string& name,
                 std::vector<std::string> packages) {
  std::erase_if(added.libraries, [&](const AddedLibrary& each) { return each.name == name; });
  added.libraries.push_back({name, std::move(packages)});
}

// Without the packages that no library needs any more.
Status drop_unneeded(AddedLibraries& added, NextTree& tree) {
  std::vector<std::string> needed;
  for (const AddedLibrary& library : added.libraries)
    for (const AddedPackage* package : added.closure(library)) needed.push_back(package->name);
  for (const AddedPackage& package : added.packages)
    if (!is_any(package.name, needed)) HW_CHECK(tree.remove(package));
  std::erase_if(added.packages,
                [&](const AddedPackage& package) { return !is_any(package.name, needed); });
  return {};
}

Status unpack_all(const std::vector<AptPackage>& downloads, const Apt& apt,
                  const AddRequest& request, NextTree& tree, Added& result) {
  HW_TRY(TemporaryDirectory scratch, TemporaryDirectory::create_beside(tree.path() / "unpacked"));
  for (const AptPackage& each : downloads) {
    if (each.bytes > 20'000'000)
      request.say(fmt::format("unpacking {} ({} MB)", each.name, megabytes(each.bytes)));
    if (const AddedPackage* old = result.now.package(each.name)) HW_CHECK(tree.remove(*old));
    HW_TRY(AddedPackage package, unpack(each, origin_of(apt), scratch.path(), tree.path()));
    result.fresh.push_back(package.name);
    result.downloaded_bytes += package.downloaded_bytes;
    result.bytes += package.bytes;
    replace_package(result.now, std::move(package));
  }
  return {};
}

Result<Added> add_packages(const AddRequest& request, const LibraryStore& store,
                           const std::string& release, const std::vector<std::string>& names) {
  const Release& row = *find_release(release);
  HW_TRY(AddedLibraries current, store.content(release));
  Added result{.now = std::move(current), .prefix = {}, .fresh = {}};
  HW_TRY(const Apt apt, Apt::prepare({.release = row,
                                      .suite = *find_suite(row.suite),
                                      .mirror = request.mirror,
                                      .keyring = request.keyring},
                                     store.work_folder(release), request.say));
  HW_CHECK(same_origin(result.now, origin_of(apt)));
  HW_CHECK(apt.update());
  HW_TRY(const Plan plan, plan_for(apt, result.now, names));
  const std::vector<AptPackage>& downloads = plan.downloads.packages;
  for (const AptPackage& each : downloads)
    if (is_rocm_package(each.name) && !spans_releases(each.name))
      HW_CHECK(belongs_to(each.name, each.version, release, apt.title()));
  HW_CHECK(fits_on_disk(store.home(), plan.downloads));
  if (!downloads.empty()) {
    request.say(fmt::format("downloading {} packages: {} MB, {} MB on disk", downloads.size(),
                            megabytes(download_size(plan.downloads)),
                            megabytes(plan.downloads.unpacked_bytes)));
    HW_CHECK(apt.download(plan.packages, plan.installed));
  }
  HW_TRY(NextTree tree, NextTree::begin(store, result.now));
  HW_CHECK(unpack_all(downloads, apt, request, tree, result));
  for (const std::string& name : names)
    set_library(result.now, name, packages_of(*find_library(name), release));
  HW_CHECK(versions_agree(tree.path()));
  HW_CHECK(drop_unneeded(result.now, tree));
  result.now.origin = origin_of(apt);
  for (AddedPackage& package : result.now.packages) {
    if (!is_rocm_package(package.name)) continue;
    HW_TRY(const auto wrapped, wrap_programs(tree.path(), package.files));
    package.files.insert(package.files.end(), wrapped.begin(), wrapped.end());
  }
  HW_CHECK(tree.commit(store, result.now));
  apt.drop_downloads();
  return result;
}

Result<Added> add_local(const AddRequest& request, const LibraryStore& store,
                        const std::string& release, const std::vector<std::string>& names) {
  HW_TRY(const AddedLibraries current, store.content(release));
  Added result{.now = current, .prefix = {}, .fresh = {}};
  const bool installed = is_installed_rocm(request.from);
  // The headers of a checkout may stand beside a distribution's libraries.
  if (installed) HW_CHECK(same_origin(current, request.from.string()));
  HW_TRY(NextTree tree, NextTree::begin(store, current));
  for (const std::string& name : names) {
    const Library& library = *find_library(name);
    if (const AddedLibrary* old = result.now.library(name))
      for (const std::string& package : std::vector<std::string>(old->packages))
        if (const AddedPackage* there = result.now.package(package)) HW_CHECK(tree.remove(*there));
    std::vector<AddedPackage> packages;
    if (installed) {
      HW_TRY(packages, link_installed(library, request.from, tree.path()));
    } else {
      HW_TRY(AddedPackage copied, copy_checkout(library, request.from, tree.path()));
      packages.push_back(std::move(copied));
    }
    set_library(result.now, name, {packages.front().name});
    for (AddedPackage& package : packages) {
      // The libraries of an installed ROCm are linked with the first of its parts.
      if (package.files.empty() && result.now.package(package.name)) continue;
      result.fresh.push_back(package.name);
      result.bytes += package.bytes;
      replace_package(result.now, std::move(package));
    }
  }
  HW_CHECK(versions_agree(tree.path()));
  HW_CHECK(drop_unneeded(result.now, tree));
  if (installed) result.now.origin = request.from.string();
  HW_CHECK(tree.commit(store, result.now));
  return result;
}

Result<std::string> release_for(const AddRequest& request) {
  std::string release = request.release;
  if (!request.from.empty() && is_installed_rocm(request.from)) {
    HW_TRY(const std::string found, release_of_rocm(request.from));
    if (!release.empty() && release != found)
      return fail("cannot add libraries from", request.from.string(),
                  fmt::format("it is ROCm {}, not {}", found, release), "Omit --rocm.");
    release = found;
  }
  HW_TRY(const Release* const row, chosen_release(release));
  return std::string(row->name);
}

}  // namespace

Status belongs_to(const std::string& package, const std::string& version,
                  const std::string& release, const std::string& origin) {
  const std::size_t epoch = version.find(':');
  const std::string upstream = epoch == std::string::npos ? version : version.substr(epoch + 1);
  if (upstream.starts_with(release + ".")) return {};
  return fail("cannot mix releases", package,
              fmt::format("{} has version {}, which is not of ROCm {}", origin, upstream, release),
              "Nothing was changed. Choose a release that has the library (--rocm), or add it with "
              "--from.");
}

Result<std::vector<std::string>> chosen_libraries(const std::vector<std::string>& names,
                                                  const std::string& release, bool from_packages) {
  const auto has = [&](const Library& library) {
    return !from_packages || !packages_of(library, release).empty();
  };
  std::vector<std::string> chosen;
  const auto choose = [&](std::string_view name) {
    if (!is_any(name, chosen)) chosen.emplace_back(name);
  };
  std::vector<std::string> known;
  for (const Library& each : libraries()) known.emplace_back(each.name);
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Library& each : libraries())
        if (!each.is_tests && has(each)) choose(each.name);
      continue;
    }
    const Library* library = find_library(name);
    if (!library) {
      const auto near = std::ranges::find_if(
          known, [&](const std::string& each) { return edit_distance(each, name) <= 2; });
      return fail("unknown library", name, "",
                  near != known.end() ? fmt::format("Did you mean {}?", *near)
                                      : fmt::format("Known: all, {}.", fmt::join(known, ", ")));
    }
    if (!has(*library)) {
      std::vector<std::string_view> others;
      for (const LibraryPackages& each : library->packages) others.push_back(each.release);
      return fail("cannot add", name,
                  fmt::format("no packages of {} for ROCm {} are known", library->title, release),
                  others.empty() ? "Name a checkout of it: --from PATH"
                                 : fmt::format("Known: --rocm {}.", fmt::join(others, ", ")));
    }
    choose(name);
  }
  return chosen;
}

Result<Added> add_libraries(const AddRequest& request) {
  HW_TRY(const std::string release, release_for(request));
  HW_TRY(const auto names, chosen_libraries(request.names, release, request.from.empty()));
  if (names.empty())
    return fail("cannot add", "all", fmt::format("no packages of ROCm {} are known", release),
                "Name an installed ROCm: --from PATH");
  AddRequest absolute = request;
  if (!request.from.empty()) {
    std::error_code error;
    absolute.from = fs::canonical(request.from, error);
    if (error || !fs::is_directory(absolute.from, error))
      return fail("cannot add libraries from", request.from.string(),
                  error ? error.message() : "not a directory");
  }
  HW_TRY(const LibraryStore store, LibraryStore::open());
  HW_TRY(Added added, request.from.empty() ? add_packages(absolute, store, release, names)
                                           : add_local(absolute, store, release, names));
  added.prefix = store.home() / release;
  return added;
}

Result<AddedLibraries> remove_libraries(const std::vector<std::string>& names,
                                        const std::string& chosen) {
  HW_TRY(const Release* const row, chosen_release(chosen));
  const std::string release(row->name);
  HW_TRY(const LibraryStore store, LibraryStore::open());
  HW_TRY(AddedLibraries now, store.content(release));
  for (const std::string& name : names) {
    if (name != "all" && !now.library(name))
      return fail("cannot remove", name, fmt::format("it was not added (ROCm {})", release),
                  "See: hipwright sdk list");
    std::erase_if(now.libraries,
                  [&](const AddedLibrary& each) { return name == "all" || each.name == name; });
  }
  if (now.libraries.empty()) now.origin.clear();
  HW_TRY(NextTree tree, NextTree::begin(store, now));
  HW_CHECK(drop_unneeded(now, tree));
  HW_CHECK(tree.commit(store, now));
  return now;
}

}  // namespace hipwright::toolchain
