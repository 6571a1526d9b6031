// SPDX-License-Identifier: MIT
#include "soft/launch/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

namespace {

using toolchain::KernelArgument;

// Where things lie in the block.
constexpr std::uint64_t kPacketOffset = 0, kQueueOffset = 64, kKernargOffset = 512;

// hsa_kernel_dispatch_packet_t.
struct DispatchPacket {
  std::uint16_t header, setup;
  std::uint16_t workgroup_size[3], reserved0;
  std::uint32_t grid_size[3];
  std::uint32_t private_segment_size, group_segment_size;
  std::uint64_t kernel_object, kernarg_address, reserved2, completion_signal;
};
static_assert(sizeof(DispatchPacket) == 64);
constexpr std::uint16_t kKernelDispatch = 2;  // HSA_PACKET_TYPE_KERNEL_DISPATCH

// amd_queue_t, as far as kernels read it.
struct Queue {
  std::uint8_t hsa_queue[0x40];
  std::uint32_t group_segment_aperture_base_hi, private_segment_aperture_base_hi;
  std::uint8_t rest[0xb8];
};
static_assert(sizeof(Queue) == 0x100);

unsigned dimensions(const LaunchPlan& plan) {
  if (plan.threads[2] > 1) return 3;
  return plan.threads[1] > 1 ? 2 : 1;
}

// The axis that a kind ends with: "hidden_block_count_y".
unsigned axis(std::string_view kind) {
  return static_cast<unsigned>(kind.back() - 'x');
}

std::optional<std::uint64_t> hidden_value(const LaunchPlan& plan, std::string_view kind) {
  const LaunchRequest& request = *plan.request;
  const HiddenArguments& hidden = request.hidden;
  if (kind.starts_with("hidden_block_count_"))
    return plan.threads[axis(kind)] / request.block[axis(kind)];
  if (kind.starts_with("hidden_group_size_")) return request.block[axis(kind)];
  if (kind.starts_with("hidden_remainder_"))
    return plan.threads[axis(kind)] % request.block[axis(kind)];
  if (kind.starts_with("hidden_global_offset_")) return 0;
  const struct {
    std::string_view kind;
    std::uint64_t value;
  } values[] = {
      {"hidden_none", 0},
      {"hidden_grid_dims", dimensions(plan)},
      {"hidden_printf_buffer", hidden.printf_buffer},
      {"hidden_hostcall_buffer", hidden.hostcall_buffer},
      {"hidden_multigrid_sync_arg", hidden.multigrid_sync},
      {"hidden_heap_v1", hidden.heap},
      {"hidden_default_queue", hidden.default_queue},
      {"hidden_completion_action", hidden.completion_action},
      {"hidden_dynamic_lds_size", request.dynamic_lds},
      {"hidden_private_base", kPrivateAperture >> 32},
      {"hidden_shared_base", kSharedAperture >> 32},
      {"hidden_queue_ptr", plan.queue},
  };
  for (const auto& entry : values)
    if (entry.kind == kind) return entry.value;
  return std::nullopt;
}

bool has_axis(std::string_view kind) {
  const char last = kind.empty() ? '\0' : kind.back();
  return last == 'x' || last == 'y' || last == 'z';
}

std::uint64_t explicit_bytes(const toolchain::Kernel& kernel) {
  std::uint64_t size = 0;
  for (const KernelArgument& argument : kernel.arguments)
    if (!argument.hidden()) size = std::max(size, std::uint64_t{argument.offset} + argument.size);
  return size;
}

std::uint64_t kernarg_bytes(const LaunchPlan& plan) {
  const toolchain::Kernel& kernel = *plan.kernel->info;
  return std::max<std::uint64_t>(
      {kernel.kernarg_size, plan.descriptor->kernarg_size, explicit_bytes(kernel), 1});
}

Status write_kernarg(const LaunchPlan& plan, std::byte* to, std::uint64_t size) {
  const toolchain::Kernel& kernel = *plan.kernel->info;
  const std::span<const std::byte> given = plan.request->arguments;
  const auto refused = [&](std::string why) {
    return fail("cannot launch the kernel", toolchain::demangle(kernel.name), std::move(why));
  };
  if (given.size() < explicit_bytes(kernel))
    return refused(fmt::format("its arguments take {} bytes, but {} were given",
                               explicit_bytes(kernel), given.size()));
  if (!given.empty()) std::memcpy(to, given.data(), std::min<std::uint64_t>(given.size(), size));
  for (const KernelArgument& argument : kernel.arguments) {
    if (!argument.hidden()) continue;
    const std::string_view kind = argument.value_kind;
    const bool per_axis =
        kind.starts_with("hidden_block_count_") || kind.starts_with("hidden_group_size_") ||
        kind.starts_with("hidden_remainder_") || kind.starts_with("hidden_global_offset_");
    const auto value = per_axis && !has_axis(kind) ? std::nullopt : hidden_value(plan, kind);
    if (!value) return refused(fmt::format("it needs the unknown hidden argument '{}'", kind));
    if (argument.offset > size || argument.size > size - argument.offset)
      return refused(fmt::format("its hidden argument '{}' lies outside its arguments", kind));
    std::memset(to + argument.offset, 0, argument.size);
    std::memcpy(to + argument.offset, &*value, std::min<std::size_t>(argument.size, 8));
  }
  return {};
}

}  // namespace

Status write_arguments(LaunchPlan& plan, Memory& memory) {
  const std::uint64_t size = kernarg_bytes(plan);
  const std::uint64_t block_size = kKernargOffset + size;
  HW_TRY(const std::uint64_t block, memory.borrow(block_size));
  plan.block = block;
  plan.block_size = block_size;
  plan.packet = block + kPacketOffset;
  plan.queue = block + kQueueOffset;
  plan.kernarg = block + kKernargOffset;
  if (auto written = write_kernarg(plan, reinterpret_cast<std::byte*>(plan.kernarg), size);
      !written) {
    memory.give_back(block, block_size);
    return written;
  }
  const LaunchRequest& request = *plan.request;
  DispatchPacket packet{.header = kKernelDispatch,
                        .setup = static_cast<std::uint16_t>(dimensions(plan)),
                        .workgroup_size = {},
                        .reserved0 = 0,
                        .grid_size = {},
                        .private_segment_size = plan.scratch_per_lane,
                        .group_segment_size = plan.lds_asked,
                        .kernel_object = plan.kernel->descriptor,
                        .kernarg_address = plan.kernarg,
                        .reserved2 = 0,
                        .completion_signal = 0};
  for (unsigned i = 0; i < 3; ++i) {
    packet.workgroup_size[i] = static_cast<std::uint16_t>(request.block[i]);
    packet.grid_size[i] = plan.threads[i];
  }
  std::memcpy(reinterpret_cast<void*>(plan.packet), &packet, sizeof(packet));
  Queue queue{};
  queue.group_segment_aperture_base_hi = static_cast<std::uint32_t>(kSharedAperture >> 32);
  queue.private_segment_aperture_base_hi = static_cast<std::uint32_t>(kPrivateAperture >> 32);
  std::memcpy(reinterpret_cast<void*>(plan.queue), &queue, sizeof(queue));
  return {};
}

}  // namespace hipwright::soft
