// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

LoadedModule* loaded(Module module) {
  return reinterpret_cast<LoadedModule*>(module);
}

}  // namespace

Outcome<Module> CudaDevice::load(std::string_view code_object) {
  auto module = std::make_unique<LoadedModule>();
  // The driver takes the length from the image itself: a text (PTX) must end with a zero.
  const std::string image(code_object);
  HW_CHECK(call("cuModuleLoadData", &Api::cuModuleLoadData, &module->native, image.c_str()));
  return reinterpret_cast<Module>(module.release());
}

Done CudaDevice::unload(Module module) {
  const std::unique_ptr<LoadedModule> owned(loaded(module));
  return call("cuModuleUnload", &Api::cuModuleUnload, owned->native);
}

Outcome<Function> CudaDevice::find(Module module, const std::string& symbol) {
  LoadedModule& in = *loaded(module);
  const std::lock_guard lock(in.mutex);
  auto found = in.functions.find(symbol);
  if (found == in.functions.end()) {
    HW_TRY(auto function, look_up(in.native, symbol));
    found = in.functions.emplace(symbol, std::move(function)).first;
  }
  return reinterpret_cast<Function>(found->second.get());
}

Outcome<std::shared_ptr<LoadedFunction>> CudaDevice::look_up(CUmodule module,
                                                             const std::string& symbol) const {
  const auto loaded = std::make_shared<LoadedFunction>();
  LoadedFunction& function = *loaded;
  function.name = symbol;
  HW_CHECK(call("cuModuleGetFunction", &Api::cuModuleGetFunction, &function.native, module,
                symbol.c_str()));
  int threads = 0;
  int shared = 0;
  HW_CHECK(call("cuFuncGetAttribute", &Api::cuFuncGetAttribute, &threads, kFunctionMaxThreads,
                function.native));
  HW_CHECK(call("cuFuncGetAttribute", &Api::cuFuncGetAttribute, &shared, kFunctionSharedBytes,
                function.native));
  function.limits.threads_per_block = static_cast<unsigned>(threads);
  function.static_shared = static_cast<std::size_t>(shared);
  if (const auto opt_in = static_cast<std::size_t>(attribute(kSharedPerBlockOptIn)); opt_in != 0)
    function.limits.shared_bytes = opt_in - std::min(opt_in, function.static_shared);
  if (api_.cuFuncGetParamInfo != nullptr) {
    function.sizes_known = true;
    std::size_t offset = 0;
    std::size_t size = 0;
    while (api_.cuFuncGetParamInfo(function.native, function.parameter_sizes.size(), &offset,
                                   &size) == kSuccess)
      function.parameter_sizes.push_back(size);
  }
  return loaded;
}

Outcome<std::vector<std::size_t>> CudaDevice::argument_sizes(Function function) {
  const LoadedFunction& kernel = *reinterpret_cast<const LoadedFunction*>(function);
  if (!kernel.sizes_known) return missing("cuFuncGetParamInfo", "12.4");
  return kernel.parameter_sizes;
}

// The driver keeps one limit per function, and another thread may be launching it with more than
// this one needs: the limit is only ever raised, at once to all that there is.
Done CudaDevice::allow_all_shared(LoadedFunction& function) const {
  const std::lock_guard lock(function.mutex);
  if (function.all_shared_allowed) return {};
  HW_CHECK(call("cuFuncSetAttribute", &Api::cuFuncSetAttribute, function.native,
                kFunctionMaxDynamicShared, static_cast<int>(*function.limits.shared_bytes)));
  function.all_shared_allowed = true;
  return {};
}

Done CudaDevice::launch(Function function, const Launch& launch,
                        std::span<const Argument> arguments) {
  LoadedFunction& kernel = *reinterpret_cast<LoadedFunction*>(function);
  HW_CHECK(check_shape(*this, kernel.name, kernel.limits, launch));
  if (kernel.sizes_known)
    HW_CHECK(check_arguments(*this, kernel.name, kernel.parameter_sizes, arguments));
  // More than the default limit must be requested.
  if (kernel.limits.shared_bytes &&
      launch.shared_bytes + kernel.static_shared > properties_.shared_bytes_per_block)
    HW_CHECK(allow_all_shared(kernel));

  std::vector<void*> values;
  values.reserve(arguments.size());
  for (const Argument& argument : arguments) values.push_back(const_cast<void*>(argument.value));
  HW_CHECK(call("cuLaunchKernel", &Api::cuLaunchKernel, kernel.native, launch.grid.x, launch.grid.y,
                launch.grid.z, launch.block.x, launch.block.y, launch.block.z, launch.shared_bytes,
                native(launch.stream), values.data(), static_cast<void**>(nullptr)));
  if (captures_.load(std::memory_order_relaxed) != 0) return remember_captured(kernel, launch);
  return {};
}

}  // namespace hipwright::device::cuda
