// SPDX-License-Identifier: MIT
// Finds the device code in the output of a compiler or a linker: a bare code object, bundles
// (plain, compressed, concatenated, nested), LLVM offload binaries, and host ELF files that contain
// any of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "toolchain/code_object/bytes.h"

namespace hipwright::toolchain {

struct DeviceImage {
  enum class Format {
    kCodeObject,
    kBitcode,  // LLVM IR: device code of -fgpu-rdc objects before the final link
    kOther,
  };

  Format format = Format::kOther;
  std::string kind;    // "hipv4", "hip", "openmp", …; empty for a bare code object
  std::string triple;  // "amdgcn-amd-amdhsa"
  std::string target;  // "gfx942:xnack-"; as the container says, or as the code object says
  std::string origin;  // where it was found, for messages: "a.out: .hip_fatbin: gfx942"
  bool compressed = false;
  Bytes bytes;
};

struct FindLimits {
  std::uint64_t unpacked_bytes = std::uint64_t{4} << 30;  // of all compressed bundles together
};

// Device images in file order, without entries for the host. Input without any is an error.
Result<std::vector<DeviceImage>> find_code_objects(const Bytes& bytes, const std::string& origin,
                                                   const FindLimits& limits = {});

}  // namespace hipwright::toolchain
