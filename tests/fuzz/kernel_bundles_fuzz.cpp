// SPDX-License-Identifier: MIT
// The index of a directory of kernel bundles, with a damaged bundle beside it: no code comes out,
// and what is wrong has a message.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "kernels/bundle.h"

using namespace hipwright;

namespace {

// The file that the seeds name.
const std::filesystem::path& folder() {
  static const TemporaryDirectory made = [] {
    TemporaryDirectory out = TemporaryDirectory::create().value();
    HW_ASSERT(write_file_atomic(out.path() / "add.hipfb", "no bundle").has_value());
    return out;
  }();
  return made.path();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto bundles = kernels::Bundles::parse(text, folder());
  if (!bundles) {
    HW_ASSERT(!bundles.error().message().empty());
    return 0;
  }
  static const arch::Target target = arch::parse_target("gfx942").value();
  for (const kernels::Op& op : kernels::all_ops()) {
    for (const std::string& unit : kernels::units_of(op)) {
      const auto code = bundles->code(op, unit, target);
      HW_ASSERT(code ? !code->has_value() : !code.error().message().empty());
    }
  }
  return 0;
}
