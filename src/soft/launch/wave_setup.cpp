// SPDX-License-Identifier: MIT
// The registers that a wave starts with (LLVM's AMDGPUUsage, "Initial Kernel Execution State").
#include <algorithm>
#include <bit>
#include <cstring>

#include "soft/decode/program.h"
#include "soft/exec/barrier.h"
#include "soft/launch/launch_plan.h"

namespace hipwright::soft {

namespace {

using toolchain::KernelDescriptor;

// Registers are given out from s0 up.
class ScalarWriter {
 public:
  ScalarWriter(Wave& wave, unsigned first) : wave_(wave), next_(first) {}
  void put(std::uint32_t value) {
    if (next_ < kVccLo) wave_.scalars[next_++] = value;
  }
  void put64(std::uint64_t value) {
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  }
  unsigned next() const { return next_; }

 private:
  Wave& wave_;
  unsigned next_;
};

// The resource through which gfx908, gfx90a and gfx10 reach scratch: swizzled by dwords over the
// lanes, which the layout of Workgroup::scratch is.
void put_scratch_resource(ScalarWriter& out, const LaunchPlan& plan, const Workgroup& group) {
  const auto base = reinterpret_cast<std::uint64_t>(group.scratch);
  constexpr std::uint32_t kSwizzle = 1U << 31;
  constexpr std::uint32_t kIndexStride32 = 2U << 21, kIndexStride64 = 3U << 21;
  constexpr std::uint32_t kBoundedIfNotEmpty = 2U << 28, kRealResource = 1U << 24;  // gfx10
  constexpr std::uint32_t kAddThreadId = 1U << 23;
  constexpr std::uint32_t kSelectXyzw = 4U | 5U << 3 | 6U << 6 | 7U << 9;
  out.put(static_cast<std::uint32_t>(base));
  out.put(static_cast<std::uint32_t>(base >> 32 & 0xffffU) | kSwizzle);
  out.put(static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.scratch_bytes, 0xffffffffULL)));
  out.put(kSelectXyzw | kAddThreadId | (plan.wave_size == 64 ? kIndexStride64 : kIndexStride32) |
          (plan.isa == Isa::kGfx10 ? kBoundedIfNotEmpty | kRealResource : 0));
}

void put_user_scalars(Wave& wave, const LaunchPlan& plan) {
  const KernelDescriptor& descriptor = *plan.descriptor;
  ScalarWriter out(wave, 0);
  if (descriptor.sgpr_private_segment_buffer) put_scratch_resource(out, plan, *wave.group);
  if (descriptor.sgpr_dispatch_ptr) out.put64(plan.packet);
  if (descriptor.sgpr_queue_ptr) out.put64(plan.queue);
  if (descriptor.sgpr_kernarg_segment_ptr) out.put64(plan.kernarg);
  if (descriptor.sgpr_dispatch_id) out.put64(0);
  if (descriptor.sgpr_flat_scratch_init)
    out.put64(reinterpret_cast<std::uint64_t>(wave.group->scratch));
  if (descriptor.sgpr_private_segment_size) out.put(plan.scratch_per_lane);
  // What lies behind the arguments is not loaded: the block has room for the hidden ones at most.
  const auto* arguments = reinterpret_cast<const std::byte*>(plan.kernarg);
  const std::uint64_t size = plan.block + plan.block_size - plan.kernarg;
  for (unsigned i = 0; i < descriptor.kernarg_preload_length; ++i) {
    const std::uint64_t offset = (std::uint64_t{descriptor.kernarg_preload_offset} + i) * 4;
    if (out.next() >= descriptor.user_sgprs || offset + 4 > size) break;
    std::uint32_t value = 0;
    std::memcpy(&value, arguments + offset, 4);
    out.put(value);
  }
}

void put_system_scalars(Wave& wave, const LaunchPlan& plan) {
  const KernelDescriptor& descriptor = *plan.descriptor;
  const std::array<std::uint32_t, 3>& id = wave.group->id;
  if (plan.isa == Isa::kGfx12) {
    wave.scalars[kTtmp0 + 9] = id[0];
    // Without a third dimension the second one has the whole register.
    wave.scalars[kTtmp0 + 7] = descriptor.workgroup_id_z ? (id[1] & 0xffffU) | id[2] << 16 : id[1];
    wave.scalars[kTtmp0 + 8] = (wave.id & 0x1fU) << 25;
    return;
  }
  ScalarWriter out(wave, descriptor.user_sgprs);
  if (descriptor.workgroup_id_x) out.put(id[0]);
  if (descriptor.workgroup_id_y) out.put(id[1]);
  if (descriptor.workgroup_id_z) out.put(id[2]);
  if (descriptor.workgroup_info) {
    const auto waves = static_cast<std::uint32_t>(wave.group->waves.size());
    out.put((wave.id == 0 ? 1U << 31 : 0U) | (waves & 0x3fU));
  }
  if (descriptor.uses_scratch && computes_scratch_base(plan.isa))
    out.put(wave.id * plan.scratch_per_lane * plan.wave_size);
}

void put_apertures(Wave& wave) {
  const auto put = [&](unsigned index, std::uint64_t value) {
    wave.scalars[index] = static_cast<std::uint32_t>(value);
    wave.scalars[index + 1] = static_cast<std::uint32_t>(value >> 32);
  };
  put(kSharedBase, kSharedAperture);
  put(kSharedLimit, kSharedAperture + kApertureSize - 1);
  put(kPrivateBase, kPrivateAperture);
  put(kPrivateLimit, kPrivateAperture + kApertureSize - 1);
}

FloatMode float_mode(const LaunchPlan& plan) {
  const KernelDescriptor& descriptor = *plan.descriptor;
  FloatMode mode{.round_f32 = static_cast<std::uint8_t>(descriptor.round_mode_32),
                 .round_f64_f16 = static_cast<std::uint8_t>(descriptor.round_mode_16_64),
                 .denormal_f32 = static_cast<std::uint8_t>(descriptor.denormal_mode_32),
                 .denormal_f64_f16 = static_cast<std::uint8_t>(descriptor.denormal_mode_16_64),
                 .fp16_overflow = descriptor.fp16_overflow};
  // gfx12 has neither bit and does as if both were set.
  if (plan.isa != Isa::kGfx12) {
    mode.dx10_clamp = descriptor.dx10_clamp;
    mode.ieee = descriptor.ieee_mode;
  }
  return mode;
}

// Thread ids: ten bits each in v0, or one register each. `extent`: threads of this workgroup in
// each dimension.
void put_thread_ids(Wave& wave, const LaunchPlan& plan,
                    const std::array<std::uint32_t, 3>& extent) {
  const std::uint32_t threads = extent[0] * extent[1] * extent[2];
  const std::uint32_t first = wave.id * plan.wave_size;
  const std::uint32_t active = std::min(threads - first, plan.wave_size);
  const unsigned dimensions = plan.descriptor->workitem_id_dimensions;
  std::uint32_t x = first % extent[0];
  std::uint32_t y = first / extent[0] % extent[1];
  std::uint32_t z = first / extent[0] / extent[1];
  const bool packed = !has_unpacked_thread_ids(plan.isa);
  for (std::uint32_t lane = 0; lane < active; ++lane) {
    if (packed) {
      wave.vgpr(0)[lane] = x | (dimensions > 1 ? y << 10 : 0U) | (dimensions > 2 ? z << 20 : 0U);
    } else {
      wave.vgpr(0)[lane] = x;
      if (dimensions > 1) wave.vgpr(1)[lane] = y;
      if (dimensions > 2) wave.vgpr(2)[lane] = z;
    }
    if (++x < extent[0]) continue;
    x = 0;
    if (++y < extent[1]) continue;
    y = 0;
    ++z;
  }
  wave.full_exec = plan.wave_size == 64 ? ~0ULL : 0xffffffffULL;
  wave.set_exec(active == 64 ? ~0ULL : (1ULL << active) - 1);
}

void start_wave(Wave& wave, const LaunchPlan& plan, const Inst* entry,
                const std::array<std::uint32_t, 3>& extent) {
  wave.scalars.fill(0);
  wave.next = entry;
  wave.state = WaveState::kReady;
  wave.fault = {};
  wave.mode = float_mode(plan);
  wave.isa = plan.isa;
  wave.indexes_registers = false;
  wave.skips_vectors = false;
  wave.steps = 0;
  wave.hw_trap_status = 0;
  wave.barriers_complete = 0;
  wave.waits_for = 0;
  wave.priority = 0;
  wave.global_round = 0;
  wave.named_barrier = 0;
  wave.lanes = plan.wave_size;
  const std::size_t row = std::size_t{plan.wave_size} * 4;
  std::memset(wave.vgpr(0), 0, plan.vector_rows * row);
  std::memset(wave.vgpr(kAccumulator0), 0, plan.accumulator_rows * row);
  put_user_scalars(wave, plan);
  put_system_scalars(wave, plan);
  put_apertures(wave);
  put_thread_ids(wave, plan, extent);
  if (entry) return;
  wave.stop({.kind = Fault::Kind::kBadJump,
             .address = plan.entry,
             .what = "the kernel's entry is not code"});
}

}  // namespace

void start_group(const LaunchPlan& plan, Workgroup& group, std::uint64_t number) {
  group.number = number;
  group.id = {static_cast<std::uint32_t>(number % plan.grid[0]),
              static_cast<std::uint32_t>(number / plan.grid[0] % plan.grid[1]),
              static_cast<std::uint32_t>(number / plan.grid[0] / plan.grid[1])};
  group.program = plan.program;
  group.lds_size = plan.lds_size;
  group.scratch_per_lane = plan.scratch_per_lane;
  if (group.lds_size != 0) std::memset(group.lds, 0, group.lds_size);
  std::array<std::uint32_t, 3> extent{};
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint32_t size = plan.request->block[i];
    extent[i] = std::min(size, plan.threads[i] - group.id[i] * size);
  }
  const std::uint32_t threads = extent[0] * extent[1] * extent[2];
  const Inst* entry = plan.program->at(plan.entry);
  for (Wave& wave : group.waves) {
    wave.group = &group;
    wave.id = static_cast<unsigned>(&wave - group.waves.data());
    if (wave.id * plan.wave_size < threads) {
      start_wave(wave, plan, entry, extent);
    } else {
      // A partial workgroup has fewer waves.
      wave.state = WaveState::kEnded;
      wave.steps = 0;
    }
  }
  start_barriers(group);
}

}  // namespace hipwright::soft
