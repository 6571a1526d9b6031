// SPDX-License-Identifier: MIT
// Any bytes as something that holds device code.
#include <cstddef>
#include <cstdint>

#include "toolchain/code_object/find.h"

using namespace hipwright::toolchain;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto images = find_code_objects(std::string(reinterpret_cast<const char*>(data), size),
                                        "input", {.unpacked_bytes = 1 << 22});
  if (!images) {
    HW_ASSERT(!images.error().why.empty());
    return 0;
  }
  HW_ASSERT(!images->empty());
  std::uint64_t sum = 0;  // reads every byte that an image claims
  for (const DeviceImage& image : *images)
    for (const char byte : image.bytes.view()) sum += static_cast<unsigned char>(byte);
  return sum == ~std::uint64_t{0} ? 1 : 0;
}
