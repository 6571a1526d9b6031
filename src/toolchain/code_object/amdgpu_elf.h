// SPDX-License-Identifier: MIT
// The ELF header of a code object: its version and the target it was compiled for.
#pragma once

#include <cstdint>
#include <string_view>

#include "arch/target.h"
#include "base/error.h"
#include "toolchain/code_object/elf.h"

namespace hipwright::toolchain {

// Types of relocations (LLVM's AMDGPUUsage, "Relocation Records").
enum class RelocationType : std::uint32_t {
  kNone = 0,
  kAbs32Lo = 1,
  kAbs32Hi = 2,
  kAbs64 = 3,
  kRel32 = 4,
  kRel64 = 5,
  kAbs32 = 6,
  kGotPcRel = 7,
  kGotPcRel32Lo = 8,
  kGotPcRel32Hi = 9,
  kRel32Lo = 10,
  kRel32Hi = 11,
  kRelative64 = 13,
  kRel16 = 14,
};
// Bytes that a relocation writes; 0 for a type that is not in the list.
unsigned relocation_width(RelocationType type);

struct CodeObjectIdentity {
  unsigned version = 0;          // 4, 5 or 6
  arch::Target target;           // `info` is null for a processor that the arch table does not have
  unsigned generic_version = 0;  // of a generic target (version 6 only), else 0
};

// Versions 2 and 3, operating systems other than amdhsa, and unknown processors are errors.
Result<CodeObjectIdentity> identify(const ElfFile& file);

}  // namespace hipwright::toolchain
