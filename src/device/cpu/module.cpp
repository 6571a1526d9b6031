// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <new>

#include <fmt/format.h>

#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

LoadedModule& module_of(Module module) {
  return *reinterpret_cast<LoadedModule*>(module);
}

std::size_t volume(const Extent& extent) {
  return std::size_t{extent.x} * extent.y * extent.z;
}

std::string text(const Extent& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

// Dynamic shared memory of the blocks that one thread runs, one after the other.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes)
      : bytes_(bytes == 0 ? nullptr : static_cast<std::byte*>(::operator new(bytes, kAligned))) {}
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { ::operator delete(bytes_, kAligned); }
  std::byte* get() const { return bytes_; }

 private:
  static constexpr std::align_val_t kAligned{64};
  std::byte* bytes_;
};

}  // namespace

Done check_arguments(const char* call, const RegisteredKernel& kernel,
                     std::span<const Argument> arguments) {
  const auto wrong = [&](std::string why) {
    return std::unexpected(Failure(
        FailureKind::kDevice, call, "cpu", std::move(why),
        "Arguments go to the kernel as bytes: give each the type that it was registered with."));
  };
  if (arguments.size() != kernel.argument_sizes.size())
    return wrong(fmt::format("kernel '{}' takes {} arguments, {} were given", kernel.name,
                             kernel.argument_sizes.size(), arguments.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].size != kernel.argument_sizes[i])
      return wrong(fmt::format("argument {} of kernel '{}' has {} bytes, {} were given", i,
                               kernel.name, kernel.argument_sizes[i], arguments[i].size));
  return {};
}

Outcome<Module> CpuDevice::load(std::string_view code_object) {
  if (!code_object.empty())
    return failure("load", "the cpu device cannot run code objects",
                   "Give it an empty one: it runs the kernels that were registered with "
                   "hipwright::CpuKernel.");
  return reinterpret_cast<Module>(new LoadedModule);
}

Done CpuDevice::unload(Module module) {
  delete &module_of(module);
  return {};
}

Outcome<Function> CpuDevice::find(Module module, const std::string& symbol) {
  HW_TRY(auto kernel, find_kernel(symbol));
  LoadedModule& loaded = module_of(module);
  const std::lock_guard lock(loaded.mutex);
  for (const auto& function : loaded.functions)
    if (function->kernel == kernel) return reinterpret_cast<Function>(function.get());
  loaded.functions.push_back(std::make_unique<FunctionRef>(std::move(kernel)));
  return reinterpret_cast<Function>(loaded.functions.back().get());
}

Done CpuDevice::launch(Function function, const Launch& launch,
                       std::span<const Argument> arguments) {
  const auto& kernel = reinterpret_cast<FunctionRef*>(function)->kernel;
  if (volume(launch.grid) == 0 || volume(launch.block) == 0)
    return failure("launch",
                   fmt::format("kernel '{}' was given a grid of {} blocks of {} threads",
                               kernel->name, text(launch.grid), text(launch.block)),
                   "Every dimension is at least 1.");
  if (volume(launch.block) > kMaxThreadsPerBlock)
    return failure("launch",
                   fmt::format("kernel '{}' was given blocks of {} threads; {} is the most",
                               kernel->name, text(launch.block), kMaxThreadsPerBlock),
                   "Make the blocks smaller and the grid larger.");
  if (launch.shared_bytes > kSharedBytesPerBlock)
    return failure("launch", fmt::format("kernel '{}' was given {} bytes of shared memory; {} is "
                                         "the most",
                                         kernel->name, launch.shared_bytes, kSharedBytesPerBlock));
  HW_CHECK(check_arguments("launch", *kernel, arguments));
  return submit("launch", launch.stream, KernelCall{kernel, launch, ArgumentBytes(arguments)});
}

void run_kernel(const KernelCall& call, Workers& workers) {
  const Extent& grid = call.launch.grid;
  const Extent& block = call.launch.block;
  const std::size_t blocks = volume(grid);
  // Few blocks at a time: threads that are done early take more.
  constexpr std::size_t kSharesPerThread = 8;
  ThreadPool& pool = workers.pool();
  const std::size_t shares = std::min(blocks, pool.size() * kSharesPerThread);
  std::atomic<bool> stop = false;
  pool.parallel_for(shares, [&](std::size_t share) {
    const SharedMemory shared(call.launch.shared_bytes);
    const std::size_t end = blocks * (share + 1) / shares;
    for (std::size_t i = blocks * share / shares; i < end; ++i) {
      if (stop.load(std::memory_order_relaxed)) return;
      const CpuBlock place{
          .index = {static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x % grid.y),
                    static_cast<unsigned>(i / grid.x / grid.y)},
          .size = {block.x, block.y, block.z},
          .grid = {grid.x, grid.y, grid.z},
          .shared = shared.get(),
          .shared_bytes = call.launch.shared_bytes};
      try {
        call.kernel->function(place, call.arguments.addresses());
      } catch (...) {
        stop = true;
        throw;
      }
    }
  });
}

}  // namespace hipwright::device::cpu
