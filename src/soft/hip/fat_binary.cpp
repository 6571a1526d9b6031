// SPDX-License-Identifier: MIT
// What the compiler's start-up code registers before main: device code, and which host addresses
// stand for its kernels and variables. The code is loaded when something of it is first used.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <unordered_map>

#include "soft/hip/module.h"

namespace hipwright::soft::hip {

namespace {

struct FatBinary;

struct HostFunction {
  FatBinary* binary = nullptr;
  std::string name;
  std::map<int, std::shared_ptr<Function>> functions;  // by device, once they were found
};
struct HostVariable {
  FatBinary* binary = nullptr;
  std::string name;
  std::size_t size = 0;
  void* managed = nullptr;  // where the memory of a __managed__ variable is
};

// Its code on one device.
struct Loaded {
  std::shared_ptr<Module> module;
  hipError_t error = hipSuccess;
};
struct FatBinary {
  const void* image = nullptr;
  std::map<int, Loaded> loaded;  // by device, since the first attempt
};

// Registration runs in static constructors, of libraries that are opened later too.
struct Tables {
  std::mutex mutex;
  std::unordered_map<const void*, HostFunction> functions;
  std::unordered_map<const void*, HostVariable> variables;
};
Tables& tables() {
  static auto* const all = new Tables;
  return *all;
}

constexpr std::uint32_t kMagic = 0x48495046;  // "HIPF"
struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* image;
  const void* unused;
};

// The device's copies of __managed__ variables are pointers: they get the addresses.
void connect_managed(const FatBinary& binary, const Module& module) {
  for (const auto& [shadow, variable] : tables().variables) {
    if (variable.binary != &binary || !variable.managed) continue;
    const LoadedVariable* pointer = module.image->variable(variable.name);
    if (pointer && pointer->size == sizeof(void*))
      std::memcpy(pointer_to(pointer->address), &variable.managed, sizeof(void*));
  }
}

// Under the lock. Reports a problem once per device.
const Loaded& load(Runtime& runtime, FatBinary& binary) {
  const auto [entry, fresh] = binary.loaded.try_emplace(runtime.ordinal());
  Loaded& loaded = entry->second;
  if (!fresh) return loaded;
  std::error_code ignored;
  const std::string origin =
      std::filesystem::read_symlink("/proc/self/exe", ignored).filename().string();
  auto bytes = image_in_memory(binary.image);
  if (!bytes) {
    loaded.error = refuse(hipErrorInvalidImage, bytes.error());
    return loaded;
  }
  auto module = load_module(runtime, *std::move(bytes), origin);
  if (!module) {
    loaded.error = refuse(hipErrorNoBinaryForGpu, module.error());
    return loaded;
  }
  loaded.module = *std::move(module);
  connect_managed(binary, *loaded.module);
  return loaded;
}

}  // namespace

FoundFunction function_of_host(const void* host_function) {
  return function_of_host(host_function, ready());
}

FoundFunction function_of_host(const void* host_function, const Ready& device) {
  if (device.error != hipSuccess) return {.error = device.error};
  const std::lock_guard lock(tables().mutex);
  const auto entry = tables().functions.find(host_function);
  if (entry == tables().functions.end()) return {.error = hipErrorInvalidDeviceFunction};
  HostFunction& host = entry->second;
  const Loaded& loaded = load(*device.runtime, *host.binary);
  if (loaded.error != hipSuccess) return {.error = loaded.error};
  auto& function = host.functions[device.runtime->ordinal()];
  if (!function) {
    function = loaded.module->function(host.name);
    if (!function) return {.error = hipErrorInvalidDeviceFunction};
    function->host_function = host_function;
  }
  return {.function = function, .module = loaded.module};
}

FoundVariable variable_of_host(const void* shadow) {
  const Ready device = ready();
  if (device.error != hipSuccess) return {.error = device.error};
  const std::lock_guard lock(tables().mutex);
  const auto entry = tables().variables.find(shadow);
  if (entry == tables().variables.end()) return {.error = hipErrorInvalidSymbol};
  const HostVariable& host = entry->second;
  if (host.managed) return {.address = address_of(host.managed), .size = host.size};
  const Loaded& loaded = load(*device.runtime, *host.binary);
  if (loaded.error != hipSuccess) return {.error = loaded.error};
  const LoadedVariable* variable = loaded.module->image->variable(host.name);
  if (!variable) return {.error = hipErrorInvalidSymbol};
  return {.address = variable->address, .size = variable->size};
}

extern "C" {

void** __hipRegisterFatBinary(const void* data) {
  const auto* wrapper = static_cast<const Wrapper*>(data);
  if (!wrapper || wrapper->magic != kMagic || wrapper->version != 1) {
    notify(
        {.kind = EventKind::kRejected, .text = "the program's device code has an unknown format"});
    return nullptr;
  }
  auto* binary = new FatBinary;
  binary->image = wrapper->image;
  return reinterpret_cast<void**>(binary);
}

void __hipUnregisterFatBinary(void** handle) {
  auto* binary = reinterpret_cast<FatBinary*>(handle);
  if (!binary) return;
  std::map<int, Loaded> loaded;  // ends outside the lock
  {
    const std::lock_guard lock(tables().mutex);
    std::erase_if(tables().functions, [&](const auto& e) { return e.second.binary == binary; });
    std::erase_if(tables().variables, [&](const auto& e) { return e.second.binary == binary; });
    loaded = std::move(binary->loaded);
  }
  delete binary;
}

void __hipRegisterFunction(void** handle, const void* host_function, char*, const char* name,
                           unsigned, void*, void*, void*, void*, int*) {
  if (!handle) return;
  const std::lock_guard lock(tables().mutex);
  tables().functions[host_function] = {reinterpret_cast<FatBinary*>(handle), name, {}};
}

void __hipRegisterVar(void** handle, void* variable, char*, char* name, int, std::size_t size, int,
                      int) {
  if (!handle) return;
  const std::lock_guard lock(tables().mutex);
  tables().variables[variable] = {reinterpret_cast<FatBinary*>(handle), name, size, nullptr};
}

void __hipRegisterManagedVar(void** handle, void** pointer, void* initial_value, const char* name,
                             std::size_t size, unsigned) {
  Runtime* runtime = any_runtime();
  if (!handle || !runtime) return;
  const auto memory = runtime->memory().allocate(size, MemoryKind::kManaged);
  if (!memory) {
    notify({.kind = EventKind::kLimit,
            .text = "not enough memory for the __managed__ variable " + std::string(name)});
    return;
  }
  std::memcpy(pointer_to(*memory), initial_value, size);
  *pointer = pointer_to(*memory);
  const std::lock_guard lock(tables().mutex);
  tables().variables[pointer] = {reinterpret_cast<FatBinary*>(handle), name, size, *pointer};
}

// References are variables like others: the device's copy has the handle of what is bound.
void __hipRegisterSurface(void** handle, void* variable, char*, char* name, int, int) {
  __hipRegisterVar(handle, variable, name, name, 0, sizeof(surfaceReference), 0, 0);
}
void __hipRegisterTexture(void** handle, void* variable, char*, char* name, int, int, int) {
  __hipRegisterVar(handle, variable, name, name, 0, sizeof(textureReference), 0, 0);
}

}  // extern "C"

}  // namespace hipwright::soft::hip
