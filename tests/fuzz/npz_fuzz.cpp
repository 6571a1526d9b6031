// SPDX-License-Identifier: MIT
// .npz files: archives with lies about sizes and places are errors, and cost no more memory than
// deflate could make of the file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/data_type.h"
#include "verify/golden/golden.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tensors = verify::read_npz({reinterpret_cast<const char*>(data), size}, "fuzz.npz");
  if (!tensors) return 0;
  for (const auto& [name, values] : *tensors) {
    const auto bytes = runtime::count_bytes(values.type, values.shape);
    HW_ASSERT(bytes && *bytes == values.bytes.size() && *bytes / 1100 <= size);
  }
  return 0;
}
