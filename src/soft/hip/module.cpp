// SPDX-License-Identifier: MIT
#include "soft/hip/module.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/file.h"
#include "soft/hip/host_registration.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/properties.h"
#include "toolchain/code_object/find.h"
#include "toolchain/code_object/offload_bundle.h"

namespace hipwright::soft::hip {

namespace {

Result<toolchain::CodeObject> choose(const std::vector<toolchain::DeviceImage>& images,
                                     const arch::Target& device, const std::string& origin) {
  std::optional<toolchain::CodeObject> best;
  int best_fitness = 0;
  std::set<std::string> seen;
  for (const auto& image : images) {
    if (image.format != toolchain::DeviceImage::Format::kCodeObject) {
      seen.insert(image.target + " (not machine code)");
      continue;
    }
    HW_TRY(toolchain::CodeObject object, toolchain::CodeObject::parse(image.bytes, image.origin));
    seen.insert(object.target().id());
    if (const int fit = arch::fitness(object.target(), device); fit > best_fitness) {
      best_fitness = fit;
      best = std::move(object);
    }
  }
  if (best) return *std::move(best);
  return fail("cannot run on " + device.id(), origin,
              fmt::format("it has code for {} only", fmt::join(seen, ", ")),
              fmt::format("Compile it for {0} (hipwright cc --arch {0}, hipcc "
                          "--offload-arch={0}), or choose one of these as the device.",
                          device.processor));
}

// The end of the readable memory around `start`, from the kernel's list of mappings.
std::uint64_t readable_end(std::uint64_t start) {
  std::ifstream maps("/proc/self/maps");
  std::uint64_t end = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long long from = 0, to = 0;
    char readable = '-';
    if (std::sscanf(line.c_str(), "%llx-%llx %c", &from, &to, &readable) != 3) continue;
    if (readable != 'r') continue;
    if (start >= from && start < to)
      end = to;
    else if (end == from)
      end = to;  // goes on without a gap
  }
  return end;
}

// Of an ELF file: the end of its last part.
std::uint64_t elf_size(std::string_view bytes) {
  const auto header = toolchain::read_at<Elf64_Ehdr>(bytes, 0);
  if (!header) return 0;
  std::uint64_t size = header->e_shoff + std::uint64_t{header->e_shnum} * header->e_shentsize;
  for (unsigned i = 0; i < header->e_phnum; ++i)
    if (const auto segment = toolchain::read_at<Elf64_Phdr>(
            bytes, header->e_phoff + std::uint64_t{i} * header->e_phentsize))
      size = std::max(size, segment->p_offset + segment->p_filesz);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (const auto section = toolchain::read_at<Elf64_Shdr>(
            bytes, header->e_shoff + std::uint64_t{i} * header->e_shentsize))
      if (section->sh_type != SHT_NOBITS)
        size = std::max(size, section->sh_offset + section->sh_size);
  return size;
}

// A __managed__ variable `x` is a pointer in the code object, and `x.managed` its first value.
hipError_t allocate_managed(Runtime& runtime, Module& module) {
  constexpr std::string_view kSuffix = ".managed";
  for (const LoadedVariable& value : module.image->variables()) {
    if (!value.name.ends_with(kSuffix)) continue;
    const std::string_view name = value.name.substr(0, value.name.size() - kSuffix.size());
    const LoadedVariable* pointer = module.image->variable(name);
    if (!pointer || pointer->size != sizeof(void*)) continue;
    const auto memory =
        runtime.memory().allocate(value.size, MemoryKind::kManaged, true, runtime.owner());
    if (!memory) return hipErrorOutOfMemory;
    module.managed.push_back({.name = name, .address = *memory, .size = value.size});
    std::memcpy(pointer_to(*memory), pointer_to(value.address), value.size);
    std::memcpy(pointer_to(pointer->address), &*memory, sizeof(void*));
  }
  return hipSuccess;
}

hipError_t load_from(hipModule_t* out, Result<toolchain::Bytes> bytes, const std::string& origin) {
  if (!out) return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  if (!bytes) return refuse(hipErrorInvalidImage, bytes.error());
  auto module = load_module(runtime, *std::move(bytes), origin);
  if (!module) return refuse(hipErrorNoBinaryForGpu, module.error());
  HIP_TRY(allocate_managed(runtime, **module));
  *out = modules().add(*std::move(module));
  return hipSuccess;
}

hipError_t function_attributes(hipFuncAttributes* out, const FoundFunction& found) {
  if (!out) return hipErrorInvalidValue;
  HIP_TRY(found.error);
  Runtime& runtime = *found.module->runtime;
  const toolchain::Kernel& info = *found.function->kernel->info;
  *out = {};
  const auto properties = device_properties(runtime);
  out->binaryVersion = properties.major * 10 + properties.minor;
  out->ptxVersion = out->binaryVersion;
  out->localSizeBytes = info.scratch_bytes;
  out->sharedSizeBytes = info.lds_bytes;
  out->maxDynamicSharedSizeBytes =
      static_cast<int>(properties.sharedMemPerBlock -
                       std::min<std::size_t>(properties.sharedMemPerBlock, info.lds_bytes));
  out->maxThreadsPerBlock = static_cast<int>(info.max_workgroup_size);
  out->numRegs = static_cast<int>(info.vgprs);
  return hipSuccess;
}

hipError_t function_attribute(int* out, hipFunction_attribute attribute,
                              const FoundFunction& found) {
  if (!out) return hipErrorInvalidValue;
  hipFuncAttributes all{};
  HIP_TRY(function_attributes(&all, found));
  switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *out = all.maxThreadsPerBlock;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *out = static_cast<int>(all.sharedSizeBytes);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *out = static_cast<int>(all.constSizeBytes);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *out = static_cast<int>(all.localSizeBytes);
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      *out = all.numRegs;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_PTX_VERSION:
      *out = all.ptxVersion;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_BINARY_VERSION:
      *out = all.binaryVersion;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *out = all.cacheModeCA;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *out = all.maxDynamicSharedSizeBytes;
      return hipSuccess;
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *out = all.preferredShmemCarveout;
      return hipSuccess;
    default:
      return hipErrorInvalidValue;
  }
}

}  // namespace

Registry<Module, hipModule_t>& modules() {
  static auto* const registry = new Registry<Module, hipModule_t>;
  return *registry;
}
Registry<Function, hipFunction_t>& functions() {
  static auto* const registry = new Registry<Function, hipFunction_t>;
  return *registry;
}

Module::~Module() {
  for (const auto& [name, function] : functions)
    hip::functions().remove(Registry<Function, hipFunction_t>::handle_of(function.get()));
  for (const LoadedVariable& each : managed)
    static_cast<void>(runtime->memory().release(each.address));
}

const LoadedVariable* Module::variable(std::string_view name) const {
  const auto found = std::ranges::find(managed, name, &LoadedVariable::name);
  return found != managed.end() ? &*found : image->variable(name);
}

std::shared_ptr<Function> Module::function(const std::string& name) {
  const std::lock_guard lock(mutex);
  if (const auto found = functions.find(name); found != functions.end()) return found->second;
  const LoadedKernel* kernel = image->kernel(name);
  if (!kernel) return nullptr;
  auto function = std::make_shared<Function>();
  function->name = name;
  function->owner = weak_from_this();
  function->kernel = kernel;
  functions[name] = function;
  hip::functions().add(function);
  return function;
}

Result<std::shared_ptr<Module>> load_module(Runtime& runtime, toolchain::Bytes bytes,
                                            const std::string& origin) {
  HW_TRY(const auto images, toolchain::find_code_objects(bytes, origin));
  const arch::Target& device = runtime.target();
  HW_TRY(toolchain::CodeObject object, choose(images, device, origin));
  auto module = std::make_shared<Module>();
  module->runtime = &runtime;
  // The code must not take the place of memory that kernels believe registered.
  drop_unmapped(runtime);
  HW_TRY(module->image, Image::load(std::move(object), device.processor, runtime.memory()));
  return module;
}

Result<toolchain::Bytes> image_in_memory(const void* start) {
  if (!start) return fail("cannot load", "the code object", "its address is null");
  const std::uint64_t begin = address_of(start);
  const std::uint64_t end = readable_end(begin);
  if (end <= begin) return fail("cannot load", "the code object", "its address is not readable");
  const std::string_view view(static_cast<const char*>(start), end - begin);
  std::uint64_t size = 0;
  if (toolchain::is_elf(view)) {
    size = elf_size(view);
  } else if (toolchain::is_bundle(view)) {
    HW_TRY(const auto bundle, toolchain::read_bundle({nullptr, view}, "the code object"));
    size = bundle.size;
  } else if (toolchain::is_compressed_bundle(view)) {
    HW_TRY(const auto unpacked,
           toolchain::unpack_bundle({nullptr, view}, std::uint64_t{4} << 30, "the code object"));
    size = unpacked.packed_size;
  } else if (toolchain::is_offload_binary(view)) {
    HW_TRY(const auto binary, toolchain::read_offload_binary({nullptr, view}, "the code object"));
    size = binary.size;
  } else {
    return fail("cannot load", "the code object",
                "it is neither a code object nor a bundle of them");
  }
  if (size > view.size()) return fail("cannot load", "the code object", "it is truncated");
  // A copy: the caller may free the memory as soon as the call returns.
  return toolchain::Bytes(std::string(view.substr(0, size)));
}

FoundFunction function_of_handle(hipFunction_t handle) {
  FoundFunction found{.function = functions().find(handle)};
  if (found.function) found.module = found.function->owner.lock();
  if (!found.module) found.error = hipErrorInvalidResourceHandle;
  return found;
}

FoundFunction function_of_any(const void* function) {
  FoundFunction found = function_of_handle(static_cast<hipFunction_t>(const_cast<void*>(function)));
  return found.error == hipSuccess ? found : function_of_host(function);
}

extern "C" {

hipError_t hipModuleLoad(hipModule_t* module, const char* file) {
  return api([&] {
    if (!file) return hipErrorInvalidValue;
    // Devices and pipes may never end.
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
      return refuse(hipErrorInvalidValue,
                    {"cannot load the module", file, "it is not a file", "Name a code object."});
    const auto content = read_file(file);
    if (!content) return refuse(hipErrorFileNotFound, content.error());
    return load_from(module, toolchain::Bytes(*content), file);
  });
}
hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  return api([&] { return load_from(module, image_in_memory(image), "a module in memory"); });
}
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned count,
                               hipJitOption*, void**) {
  return api([&] {
    // They tune a compiler, and machine code is not compiled again.
    if (count > 0) say("hipModuleLoadDataEx: ignored the options, which only affect compilation");
    return load_from(module, image_in_memory(image), "a module in memory");
  });
}
hipError_t hipModuleUnload(hipModule_t module) {
  return api([&] {
    HIP_TRY(finish_everything());
    return modules().remove(module) ? hipSuccess : hipErrorInvalidResourceHandle;
  });
}
hipError_t hipModuleGetFunction(hipFunction_t* out, hipModule_t handle, const char* name) {
  return api([&] {
    if (!out || !name) return hipErrorInvalidValue;
    const auto module = modules().find(handle);
    if (!module) return hipErrorInvalidResourceHandle;
    const auto function = module->function(name);
    if (!function) return hipErrorNotFound;
    *out = Registry<Function, hipFunction_t>::handle_of(function.get());
    return hipSuccess;
  });
}
hipError_t hipModuleGetGlobal(hipDeviceptr_t* address, std::size_t* bytes, hipModule_t handle,
                              const char* name) {
  return api([&] {
    if (!name || (!address && !bytes)) return hipErrorInvalidValue;
    const auto module = modules().find(handle);
    if (!module) return hipErrorInvalidResourceHandle;
    const LoadedVariable* variable = module->variable(name);
    if (!variable) return hipErrorNotFound;
    if (address) *address = pointer_to(variable->address);
    if (bytes) *bytes = variable->size;
    return hipSuccess;
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t* out, const void* symbol) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    const FoundFunction found = function_of_host(symbol);
    HIP_TRY(found.error);
    *out = Registry<Function, hipFunction_t>::handle_of(found.function.get());
    return hipSuccess;
  });
}
hipError_t hipFuncGetAttributes(hipFuncAttributes* out, const void* function) {
  return api([&] { return function_attributes(out, function_of_any(function)); });
}
hipError_t hipFuncGetAttribute(int* out, hipFunction_attribute attribute, hipFunction_t function) {
  return api([&] { return function_attribute(out, attribute, function_of_any(function)); });
}
hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute attribute, int value) {
  return api([&] {
    const FoundFunction found = function_of_any(function);
    HIP_TRY(found.error);
    const Runtime& runtime = *found.module->runtime;
    switch (attribute) {
      case hipFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || static_cast<unsigned>(value) + found.function->kernel->info->lds_bytes >
                             runtime.arch().lds_per_workgroup.value)
          return hipErrorInvalidValue;
        found.function->max_dynamic_lds = value;
        return hipSuccess;
      case hipFuncAttributePreferredSharedMemoryCarveout:
        return hipSuccess;  // a preference, for hardware that splits cache and LDS
      default:
        return hipErrorInvalidValue;
    }
  });
}
hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t) {
  return api([&] { return function_of_any(function).error; });
}
hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig) {
  return api([&] { return function_of_any(function).error; });
}

// What the Python package calls: how many arguments a kernel takes, and the bytes of the first
// `capacity` of them. -1: the code object does not say.
int hipwright_soft_argument_sizes(const hipFunction_t handle, unsigned* sizes, int capacity) {
  const auto function = functions().find(handle);
  if (!function || function->kernel->info->arguments.empty()) return -1;
  int count = 0;
  for (const auto& argument : function->kernel->info->arguments) {
    if (argument.hidden()) continue;
    if (count < capacity) sizes[count] = argument.size;
    ++count;
  }
  return count;
}

const char* hipKernelNameRef(const hipFunction_t handle) {
  const auto function = functions().find(handle);
  return function ? function->name.c_str() : nullptr;
}
const char* hipKernelNameRefByPtr(const void* host_function, hipStream_t) {
  const FoundFunction found = function_of_host(host_function);
  return found.function ? found.function->name.c_str() : nullptr;
}

}  // extern "C"

}  // namespace hipwright::soft::hip
