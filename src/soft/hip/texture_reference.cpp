// SPDX-License-Identifier: MIT
// Texture references, deprecated: variables that exist on both sides. Binding makes a texture
// object, and the device's copy of the variable gets its handle.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "soft/hip/module.h"
#include "soft/hip/texture.h"

namespace hipwright::soft::hip {

namespace {

// References of modules that the program has loaded, with the address of the device's copy.
struct ModuleReference {
  std::unique_ptr<textureReference> host;
  std::weak_ptr<Module> module;
  std::uint64_t device = 0;
};
struct ModuleReferences {
  std::mutex mutex;
  std::map<std::uint64_t, ModuleReference> by_device;
};
ModuleReferences& references() {
  static auto* const all = new ModuleReferences;
  return *all;
}

// The device's copy; 0: there is none.
std::uint64_t device_copy(const textureReference* reference) {
  {
    const std::lock_guard lock(references().mutex);
    for (const auto& [address, each] : references().by_device)
      if (each.host.get() == reference) return each.module.expired() ? 0 : address;
  }
  const FoundVariable found = variable_of_host(reference);
  return found.error == hipSuccess && found.size >= sizeof(textureReference) ? found.address : 0;
}

hipTextureDesc sampling_of(const textureReference& reference) {
  hipTextureDesc out{};
  std::copy_n(reference.addressMode, 3, out.addressMode);
  out.filterMode = reference.filterMode;
  out.readMode = reference.readMode;
  out.sRGB = reference.sRGB;
  out.normalizedCoords = reference.normalized;
  out.maxAnisotropy = reference.maxAnisotropy;
  out.mipmapFilterMode = reference.mipmapFilterMode;
  out.mipmapLevelBias = reference.mipmapLevelBias;
  out.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  out.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  return out;
}

// What was bound before is not any more.
hipError_t bind(const textureReference* given, const hipResourceDesc& resource,
                const hipResourceViewDesc* view) {
  auto* reference = const_cast<textureReference*>(given);
  const std::uint64_t device = device_copy(reference);
  if (device == 0) return hipErrorInvalidSymbol;
  if (reference->textureObject && find_texture(reference->textureObject))
    HIP_TRY(destroy_texture(reference->textureObject));
  reference->textureObject = nullptr;
  const hipTextureDesc sampling = sampling_of(*reference);
  HIP_TRY(create_texture(&reference->textureObject, &resource, &sampling, view));
  std::memcpy(pointer_to(device), reference, sizeof(textureReference));
  return hipSuccess;
}

// Memory must begin at a multiple of what textures need; hipMalloc's does.
constexpr std::uint64_t kAlignment = 256;
hipError_t align(const void*& pointer, std::size_t* offset) {
  const std::uint64_t over = address_of(pointer) % kAlignment;
  if (over != 0 && !offset) return hipErrorInvalidValue;
  if (offset) *offset = over;
  pointer = pointer_to(address_of(pointer) - over);
  return hipSuccess;
}

hipError_t bind_linear(std::size_t* offset, const textureReference* reference, const void* memory,
                       const hipChannelFormatDesc& format, std::size_t size) {
  HIP_TRY(align(memory, offset));
  // "All of it": the texture ends with the allocation.
  HIP_RUNTIME(runtime);
  const auto found = runtime.memory().find(address_of(memory));
  if (!found) return hipErrorInvalidValue;
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {const_cast<void*>(memory), format,
                         std::min<std::size_t>(size, found->end() - address_of(memory))};
  return bind(reference, resource, nullptr);
}

hipError_t bind_plane(std::size_t* offset, const textureReference* reference, const void* memory,
                      const hipChannelFormatDesc& format, std::size_t width, std::size_t height,
                      std::size_t pitch) {
  HIP_TRY(align(memory, offset));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(memory), format, width, height, pitch};
  return bind(reference, resource, nullptr);
}

hipError_t bind_array(const textureReference* reference, hipArray_const_t array,
                      const hipChannelFormatDesc& format) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = const_cast<hipArray_t>(array);
  hipResourceViewDesc view{};
  view.format = view_format(format);
  return bind(reference, resource, &view);
}

// The body of a call that only reads or writes a reference's fields.
template <class Body>
hipError_t with_images(bool arguments, Body&& body) {
  return api([&] {
    if (!arguments) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    HIP_TRY(need_images(runtime, "cannot use a texture reference"));
    return body();
  });
}

template <class T, class Value>
hipError_t set(T* reference, Value&& change) {
  return with_images(reference != nullptr, [&] {
    change(*reference);
    return hipSuccess;
  });
}

}  // namespace

extern "C" {

hipError_t hipBindTexture(std::size_t* offset, const textureReference* reference,
                          const void* memory, const hipChannelFormatDesc* format,
                          std::size_t size) {
  return with_images(reference && memory && format,
                     [&] { return bind_linear(offset, reference, memory, *format, size); });
}
hipError_t hipBindTexture2D(std::size_t* offset, const textureReference* reference,
                            const void* memory, const hipChannelFormatDesc* format,
                            std::size_t width, std::size_t height, std::size_t pitch) {
  return with_images(reference && memory && format && pitch != 0, [&] {
    return bind_plane(offset, reference, memory, *format, width, height, pitch);
  });
}
hipError_t hipBindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                 const hipChannelFormatDesc* format) {
  return with_images(reference && array && format,
                     [&] { return bind_array(reference, array, *format); });
}
hipError_t hipUnbindTexture(const textureReference* reference) {
  return with_images(reference != nullptr, [&] {
    HIP_TRY(destroy_texture(reference->textureObject));
    const_cast<textureReference*>(reference)->textureObject = nullptr;
    return hipSuccess;
  });
}
hipError_t hipGetTextureReference(const textureReference** out, const void* symbol) {
  return with_images(out != nullptr, [&] {
    *out = static_cast<const textureReference*>(symbol);
    return hipSuccess;
  });
}
hipError_t hipGetTextureAlignmentOffset(std::size_t* offset, const textureReference* reference) {
  return with_images(offset && reference, [&] {
    *offset = 0;
    return hipSuccess;
  });
}

hipError_t hipModuleGetTexRef(textureReference** out, hipModule_t handle, const char* name) {
  return api([&] {
    if (!out || !name || !*name) return hipErrorInvalidValue;
    const auto module = modules().find(handle);
    if (!module) return hipErrorInvalidResourceHandle;
    HIP_TRY(need_images(*module->runtime, "cannot use a texture reference"));
    const LoadedVariable* const variable = module->variable(name);
    if (!variable || variable->size < sizeof(textureReference)) return hipErrorNotFound;
    const std::lock_guard lock(references().mutex);
    ModuleReference& reference = references().by_device[variable->address];
    if (!reference.host || reference.module.lock() != module) {
      reference.host = std::make_unique<textureReference>();
      std::memcpy(reference.host.get(), pointer_to(variable->address), sizeof(textureReference));
      reference.module = module;
      reference.device = variable->address;
    }
    *out = reference.host.get();
    return hipSuccess;
  });
}

hipError_t hipTexRefSetAddress(std::size_t* offset, textureReference* reference,
                               hipDeviceptr_t memory, std::size_t bytes) {
  return with_images(reference != nullptr, [&] {
    return bind_linear(
        offset, reference, memory,
        channels_of(reference->format, static_cast<unsigned>(reference->numChannels)), bytes);
  });
}
hipError_t hipTexRefSetAddress2D(textureReference* reference, const HIP_ARRAY_DESCRIPTOR* wanted,
                                 hipDeviceptr_t memory, std::size_t pitch) {
  return with_images(reference && wanted, [&] {
    return bind_plane(nullptr, reference, memory, channels_of(wanted->Format, wanted->NumChannels),
                      wanted->Width, wanted->Height, pitch);
  });
}
hipError_t hipTexRefSetArray(textureReference* reference, hipArray_const_t handle, unsigned flags) {
  return with_images(reference && handle && flags == HIP_TRSA_OVERRIDE_FORMAT, [&] {
    const auto array = find_array(handle);
    if (!array) return hipErrorInvalidValue;
    const auto format = texel_format(array->format);
    if (!format) return hipErrorInvalidValue;
    reference->format = array_format(array->format);
    reference->numChannels = format->channels;
    return bind_array(reference, handle, array->format);
  });
}
hipError_t hipTexRefGetArray(hipArray_t* out, const textureReference* reference) {
  return with_images(out && reference, [&] {
    const auto object = find_texture(reference->textureObject);
    if (!object || object->resource.resType != hipResourceTypeArray) return hipErrorInvalidValue;
    *out = object->resource.res.array.array;
    return hipSuccess;
  });
}
hipError_t hipTexRefGetAddress(hipDeviceptr_t* out, const textureReference* reference) {
  return with_images(out && reference, [&] {
    const auto object = find_texture(reference->textureObject);
    if (!object) return hipErrorInvalidValue;
    switch (object->resource.resType) {
      case hipResourceTypeLinear:
        *out = object->resource.res.linear.devPtr;
        return hipSuccess;
      case hipResourceTypePitch2D:
        *out = object->resource.res.pitch2D.devPtr;
        return hipSuccess;
      default:
        return hipErrorInvalidValue;
    }
  });
}

// The fields

hipError_t hipTexRefSetFormat(textureReference* reference, hipArray_Format format, int channels) {
  return set(reference, [&](textureReference& r) {
    r.format = format;
    r.numChannels = channels;
  });
}
hipError_t hipTexRefGetFormat(hipArray_Format* format, int* channels,
                              const textureReference* reference) {
  return with_images(format && channels && reference, [&] {
    *format = reference->format;
    *channels = reference->numChannels;
    return hipSuccess;
  });
}
hipError_t hipTexRefSetFlags(textureReference* reference, unsigned flags) {
  return set(reference, [&](textureReference& r) {
    r.readMode =
        (flags & HIP_TRSF_READ_AS_INTEGER) ? hipReadModeElementType : hipReadModeNormalizedFloat;
    r.normalized = (flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
    r.sRGB = (flags & HIP_TRSF_SRGB) != 0;
  });
}
hipError_t hipTexRefGetFlags(unsigned* flags, const textureReference* reference) {
  return with_images(flags && reference, [&] {
    *flags = (reference->readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0U) |
             (reference->normalized == 1 ? HIP_TRSF_NORMALIZED_COORDINATES : 0U) |
             (reference->sRGB == 1 ? HIP_TRSF_SRGB : 0U);
    return hipSuccess;
  });
}
hipError_t hipTexRefSetFilterMode(textureReference* reference, hipTextureFilterMode mode) {
  return set(reference, [&](textureReference& r) { r.filterMode = mode; });
}
hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* mode, const textureReference* reference) {
  return with_images(mode && reference, [&] {
    *mode = reference->filterMode;
    return hipSuccess;
  });
}
hipError_t hipTexRefSetAddressMode(textureReference* reference, int axis,
                                   hipTextureAddressMode mode) {
  return with_images(reference && axis >= 0 && axis <= 2, [&] {
    reference->addressMode[axis] = mode;
    return hipSuccess;
  });
}
hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* mode, const textureReference* reference,
                                   int axis) {
  return with_images(mode && reference && (axis == 0 || axis == 1), [&] {
    *mode = reference->addressMode[axis];
    return hipSuccess;
  });
}
hipError_t hipTexRefSetMaxAnisotropy(textureReference* reference, unsigned most) {
  return set(reference, [&](textureReference& r) { r.maxAnisotropy = most; });
}
hipError_t hipTexRefGetMaxAnisotropy(int* most, const textureReference* reference) {
  return with_images(most && reference, [&] {
    *most = static_cast<int>(reference->maxAnisotropy);
    return hipSuccess;
  });
}
hipError_t hipTexRefSetMipmapFilterMode(textureReference* reference, hipTextureFilterMode mode) {
  return set(reference, [&](textureReference& r) { r.mipmapFilterMode = mode; });
}
hipError_t hipTexRefSetMipmapLevelBias(textureReference* reference, float bias) {
  return set(reference, [&](textureReference& r) { r.mipmapLevelBias = bias; });
}
hipError_t hipTexRefSetMipmapLevelClamp(textureReference* reference, float least, float most) {
  return set(reference, [&](textureReference& r) {
    r.minMipmapLevelClamp = least;
    r.maxMipmapLevelClamp = most;
  });
}
// ROCm gives the value and the error.
hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* mode,
                                        const textureReference* reference) {
  return with_images(mode && reference, [&] {
    *mode = reference->mipmapFilterMode;
    return hipErrorInvalidValue;
  });
}
hipError_t hipTexRefGetMipmapLevelBias(float* bias, const textureReference* reference) {
  return with_images(bias && reference, [&] {
    *bias = reference->mipmapLevelBias;
    return hipErrorInvalidValue;
  });
}
hipError_t hipTexRefGetMipmapLevelClamp(float* least, float* most,
                                        const textureReference* reference) {
  return with_images(least && most && reference, [&] {
    *least = reference->minMipmapLevelClamp;
    *most = reference->maxMipmapLevelClamp;
    return hipErrorInvalidValue;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
