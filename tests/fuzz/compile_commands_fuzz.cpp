// SPDX-License-Identifier: MIT
// Any bytes as a compile_commands.json: an answer about sources of the tree, or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "project/build/compile_commands.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipwright;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto commands = project::parse_compile_commands(text, "fuzz", "/nowhere/tree");
  if (!commands) return 0;
  for (const auto& [path, command] : *commands) {
    HW_ASSERT(!path.empty() && !path.starts_with('/') && !path.starts_with(".."));
    for (const auto& [name, value] : command.flags.macros) HW_ASSERT(!name.empty());
  }
  return 0;
}
