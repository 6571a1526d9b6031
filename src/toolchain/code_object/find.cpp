// SPDX-License-Identifier: MIT
#include "toolchain/code_object/find.h"

#include <fmt/format.h>

#include "toolchain/code_object/amdgpu_elf.h"
#include "toolchain/code_object/elf.h"
#include "toolchain/code_object/offload_bundle.h"

namespace hipwright::toolchain {

namespace {

constexpr std::string_view kFatbinSection = ".hip_fatbin";
constexpr std::string_view kOffloadSection = ".llvm.offloading";
constexpr std::string_view kEntrySection =
    "__CLANG_OFFLOAD_BUNDLE__";   // followed by the entry's id
constexpr unsigned kDeepest = 4;  // containers in containers
// How often one byte may be part of a searched container. Nesting alone needs kDeepest; without a
// limit, overlapping entries would multiply the work at each level.
constexpr std::uint64_t kMostPasses = 2 * kDeepest;
constexpr std::size_t kMostImages = 1 << 16;

bool is_bitcode(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with("BC\xc0\xde"sv) || bytes.starts_with("\xde\xc0\x17\x0b"sv);
}

bool is_container(std::string_view bytes) {
  return is_bundle(bytes) || is_compressed_bundle(bytes) || is_offload_binary(bytes);
}

class Finder {
 public:
  Finder(const FindLimits& limits, std::uint64_t input)
      : unpackable_(limits.unpacked_bytes), readable_(kMostPasses * input) {}

  Status file(const Bytes& bytes, const std::string& origin);
  std::vector<DeviceImage> take() { return std::move(images_); }

 private:
  Status host_elf(const Bytes& bytes, const std::string& origin);
  Status containers(const Bytes& bytes, const std::string& origin);
  Result<std::uint64_t> container(const Bytes& bytes, const std::string& origin);
  Status entry(const BundleEntryId& id, const Bytes& bytes, const std::string& origin);
  Status image(const BundleEntryId& id, const Bytes& bytes, const std::string& origin);

  std::uint64_t unpackable_;  // bytes that may still be unpacked
  std::uint64_t readable_;    // bytes that may still be searched for containers
  unsigned depth_ = 0;
  unsigned compressed_ = 0;  // how many of the enclosing containers are
  std::vector<DeviceImage> images_;
};

Status Finder::file(const Bytes& bytes, const std::string& origin) {
  const std::string_view view = bytes.view();
  if (is_container(view)) return containers(bytes, origin);
  if (is_amdgpu_elf(view)) return image({}, bytes, origin);
  if (is_elf(view)) return host_elf(bytes, origin);
  return fail(
      "cannot find device code", origin,
      view.empty() ? "the file is empty" : "not an ELF file, an offload bundle or a code object",
      "Use a code object (.co, .hsaco), a bundle (.hipfb) or a host program, library or object");
}

Status Finder::host_elf(const Bytes& bytes, const std::string& origin) {
  HW_TRY(const ElfFile elf, ElfFile::parse(bytes, origin));
  const std::size_t before = images_.size();
  for (const ElfSection& section : elf.sections()) {
    if (section.name == kFatbinSection || section.name == kOffloadSection) {
      HW_CHECK(containers(elf.content(section), fmt::format("{}: {}", origin, section.name)));
    } else if (section.name.starts_with(kEntrySection)) {
      const BundleEntryId id = parse_entry_id(section.name.substr(kEntrySection.size()));
      HW_CHECK(entry(id, elf.content(section), origin));
    }
  }
  if (images_.size() == before)
    return fail(
        "cannot find device code", origin, "host ELF file without GPU code",
        fmt::format("GPU code is in sections {} or {}; a program that loads .co files at run "
                    "time has none",
                    kFatbinSection, kOffloadSection));
  return {};
}

// A linker puts the bundles of several objects one after the other, with zeros between them.
Status Finder::containers(const Bytes& bytes, const std::string& origin) {
  if (bytes.size() > readable_)
    return fail("cannot find device code", origin, "overlapping bundle entries",
                "The file is damaged: create it again");
  readable_ -= bytes.size();
  std::uint64_t at = 0;
  while (true) {
    at = std::min<std::uint64_t>(bytes.view().find_first_not_of('\0', at), bytes.size());
    if (at == bytes.size()) return {};
    const Bytes rest = bytes.slice(at, bytes.size() - at);
    if (!is_container(rest.view()))
      return fail("cannot find device code", origin,
                  fmt::format("the bytes at {:#x} are not an offload bundle", at),
                  "The file is damaged or comes from an unknown tool");
    HW_TRY(const std::uint64_t size,
           container(rest, at == 0 ? origin : fmt::format("{}+{:#x}", origin, at)));
    at += size;
  }
}

Result<std::uint64_t> Finder::container(const Bytes& bytes, const std::string& origin) {
  if (++depth_ > kDeepest)
    return fail("cannot find device code", origin,
                fmt::format("more than {} nested bundles", kDeepest));
  std::uint64_t size = 0;
  if (is_compressed_bundle(bytes.view())) {
    HW_TRY(const Unpacked unpacked, unpack_bundle(bytes, unpackable_, origin));
    unpackable_ -= unpacked.bytes.size();
    readable_ += kMostPasses * unpacked.bytes.size();
    ++compressed_;
    HW_CHECK(containers(unpacked.bytes, origin));
    --compressed_;
    size = unpacked.packed_size;
  } else {
    HW_TRY(const Bundle bundle, is_bundle(bytes.view()) ? read_bundle(bytes, origin)
                                                        : read_offload_binary(bytes, origin));
    for (const BundleEntry& found : bundle.entries) HW_CHECK(entry(found.id, found.bytes, origin));
    size = bundle.size;
  }
  --depth_;
  return size;
}

Status Finder::entry(const BundleEntryId& id, const Bytes& bytes, const std::string& origin) {
  if (id.kind == "host" || bytes.size() == 0) return {};
  const std::string where =
      fmt::format("{}: {}", origin, id.target.empty() ? id.triple : id.target);
  if (is_container(bytes.view())) return containers(bytes, where);
  return image(id, bytes, where);
}

Status Finder::image(const BundleEntryId& id, const Bytes& bytes, const std::string& origin) {
  if (images_.size() == kMostImages)
    return fail("cannot find device code", origin, fmt::format("more than {} images", kMostImages));
  DeviceImage image{.kind = id.kind,
                    .triple = id.triple,
                    .target = id.target,
                    .origin = origin,
                    .compressed = compressed_ != 0,
                    .bytes = bytes};
  if (is_amdgpu_elf(bytes.view()))
    image.format = DeviceImage::Format::kCodeObject;
  else if (is_bitcode(bytes.view()))
    image.format = DeviceImage::Format::kBitcode;
  // A bare code object names its own target; the code that reads it reports errors.
  if (id.kind.empty() && image.format == DeviceImage::Format::kCodeObject) {
    image.triple = "amdgcn-amd-amdhsa";
    if (const auto elf = ElfFile::parse(bytes, origin))
      if (const auto identity = identify(*elf)) image.target = identity->target.id();
  }
  images_.push_back(std::move(image));
  return {};
}

}  // namespace

Result<std::vector<DeviceImage>> find_code_objects(const Bytes& bytes, const std::string& origin,
                                                   const FindLimits& limits) {
  Finder finder(limits, bytes.size());
  HW_CHECK(finder.file(bytes, origin));
  std::vector<DeviceImage> images = finder.take();
  if (images.empty())
    return fail("cannot find device code", origin, "no bundle has an entry for a device");
  return images;
}

}  // namespace hipwright::toolchain
