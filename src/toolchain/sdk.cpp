// SPDX-License-Identifier: MIT
#include "toolchain/sdk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "arch/arch.h"
#include "arch/processors.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/words.h"
#include "toolchain/library_hints.h"
#include "toolchain/library_table.h"
#include "toolchain/sdk_release.h"

namespace fs = std::filesystem;

namespace hipwright {
extern const EmbeddedFile sdk_files[];
extern const unsigned sdk_files_count;
}  // namespace hipwright

namespace hipwright::toolchain {

namespace {

std::span<const EmbeddedFile> files() {
  return {sdk_files, sdk_files_count};
}

std::string_view embedded(std::string_view path) {
  for (const EmbeddedFile& file : files())
    if (path == file.path) return file.content();
  bug("an SDK file is not embedded", __FILE__, __LINE__);
}

// Changes with everything that the prefix is built from.
std::string prefix_name(const Clang& clang, const fs::path& device_libs,
                        const std::optional<AddedPrefix>& added, const Release& release) {
  Hasher hasher;
  hasher.field(release.name);
  if (added) hasher.field(added->path.string()).field(added->state);
  for (const EmbeddedFile& file : files()) hasher.field(file.path).field(file.content());
  hasher.field(HIPWRIGHT_VERSION);
  for (const Library& library : libraries()) hasher.field(library.name).field(library.cmake);
  for (const BitcodeModule& module : generated_bitcode(""))
    hasher.field(module.file).field(module.text);
  for (const fs::path& input :
       {clang.cxx, clang.tool("llvm-as"), device_libs / "ocml.bc", device_libs / "ockl.bc"}) {
    std::error_code ignored;
    const auto written = fs::last_write_time(input, ignored).time_since_epoch().count();
    hasher.field(input.string()).field(std::to_string(written));
  }
  return hasher.finish().hex().substr(0, 16);
}

Status run_tool(std::vector<std::string> argv, std::string input, const char* what) {
  HW_TRY(const Finished finished, run({.argv = argv, .input = std::move(input)}));
  if (!finished.ok())
    return fail(what, argv.back(), finished.err.empty() ? "the tool failed" : finished.err);
  return {};
}

Status write_embedded_files(const fs::path& prefix, const Release& release) {
  for (const EmbeddedFile& file : files()) {
    const fs::path target = prefix / file.path;
    HW_CHECK(make_directories(target.parent_path()));
    HW_CHECK(write_file_atomic(target, text_for_release(file.path, file.content(), release),
                               file.content().starts_with("#!") ? 0755 : 0644,
                               Durability::kProcessDeath));
  }
  return {};
}

// The layout string of the compiler itself: with another one, clang warns at every link.
Result<std::string> data_layout(const Clang& clang) {
  HW_TRY(const Finished finished,
         run({.argv = {clang.cxx.string(), "-x", "ir", "-S", "-emit-llvm", "-target",
                       "amdgcn-amd-amdhsa", fmt::format("-mcpu={}", arch::kDefaultTarget),
                       "-nogpulib", "-Wno-override-module", "-o", "-", "-"},
              .input = "target triple = \"amdgcn-amd-amdhsa\"\n"}));
  const std::string layout =
      following(finished.out, "target datalayout = \"", [](char c) { return c != '"'; });
  if (!finished.ok() || layout.empty())
    return fail("cannot ask the compiler for the AMDGPU data layout", clang.cxx.string(),
                finished.err, "Install a clang that was built with the AMDGPU target.");
  return layout;
}

Status write_bitcode(const Clang& clang, const fs::path& device_libs, const fs::path& folder) {
  HW_CHECK(make_directories(folder));
  std::error_code error;
  std::vector<std::string> present;
  for (const auto& entry : fs::directory_iterator(device_libs, error)) {
    if (entry.path().extension() != ".bc") continue;
    present.push_back(entry.path().filename());
    fs::create_symlink(entry.path(), folder / present.back(), error);
  }
  if (error) return fail("cannot link the device libraries into", folder.string(), error.message());
  HW_TRY(const std::string layout, data_layout(clang));
  std::vector<BitcodeModule> modules = generated_bitcode(layout, present);
  HW_TRY(const Finished ockl, run({.argv = {clang.tool("llvm-dis").string(), "-o", "-",
                                            (device_libs / "ockl.bc").string()}}));
  if (!ockl.ok())
    return fail("cannot read the device library", (device_libs / "ockl.bc").string(), ockl.err);
  if (auto repaired = repaired_ockl(ockl.out)) modules.push_back({"ockl.bc", *std::move(repaired)});
  for (const BitcodeModule& module : modules) {
    const fs::path target = folder / module.file;
    fs::remove(target, error);
    HW_CHECK(run_tool({clang.tool("llvm-as").string(), "-o", target.string(), "-"}, module.text,
                      "cannot assemble the device module"));
  }
  return {};
}

// A library to link against: every symbol with its version, and a soname that only a real HIP
// runtime provides. There is no file of that name here, so a program cannot start on it by
// accident.
Status write_import_library(const Clang& clang, const fs::path& prefix, const Release& release,
                            const std::string& name, const std::vector<std::string_view>& scripts) {
  HW_TRY(const auto symbols, symbols_of_release(scripts, release));
  const fs::path script = prefix / "lib" / (name + ".map");
  HW_CHECK(write_file_atomic(script, version_script_of(symbols), 0644, Durability::kProcessDeath));
  std::string assembly = ".text\n";
  for (const ExportedSymbol& symbol : symbols)
    assembly += fmt::format(".globl {0}\n.type {0},@function\n{0}:\n", symbol.name);
  assembly += ".byte 0\n.section .note.GNU-stack,\"\",@progbits\n";
  return run_tool({clang.cxx.string(), "-shared", "-nostdlib", "-fuse-ld=lld", "-x", "assembler",
                   "-", fmt::format("-Wl,-soname,lib{}.so.{}", name, release.number() / 100),
                   fmt::format("-Wl,--version-script={}", script.string()), "-o",
                   (prefix / "lib" / fmt::format("lib{}.so", name)).string()},
                  assembly, "cannot create the import library");
}

// lib/llvm/bin: clang is ours, so that it finds the SDK; the other tools are the compiler's own.
Status write_links(const Clang& clang, const fs::path& prefix) {
  const fs::path bin = prefix / "lib/llvm/bin";
  HW_CHECK(make_directories(bin));
  std::error_code error;
  for (const char* name : {"clang++", "amdclang++"})
    fs::create_symlink("../../../bin/amdclang++", bin / name, error);
  for (const char* name : {"clang", "amdclang"})
    fs::create_symlink("../../../bin/amdclang", bin / name, error);
  fs::create_symlink("lib/llvm", prefix / "llvm", error);
  for (const auto& entry : fs::directory_iterator(clang.tool(""), error)) {
    const fs::path link = bin / entry.path().filename();
    if (!fs::is_symlink(fs::symlink_status(link, error)))
      fs::create_symlink(entry.path(), link, error);
  }
  if (error) return fail("cannot create links in", prefix.string(), error.message());
  return {};
}

bool is_cmake_package_file(const std::string& name) {
  const std::string lower = lowered(name);
  return lower.ends_with("config.cmake") || lower.ends_with("config-version.cmake") ||
         lower.ends_with("configversion.cmake");
}

// lib/cmake/NAME with files that include those of the package: they look for what they describe
// from their own place.
Status forward_cmake_package(const fs::path& package, const fs::path& folder) {
  std::error_code error;
  // A link leads to an installed ROCm, where the package fits.
  const fs::path place =
      fs::is_symlink(fs::symlink_status(package, error)) ? fs::canonical(package, error) : package;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    const std::string name = entry.path().filename();
    if (!is_cmake_package_file(name)) continue;
    HW_CHECK(make_directories(folder));
    HW_CHECK(write_file_atomic(folder / name,
                               fmt::format("include(\"{}\")\n", (place / name).string()), 0644,
                               Durability::kProcessDeath));
  }
  if (error) return fail("cannot read the CMake package", package.string(), error.message());
  return {};
}

// A CMake package that is not there and can be added says how.
Status write_absent_packages(const fs::path& cmake) {
  for (const Library& library : libraries())
    for (const std::string& name : words_of(library.cmake)) {
      std::error_code ignored;
      if (fs::exists(cmake / name, ignored)) continue;
      const std::string how = command_to_add(library);
      if (how.empty()) continue;
      HW_CHECK(make_directories(cmake / name));
      HW_CHECK(
          write_file_atomic(cmake / name / (name + "-config.cmake"),
                            fmt::format("set({0}_FOUND FALSE)\nset({0}_NOT_FOUND_MESSAGE\n"
                                        "  \"{1} was not added to hipwright's SDK. Run: {2}\")\n",
                                        name, library.title, how),
                            0644, Durability::kProcessDeath));
    }
  return {};
}

// For hip-config.cmake: what a program that uses the libraries is linked with.
Status write_link_options(const AddedPrefix& added, const fs::path& cmake) {
  std::string options;
  for (const std::string& each : added.linker_arguments())
    options += fmt::format("LINKER:{};", each);
  if (!options.empty()) options.pop_back();
  return write_file_atomic(cmake / "hip/added-libraries.cmake",
                           fmt::format("set(_hip_added_link_options \"{}\")\n", options), 0644,
                           Durability::kProcessDeath);
}

// Links to everything in `from` that `to` does not have.
Status link_entries(const fs::path& from, const fs::path& to,
                    bool (*is_wanted)(const std::string&)) {
  std::error_code error;
  if (!fs::exists(from, error)) return {};
  HW_CHECK(make_directories(to));
  for (const auto& entry : fs::directory_iterator(from, error)) {
    const std::string name = entry.path().filename();
    if (!is_wanted(name)) continue;
    // A folder that is here as well: libhipcxx's hip/std beside the SDK's hip/hip_runtime.h.
    const fs::file_status here = fs::symlink_status(to / name, error);
    if (fs::is_directory(here) && entry.is_directory(error))
      HW_CHECK(link_entries(entry.path(), to / name, is_wanted));
    else if (!fs::exists(here))
      fs::create_symlink(entry.path(), to / name, error);
  }
  if (error) return fail("cannot link the added libraries into", to.string(), error.message());
  return {};
}

Status write_added(const AddedPrefix& added, const fs::path& prefix) {
  const auto all = [](const std::string&) { return true; };
  HW_CHECK(link_entries(added.path / "include", prefix / "include", all));
  HW_CHECK(link_entries(added.lib(), prefix / "lib", [](const std::string& name) {
    return name != "cmake" && name != "pkgconfig";
  }));
  std::error_code error;
  for (const fs::path& packages : {added.lib() / "cmake", added.path / "share/cmake"})
    for (const auto& entry : fs::directory_iterator(packages, error))
      HW_CHECK(forward_cmake_package(entry.path(), prefix / "lib/cmake" / entry.path().filename()));
  return write_link_options(added, prefix / "lib/cmake");
}

// Whatever the umask was: nobody else writes what is compiled and linked.
Status deny_others(const fs::path& prefix) {
  constexpr fs::perms kWrite = fs::perms::group_write | fs::perms::others_write;
  std::error_code error;
  fs::permissions(prefix, kWrite, fs::perm_options::remove, error);
  for (auto at = fs::recursive_directory_iterator(prefix, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (!at->is_symlink(error))
      fs::permissions(at->path(), kWrite, fs::perm_options::remove, error);
  if (error) return fail("cannot protect the SDK in", prefix.string(), error.message());
  return {};
}

Status build_prefix(const Clang& clang, const fs::path& device_libs,
                    const std::optional<AddedPrefix>& added, const Release& release,
                    const fs::path& prefix) {
  HW_CHECK(write_embedded_files(prefix, release));
  HW_CHECK(write_bitcode(clang, device_libs, prefix / "amdgcn/bitcode"));
  HW_CHECK(write_import_library(clang, prefix, release, "amdhip64",
                                {embedded("lib/amdhip64.map"), embedded("lib/amdhip64-7.map")}));
  HW_CHECK(write_import_library(clang, prefix, release, "hiprtc", {embedded("lib/hiprtc.map")}));
  HW_CHECK(write_links(clang, prefix));
  if (added) HW_CHECK(write_added(*added, prefix));
  HW_CHECK(write_absent_packages(prefix / "lib/cmake"));
  HW_CHECK(write_file_atomic(prefix / kSdkMarker, "made by hipwright\n", 0644,
                             Durability::kProcessDeath));
  return deny_others(prefix);
}

// It is this user's alone, the marker is there and no file was deleted since.
bool is_complete(const fs::path& prefix) {
  std::error_code ignored;
  struct stat info {};
  const bool is_private = ::lstat(prefix.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
                          info.st_uid == ::geteuid() && (info.st_mode & 0022) == 0;
  return is_private && fs::exists(prefix / kSdkMarker, ignored) &&
         std::ranges::all_of(files(), [&](const EmbeddedFile& file) {
           return fs::exists(prefix / file.path, ignored);
         });
}

// A folder below `folder` that is this user's alone: the usual one, a fresh one where somebody else
// has made that one, and the same fresh one the next time.
Result<fs::path> private_folder_in(const fs::path& folder) {
  const std::string usual = fmt::format("hipwright-{}", ::geteuid());
  const Status is_private = make_private_directory(folder / usual, Links::kReject);
  if (is_private) return folder / usual;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(usual + "-") &&
        make_private_directory(entry.path(), Links::kReject))
      return entry.path();
  std::string fresh = (folder / (usual + "-XXXXXX")).string();
  if (::mkdtemp(fresh.data()) == nullptr) return std::unexpected(is_private.error());
  return fresh;
}

// Finds or creates `name` in the folder `home`, which is private to the user.
Result<fs::path> prepare_in(const fs::path& home, const std::string& name, const Clang& clang,
                            const fs::path& device_libs, const std::optional<AddedPrefix>& added,
                            const Release& release) {
  const fs::path prefix = home / name;
  // Before anything there is believed: it may be another user's.
  HW_CHECK(make_private_directory(home.parent_path()));
  HW_CHECK(make_private_directory(home, Links::kReject));
  if (is_complete(prefix)) return prefix;
  HW_TRY(const FileLock lock, FileLock::acquire(home / "lock"));
  if (is_complete(prefix)) return prefix;

  // Leftovers of a killed process; the builder holds the lock.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(home, ignored))
    if (entry.path().filename().string().starts_with("building-"))
      fs::remove_all(entry.path(), ignored);

  // Built in a separate folder and moved into place: a reader sees all of it or nothing.
  const fs::path aside = home / fmt::format("building-{}", ::getpid());
  if (auto built = build_prefix(clang, device_libs, added, release, aside); !built) {
    fs::remove_all(aside, ignored);
    return std::unexpected(built.error());
  }
  // One sync for all files, before the name that stands for "complete" exists.
  if (const int folder = ::open(aside.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::syncfs(folder);
    ::close(folder);
  }
  // An incomplete prefix is exchanged atomically: other processes may be compiling with it.
  const bool replaces = fs::exists(prefix, ignored);
  if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, prefix.c_str(),
                  replaces ? RENAME_EXCHANGE : 0) != 0)
    return fail("cannot move the SDK into place", prefix.string(), errno_text(errno));
  if (replaces) fs::remove_all(aside, ignored);
  return prefix;
}

// The text, with its parts in place of the lines that include them. A part begins with a line for
// the licence and one that says what it is.
std::string with_parts(std::string_view text) {
  constexpr std::string_view kInclude = "#include \"parts/";
  std::string whole;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("// clang-format ")) continue;
    if (!line.starts_with(kInclude)) {
      whole.append(line) += '\n';
      continue;
    }
    const std::string_view name = line.substr(kInclude.size(), line.size() - kInclude.size() - 1);
    std::string_view part = embedded(fmt::format("compat/parts/{}", name));
    for (int header = 0; header < 2; ++header) part.remove_prefix(part.find('\n') + 1);
    whole.append(part) += '\n';
  }
  return whole;
}

}  // namespace

std::string_view compat_header() {
  static const std::string header = with_parts(embedded("compat/compat.h"));
  return header;
}
std::string_view ptx_header() {
  return embedded("compat/ptx.h");
}
std::string_view golden_header() {
  return embedded("include/hipwright/golden.h");
}

Result<Sdk> prepare_sdk(const Clang& clang, const fs::path& device_libs) {
  HW_TRY(const Release* const release, chosen_release());
  const std::optional<AddedPrefix> added = added_prefix(release->name);
  const std::string name = prefix_name(clang, device_libs, added, *release);
  const auto in_cache = [&]() -> Result<fs::path> {
    HW_TRY(const fs::path cache, user_cache_directory());
    return prepare_in(cache / "sdk", name, clang, device_libs, added, *release);
  }();
  if (in_cache) return Sdk{*in_cache, {}, added, std::string(release->name)};

  const auto aside = [&]() -> Result<fs::path> {
    HW_TRY(const fs::path temporary, temporary_directory());
    HW_TRY(const fs::path home, private_folder_in(temporary));
    return prepare_in(home / "sdk", name, clang, device_libs, added, *release);
  }();
  if (aside) return Sdk{*aside, in_cache.error(), added, std::string(release->name)};
  return std::unexpected(in_cache.error());
}

Status link_tool(const Sdk& sdk, const fs::path& program) {
  const fs::path link = sdk.prefix / "bin/hipwright";
  std::error_code error;
  if (fs::read_symlink(link, error) == program) return {};
  const fs::path aside = sdk.prefix / fmt::format("bin/.hipwright-{}", ::getpid());
  fs::remove(aside, error);
  fs::create_symlink(program, aside, error);
  if (!error) fs::rename(aside, link, error);
  if (error) return fail("cannot link the tool into", link.string(), error.message());
  return {};
}

}  // namespace hipwright::toolchain
