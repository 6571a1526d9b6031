// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <new>

#include "device/arguments.h"
#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

LoadedModule& module_of(Module module) {
  return *reinterpret_cast<LoadedModule*>(module);
}

std::size_t volume(const Extent& extent) {
  return std::size_t{extent.x} * extent.y * extent.z;
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

Outcome<Module> CpuDevice::load(std::string_view code_object) {
  if (!code_object.empty())
    return failure("load", "the cpu device cannot run code objects",
                   "Pass an empty one: the device runs the kernels registered with "
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

Outcome<std::vector<std::size_t>> CpuDevice::argument_sizes(Function function) {
  return reinterpret_cast<const FunctionRef*>(function)->kernel->argument_sizes;
}

Done CpuDevice::launch(Function function, const Launch& launch,
                       std::span<const Argument> arguments) {
  const auto& kernel = reinterpret_cast<FunctionRef*>(function)->kernel;
  HW_CHECK(check_shape(*this, kernel->name, {kMaxThreadsPerBlock, kSharedBytesPerBlock}, launch));
  HW_CHECK(check_arguments(*this, kernel->name, kernel->argument_sizes, arguments));
  return submit("launch", launch.stream, KernelCall{kernel, launch, ArgumentBytes(arguments)});
}

void run_kernel(const KernelCall& call, Workers& workers) {
  const Extent& grid = call.launch.grid;
  const Extent& block = call.launch.block;
  const std::size_t blocks = volume(grid);
  // A few blocks at a time: threads that finish early take more.
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
