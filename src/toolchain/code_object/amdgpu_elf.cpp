// SPDX-License-Identifier: MIT
#include "toolchain/code_object/amdgpu_elf.h"

#include <optional>

#include <elf.h>
#include <fmt/format.h>

#include "arch/processors.h"

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

Result<CodeObjectIdentity> identify(const ElfFile& file) {
  if (file.machine() != EM_AMDGPU)
    return unusable(file, fmt::format("ELF file for machine {}, not for AMD GPUs", file.machine()),
                    "Use `hipwright inspect` to find the GPU code in a host program");
  if (file.os_abi() != kOsAbiHsa)
    return unusable(file, fmt::format("OS ABI {} instead of amdhsa ({})", file.os_abi(), kOsAbiHsa),
                    "Compile for amdgcn-amd-amdhsa");
  if (file.abi_version() < kFirstAbiVersion)
    return unusable(file,
                    fmt::format("unsupported version {} (supported: {} to {})",
                                file.abi_version() + kFirstVersion - kFirstAbiVersion,
                                kFirstVersion, kLastVersion),
                    "Recompile with -mcode-object-version=5");
  CodeObjectIdentity identity;
  identity.version = file.abi_version() - kFirstAbiVersion + kFirstVersion;
  if (identity.version > kLastVersion)
    return unusable(file,
                    fmt::format("ABI version {} is newer than code object version {}",
                                file.abi_version(), kLastVersion),
                    fmt::format("Recompile with -mcode-object-version={}", kLastVersion));
  const std::string_view processor = arch::processor_of_machine(file.flags() & kMachMask);
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
          "Generic targets require version 6: compile with -mcode-object-version=6");
    identity.generic_version = file.flags() >> kGenericVersionShift;
  }
  return identity;
}

}  // namespace hipwright::toolchain
