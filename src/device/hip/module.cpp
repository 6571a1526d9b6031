// SPDX-License-Identifier: MIT
// Loading and launching. What a launch gives is checked against the code object's metadata first:
// HIP itself would read past the end of a wrong argument list.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "arch/target.h"
#include "device/hip/device.h"
#include "toolchain/code_object/demangle.h"
#include "toolchain/code_object/find.h"

namespace hipwright::device::hip {

namespace {

constexpr const char* kLoad = "cannot load code";
constexpr const char* kLaunch = "cannot launch";

std::uint64_t threads_of(const Extent& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

std::string text_of(const Extent& extent) {
  return fmt::format("{} × {} × {}", extent.x, extent.y, extent.z);
}

// Of the code in `bytes` (a code object, or bundles of them) the one that fits the device best.
Outcome<toolchain::CodeObject> choose(std::string_view bytes, const Properties& properties) {
  const auto refuse = [&](const Error& error) {
    return std::unexpected(
        Failure(FailureKind::kCompilation, kLoad, properties.id, error.message(), error.fix));
  };
  const auto device = arch::parse_target(properties.architecture);
  if (!device) return refuse(device.error());
  // A copy: the code object outlives the call.
  const auto images =
      toolchain::find_code_objects(toolchain::Bytes(std::string(bytes)), "the module");
  if (!images) return refuse(images.error());
  std::optional<toolchain::CodeObject> best;
  int best_fit = 0;
  std::set<std::string> seen;
  for (const auto& image : *images) {
    if (image.format != toolchain::DeviceImage::Format::kCodeObject) continue;
    auto code = toolchain::CodeObject::parse(image.bytes, image.origin);
    if (!code) return refuse(code.error());
    seen.insert(code->target().id());
    if (const int fit = arch::fitness(code->target(), *device); fit > best_fit) {
      best_fit = fit;
      best = *std::move(code);
    }
  }
  if (best) return *std::move(best);
  return std::unexpected(Failure(FailureKind::kCompilation, kLoad, properties.id,
                                 seen.empty()
                                     ? std::string("it holds no machine code")
                                     : fmt::format("it is for {}, and the device is {}",
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
    return refused(FailureKind::kDevice, "cannot find a kernel",
                   fmt::format("the code object has none called '{}'", symbol),
                   names.empty() ? std::string("It has no kernels at all.")
                                 : fmt::format("Its kernels are {}.", fmt::join(names, ", ")));
  }
  auto function = std::make_unique<LoadedFunction>();
  function->info = info;
  function->module = module;
  HW_CHECK(call(api_->hipModuleGetFunction, &function->native, module->native, symbol.c_str()));
  {
    const std::lock_guard functions_lock(functions_mutex_);
    functions_[function->native] = function.get();
  }
  return reinterpret_cast<Function>(
      module->functions.emplace(symbol, std::move(function)).first->second.get());
}

Done HipDevice::check_arguments(const toolchain::Kernel& kernel,
                                std::span<const Argument> arguments) const {
  const auto takes = static_cast<std::size_t>(std::ranges::count_if(
      kernel.arguments, [](const auto& argument) { return !argument.hidden(); }));
  if (arguments.size() != takes)
    return refused(FailureKind::kDevice, kLaunch,
                   fmt::format("{} takes {} argument{}, and {} {} given",
                               toolchain::demangle(kernel.name), takes, takes == 1 ? "" : "s",
                               arguments.size(), arguments.size() == 1 ? "was" : "were"));
  std::size_t index = 0;
  for (const toolchain::KernelArgument& wanted : kernel.arguments) {
    if (wanted.hidden()) continue;
    const Argument& given = arguments[index];
    const std::string which =
        fmt::format("argument {} of {}", index, toolchain::demangle(kernel.name));
    if (given.size != wanted.size)
      return refused(
          FailureKind::kDevice, kLaunch,
          fmt::format("{} has {} bytes, and {} were given", which, wanted.size, given.size),
          "Pass exactly the type that the kernel declares: a literal 1 is an int, a "
          "literal 1.0 a double.");
    if (given.value == nullptr)
      return refused(FailureKind::kDevice, kLaunch, which + " has no value");
    ++index;
  }
  return {};
}

Done HipDevice::check_shape(const toolchain::Kernel& kernel, const Launch& launch) const {
  const auto refuse = [&](std::string why, std::string advice = {}) {
    return refused(FailureKind::kDevice, kLaunch,
                   toolchain::demangle(kernel.name) + ": " + std::move(why), std::move(advice));
  };
  const std::uint64_t block = threads_of(launch.block);
  if (block == 0 || threads_of(launch.grid) == 0)
    return refuse(fmt::format("a grid of {} blocks of {} threads is empty", text_of(launch.grid),
                              text_of(launch.block)));
  if (block > properties_.max_threads_per_block)
    return refuse(fmt::format("a block of {} = {} threads, and the device takes at most {}",
                              text_of(launch.block), block, properties_.max_threads_per_block));
  if (block > kernel.max_workgroup_size)
    return refuse(fmt::format("a block of {} = {} threads, and the kernel was compiled for at "
                              "most {}",
                              text_of(launch.block), block, kernel.max_workgroup_size),
                  "Launch smaller blocks, or raise __launch_bounds__.");
  if (const auto& wanted = kernel.required_workgroup_size;
      wanted && *wanted != std::array{launch.block.x, launch.block.y, launch.block.z})
    return refuse(fmt::format("a block of {}, and the kernel was compiled for {} × {} × {}",
                              text_of(launch.block), (*wanted)[0], (*wanted)[1], (*wanted)[2]));
  const std::uint64_t shared = std::uint64_t{kernel.lds_bytes} + launch.shared_bytes;
  if (shared > properties_.shared_bytes_per_block)
    return refuse(fmt::format(
        "{} bytes of shared memory ({} fixed, {} dynamic), and the device "
        "has {} for a block",
        shared, kernel.lds_bytes, launch.shared_bytes, properties_.shared_bytes_per_block));
  // The hardware counts threads of the whole grid in 32 bits.
  const std::pair<std::uint64_t, std::uint64_t> sides[] = {{launch.grid.x, launch.block.x},
                                                           {launch.grid.y, launch.block.y},
                                                           {launch.grid.z, launch.block.z}};
  for (const auto& [blocks, threads] : sides)
    if (blocks * threads > UINT32_MAX)
      return refuse(
          fmt::format("a grid of {} blocks of {} has {} threads in one direction, over "
                      "the limit of {}",
                      text_of(launch.grid), text_of(launch.block), blocks * threads, UINT32_MAX));
  return {};
}

Done HipDevice::launch(Function handle, const Launch& launch, std::span<const Argument> arguments) {
  const auto* function = reinterpret_cast<const LoadedFunction*>(handle);
  HW_CHECK(check_arguments(*function->info, arguments));
  HW_CHECK(check_shape(*function->info, launch));
  std::vector<void*> values;
  values.reserve(arguments.size() + 1);
  for (const Argument& argument : arguments) values.push_back(const_cast<void*>(argument.value));
  values.push_back(nullptr);  // the list has an address without arguments too
  auto done =
      call(api_->hipModuleLaunchKernel, function->native, launch.grid.x, launch.grid.y,
           launch.grid.z, launch.block.x, launch.block.y, launch.block.z, launch.shared_bytes,
           native(launch.stream), values.data(), static_cast<void**>(nullptr));
  if (!done)
    done.error().why =
        fmt::format("{}: {}", toolchain::demangle(function->info->name), done.error().why);
  return done;
}

}  // namespace hipwright::device::hip
