// SPDX-License-Identifier: MIT
// Reads what `rocminfo` prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hipwright::toolchain {

struct GpuAgent {
  std::string name;            // "gfx942": the processor, without features
  std::string marketing_name;  // may be empty
  std::string uuid;            // "GPU-…"; "GPU-XX" where the GPU has none
  std::string isa;             // "gfx942:sramecc+:xnack-": of its first ISA
  unsigned compute_units = 0;
  bool is_apu = false;  // its memory properties name it; releases before 5.7 print none
};

struct Rocminfo {
  std::vector<GpuAgent> gpus;
  std::vector<std::string> problems;  // its error messages, as printed
};

// Only agents of the device type GPU count: the names of ISAs, which repeat the processor with its
// features and as members of generic targets, are not targets of their own.
Rocminfo read_rocminfo(std::string_view output);

}  // namespace hipwright::toolchain
