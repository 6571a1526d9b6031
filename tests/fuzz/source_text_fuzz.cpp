// SPDX-License-Identifier: MIT
// Every file is written back as it was read.
#include <cstdint>
#include <string>

#include "base/error.h"
#include "syntax/text.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const syntax::Text text = syntax::decode(bytes);
  HW_ASSERT(syntax::encode(text.bytes, text.encoding) == bytes);
  HW_ASSERT(text.is_binary == (text.bytes.find('\0') != std::string::npos));
  return 0;
}
