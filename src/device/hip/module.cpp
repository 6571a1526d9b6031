// SPDX-License-Identifier: MIT
// Loading and launching. A launch is checked against the code object's metadata first: HIP itself
// would read past the end of a wrong argument list.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "arch/target.h"
#include "device/hip/device.h"
#include "toolchain/code_object/choose.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::device::hip {

namespace {

constexpr const char* kLoad = "cannot load code on";

// The code in `bytes` (a code object, or bundles of them) that fits the device best.
Outcome<toolchain::CodeObject> choose(std::string_view bytes, const Properties& properties) {
  const auto refuse = [&](const Error& error) {
    return std::unexpected(
        Failure(FailureKind::kCompilation, kLoad, properties.id, error.message(), error.fix));
  };
  const auto device = arch::parse_target(properties.architecture);
  if (!device) return refuse(device.error());
  // A copy: the code object outlives the call.
  auto choice =
      toolchain::choose_code_object(toolchain::Bytes(std::string(bytes)), "the module", *device);
  if (!choice) return refuse(choice.error());
  if (choice->best) return *std::move(choice->best);
  const std::set<std::string>& seen = choice->targets;
  return std::unexpected(Failure(FailureKind::kCompilation, kLoad, properties.id,
                                 seen.empty()
                                     ? std::string("it contains no machine code")
                                     : fmt::format("it is compiled for {}, but the device is {}",
                                                   fmt::join(seen, ", "), properties.architecture),
                                 fmt::format("Compile it for {}.", device->processor)));
}

}  // namespace

std::unexpected<Failure> HipDevice::refused(FailureKind kind, std::string what, std::string why,
                                            std::string advice) const {
  return std::unexpected(Failure(kind, std::move(what), id(), std::move(why), std::move(advice)));
}

Outcome<Module> HipDevice::load(std::string_view code_object) {
  HW_TRY(toolchain::CodeObject code, choose(code_object, properties_));
  auto module = std::make_unique<LoadedModule>(std::move(code));
  HW_CHECK(call(api_->hipModuleLoadData, &module->native, module->code.bytes().view().data()));
  return reinterpret_cast<Module>(module.release());
}

Done HipDevice::unload(Module handle) {
  const std::unique_ptr<LoadedModule> module(reinterpret_cast<LoadedModule*>(handle));
  {
    const std::lock_guard lock(functions_mutex_);
    for (const auto& [name, function] : module->functions) functions_.erase(function->native);
  }
  return call(api_->hipModuleUnload, module->native);
}

Outcome<Function> HipDevice::find(Module handle, const std::string& symbol) {
  auto* module = reinterpret_cast<LoadedModule*>(handle);
  const std::lock_guard lock(module->mutex);
  if (const auto found = module->functions.find(symbol); found != module->functions.end())
    return reinterpret_cast<Function>(found->second.get());
  const toolchain::Kernel* info = module->code.kernel(symbol);
  if (info == nullptr) {
    std::vector<std::string> names;
    for (const auto& kernel : module->code.kernels()) names.push_back(kernel.name);
    return refused(FailureKind::kDevice, "cannot find a kernel on",
                   fmt::format("the code object has no kernel '{}'", symbol),
                   names.empty() ? std::string("It has no kernels.")
                                 : fmt::format("Its kernels are {}.", fmt::join(names, ", ")));
  }
  auto function = std::make_shared<LoadedFunction>();
  function->symbol = symbol;
  function->name = toolchain::demangle(info->name);
  function->required_block = info->required_workgroup_size;
  for (const toolchain::KernelArgument& argument : info->arguments)
    if (!argument.hidden()) function->sizes.push_back(argument.size);
  function->limits.threads_per_block =
      std::min(info->max_workgroup_size, properties_.max_threads_per_block);
  if (const std::size_t all = properties_.shared_bytes_per_block; all != 0)
    function->limits.shared_bytes = all - std::min<std::size_t>(all, info->lds_bytes);
  HW_CHECK(call(api_->hipModuleGetFunction, &function->native, module->native, symbol.c_str()));
  {
    const std::lock_guard functions_lock(functions_mutex_);
    functions_[function->native] = function;
  }
  return reinterpret_cast<Function>(
      module->functions.emplace(symbol, std::move(function)).first->second.get());
}

Outcome<std::vector<std::size_t>> HipDevice::argument_sizes(Function handle) {
  return reinterpret_cast<const LoadedFunction*>(handle)->sizes;
}

// What the shared checks do not cover: the block size that a kernel requires, and the hardware's
// 32-bit count of the threads of a grid.
Done HipDevice::check_grid(const LoadedFunction& function, const Launch& launch) const {
  const auto refuse = [&](std::string why) {
    return refused(FailureKind::kDevice, fmt::format("cannot launch '{}' on", function.name),
                   std::move(why));
  };
  const Extent &grid = launch.grid, &block = launch.block;
  if (const auto& wanted = function.required_block;
      wanted && *wanted != std::array{block.x, block.y, block.z})
    return refuse(fmt::format("the block is {}x{}x{}, but the kernel was compiled for {}x{}x{}",
                              block.x, block.y, block.z, (*wanted)[0], (*wanted)[1], (*wanted)[2]));
  const std::array<std::uint64_t, 3> threads = {std::uint64_t{grid.x} * block.x,
                                                std::uint64_t{grid.y} * block.y,
                                                std::uint64_t{grid.z} * block.z};
  const std::uint64_t most = std::ranges::max(threads);
  if (most > UINT32_MAX)
    return refuse(
        fmt::format("the grid has {} threads in one dimension, but at most {} are "
                    "allowed",
                    most, UINT32_MAX));
  return {};
}

Done HipDevice::launch(Function handle, const Launch& launch, std::span<const Argument> arguments) {
  const auto* function = reinterpret_cast<const LoadedFunction*>(handle);
  HW_CHECK(check_shape(*this, function->name, function->limits, launch));
  HW_CHECK(check_grid(*function, launch));
  HW_CHECK(check_arguments(*this, function->name, function->sizes, arguments));
  std::vector<void*> values;
  values.reserve(arguments.size() + 1);
  for (const Argument& argument : arguments) values.push_back(const_cast<void*>(argument.value));
  values.push_back(nullptr);  // the list has an address without arguments too
  auto done =
      call(api_->hipModuleLaunchKernel, function->native, launch.grid.x, launch.grid.y,
           launch.grid.z, launch.block.x, launch.block.y, launch.block.z, launch.shared_bytes,
           native(launch.stream), values.data(), static_cast<void**>(nullptr));
  if (!done) done.error().why = fmt::format("{}: {}", function->name, done.error().why);
  return done;
}

}  // namespace hipwright::device::hip
