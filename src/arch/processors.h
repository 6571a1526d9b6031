// SPDX-License-Identifier: MIT
// What the names of processors say. Every processor that LLVM names counts, in the table of targets
// or not: code objects may be for any.
#pragma once

#include <cstdint>
#include <string_view>

namespace hipwright::arch {

// The default target for compiling and for the software GPU.
constexpr std::string_view kDefaultTarget = "gfx942";
// What a port is proven on by default: two targets of each wave size and their matrix units.
// Programs, which take longer than kernels, run on the first of each.
constexpr std::string_view kProofTargets[] = {"gfx942", "gfx90a", "gfx1100", "gfx1201"};
constexpr std::string_view kProofTargetsOfPrograms[] = {"gfx942", "gfx1100"};

// The processor that an ELF file's EF_AMDGPU_MACH stands for; empty: unknown.
std::string_view processor_of_machine(std::uint32_t machine);

// What the layout of kernel descriptors and of register allocation depends on.
struct Generation {
  bool gfx9 = false;           // and older
  bool unified_agprs = false;  // VGPRs and AGPRs come from one file
  bool gfx12 = false;          // and later
  bool gfx125 = false;
};
Generation generation_of(std::string_view processor);

// The numbers in a processor's name: 9 and 4 of gfx942, 11 and 0 of gfx1100.
struct Version {
  unsigned major = 0, minor = 0;
};
Version version_of(std::string_view processor);

// Whether a text begins as the names of processors do.
bool begins_like_processor(std::string_view text);

}  // namespace hipwright::arch
