// SPDX-License-Identifier: MIT
// Databases as nsys exports them, damaged or with other tables: an error, or a trace that can be
// summed up.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/file.h"
#include "trace/analysis/summary.h"
#include "trace/read/read.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const auto path = folder.path() / "trace.sqlite";
  if (!write_file_atomic(path, std::string_view(reinterpret_cast<const char*>(data), size), 0600,
                         Durability::kProcessDeath))
    return 0;
  if (const auto read = trace::read_trace({path.string()})) (void)trace::summarize(*read);
  return 0;
}
