// SPDX-License-Identifier: MIT
// Loaded code: modules that the program loads, and the fat binaries that the compiler registered
// before main.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>

#include "soft/hip/registry.h"
#include "soft/hip/runtime.h"
#include "soft/load/image.h"

namespace hipwright::soft::hip {

struct Module;

// What hipFunction_t points at.
struct Function {
  std::string name;                      // mangled
  std::weak_ptr<Module> owner;           // holds this
  const LoadedKernel* kernel = nullptr;  // lives as long as the module
  const void* host_function = nullptr;   // the stub of <<<>>>, if there is one
  std::atomic<int> max_dynamic_lds{0};   // asked for with hipFuncSetAttribute; 0: not
};

struct Module : std::enable_shared_from_this<Module> {
  Runtime* runtime = nullptr;  // the device that it is loaded on
  std::shared_ptr<Image> image;
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<Function>> functions;  // asked for so far
  // __managed__ variables of a module that the program has loaded; their memory is the module's.
  std::vector<LoadedVariable> managed;

  ~Module();
  // nullptr: no such kernel.
  std::shared_ptr<Function> function(const std::string& name);
  // nullptr: no such variable.
  const LoadedVariable* variable(std::string_view name) const;
};

Registry<Module, hipModule_t>& modules();
Registry<Function, hipFunction_t>& functions();

// The code object of a file, bundle or fat binary that the device runs.
Result<std::shared_ptr<Module>> load_module(Runtime& runtime, toolchain::Bytes bytes,
                                            const std::string& origin);
// The bytes of a code object, bundle or compressed bundle in memory; no call gives its length.
Result<toolchain::Bytes> image_in_memory(const void* start);

// A kernel by the address of its host function (hipLaunchKernel), or by handle. The error is the
// code for the caller; the cause has been reported.
struct FoundFunction {
  std::shared_ptr<Function> function;
  std::shared_ptr<Module> module;  // keeps the code while it runs
  hipError_t error = hipSuccess;
};
FoundFunction function_of_host(const void* host_function);  // on the current device
FoundFunction function_of_host(const void* host_function, const Ready& device);
FoundFunction function_of_handle(hipFunction_t handle);
// Graph nodes take either.
FoundFunction function_of_any(const void* function);

// A __device__, __constant__ or __managed__ variable of the current device by the address of its
// host shadow.
struct FoundVariable {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  hipError_t error = hipSuccess;
};
FoundVariable variable_of_host(const void* shadow);

}  // namespace hipwright::soft::hip
