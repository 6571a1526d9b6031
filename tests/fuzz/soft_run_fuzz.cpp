// SPDX-License-Identifier: MIT
// Any bytes as instructions: they are decoded and run, with registers full of pointers and of
// nonsense, until they end, fault or reach the step limit: on all targets, at both SIMD levels,
// with the checks and without. Nothing outside the device's memory may be touched, which ASan
// watches. The first two bytes say the target and the rest of how.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/json.h"
#include "soft/check/checks.h"
#include "soft/check/report.h"
#include "soft/decode/targets.h"
#include "soft/exec/interpreter.h"
#include "soft/launch/launch.h"

using namespace hipwright;
using namespace hipwright::soft;

namespace {

constexpr std::array kTargets = {"gfx90a",  "gfx942", "gfx950", "gfx1100",
                                 "gfx1201", "gfx908", "gfx1030"};
// Decoding costs more than running: streams seldom get farther than this before a fault ends them.
constexpr std::size_t kCodeBytes = 256;
constexpr std::uint32_t kDataBytes = 4096, kLdsBytes = 4096, kScratchBytes = 256;
constexpr std::uint64_t kSteps = 400;

// The second byte of an input.
enum Flag : std::uint8_t {
  kGenericLevel = 1,
  kChecked = 2,
  kReported = 4,
  kPartOfLanes = 8,
  kWave64 = 16,  // on targets that have the choice
};

struct alignas(64) Registers {
  std::array<std::uint32_t, std::size_t{kVectorRows} * 64> lanes{};
};

// One bench for all inputs: making it costs more than running an input.
struct Machine {
  Memory memory{std::uint64_t{64} << 20};
  std::uint64_t code = memory.allocate(kCodeBytes, MemoryKind::kCode, false).value();
  std::uint64_t data = memory.allocate(kDataBytes, MemoryKind::kDevice).value();
  LookupCache lookups{memory};
  std::unique_ptr<Registers> registers = std::make_unique<Registers>();
  // What every input finds in the registers, by waves of 32 and of 64.
  std::array<std::unique_ptr<Registers>, 2> filled;
  std::unique_ptr<std::uint8_t[]> lds{new std::uint8_t[kLdsBytes]};
  std::unique_ptr<std::uint8_t[]> scratch{new std::uint8_t[kScratchBytes * 64]};
};

std::unique_ptr<Registers> make_registers(const Machine& machine, unsigned lanes) {
  auto made = std::make_unique<Registers>();
  std::uint32_t random = 12345;
  for (unsigned row = 0; row < kVectorRows; ++row)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      random = random * 1664525U + 1013904223U;
      made->lanes[row * lanes + lane] = row % 4 == 0 ? lane * 4 : random;
    }
  // Every other pair points at data, lane by lane.
  for (unsigned row = 2; row < 256; row += 4)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::uint64_t address = machine.data + lane * 16;
      made->lanes[row * lanes + lane] = static_cast<std::uint32_t>(address);
      made->lanes[(row + 1) * lanes + lane] = static_cast<std::uint32_t>(address >> 32);
    }
  return made;
}

void fill_registers(Machine& machine, Wave& wave) {
  auto& filled = machine.filled[wave.lanes == 64];
  if (!filled) filled = make_registers(machine, wave.lanes);
  std::memcpy(machine.registers->lanes.data(), filled->lanes.data(),
              std::size_t{kVectorRows} * wave.lanes * sizeof(std::uint32_t));
  wave.vectors = machine.registers->lanes.data();
  // No input sees what another one wrote.
  std::memset(reinterpret_cast<void*>(machine.data), 0, kDataBytes);
  std::memset(machine.lds.get(), 0, kLdsBytes);
  std::memset(machine.scratch.get(), 0, std::size_t{kScratchBytes} * 64);
  std::uint32_t random = 54321;
  for (unsigned index = 0; index < 104; ++index) {
    random = random * 1664525U + 1013904223U;
    wave.scalars[index] =
        index % 4 < 2 ? random
                      : static_cast<std::uint32_t>(index % 2 ? machine.data >> 32 : machine.data);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static Machine machine;
  if (size < 6) return 0;
  const std::uint8_t flags = bytes[1];
  const std::string gfx = kTargets[bytes[0] % kTargets.size()];
  const auto isa = isa_of(gfx);
  HW_ASSERT(isa);
  const unsigned lanes = is_gfx9(*isa) || flags & kWave64 ? 64 : 32;
  const std::uint64_t code_size = std::min(size - 2, kCodeBytes) & ~std::size_t{3};
  std::memcpy(reinterpret_cast<void*>(machine.code), bytes + 2, code_size);

  auto target = arch::parse_target(gfx);
  auto program = Program::create(*target, lanes, {{machine.code, code_size}}, {machine.code},
                                 flags & kGenericLevel ? SimdLevel::kGeneric : best_simd_level());
  HW_ASSERT(program);

  const Engine engine{.memory = &machine.memory};
  const LaunchRequest request;
  const LaunchState state = state_of(engine, request);
  Workgroup group;
  group.launch = &state;
  group.program = program->get();
  group.lookups = &machine.lookups;
  group.lds = machine.lds.get();
  group.lds_size = kLdsBytes;
  group.scratch = machine.scratch.get();
  group.scratch_per_lane = kScratchBytes;
  group.barrier.members = 1;
  group.waves.resize(1);
  Wave& wave = group.waves[0];
  wave.lanes = lanes;
  wave.full_exec = lanes == 64 ? ~0ULL : 0xffffffffULL;
  wave.isa = *isa;
  wave.group = &group;
  fill_registers(machine, wave);
  wave.set_exec(flags & kPartOfLanes ? 0x00ff00ff0f0f5555ULL : ~0ULL);
  wave.next = (*program)->at(machine.code);
  if (!wave.next) return 0;

  Checks checks({.report = (flags & kReported) != 0});
  const std::unique_ptr<Watch> watch = flags & kChecked ? checks.watch() : nullptr;
  wave.watch = watch.get();
  if (watch) watch->begin(group);
  run_wave(wave, kSteps);
  if (watch) watch->end(group);
  HW_ASSERT(checks.findings().empty() == checks.findings().text().empty());
  if (flags & kReported) static_cast<void>(checks.report().json());
  return 0;
}
