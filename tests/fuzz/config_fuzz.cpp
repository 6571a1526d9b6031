// SPDX-License-Identifier: MIT
// Settings in TOML and JSON: what is accepted can be used, what is not says so in one way only.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "hipwright/config.h"

namespace {

template <class Read>
void try_text(const Read& read) {
  try {
    const hipwright::AMDConfig config = read();
    HW_ASSERT(config.effective().rows.size() == 12);
  } catch (const hipwright::AMDConfigurationError& error) {
    HW_ASSERT(!error.problems().empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_text([&] { return hipwright::AMDConfig::from_toml(text); });
  try_text([&] { return hipwright::AMDConfig::from_json(text); });
  return 0;
}
