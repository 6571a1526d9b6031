// SPDX-License-Identifier: MIT
// Damaged wheels: an error, or a report about the libraries in them.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/file.h"
#include "base/json.h"
#include "ci/wheel/wheel.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory folder = TemporaryDirectory::create().value();
  const auto path = folder.path() / "a-1-cp311-cp311-manylinux_2_28_x86_64.whl";
  if (!write_file_atomic(path, std::string_view(reinterpret_cast<const char*>(data), size), 0600,
                         Durability::kProcessDeath))
    return 0;
  const auto wheel = ci::check_wheel(path, {});
  if (!wheel) return 0;
  HW_ASSERT(!ci::wheel_text(*wheel).empty());
  HW_ASSERT(parse_json(json_text(ci::wheel_json(*wheel)), "again"));
  return 0;
}
