// SPDX-License-Identifier: MIT
#include "soft/launch/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "soft/decode/program.h"
#include "soft/launch/kernel_arguments.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

namespace {

using toolchain::KernelDescriptor;

constexpr std::uint32_t kMaxWorkgroup = 1024;
// Kernels whose arguments are preloaded begin with as many bytes of code that loads them, for
// firmware that cannot preload.
constexpr std::uint64_t kPreloadProlog = 256;
constexpr std::uint64_t kScratchGranule = 16;  // bytes of a lane

std::string axes(const std::array<std::uint32_t, 3>& value) {
  return fmt::format("{}×{}×{}", value[0], value[1], value[2]);
}

std::unexpected<Error> refused(const LaunchRequest& request, std::string why,
                               std::string fix = {}) {
  return fail("cannot launch the kernel", toolchain::demangle(request.kernel->info->name),
              std::move(why), std::move(fix));
}

Status plan_grid(const LaunchRequest& request, LaunchPlan& plan) {
  const toolchain::Kernel& kernel = *request.kernel->info;
  std::uint64_t block = 1;
  plan.groups = 1;
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint64_t size = request.block[i];
    if (size == 0 || size > kMaxWorkgroup || request.grid[i] == 0)
      return refused(request, fmt::format("a grid of {} workgroups of {} threads",
                                          axes(request.grid), axes(request.block)));
    const std::uint64_t threads =
        request.threads[i] != 0 ? request.threads[i] : size * request.grid[i];
    if (threads > 0xffffffffULL)
      return refused(request, fmt::format("{} threads in one dimension", threads),
                     "a dispatch has at most 2^32 - 1");
    plan.threads[i] = static_cast<std::uint32_t>(threads);
    plan.grid[i] = static_cast<std::uint32_t>((threads + size - 1) / size);
    block *= size;
    plan.groups *= plan.grid[i];
  }
  if (plan.isa == Isa::kGfx12 && plan.descriptor->workgroup_id_z &&
      std::max(plan.grid[1], plan.grid[2]) > 0xffffU)
    return refused(
        request, fmt::format("a grid of {}: y and z have 16 bits on this target", axes(plan.grid)));
  const std::uint32_t most =
      kernel.max_workgroup_size != 0 ? kernel.max_workgroup_size : kMaxWorkgroup;
  if (block > most)
    return refused(
        request,
        fmt::format("{} threads per workgroup, but it was compiled for at most {}", block, most),
        "use smaller blocks, or compile with __launch_bounds__");
  if (kernel.required_workgroup_size && *kernel.required_workgroup_size != request.block)
    return refused(request,
                   fmt::format("a block of {}, but it was compiled for {}", axes(request.block),
                               axes(*kernel.required_workgroup_size)));
  plan.waves = static_cast<unsigned>((block + plan.wave_size - 1) / plan.wave_size);
  return {};
}

Status plan_memory(const Engine& engine, const LaunchRequest& request, LaunchPlan& plan) {
  const KernelDescriptor& descriptor = *plan.descriptor;
  const arch::ArchInfo* info = request.kernel->image->object().target().info;
  const std::uint64_t lds =
      std::uint64_t{descriptor.group_segment_fixed_size} + request.dynamic_lds;
  const std::uint64_t most = info ? info->lds_per_workgroup.value : 65536;
  if (lds > most)
    return refused(
        request,
        fmt::format("{} bytes of LDS ({} of them dynamic), but {} has at most {}", lds,
                    request.dynamic_lds, request.kernel->image->object().target().processor, most));
  plan.lds_asked = static_cast<std::uint32_t>(lds);
  const std::uint32_t granule =
      engine.exact_bounds || !info ? 1 : info->resources.value.lds_granule;
  plan.lds_size = (plan.lds_asked + granule - 1) / granule * granule;

  const bool dynamic = descriptor.uses_dynamic_stack || request.kernel->info->uses_dynamic_stack;
  const std::uint64_t per_lane =
      std::uint64_t{descriptor.private_segment_fixed_size} + (dynamic ? request.stack_bytes : 0);
  const std::uint64_t unit = engine.exact_bounds ? sizeof(std::uint32_t) : kScratchGranule;
  const std::uint64_t rounded = (per_lane + unit - 1) / unit * unit;
  plan.scratch_bytes = rounded * plan.wave_size * plan.waves;
  if (rounded > 0xffffffffULL || plan.scratch_bytes > engine.limits.scratch_bytes)
    return refused(
        request, fmt::format("{} bytes of scratch per thread are {} per workgroup; the limit is {}",
                             rounded, plan.scratch_bytes, engine.limits.scratch_bytes));
  plan.scratch_per_lane = static_cast<std::uint32_t>(rounded);
  return {};
}

void plan_registers(LaunchPlan& plan) {
  const KernelDescriptor& descriptor = *plan.descriptor;
  const unsigned all = descriptor.allocated_vgprs;
  const unsigned vectors =
      descriptor.accum_offset != 0 ? std::min(descriptor.accum_offset, all) : all;
  plan.vector_rows = std::clamp(vectors, 1U, kAccumulator0);
  plan.accumulator_rows = has_separate_accumulators(plan.isa)
                              ? plan.vector_rows
                              : std::min(all - vectors, kAccumulator0);
}

}  // namespace

Result<LaunchPlan> plan_launch(const Engine& engine, const LaunchRequest& request) {
  HW_ASSERT(engine.memory && request.kernel && request.kernel->image);
  LaunchPlan plan{.request = &request,
                  .kernel = request.kernel,
                  .descriptor = &request.kernel->info->descriptor,
                  .program = &request.kernel->image->program(request.kernel->wave_size),
                  .wave_size = request.kernel->wave_size,
                  .entry = request.kernel->entry};
  plan.isa = plan.program->isa();
  if (plan.descriptor->kernarg_preload_length != 0) plan.entry += kPreloadProlog;
  HW_CHECK(plan_grid(request, plan));
  HW_CHECK(plan_memory(engine, request, plan));
  plan_registers(plan);
  HW_CHECK(write_arguments(plan, *engine.memory));
  return plan;
}

void finish(const LaunchPlan& plan, Memory& memory) {
  memory.give_back(plan.block, plan.block_size);
}

}  // namespace hipwright::soft
