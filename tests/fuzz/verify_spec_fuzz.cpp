// SPDX-License-Identifier: MIT
// Kernel specs and their expressions, whoever wrote them: what is read can be launched or says why
// not, and small sizes make values of those sizes.
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "verify/kernel/spec.h"

using namespace hipwright;
using namespace hipwright::verify;

namespace {

// With the files that the seeds name.
const std::filesystem::path& folder() {
  static const TemporaryDirectory made = [] {
    TemporaryDirectory out = TemporaryDirectory::create().value();
    HW_ASSERT(write_file_atomic(out.path() / "k.hip", "").has_value());
    return out;
  }();
  return made.path();
}

std::int64_t elements(const KernelSpec& spec) {
  Sizes sizes = spec.sizes;
  sizes["wave"] = 64;
  std::int64_t all = 0;
  for (const Argument& argument : spec.arguments) {
    std::int64_t count = 1;
    for (const Expression& each : argument.shape) {
      const auto size = each.integer(sizes);
      if (!size || *size < 0 || *size > 4096) return -1;
      count *= *size;
      if (count > 4096) return -1;
    }
    all += count;
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto parsed = Expression::parse(text)) {
    (void)parsed->integer({{"n", 7}, {"wave", 64}});
    (void)parsed->number({{"n", 7}},
                         [](std::string_view, std::string_view) -> Result<double> { return 1.0; });
    HW_ASSERT(parsed->text() == text);
  }
  const auto specs = parse_specs(text, folder() / "k.kernel.toml");
  if (!specs) return 0;
  for (const KernelSpec& spec : *specs) {
    const auto shape = launch_shape(spec, 64);
    HW_ASSERT(!shape || (shape->grid.x > 0 && shape->block.x > 0 && shape->block.x <= 1024));
    if (elements(spec) < 0) continue;
    const auto values = initial_values(spec, 64, 1);
    if (!values) continue;  // a scalar whose value cannot be computed
    for (const auto& [name, each] : *values) HW_ASSERT(each.bytes.size() % size_of(each.type) == 0);
  }
  return 0;
}
