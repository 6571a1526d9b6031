// SPDX-License-Identifier: MIT
// The small readers of text that compilers and users write: logs, #include lines, response files,
// linker version scripts, device bitcode as text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "toolchain/compile/compile.h"
#include "toolchain/response_file.h"
#include "toolchain/sdk.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hipwright::toolchain;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  parse_compiler_log(input);
  scan_includes(input, {});
  include_flags(response_file_words(input));
  static_cast<void>(exported_symbols(input));
  repaired_ockl(std::string(input));
  return 0;
}
