// SPDX-License-Identifier: MIT
// Files of the kernel cache, as found on disk and with a digest that vouches for any body: whatever
// is accepted must be exactly what this program would write.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "toolchain/cache/cached_kernel.h"
#include "toolchain/cache/manifest.h"
#include "toolchain/cache/record.h"

using namespace hipwright;
using namespace hipwright::toolchain;

namespace {

void try_entry(std::string bytes) {
  const std::string before = bytes;
  const auto kernel = CachedKernel::open(std::move(bytes));
  if (!kernel) return;
  const auto& k = **kernel;
  const auto again = CachedKernel::build(k.key(), k.payload(), k.log(), k.compile_seconds());
  HW_ASSERT(again->file_bytes() == before);
}

void try_manifest(std::string_view bytes) {
  const auto manifest = decode_manifest(bytes);
  if (!manifest) return;
  const std::string again = encode_manifest(*manifest);
  HW_ASSERT(encode_manifest(*decode_manifest(again)) == again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try_entry(bytes);
  try_manifest(bytes);
  try_entry(seal_record(RecordKind::kEntry, bytes));
  try_manifest(seal_record(RecordKind::kManifest, bytes));
  return 0;
}
