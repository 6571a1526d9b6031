// SPDX-License-Identifier: MIT
#include "soft/hip/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "soft/hip/capture.h"
#include "soft/hip/host_registration.h"
#include "soft/hip/occupancy.h"
#include "soft/hip/stream.h"
#include "soft/hip/stream_order.h"
#include "soft/hip/unchecked_launches.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft::hip {

namespace {

// What a cooperative kernel finds behind hidden_multigrid_sync_arg.
struct GridSync {
  std::uint64_t all_grids;  // 0: one device
  std::uint32_t grid_rank, num_grids;
  std::uint64_t threads_before, threads_total;
  std::uint32_t arrived, passed;
  std::uint32_t num_blocks, unused;
};
static_assert(sizeof(GridSync) == 48);

std::uint64_t product(const std::array<std::uint32_t, 3>& size) {
  return std::uint64_t{size[0]} * size[1] * size[2];
}

// Memory for one launch.
class Temporary {
 public:
  Temporary(Memory& memory, std::uint64_t size) : memory_(memory) {
    if (const auto address = memory.allocate(size, MemoryKind::kInternal)) address_ = *address;
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (address_) static_cast<void>(memory_.release(address_));
  }
  std::uint64_t address() const { return address_; }

 private:
  Memory& memory_;
  std::uint64_t address_ = 0;
};

bool asks_for(const LoadedKernel& kernel, std::string_view kind) {
  return std::ranges::any_of(
      kernel.info->arguments,
      [&](const toolchain::KernelArgument& argument) { return argument.value_kind == kind; });
}

EventKind kind_of(Fault::Kind fault) {
  switch (fault) {
    case Fault::Kind::kUnsupported:
      return EventKind::kUnsupportedInstruction;
    case Fault::Kind::kStepLimit:
    case Fault::Kind::kLimit:
      return EventKind::kLimit;
    case Fault::Kind::kNone:
    case Fault::Kind::kBadAddress:
    case Fault::Kind::kBadJump:
    case Fault::Kind::kTrap:
    case Fault::Kind::kDeadlock:
      break;
  }
  return EventKind::kFault;
}

hipError_t code_of(const Fault& fault, bool complained) {
  switch (fault.kind) {
    case Fault::Kind::kBadAddress:
      return hipErrorIllegalAddress;
    case Fault::Kind::kTrap:
      return complained ? hipErrorAssert : hipErrorLaunchFailure;
    case Fault::Kind::kStepLimit:
      return hipErrorLaunchTimeOut;
    case Fault::Kind::kUnsupported:
      return hipErrorNotSupported;
    default:
      return hipErrorLaunchFailure;
  }
}

DeviceEvent event_of(const LaunchFailure& failure) {
  return {.kind = kind_of(failure.fault.kind),
          .text = failure.message(),
          .kernel = failure.kernel,
          .instruction = failure.instruction,
          .place = failure.location};
}

// The events around a launch, where the caller gave some.
hipError_t record_if(hipEvent_t handle, hipStream_t stream) {
  if (!handle) return hipSuccess;
  const auto event = events().find(handle);
  return event ? record_in_stream(stream, event) : hipErrorInvalidHandle;
}

struct CallConfiguration {
  dim3 grid, block;
  std::size_t shared = 0;
  hipStream_t stream = nullptr;
  std::vector<std::byte> arguments;  // of the older protocol
};
thread_local std::vector<CallConfiguration> configurations;
// The next launch is that of <<<>>>, which drops its result.
thread_local bool is_by_syntax = false;

hipError_t launch_host(const void* function, dim3 grid, dim3 block, void** arguments,
                       std::size_t shared, hipStream_t stream, bool cooperative,
                       hipEvent_t start = nullptr, hipEvent_t stop = nullptr) {
  // The kernel of the stream's device, whichever is current.
  HIP_STREAM(target, stream);
  return launch_function(function_of_host(function, {.runtime = target->runtime}),
                         {.grid = {grid.x, grid.y, grid.z},
                          .block = {block.x, block.y, block.z},
                          .dynamic_lds = shared,
                          .cooperative = cooperative,
                          .start = start,
                          .stop = stop},
                         arguments, nullptr, stream);
}

// Faults of the kernel itself come back from whatever waits for it, too.
bool is_fault(hipError_t code) {
  return code == hipErrorIllegalAddress || code == hipErrorAssert ||
         code == hipErrorLaunchFailure || code == hipErrorLaunchTimeOut ||
         code == hipErrorNotSupported;
}

void note_unseen(const void* function, dim3 grid, dim3 block, std::size_t shared,
                 hipError_t result) {
  if (is_fault(result)) return;
  const FoundFunction found = function_of_host(function);
  add_unseen({found.function ? toolchain::demangle(found.function->name) : std::string(),
              fmt::format("a grid of ({}, {}, {}) blocks of ({}, {}, {}) threads with {} bytes of "
                          "dynamic shared memory failed with {}; nothing ran, and the program did "
                          "not call hipGetLastError",
                          grid.x, grid.y, grid.z, block.x, block.y, block.z, shared,
                          hipGetErrorName(result))});
}

// hipExtModuleLaunchKernel counts threads, and the last blocks may be partial.
hipError_t launch_threads(hipFunction_t function, std::array<std::uint32_t, 3> threads,
                          std::array<std::uint32_t, 3> block, std::size_t shared,
                          hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
                          hipEvent_t stop) {
  LaunchShape shape{
      .block = block, .threads = threads, .dynamic_lds = shared, .start = start, .stop = stop};
  for (int i = 0; i < 3; ++i) {
    if (threads[i] == 0 || block[i] == 0) return hipErrorInvalidConfiguration;
    shape.grid[i] = threads[i] / block[i] + (threads[i] % block[i] != 0);
  }
  return launch_function(function_of_handle(function), shape, parameters, extra, stream);
}

hipError_t launch_list(hipLaunchParams* list, int count, bool cooperative) {
  if (!list || count <= 0) return hipErrorInvalidValue;
  if (count > device_count()) return hipErrorInvalidDevice;  // at most one per device
  // Grids that wait for each other would have to run at the same time.
  if (cooperative && count > 1) return not_implemented("a cooperative launch over several devices");
  for (int i = 0; i < count; ++i)
    HIP_TRY(launch_host(list[i].func, list[i].gridDim, list[i].blockDim, list[i].args,
                        list[i].sharedMem, list[i].stream, cooperative));
  return hipSuccess;
}

}  // namespace

hipError_t pack_arguments(const Function& function, void** parameters, void** extra,
                          std::vector<std::byte>& out) {
  const toolchain::Kernel& info = *function.kernel->info;
  std::size_t size = 0;
  for (const auto& argument : info.arguments)
    if (!argument.hidden())
      size = std::max<std::size_t>(size, std::size_t{argument.offset} + argument.size);
  out.assign(size, std::byte{0});
  if (parameters) {
    std::size_t index = 0;
    for (const auto& argument : info.arguments) {
      if (argument.hidden()) continue;
      const void* value = parameters[index++];
      if (!value) return hipErrorInvalidValue;
      std::memcpy(out.data() + argument.offset, value, argument.size);
    }
    return hipSuccess;
  }
  if (!extra) return size == 0 ? hipSuccess : hipErrorInvalidValue;
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (void** entry = extra; *entry != HIP_LAUNCH_PARAM_END; entry += 2) {
    if (*entry == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = entry[1];
    } else if (*entry == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<std::size_t*>(entry[1]);
    } else {
      return hipErrorInvalidValue;
    }
  }
  if (bytes > 0 && !buffer) return hipErrorInvalidValue;
  // Code objects without argument metadata (assembly) take the buffer as it is; others never more
  // than their own arguments, because hidden ones follow.
  if (info.arguments.empty()) out.resize(bytes);
  std::memcpy(out.data(), buffer, std::min(bytes, out.size()));
  return hipSuccess;
}

hipError_t run_kernel(Runtime& runtime, const KernelWork& work) {
  if (!runtime.config().runs_kernels) return hipSuccess;
  const LoadedKernel& kernel = *work.function->kernel;
  LaunchRequest request{.kernel = &kernel,
                        .grid = work.grid,
                        .block = work.block,
                        .threads = work.threads,
                        .dynamic_lds = work.dynamic_lds,
                        .arguments = work.arguments,
                        .cooperative = work.cooperative != 0,
                        .operation = current_operation()};
  if (const auto limit = runtime.stack_limit()) request.stack_bytes = *limit;
  Hostcall& hostcall = runtime.hostcall();
  if (asks_for(kernel, "hidden_hostcall_buffer"))
    request.hidden.hostcall_buffer = hostcall.buffer();
  if (asks_for(kernel, "hidden_heap_v1")) request.hidden.heap = hostcall.heap();
  const bool prints = asks_for(kernel, "hidden_printf_buffer");
  if (prints) request.hidden.printf_buffer = hostcall.printf_buffer();
  std::optional<Temporary> sync;
  if (work.cooperative) {
    sync.emplace(runtime.memory(), sizeof(GridSync));
    if (!sync->address()) return hipErrorOutOfMemory;
    *static_cast<GridSync*>(pointer_to(sync->address())) = {
        .num_grids = 1,
        .threads_total = product(work.grid) * product(work.block),
        .num_blocks = static_cast<std::uint32_t>(product(work.grid))};
    request.hidden.multigrid_sync = sync->address();
  }
  drop_unmapped(runtime);
  hostcall.take_complaint();
  const auto outcome = soft::launch(runtime.engine(), request);
  if (prints) hostcall.drain_printf(kernel.image->object().printf_formats());
  runtime.instruments().after_launch();
  if (!outcome) return refuse(hipErrorInvalidConfiguration, outcome.error());
  if (const std::string lost = take_lost_memory(); !lost.empty()) {
    const std::string name = toolchain::demangle(kernel.info->name);
    const std::string text = fmt::format("invalid memory access in kernel {}: {}", name, lost);
    notify({.kind = EventKind::kFault, .text = text, .kernel = name});
    runtime.instruments().launch_failed(text);
    runtime.set_sticky_error(hipErrorIllegalAddress);
    return hipErrorIllegalAddress;
  }
  if (!outcome->failure) return hipSuccess;
  std::fflush(stdout);  // what the kernel printed before comes first
  notify(event_of(*outcome->failure));
  runtime.instruments().launch_failed(outcome->failure->message());
  const hipError_t code = code_of(outcome->failure->fault, hostcall.take_complaint());
  runtime.set_sticky_error(code);
  return code;
}

hipError_t launch_function(const FoundFunction& found, const LaunchShape& shape, void** parameters,
                           void** extra, hipStream_t stream) {
  HIP_TRY(found.error);
  HIP_STREAM(target, stream);
  const Runtime& runtime = *found.module->runtime;
  if (target->runtime != &runtime)
    return refuse(hipErrorInvalidResourceHandle,
                  {"cannot launch", found.function->name,
                   fmt::format("it is loaded on device {}, but the stream belongs to device {}",
                               runtime.ordinal(), target->runtime->ordinal()),
                   "Set the device before the launch, or load the module on that device too."});
  KernelWork work{.module = found.module,
                  .function = found.function,
                  .grid = shape.grid,
                  .block = shape.block,
                  .threads = shape.threads,
                  .dynamic_lds = static_cast<std::uint32_t>(shape.dynamic_lds),
                  .cooperative = shape.cooperative};
  const toolchain::Kernel& info = *found.function->kernel->info;
  if (product(shape.grid) == 0 || product(shape.block) == 0 ||
      product(shape.block) > std::max(info.max_workgroup_size, 1U))
    return hipErrorInvalidConfiguration;
  if (shape.dynamic_lds + info.lds_bytes > runtime.arch().lds_per_workgroup.value)
    return hipErrorInvalidValue;
  if (shape.cooperative && !fits_at_once(runtime, *found.function, product(shape.grid),
                                         product(shape.block), shape.dynamic_lds))
    return hipErrorCooperativeLaunchTooLarge;
  HIP_TRY(pack_arguments(*found.function, parameters, extra, work.arguments));
  HIP_TRY(record_if(shape.start, stream));
  HIP_TRY(submit(stream, std::move(work)));
  return record_if(shape.stop, stream);
}

extern "C" {

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                      hipStream_t stream) {
  return async_api([&] {
    configurations.push_back({grid, block, shared, stream, {}});
    return hipSuccess;
  });
}
hipError_t __hipPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                     hipStream_t* stream) {
  return async_api([&] {
    if (configurations.empty()) return hipErrorMissingConfiguration;
    const CallConfiguration top = std::move(configurations.back());
    configurations.pop_back();
    *grid = top.grid;
    *block = top.block;
    *shared = top.shared;
    *stream = top.stream;
    is_by_syntax = true;
    return hipSuccess;
  });
}

hipError_t hipConfigureCall(dim3 grid, dim3 block, std::size_t shared, hipStream_t stream) {
  return __hipPushCallConfiguration(grid, block, shared, stream);
}
hipError_t hipSetupArgument(const void* argument, std::size_t size, std::size_t offset) {
  return async_api([&] {
    if (configurations.empty()) return hipErrorMissingConfiguration;
    if (!argument || offset > (1U << 16) || size > (1U << 16)) return hipErrorInvalidValue;
    auto& bytes = configurations.back().arguments;
    bytes.resize(std::max(bytes.size(), offset + size));
    std::memcpy(bytes.data() + offset, argument, size);
    return hipSuccess;
  });
}
hipError_t hipLaunchByPtr(const void* function) {
  return async_api([&] {
    if (configurations.empty()) return hipErrorMissingConfiguration;
    CallConfiguration top = std::move(configurations.back());
    configurations.pop_back();
    std::size_t size = top.arguments.size();
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, top.arguments.data(),
                     HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
    HIP_STREAM(target, top.stream);
    return launch_function(function_of_host(function, {.runtime = target->runtime}),
                           {.grid = {top.grid.x, top.grid.y, top.grid.z},
                            .block = {top.block.x, top.block.y, top.block.z},
                            .dynamic_lds = top.shared},
                           nullptr, extra, top.stream);
  });
}

hipError_t hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                           std::size_t shared, hipStream_t stream) {
  return async_api([&] {
    const bool drops_result = std::exchange(is_by_syntax, false);
    const hipError_t result = launch_host(function, grid, block, arguments, shared, stream, false);
    if (drops_result && result != hipSuccess) note_unseen(function, grid, block, shared, result);
    return result;
  });
}
hipError_t hipLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                      unsigned shared, hipStream_t stream) {
  return async_api(
      [&] { return launch_host(function, grid, block, arguments, shared, stream, true); });
}
hipError_t hipExtLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                              std::size_t shared, hipStream_t stream, hipEvent_t start,
                              hipEvent_t stop, int) {
  return async_api([&] {
    return launch_host(function, grid, block, arguments, shared, stream, false, start, stop);
  });
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* list, int count, unsigned) {
  return api([&] { return launch_list(list, count, true); });
}
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* list, int count, unsigned) {
  return api([&] { return launch_list(list, count, false); });
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned grid_x, unsigned grid_y,
                                 unsigned grid_z, unsigned block_x, unsigned block_y,
                                 unsigned block_z, unsigned shared, hipStream_t stream,
                                 void** parameters, void** extra) {
  return async_api([&] {
    if (parameters && extra) return hipErrorInvalidValue;
    return launch_function(function_of_handle(function),
                           {.grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_lds = shared},
                           parameters, extra, stream);
  });
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned grid_x,
                                            unsigned grid_y, unsigned grid_z, unsigned block_x,
                                            unsigned block_y, unsigned block_z, unsigned shared,
                                            hipStream_t stream, void** parameters) {
  return async_api([&] {
    return launch_function(function_of_handle(function),
                           {.grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .dynamic_lds = shared,
                            .cooperative = true},
                           parameters, nullptr, stream);
  });
}
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, std::uint32_t threads_x,
                                    std::uint32_t threads_y, std::uint32_t threads_z,
                                    std::uint32_t block_x, std::uint32_t block_y,
                                    std::uint32_t block_z, std::size_t shared, hipStream_t stream,
                                    void** parameters, void** extra, hipEvent_t start,
                                    hipEvent_t stop, std::uint32_t) {
  return async_api([&] {
    return launch_threads(function, {threads_x, threads_y, threads_z}, {block_x, block_y, block_z},
                          shared, stream, parameters, extra, start, stop);
  });
}
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, std::uint32_t threads_x,
                                    std::uint32_t threads_y, std::uint32_t threads_z,
                                    std::uint32_t block_x, std::uint32_t block_y,
                                    std::uint32_t block_z, std::size_t shared, hipStream_t stream,
                                    void** parameters, void** extra, hipEvent_t start,
                                    hipEvent_t stop) {
  return async_api([&] {
    return launch_threads(function, {threads_x, threads_y, threads_z}, {block_x, block_y, block_z},
                          shared, stream, parameters, extra, start, stop);
  });
}

// ROCm exports both under their C++ names as well: libraries of ROCm 5 call those.
[[gnu::alias("hipExtModuleLaunchKernel")]] hipError_t
_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j(
    hipFunction_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
    std::uint32_t, std::size_t, hipStream_t, void**, void**, hipEvent_t, hipEvent_t, std::uint32_t);
[[gnu::alias("hipHccModuleLaunchKernel")]] hipError_t
_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_(
    hipFunction_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
    std::uint32_t, std::size_t, hipStream_t, void**, void**, hipEvent_t, hipEvent_t);

}  // extern "C"

}  // namespace hipwright::soft::hip
