// SPDX-License-Identifier: MIT
// Descriptions of inputs: what is accepted is written and read as the same, and fills every type.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "verify/numeric/fill.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(verify::parse_type(text));
  const auto distribution = verify::parse_distribution(text);
  if (!distribution) return 0;
  const std::string written = verify::to_string(*distribution);
  const auto again = verify::parse_distribution(written);
  HW_ASSERT(again && verify::to_string(*again) == written);
  for (int type = 0; type <= static_cast<int>(DataType::kF64); ++type) {
    const auto first = verify::filled(static_cast<DataType>(type), {5}, *distribution, size);
    const auto second = verify::filled(static_cast<DataType>(type), {5}, *again, size);
    HW_ASSERT(first.bytes == second.bytes);
  }
  return 0;
}
