// SPDX-License-Identifier: MIT
#include "toolchain/code_object/amdgpu_elf.h"

#include <optional>

#include <elf.h>
#include <fmt/format.h>

namespace hipwright::toolchain {

namespace {

// Values of LLVM's AMDGPUUsage that <elf.h> does not have.
constexpr unsigned kOsAbiHsa = 64;
constexpr unsigned kFirstAbiVersion = 2;  // EI_ABIVERSION of code object version 4; one more each
constexpr unsigned kFirstVersion = 4;
constexpr unsigned kLastVersion = 6;
constexpr std::uint32_t kMachMask = 0xff;
constexpr unsigned kXnackShift = 8;
constexpr unsigned kSrameccShift = 10;
constexpr unsigned kGenericVersionShift = 24;

struct Mach {
  std::uint8_t value;
  std::string_view processor;
};

// EF_AMDGPU_MACH_AMDGCN_*.
constexpr Mach kMachs[] = {
    {0x20, "gfx600"},         {0x21, "gfx601"},          {0x3a, "gfx602"},
    {0x22, "gfx700"},         {0x23, "gfx701"},          {0x24, "gfx702"},
    {0x25, "gfx703"},         {0x26, "gfx704"},          {0x3b, "gfx705"},
    {0x28, "gfx801"},         {0x29, "gfx802"},          {0x2a, "gfx803"},
    {0x3c, "gfx805"},         {0x2b, "gfx810"},          {0x2c, "gfx900"},
    {0x2d, "gfx902"},         {0x2e, "gfx904"},          {0x2f, "gfx906"},
    {0x30, "gfx908"},         {0x31, "gfx909"},          {0x3f, "gfx90a"},
    {0x32, "gfx90c"},         {0x40, "gfx940"},          {0x4b, "gfx941"},
    {0x4c, "gfx942"},         {0x4f, "gfx950"},          {0x33, "gfx1010"},
    {0x34, "gfx1011"},        {0x35, "gfx1012"},         {0x42, "gfx1013"},
    {0x36, "gfx1030"},        {0x37, "gfx1031"},         {0x38, "gfx1032"},
    {0x39, "gfx1033"},        {0x3e, "gfx1034"},         {0x3d, "gfx1035"},
    {0x45, "gfx1036"},        {0x41, "gfx1100"},         {0x46, "gfx1101"},
    {0x47, "gfx1102"},        {0x44, "gfx1103"},         {0x43, "gfx1150"},
    {0x4a, "gfx1151"},        {0x55, "gfx1152"},         {0x58, "gfx1153"},
    {0x48, "gfx1200"},        {0x4e, "gfx1201"},         {0x49, "gfx1250"},
    {0x5a, "gfx1251"},        {0x50, "gfx1310"},         {0x51, "gfx9-generic"},
    {0x5f, "gfx9-4-generic"}, {0x52, "gfx10-1-generic"}, {0x53, "gfx10-3-generic"},
    {0x54, "gfx11-generic"},  {0x59, "gfx12-generic"},   {0x5b, "gfx12-5-generic"},
    {0x57, "gfx1154"},        {0x5d, "gfx1170"},         {0x5e, "gfx1171"},
    {0x5c, "gfx1172"},        {0x62, "gfx11-7-generic"}, {0x63, "gfx13-generic"},
};

// Two bits since version 4: 0 the target does not have the feature, 1 any, 2 off, 3 on.
std::optional<bool> feature(std::uint32_t flags, unsigned shift) {
  const unsigned setting = (flags >> shift) & 3;
  if (setting < 2) return std::nullopt;
  return setting == 3;
}

std::unexpected<Error> unusable(const ElfFile& file, std::string why, std::string fix) {
  return fail("cannot use the code object", file.origin(), std::move(why), std::move(fix));
}

}  // namespace

unsigned relocation_width(RelocationType type) {
  switch (type) {
    case RelocationType::kAbs64:
    case RelocationType::kRel64:
    case RelocationType::kRelative64:
      return 8;
    case RelocationType::kRel16:
      return 2;
    case RelocationType::kAbs32Lo:
    case RelocationType::kAbs32Hi:
    case RelocationType::kRel32:
    case RelocationType::kAbs32:
    case RelocationType::kGotPcRel:
    case RelocationType::kGotPcRel32Lo:
    case RelocationType::kGotPcRel32Hi:
    case RelocationType::kRel32Lo:
    case RelocationType::kRel32Hi:
      return 4;
    case RelocationType::kNone:
      break;
  }
  return 0;
}

std::string_view processor_of_mach(std::uint32_t mach) {
  for (const Mach& known : kMachs)
    if (known.value == mach) return known.processor;
  return {};
}

Result<CodeObjectIdentity> identify(const ElfFile& file) {
  if (file.machine() != EM_AMDGPU)
    return unusable(
        file, fmt::format("it is an ELF file for machine {}, not for AMD GPUs", file.machine()),
        "A host program's GPU code is found with `hipwright inspect`");
  if (file.os_abi() != kOsAbiHsa)
    return unusable(file,
                    fmt::format("its OS ABI is {}, not amdhsa ({})", file.os_abi(), kOsAbiHsa),
                    "Compile for amdgcn-amd-amdhsa");
  if (file.abi_version() < kFirstAbiVersion)
    return unusable(file,
                    fmt::format("it is of version {}; versions {} to {} are supported",
                                file.abi_version() + kFirstVersion - kFirstAbiVersion,
                                kFirstVersion, kLastVersion),
                    "Compile again with -mcode-object-version=5");
  CodeObjectIdentity identity;
  identity.version = file.abi_version() - kFirstAbiVersion + kFirstVersion;
  if (identity.version > kLastVersion)
    return unusable(file,
                    fmt::format("its ABI version {} is newer than code object version {}",
                                file.abi_version(), kLastVersion),
                    fmt::format("Compile again with -mcode-object-version={}", kLastVersion));
  const std::string_view processor = processor_of_mach(file.flags() & kMachMask);
  if (processor.empty())
    return unusable(
        file,
        fmt::format("unknown processor {:#x} in the ELF header's flags", file.flags() & kMachMask),
        "The compiler is newer than this hipwright");
  if (auto known = arch::parse_target(processor)) identity.target = *std::move(known);
  identity.target.processor = processor;
  identity.target.xnack = feature(file.flags(), kXnackShift);
  identity.target.sramecc = feature(file.flags(), kSrameccShift);
  if (identity.target.is_generic()) {
    if (identity.version < 6)
      return unusable(
          file,
          fmt::format("generic target {} in code object version {}", processor, identity.version),
          "Generic targets exist since version 6: compile with -mcode-object-version=6");
    identity.generic_version = file.flags() >> kGenericVersionShift;
  }
  return identity;
}

}  // namespace hipwright::toolchain
