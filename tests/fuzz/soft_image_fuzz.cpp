// SPDX-License-Identifier: MIT
// Any bytes as a code object: what loads is loaded, and every kernel of it is launched, with a
// step limit and arguments that point at one buffer, without checks and with all of them.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "soft/check/checks.h"
#include "soft/check/report.h"
#include "soft/launch/launch.h"

using namespace hipwright;
using namespace hipwright::soft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto object =
      toolchain::CodeObject::parse(std::string(reinterpret_cast<const char*>(data), size), "input");
  if (!object) return 0;
  Memory memory(std::uint64_t{64} << 20);
  const std::string gfx(object->target().info ? object->target().info->gfx : "gfx942");
  auto image = Image::load(std::move(*object), gfx, memory);
  if (!image) return 0;
  const auto buffer = memory.allocate(4096, MemoryKind::kDevice);
  HW_ASSERT(buffer);
  Checks checks({.report = true});
  Engine engine{.memory = &memory,
                .schedule = {.kind = Schedule::Kind::kDeterministic},
                .limits = {.steps_per_wave = 300, .scratch_bytes = std::uint64_t{4} << 20}};
  unsigned launched = 0;
  for (const LoadedKernel& kernel : (*image)->kernels()) {
    if (launched++ == 4) break;
    std::vector<std::uint64_t> arguments(
        std::min<std::uint64_t>(kernel.info->kernarg_size, 4096) / 8 + 1, *buffer);
    for (const bool checked : {false, true}) {
      engine.watch = checked ? checks.watch_factory() : WatchFactory();
      const auto outcome = launch(engine, {.kernel = &kernel,
                                           .grid = {2, 1, 1},
                                           .block = {64, 1, 1},
                                           .arguments = std::as_bytes(std::span(arguments))});
      if (!outcome) HW_ASSERT(!outcome.error().why.empty());
    }
  }
  HW_ASSERT(checks.findings().empty() == checks.findings().text().empty());
  static_cast<void>(checks.report().text());
  return 0;
}
