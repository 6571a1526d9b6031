// SPDX-License-Identifier: MIT
#include "ci/wheel/wheel.h"

#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/json.h"
#include "base/table.h"
#include "base/words.h"
#include "ci/wheel/zip.h"
#include "toolchain/code_object/elf.h"
#include "toolchain/code_object/find.h"

namespace hipwright::ci {

namespace {

using toolchain::Bytes;
using toolchain::ElfFile;

constexpr Words kOfEveryLinux = {"libc.so.6",
                                 "libm.so.6",
                                 "libpthread.so.0",
                                 "libdl.so.2",
                                 "librt.so.1",
                                 "libstdc++.so.6",
                                 "libgcc_s.so.1",
                                 "libutil.so.1",
                                 "ld-linux-x86-64.so.2",
                                 "ld-linux-aarch64.so.1"};

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_library(std::string_view name) {
  const std::string_view base = base_name(name);
  return base.ends_with(".so") || base.find(".so.") != base.npos || base.ends_with(".co") ||
         base.ends_with(".hsaco") || base.ends_with(".pyd") || base.ends_with(".dll");
}

// name-1.0-cp311-cp311-manylinux_2_28_x86_64.manylinux2014_x86_64.whl
std::vector<std::string> platforms_of(std::string_view file) {
  std::string_view stem = base_name(file);
  if (stem.ends_with(".whl")) stem.remove_suffix(4);
  std::string_view tags = stem.substr(std::min(stem.rfind('-') + 1, stem.size()));
  std::vector<std::string> all;
  while (!tags.empty()) {
    const std::size_t end = std::min(tags.find('.'), tags.size());
    all.emplace_back(tags.substr(0, end));
    tags.remove_prefix(std::min(end + 1, tags.size()));
  }
  return all;
}

std::string text_at(std::string_view strings, std::uint64_t offset) {
  if (offset >= strings.size()) return {};
  const std::string_view rest = strings.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

unsigned newest_glibc(std::string_view strings) {
  constexpr std::string_view kPrefix = "GLIBC_2.";
  unsigned newest = 0;
  for (std::size_t at = strings.find(kPrefix); at != strings.npos;
       at = strings.find(kPrefix, at + 1)) {
    unsigned minor = 0;
    for (std::size_t i = at + kPrefix.size();
         i < strings.size() && strings[i] >= '0' && strings[i] <= '9' && minor < 1000; ++i)
      minor = minor * 10 + static_cast<unsigned>(strings[i] - '0');
    newest = std::max(newest, minor);
  }
  return newest;
}

void read_dynamic(const ElfFile& elf, WheelLibrary& library) {
  const auto* dynamic = elf.section(".dynamic");
  const auto* strings = elf.section(".dynstr");
  if (dynamic == nullptr || strings == nullptr) return;
  const Bytes entries = elf.content(*dynamic), names = elf.content(*strings);
  library.glibc_minor = newest_glibc(names.view());
  for (std::uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
    const auto entry = toolchain::read_at<Elf64_Dyn>(entries.view(), at);
    if (!entry || entry->d_tag == DT_NULL) return;
    const std::string text = text_at(names.view(), entry->d_un.d_val);
    if (entry->d_tag == DT_NEEDED) library.needed.push_back(text);
    if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH) library.search_path = text;
  }
}

// Bare code objects have no triple. Other vendors' containers look alike.
bool is_amd(const toolchain::DeviceImage& image) {
  return !image.target.empty() &&
         (image.triple.empty() || image.triple.find("-amd-") != image.triple.npos);
}

void read_library(const std::string& name, std::string content, Wheel& wheel) {
  WheelLibrary library{.name = name};
  const Bytes bytes(std::move(content));
  const bool is_elf = toolchain::is_elf(bytes.view());
  library.is_code_object =
      is_elf ? toolchain::is_amdgpu_elf(bytes.view())
             : base_name(name).ends_with(".co") || base_name(name).ends_with(".hsaco");
  if (is_elf && !library.is_code_object)
    if (const auto elf = ElfFile::parse(bytes, name)) read_dynamic(*elf, library);
  if (const auto images = toolchain::find_code_objects(bytes, name))
    for (const toolchain::DeviceImage& image : *images) {
      if (!is_amd(image)) continue;
      TargetCode& code = wheel.targets[image.target];
      ++code.objects;
      code.bytes += image.bytes.size();
      library.has_gpu_code = true;
    }
  wheel.libraries.push_back(std::move(library));
}

void find_outside(Wheel& wheel) {
  for (const WheelLibrary& library : wheel.libraries)
    for (const std::string& needed : library.needed) {
      const bool is_inside = std::ranges::any_of(wheel.libraries, [&](const WheelLibrary& other) {
        return base_name(other.name) == needed;
      });
      if (!is_inside && !is_any(needed, kOfEveryLinux) && !is_any(needed, wheel.outside))
        wheel.outside.push_back(needed);
    }
  std::ranges::sort(wheel.outside);
}

void check_targets(Wheel& wheel, const std::vector<arch::Target>& wanted) {
  if (wheel.targets.empty()) {
    const auto cuda = std::ranges::find_if(
        wheel.outside, [](const std::string& name) { return name.starts_with("libcu"); });
    wheel.problems.push_back(
        {true,
         cuda == wheel.outside.end()
             ? "it contains no code for AMD GPUs"
             : fmt::format("it contains no code for AMD GPUs; it was built for CUDA: it needs {}",
                           *cuda),
         "Check that the extension was built with hipcc and PYTORCH_ROCM_ARCH"});
    return;
  }
  for (const arch::Target& target : wanted) {
    const bool runs = std::ranges::any_of(wheel.targets, [&](const auto& code) {
      const auto parsed = arch::parse_target(code.first);
      return parsed && arch::fitness(*parsed, target) > 0;
    });
    if (!runs)
      wheel.problems.push_back(
          {true, fmt::format("no code for {}", target.id()),
           fmt::format("Add {} to PYTORCH_ROCM_ARCH and build again", target.id())});
  }
}

// manylinux_2_28_x86_64 allows symbols up to GLIBC_2.28; of several tags the oldest counts.
unsigned allowed_glibc(const std::vector<std::string>& platforms) {
  unsigned allowed = 0;
  for (const std::string& platform : platforms) {
    unsigned minor = 0;
    if (platform.starts_with("manylinux2014"))
      minor = 17;
    else if (std::sscanf(platform.c_str(), "manylinux_2_%3u_", &minor) != 1)
      continue;
    allowed = allowed == 0 ? minor : std::min(allowed, minor);
  }
  return allowed;
}

// Up to three, and how many more.
std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::size_t shown = std::min(kShown, names.size());
  return fmt::format(
      "{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
      names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "");
}

void check_search_paths(Wheel& wheel) {
  std::vector<std::string> directories, libraries;
  for (const WheelLibrary& library : wheel.libraries)
    for (const auto part : std::views::split(std::string_view(library.search_path), ':')) {
      const std::string directory(part.begin(), part.end());
      if (!directory.starts_with('/')) continue;
      if (!is_any(directory, directories)) directories.push_back(directory);
      if (!is_any(library.name, libraries)) libraries.push_back(library.name);
    }
  if (directories.empty()) return;
  wheel.problems.push_back(
      {false,
       fmt::format("directories outside the wheel are searched for libraries: {}; by {}",
                   some(directories), some(libraries)),
       "patchelf --set-rpath '$ORIGIN' LIBRARY, or bundle what is searched for: auditwheel "
       "repair"});
}

void check_portability(Wheel& wheel) {
  const bool has_libraries =
      std::ranges::any_of(wheel.libraries, std::not_fn(&WheelLibrary::is_code_object));
  if (has_libraries && is_any("any", wheel.platforms))
    wheel.problems.push_back({true, "the tag any promises every platform, and it has libraries",
                              "Build it as a platform wheel: setup.py with ext_modules, or "
                              "python -m wheel tags --platform-tag linux_x86_64"});
  for (const std::string& platform : wheel.platforms)
    if (platform.starts_with("linux_"))
      wheel.problems.push_back({false,
                                fmt::format("the tag {} is refused by package indexes", platform),
                                "auditwheel repair, excluding ROCm's libraries"});
  const unsigned allowed = allowed_glibc(wheel.platforms);
  for (const WheelLibrary& library : wheel.libraries) {
    if (allowed > 0 && library.glibc_minor > allowed)
      wheel.problems.push_back({true,
                                fmt::format("{} needs glibc 2.{}, and the tag promises 2.{}",
                                            library.name, library.glibc_minor, allowed),
                                "Build in the manylinux container of the tag"});
  }
  check_search_paths(wheel);
}

}  // namespace

Result<Wheel> check_wheel(const std::filesystem::path& file,
                          const std::vector<arch::Target>& wanted) {
  HW_TRY(const MappedFile mapped, MappedFile::open(file));
  HW_TRY(const auto members, zip_members(mapped.bytes(), file.string()));
  Wheel wheel{.file = file.string(), .platforms = platforms_of(file.string())};
  for (const ZipMember& member : members) {
    if (!is_library(member.name)) continue;
    HW_TRY(std::string content, unpack(mapped.bytes(), member, file.string()));
    read_library(member.name, std::move(content), wheel);
  }
  find_outside(wheel);
  check_targets(wheel, wanted);
  check_portability(wheel);
  return wheel;
}

std::string wheel_text(const Wheel& wheel) {
  const auto objects = static_cast<std::size_t>(
      std::ranges::count(wheel.libraries, true, &WheelLibrary::is_code_object));
  const std::size_t libraries = wheel.libraries.size() - objects;
  std::string text =
      fmt::format("{}: {}{}, tagged {}\n", wheel.file,
                  libraries == 1 ? "1 library" : fmt::format("{} libraries", libraries),
                  objects == 0 ? "" : fmt::format(" and {} of GPU code", counted(objects, "file")),
                  fmt::join(wheel.platforms, ", "));
  if (!wheel.targets.empty()) {
    Table table({"target", ">code objects", ">bytes"});
    for (const auto& [target, code] : wheel.targets)
      table.add({target, std::to_string(code.objects), std::to_string(code.bytes)});
    text += table.text(false);
  }
  if (!wheel.outside.empty())
    text += fmt::format("needs from the machine: {}\n", fmt::join(wheel.outside, ", "));
  for (const WheelProblem& problem : wheel.problems)
    text += fmt::format("{}: {}\n  fix: {}\n", problem.is_failure ? "fail" : "warn", problem.what,
                        problem.fix);
  return text;
}

Json wheel_json(const Wheel& wheel) {
  Json json = {{"file", wheel.file}, {"platforms", wheel.platforms}};
  json["targets"] = Json::object();
  for (const auto& [target, code] : wheel.targets)
    json["targets"][target] = {{"code_objects", code.objects}, {"bytes", code.bytes}};
  json["libraries"] = Json::array();
  for (const WheelLibrary& library : wheel.libraries)
    json["libraries"].push_back({{"name", library.name},
                                 {"needed", library.needed},
                                 {"search_path", library.search_path},
                                 {"glibc_minor", library.glibc_minor},
                                 {"has_gpu_code", library.has_gpu_code},
                                 {"is_code_object", library.is_code_object}});
  json["outside"] = wheel.outside;
  json["problems"] = Json::array();
  for (const WheelProblem& problem : wheel.problems)
    json["problems"].push_back({{"status", problem.is_failure ? "fail" : "warn"},
                                {"what", problem.what},
                                {"fix", problem.fix}});
  return json;
}

}  // namespace hipwright::ci
