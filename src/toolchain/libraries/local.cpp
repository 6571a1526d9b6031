// SPDX-License-Identifier: MIT
#include "toolchain/libraries/local.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/file.h"
#include "base/pattern.h"
#include "base/words.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

// Of Composable Kernel: everything it can do, as its build has it by default.
constexpr std::array<std::string_view, 4> kSwitchesOn = {"__dtypes_all__", "CK_ENABLE_ALL_DTYPES",
                                                         "CK_USE_XDL", "CK_USE_WMMA"};

// HIP and what it stands on: the SDK and the software GPU are in their place.
constexpr std::array<std::string_view, 6> kNotLinked = {
    "libamdhip64", "libhiprtc", "libhsa-runtime64", "libamd_comgr", "libhsakmt", "libOpenCL"};

// The last group of the first match; empty: no match.
std::string found_by(const Pattern& pattern, std::string_view text) {
  const std::vector<std::string> groups = pattern.find(text);
  return groups.empty() ? std::string() : groups.back();
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

Status link_to(const fs::path& target, const fs::path& tree, const std::string& place,
               AddedPackage& package) {
  const fs::path link = tree / place;
  HW_CHECK(make_directories(link.parent_path()));
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(link, error))) return {};
  fs::create_symlink(target, link, error);
  if (error) return fail("cannot create a link in", link.string(), error.message());
  package.files.push_back(place);
  return {};
}

std::vector<std::string> version_parts(std::string_view version) {
  std::vector<std::string> parts(1);
  for (const char c : version) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  parts.resize(3, "0");
  for (std::string& part : parts)
    if (part.empty()) part = "0";
  return parts;
}

// What stands for a variable: NAME_VERSION_MAJOR, VERSION, ….
std::optional<std::string> value_of(std::string_view variable, std::string_view version) {
  const std::vector<std::string> parts = version_parts(version);
  const auto ends = [&](std::string_view ending) { return variable.ends_with(ending); };
  if (ends("VERSION_MAJOR")) return parts[0];
  if (ends("VERSION_MINOR")) return parts[1];
  if (ends("VERSION_PATCH")) return parts[2];
  if (ends("VERSION_TWEAK") || ends("VERSION_COMMIT_ID") || ends("COMMIT_ID")) return "";
  if (ends("VERSION_NUMBER") || ends("VERSION_STRING") || ends("VERSION") || ends("version"))
    return std::string(version);
  return std::nullopt;
}

Result<std::string> configured_line(std::string_view line, std::string_view version,
                                    const std::string& file, unsigned number) {
  static const Pattern kDefine(R"(^\s*#\s*cmakedefine(?:01)?\s+(\w+))");
  if (const std::string name = found_by(kDefine, line); !name.empty()) {
    const bool on = is_any(name, kSwitchesOn);
    if (line.find("cmakedefine01") != std::string_view::npos)
      return fmt::format("#define {} {}", name, on ? 1 : 0);
    return on ? fmt::format("#define {} \"ON\"", name) : fmt::format("/* #undef {} */", name);
  }
  std::string text;
  while (!line.empty()) {
    const std::size_t at = line.find('@');
    const std::size_t end = at == std::string_view::npos ? at : line.find('@', at + 1);
    if (end == std::string_view::npos) break;
    const std::string_view variable = line.substr(at + 1, end - at - 1);
    const bool is_name = !variable.empty() && std::ranges::all_of(variable, [](unsigned char c) {
      return std::isalnum(c) || c == '_';
    });
    if (!is_name) {  // an address in a comment
      text += line.substr(0, end);
      line.remove_prefix(end);
      continue;
    }
    const auto value = value_of(variable, version);
    if (!value)
      return fail("cannot generate the header", fmt::format("{}:{}", file, number),
                  fmt::format("only the library's build knows @{}@", variable),
                  "Build and install the library, and use --from with that directory.");
    text += line.substr(0, at);
    text += *value;
    line.remove_prefix(end + 1);
  }
  text += line;
  return text;
}

Status copy_header(const fs::path& file, std::string_view version, const fs::path& tree,
                   const std::string& place, AddedPackage& package) {
  HW_TRY(std::string text, read_file(file, kMostSettingsBytes));
  std::string target = place;
  if (target.ends_with(".in")) {
    target.resize(target.size() - 3);
    HW_TRY(text, configured_header(text, version, file.string()));
  }
  HW_CHECK(make_directories((tree / target).parent_path()));
  HW_CHECK(write_file_atomic(tree / target, text, 0644, Durability::kProcessDeath));
  package.files.push_back(target);
  package.bytes += text.size();
  return {};
}

bool is_header(const fs::path& file) {
  const fs::path plain = file.extension() == ".in" ? file.stem() : file;
  const std::string extension = plain.extension().string();
  return extension.empty() || extension == ".h" || extension == ".hpp" || extension == ".inl" ||
         extension == ".cuh" || extension == ".inc" || extension == ".ipp";
}

// "3" and "4" of a header's `#define NAME_VERSION_MAJOR 3`.
std::optional<std::string> declared_version(const fs::path& header) {
  static const Pattern kMajor(R"(_VERSION_MAJOR\s+(\d+))"), kMinor(R"(_VERSION_MINOR\s+(\d+))");
  const auto text = read_file(header, kMostSettingsBytes);
  if (!text) return std::nullopt;
  const std::string major = found_by(kMajor, *text), minor = found_by(kMinor, *text);
  if (major.empty() || minor.empty()) return std::nullopt;
  return fmt::format("{}.{}", major, minor);
}

}  // namespace

std::optional<std::string> checkout_version(std::string_view cmake) {
  static const std::array<Pattern, 4> kPatterns = {
      Pattern(R"(VERSION_STRING\s+"?(\d+\.\d+(?:\.\d+)?))"),
      Pattern(R"((?i)rocm_setup_version\s*\(\s*VERSION\s+"?(\d+\.\d+(?:\.\d+)?))"),
      Pattern(R"((?i)set\s*\(\s*version\s+"?(\d+\.\d+(?:\.\d+)?))"),
      Pattern(R"((?i)project\s*\([^)]*\bVERSION\s+"?(\d+\.\d+(?:\.\d+)?))")};
  for (const Pattern& pattern : kPatterns)
    if (std::string version = found_by(pattern, cmake); !version.empty()) return version;
  return std::nullopt;
}

Result<std::string> configured_header(std::string_view text, std::string_view version,
                                      const std::string& file) {
  std::string configured;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    HW_TRY(const std::string line, configured_line(text.substr(0, end), version, file, number));
    configured += line;
    if (end < text.size()) configured += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return configured;
}

bool is_installed_rocm(const fs::path& path) {
  return is_there(path / ".info/version") ||
         (is_there(path / "include/hip/hip_version.h") && is_there(path / "lib"));
}

Result<std::string> release_of_rocm(const fs::path& rocm) {
  const fs::path file = rocm / ".info/version";
  std::string version;
  if (const auto text = read_file(file, kMostSettingsBytes)) version = *text;
  if (version.empty())
    if (const auto declared = read_file(rocm / "include/hip/hip_version.h", kMostSettingsBytes)) {
      static const Pattern kMajor(R"(HIP_VERSION_MAJOR\s+(\d+))"),
          kMinor(R"(HIP_VERSION_MINOR\s+(\d+))");
      version = fmt::format("{}.{}", found_by(kMajor, *declared), found_by(kMinor, *declared));
    }
  static const Pattern kRelease(R"(^\s*(\d+\.\d+))");
  std::string release = found_by(kRelease, version);
  if (release.empty())
    return fail("cannot read the release of", rocm.string(),
                "neither .info/version nor include/hip/hip_version.h names it");
  return release;
}

Result<std::vector<AddedPackage>> link_installed(const Library& library, const fs::path& rocm,
                                                 const fs::path& tree) {
  AddedPackage headers{.name = fmt::format("{} of {}", library.name, rocm.string()),
                       .origin = rocm.string(),
                       .licence = "as installed"};
  AddedPackage shared{.name = fmt::format("libraries of {}", rocm.string()),
                      .origin = rocm.string(),
                      .licence = "as installed"};
  HW_TRY(headers.version, release_of_rocm(rocm));
  shared.version = headers.version;
  for (const std::string& each : words_of(library.headers))
    if (is_there(rocm / "include" / each))
      HW_CHECK(link_to(rocm / "include" / each, tree, "include/" + each, headers));
  if (headers.files.empty())
    return fail("cannot add", std::string(library.name),
                fmt::format("no headers of {} in {}", library.title, (rocm / "include").string()),
                "Name a directory that has it.");
  for (const std::string& each : words_of(library.cmake))
    if (is_there(rocm / "lib/cmake" / each))
      HW_CHECK(link_to(rocm / "lib/cmake" / each, tree,
                       fmt::format("{}/cmake/{}", kLibraryFolder, each), headers));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(rocm / "lib", error)) {
    const std::string name = entry.path().filename().string();
    const bool is_library =
        name.starts_with("lib") && (name.find(".so") != std::string::npos || name.ends_with(".a"));
    const bool is_data = find_library(name) != nullptr && entry.is_directory(error);
    if ((!is_library && !is_data) || std::ranges::any_of(kNotLinked, [&](std::string_view prefix) {
          return name.starts_with(prefix);
        }))
      continue;
    HW_CHECK(link_to(entry.path(), tree, fmt::format("{}/{}", kLibraryFolder, name), shared));
  }
  if (error) return fail("cannot read", (rocm / "lib").string(), error.message());
  headers.depends = {shared.name};
  return std::vector{headers, shared};
}

Result<AddedPackage> copy_checkout(const Library& library, const fs::path& path,
                                   const fs::path& tree) {
  const std::string what = fmt::format("cannot add {} from", library.name);
  if (library.checkout_headers.empty())
    return fail(what, path.string(), fmt::format("{} has code that must be built", library.title),
                "Build and install it, and name that directory; or omit --from.");
  fs::path root;
  for (const fs::path& each : {path / "projects" / library.name, path / library.name, path})
    if (root.empty() && is_there(each / "CMakeLists.txt") &&
        std::ranges::any_of(words_of(library.headers), [&](const std::string& folder) {
          return is_there(each / library.checkout_headers / folder);
        }))
      root = each;
  if (root.empty())
    return fail(what, path.string(),
                fmt::format("no CMakeLists.txt with {} beside it",
                            (fs::path(library.checkout_headers) / words_of(library.headers).front())
                                .lexically_normal()
                                .generic_string()),
                fmt::format("Name the root of a checkout of {}.", library.title));
  HW_TRY(const std::string cmake, read_file(root / "CMakeLists.txt", kMostSettingsBytes));
  AddedPackage package{.name = fmt::format("{}-checkout", library.name),
                       .version = checkout_version(cmake).value_or(""),
                       .origin = root.string(),
                       .licence = "see the checkout"};
  if (package.version.empty())
    return fail(what, (root / "CMakeLists.txt").string(), "it states no version");
  std::error_code error;
  const fs::path headers = (root / library.checkout_headers).lexically_normal();
  for (const std::string& folder : words_of(library.headers)) {
    if (!is_there(headers / folder)) continue;
    for (auto at = fs::recursive_directory_iterator(headers / folder, error);
         !error && at != fs::recursive_directory_iterator(); at.increment(error))
      if (at->is_regular_file(error) && is_header(at->path()))
        HW_CHECK(copy_header(at->path(), package.version, tree,
                             "include/" + at->path().lexically_relative(headers).generic_string(),
                             package));
    if (error) return fail(what, (headers / folder).string(), error.message());
  }
  return package;
}

Status versions_agree(const fs::path& tree) {
  struct Numbered {
    const char* title;
    const char* header;
  };
  constexpr std::array<Numbered, 2> kNumbered = {Numbered{"rocPRIM", "rocprim/rocprim_version.hpp"},
                                                 Numbered{"hipCUB", "hipcub/hipcub_version.hpp"}};
  const char* first = nullptr;
  std::string version;
  for (const Numbered& each : kNumbered) {
    const auto declared = declared_version(tree / "include" / each.header);
    if (!declared) continue;
    if (first != nullptr && *declared != version)
      return fail("cannot mix releases",
                  fmt::format("{} {} and {} {}", first, version, each.title, *declared),
                  "they belong to different ROCm releases",
                  "Nothing was changed. Remove one, or add both from the same place.");
    first = each.title;
    version = *declared;
  }
  return {};
}

}  // namespace hipwright::toolchain
