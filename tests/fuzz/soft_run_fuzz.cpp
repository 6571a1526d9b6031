// SPDX-License-Identifier: MIT
// Any bytes as instructions: they are decoded and run, with registers full of pointers and of
// nonsense, until they end, fault or reach the step limit. Nothing outside the device's memory may
// be touched, which ASan watches.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "soft/exec/launch.h"

using namespace hipwright;
using namespace hipwright::soft;

namespace {

constexpr std::array kTargets = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
constexpr std::size_t kCodeBytes = 1024;
constexpr std::uint32_t kLdsBytes = 4096, kScratchBytes = 256;
constexpr std::uint64_t kSteps = 400;

struct alignas(64) Registers {
  std::array<std::uint32_t, std::size_t{kVectorRows} * 64> lanes{};
};

// One bench for all inputs: making it costs more than running an input.
struct Machine {
  Memory memory{std::uint64_t{64} << 20};
  std::uint64_t code = memory.allocate(kCodeBytes, MemoryKind::kCode, false).value();
  std::uint64_t data = memory.allocate(4096, MemoryKind::kDevice).value();
  LookupCache lookups{memory};
  std::unique_ptr<Registers> registers = std::make_unique<Registers>();
  std::unique_ptr<std::uint8_t[]> lds{new std::uint8_t[kLdsBytes]};
  std::unique_ptr<std::uint8_t[]> scratch{new std::uint8_t[kScratchBytes * 64]};
};

void fill_registers(const Machine& machine, Wave& wave) {
  std::uint32_t random = 12345;
  for (unsigned row = 0; row < kVectorRows; ++row)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      random = random * 1664525U + 1013904223U;
      wave.vgpr(row)[lane] = row % 4 == 0 ? lane * 4 : random;
    }
  // Every other pair points at data, lane by lane; the scalars likewise.
  for (unsigned row = 2; row < 256; row += 4)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      const std::uint64_t address = machine.data + lane * 16;
      wave.vgpr(row)[lane] = static_cast<std::uint32_t>(address);
      wave.vgpr(row + 1)[lane] = static_cast<std::uint32_t>(address >> 32);
    }
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
  if (size < 5) return 0;
  const std::string gfx = kTargets[bytes[0] % kTargets.size()];
  const auto isa = isa_of(gfx);
  HW_ASSERT(isa);
  const unsigned lanes = is_gfx9(*isa) || bytes[0] & 0x80 ? 64 : 32;
  const std::uint64_t code_size = std::min(size - 1, kCodeBytes) & ~std::size_t{3};
  std::memcpy(reinterpret_cast<void*>(machine.code), bytes + 1, code_size);

  auto target = arch::parse_target(gfx);
  auto program = Program::create(*target, lanes, {{machine.code, code_size}}, {machine.code});
  HW_ASSERT(program);

  const Engine engine{.memory = &machine.memory};
  const LaunchRequest request;
  LaunchState state{.request = &request, .engine = &engine, .memory = &machine.memory};
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
  wave.vectors = machine.registers->lanes.data();
  wave.lanes = lanes;
  wave.full_exec = lanes == 64 ? ~0ULL : 0xffffffffULL;
  wave.isa = *isa;
  wave.group = &group;
  fill_registers(machine, wave);
  wave.set_exec(bytes[0] & 0x40 ? 0x00ff00ff0f0f5555ULL : ~0ULL);
  wave.next = (*program)->at(machine.code);
  if (wave.next) run_wave(wave, kSteps);
  return 0;
}
