// SPDX-License-Identifier: MIT
#include "toolchain/libraries/program_loader.h"

#include <elf.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/file.h"
#include "toolchain/code_object/elf.h"
#include "toolchain/library_table.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

constexpr const char* kWrapped = ".program";  // ends the name of a program behind a script
constexpr unsigned kDeepest = 16;             // libraries that need libraries

std::string text_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

unsigned glibc_minor(std::string_view version) {
  constexpr std::string_view kPrefix = "GLIBC_2.";
  unsigned minor = 0;
  if (version.starts_with(kPrefix))
    std::from_chars(version.data() + kPrefix.size(), version.data() + version.size(), minor);
  return minor;
}

// The strings of versions that are needed: all of .dynstr, which is not much more.
unsigned newest_glibc_in(std::string_view strings) {
  unsigned newest = 0;
  while (!strings.empty()) {
    const std::size_t end = std::min(strings.find('\0'), strings.size());
    newest = std::max(newest, glibc_minor(strings.substr(0, end)));
    strings.remove_prefix(std::min(end + 1, strings.size()));
  }
  return newest;
}

std::optional<Dependencies> read_dependencies(const fs::path& file) {
  auto mapped = MappedFile::open(file);
  if (!mapped) return std::nullopt;
  const auto owner = std::make_shared<MappedFile>(*std::move(mapped));
  auto read = dependencies_of(Bytes(owner, owner->bytes()), file.string());
  return read ? std::optional(*std::move(read)) : std::nullopt;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Whether one of the needed libraries, or what they need, is in the prefix and not satisfied here.
bool uses(const Dependencies& program, const AddedPrefix& prefix, unsigned machine_glibc) {
  std::set<std::string> seen;
  std::vector<std::string> open = program.needed;
  for (unsigned depth = 0; depth < kDeepest && !open.empty(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& name : open) {
      if (name.find('/') != std::string::npos || !seen.insert(name).second) continue;
      const fs::path file = prefix.lib() / name;
      if (!is_there(file)) continue;
      const auto dependencies = read_dependencies(file);
      if (!dependencies) continue;
      if (dependencies->newest_glibc > machine_glibc) return true;
      next.insert(next.end(), dependencies->needed.begin(), dependencies->needed.end());
    }
    open = std::move(next);
  }
  return false;
}

// A program of ROCm 7 needs libamdhip64.so.7 and the libraries of a release 7.x.
bool is_of_release(const Dependencies& program, std::string_view release) {
  constexpr std::string_view kRuntime = "libamdhip64.so.";
  return std::ranges::all_of(program.needed, [&](const std::string& name) {
    return !name.starts_with(kRuntime) || release.starts_with(name.substr(kRuntime.size()) + ".");
  });
}

}  // namespace

Result<Dependencies> dependencies_of(const Bytes& bytes, const std::string& origin) {
  HW_TRY(const ElfFile elf, ElfFile::parse(bytes, origin));
  Dependencies found;
  for (const ElfSegment& segment : elf.segments())
    if (segment.type == PT_INTERP) found.loader = text_at(elf.content(segment).view(), 0);
  const ElfSection* dynamic = elf.section(".dynamic");
  const ElfSection* strings = elf.section(".dynstr");
  if (!dynamic || !strings) return found;
  const Bytes table = elf.content(*strings), entries = elf.content(*dynamic);
  for (std::uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
    const auto entry = read_at<Elf64_Dyn>(entries.view(), at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_NEEDED) found.needed.push_back(text_at(table.view(), entry->d_un.d_val));
  }
  found.newest_glibc = newest_glibc_in(table.view());
  return found;
}

std::optional<std::string> without_search_path(std::string_view dynamic) {
  std::string kept;
  for (std::uint64_t at = 0;; at += sizeof(Elf64_Dyn)) {
    const auto entry = read_at<Elf64_Dyn>(dynamic, at);
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag != DT_RUNPATH && entry->d_tag != DT_RPATH)
      kept += dynamic.substr(at, sizeof(Elf64_Dyn));
  }
  const std::uint64_t used = kept.size() + sizeof(Elf64_Dyn);
  if (used > dynamic.size() || !read_at<Elf64_Dyn>(dynamic, kept.size()) ||
      read_at<Elf64_Dyn>(dynamic, kept.size())->d_tag == DT_NULL)
    return std::nullopt;
  kept.resize(dynamic.size(), '\0');
  return kept;
}

Status drop_search_path(const fs::path& library) {
  std::uint64_t offset = 0;
  std::string entries;
  {
    HW_TRY(MappedFile mapped, MappedFile::open(library));
    const auto owner = std::make_shared<MappedFile>(std::move(mapped));
    const auto elf = ElfFile::parse(Bytes(owner, owner->bytes()), library.string());
    const ElfSection* dynamic = elf ? elf->section(".dynamic") : nullptr;
    if (!dynamic) return {};
    auto changed = without_search_path(elf->content(*dynamic).view());
    if (!changed) return {};
    offset = dynamic->offset;
    entries = *std::move(changed);
  }
  const int file = ::open(library.c_str(), O_WRONLY | O_CLOEXEC);
  const bool written =
      file >= 0 && ::pwrite(file, entries.data(), entries.size(), static_cast<off_t>(offset)) ==
                       static_cast<ssize_t>(entries.size());
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!written) return fail("cannot change the library", library.string(), errno_text(reason));
  return {};
}

Result<std::vector<std::string>> wrap_programs(const fs::path& tree,
                                               const std::vector<std::string>& files) {
  std::vector<std::string> added;
  const AddedPrefix prefix{tree, {}};
  if (!prefix.loader()) return added;
  for (const std::string& place : files) {
    if (place.ends_with(kWrapped)) continue;
    std::error_code error;
    const fs::file_status status = fs::symlink_status(tree / place, error);
    if (!fs::is_regular_file(status) ||
        (status.permissions() & fs::perms::owner_exec) == fs::perms::none)
      continue;
    const auto dependencies = read_dependencies(tree / place);
    if (!dependencies || dependencies->loader.empty()) continue;
    const std::string moved = place + kWrapped;
    fs::rename(tree / place, tree / moved, error);
    if (error) return fail("cannot rename the program", (tree / place).string(), error.message());
    std::string up;
    for (auto part = fs::path(place).parent_path(); !part.empty(); part = part.parent_path())
      up += "/..";
    const std::string script = fmt::format(
        "#!/bin/sh\n"
        "# Starts the program through the C library that came with it.\n"
        "root=$(dirname \"$0\"){}\n"
        "exec \"$root/{}/{}\" --argv0 \"$0\" --library-path "
        "\"${{LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}}$root/{}:$root/{}\" \"$0.program\" \"$@\"\n",
        up, kRuntimeFolder, prefix.loader()->filename().string(), kLibraryFolder, kRuntimeFolder);
    HW_CHECK(write_file_atomic(tree / place, script, 0755, Durability::kProcessDeath));
    added.push_back(moved);
  }
  return added;
}

std::optional<AddedPrefix> needs_own_loader(const fs::path& program,
                                            const std::vector<AddedPrefix>& prefixes,
                                            unsigned machine_glibc) {
  if (prefixes.empty()) return std::nullopt;
  const auto dependencies = read_dependencies(program);
  if (!dependencies || dependencies->loader.empty()) return std::nullopt;
  for (const AddedPrefix& prefix : prefixes) {
    const auto loader = prefix.loader();
    if (!loader || !is_of_release(*dependencies, prefix.path.filename().string())) continue;
    if (dependencies->loader == loader->string()) return std::nullopt;  // by itself
    if (dependencies->newest_glibc > machine_glibc || uses(*dependencies, prefix, machine_glibc))
      return prefix;
  }
  return std::nullopt;
}

std::string_view release_of_program(const fs::path& program) {
  const auto dependencies = read_dependencies(program);
  std::string_view newest;
  if (!dependencies) return newest;
  if (std::ranges::none_of(dependencies->needed, [](const std::string& name) {
        return name.starts_with("libamdhip64.so.");
      }))
    return newest;
  for (const Release& release : releases())
    if (is_of_release(*dependencies, release.name)) newest = release.name;
  return newest;
}

unsigned machine_glibc() {
  return glibc_minor(fmt::format("GLIBC_{}", gnu_get_libc_version()));
}

std::vector<std::string> through_loader(const AddedPrefix& prefix, const fs::path& program,
                                        const std::vector<std::string>& argv,
                                        const std::string& folders) {
  std::vector<std::string> words = {
      prefix.loader()->string(),
      "--argv0",
      argv.front(),
      "--library-path",
      fmt::format("{}:{}:{}", folders, prefix.lib().string(), prefix.runtime().string()),
      program.string()};
  words.insert(words.end(), argv.begin() + 1, argv.end());
  return words;
}

}  // namespace hipwright::toolchain
