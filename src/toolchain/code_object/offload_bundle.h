// SPDX-License-Identifier: MIT
// The containers that compilers store device code in (clang's ClangOffloadBundler document): plain
// bundles, compressed bundles (CCOB), and LLVM's offload binaries. Each function reads the
// container that starts at the first byte and returns its length; others may follow.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/code_object/bytes.h"

namespace hipwright::toolchain {

// "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-" in parts.
struct BundleEntryId {
  std::string kind;    // "host", "hip", "hipv4", "openmp"
  std::string triple;  // "amdgcn-amd-amdhsa"
  std::string target;  // "gfx942:xnack-"; empty for a host
};
BundleEntryId parse_entry_id(std::string_view id);

struct BundleEntry {
  BundleEntryId id;
  Bytes bytes;
};

struct Bundle {
  std::vector<BundleEntry> entries;  // without the empty ones
  std::uint64_t size = 0;            // from the start of the container to its last byte
};

bool is_bundle(std::string_view bytes);
Result<Bundle> read_bundle(const Bytes& bytes, const std::string& origin);

// A plain bundle of AMD code objects, as clang writes them: one entry for each target id.
struct TargetCode {
  std::string target;
  std::string code_object;
};
std::string write_bundle(const std::vector<TargetCode>& entries);

bool is_offload_binary(std::string_view bytes);
Result<Bundle> read_offload_binary(const Bytes& bytes, const std::string& origin);

struct Unpacked {
  Bytes bytes;
  std::uint64_t packed_size = 0;  // of the container, header included
};

bool is_compressed_bundle(std::string_view bytes);
// An error if the content would exceed `limit`, or if its hash does not match.
Result<Unpacked> unpack_bundle(const Bytes& bytes, std::uint64_t limit, const std::string& origin);

}  // namespace hipwright::toolchain
