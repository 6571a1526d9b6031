// SPDX-License-Identifier: MIT
// Sources of kernels, whoever wrote them: their types are looked up without end and harm, and a
// first spec that is made of one can be read or says why not.
#include <cstdint>
#include <fstream>
#include <string_view>

#include "base/file.h"
#include "verify/kernel/spec.h"

using namespace hipwright;
using namespace hipwright::verify;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const auto source = folder.path() / "k.hip";
  // Not atomic, and nothing is waited for: there are many.
  std::ofstream(source, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto text = initial_specs(source);
  if (!text) return 0;
  (void)parse_specs(*text, folder.path() / "k.kernel.toml");
  return 0;
}
