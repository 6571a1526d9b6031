// SPDX-License-Identifier: MIT
#include "soft/hip/texture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>

#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

constexpr std::size_t kObjectBytes = HIP_TEXTURE_OBJECT_SIZE_DWORD * sizeof(std::uint32_t);
constexpr std::uint64_t kAlignment = 256;  // of what a texture reads
constexpr std::size_t kWidest = 16384;     // and highest

// By handle. Surfaces are in the same table: a handle is one or the other.
struct Objects {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<Texture>> by_handle;
};
Objects& objects() {
  static auto* const all = new Objects;
  return *all;
}

// HSA's numbers of channel types, as device code asks for them: unsigned, signed, float, and the
// normalised ones, by their bits.
std::uint32_t channel_type(TexelFormat format) {
  const std::uint32_t size = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  switch (format.number) {
    case TexelNumber::kSnorm:
      return size;
    case TexelNumber::kUnorm:
    case TexelNumber::kSrgb:
      return 2 + size;
    case TexelNumber::kSint:
      return 8 + size;
    case TexelNumber::kUint:
      return 11 + size;
    default:
      return format.bits == 16 ? 14 : 15;
  }
}
std::uint32_t channel_order(TexelFormat format) {
  constexpr std::uint32_t kR = 1, kRG = 3, kRGBA = 8, kSRGBA = 14;
  if (format.number == TexelNumber::kSrgb) return kSRGBA;
  return format.channels == 1 ? kR : format.channels == 2 ? kRG : kRGBA;
}

// Missing channels are 0, a missing fourth one is 1.
std::array<std::uint8_t, 4> select_of(TexelFormat format) {
  std::array<std::uint8_t, 4> select = {0, 0, 0, 1};
  for (std::uint8_t i = 0; i < format.channels; ++i) select[i] = static_cast<std::uint8_t>(4 + i);
  return select;
}

// As the texture reads it. 32-bit integers and floats stay what they are.
std::optional<TexelFormat> read_format(const hipChannelFormatDesc& channels,
                                       const hipTextureDesc& texture) {
  auto format = texel_format(channels);
  if (!format) return {};
  if (texture.readMode == hipReadModeNormalizedFloat && format->bits != 32) {
    if (format->number == TexelNumber::kUint) format->number = TexelNumber::kUnorm;
    if (format->number == TexelNumber::kSint) format->number = TexelNumber::kSnorm;
  }
  // Only four channels of eight bits follow the curve; ROCm ignores the wish for one and two.
  if (texture.sRGB == 0 || format->channels != 4) return format;
  if (format->bits != 8 || format->number != TexelNumber::kUnorm) return {};
  format->number = TexelNumber::kSrgb;
  return format;
}

hipChannelFormatDesc channels_of_view(hipResourceViewFormat format) {
  constexpr hipArray_Format kFormats[] = {HIP_AD_FORMAT_UNSIGNED_INT8,  HIP_AD_FORMAT_SIGNED_INT8,
                                          HIP_AD_FORMAT_UNSIGNED_INT16, HIP_AD_FORMAT_SIGNED_INT16,
                                          HIP_AD_FORMAT_UNSIGNED_INT32, HIP_AD_FORMAT_SIGNED_INT32,
                                          HIP_AD_FORMAT_HALF,           HIP_AD_FORMAT_FLOAT};
  if (format < hipResViewFormatUnsignedChar1 || format > hipResViewFormatFloat4) return {};
  const unsigned index = static_cast<unsigned>(format) - hipResViewFormatUnsignedChar1;
  constexpr unsigned kCounts[] = {1, 2, 4};
  return channels_of(kFormats[index / 3], kCounts[index % 3]);
}

// --- descriptors ---

ImageKind kind_of(const Array& array) {
  const bool rows = array.extent.height != 0;
  if (array.flags & hipArrayLayered) return rows ? ImageKind::k2DArray : ImageKind::k1DArray;
  if (array.extent.depth != 0) return ImageKind::k3D;
  return rows ? ImageKind::k2D : ImageKind::k1D;
}

ImageDescriptor image_of(const Array& array, TexelFormat format) {
  const auto size = [](std::size_t extent) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(extent, 1));
  };
  return {.base = array.region.base,
          .width = size(array.extent.width),
          .height = size(array.extent.height),
          .depth = size(array.extent.depth),
          .pitch = static_cast<std::uint32_t>(array.region.pitch / array.element),
          .format = format,
          .select = select_of(format),
          .kind = kind_of(array)};
}

AddressMode address_mode(hipTextureAddressMode mode, bool normalized) {
  switch (mode) {
    case hipAddressModeWrap:
      return normalized ? AddressMode::kWrap : AddressMode::kClamp;
    case hipAddressModeMirror:
      return normalized ? AddressMode::kMirror : AddressMode::kClamp;
    case hipAddressModeBorder:
      return AddressMode::kBorder;
    default:
      return AddressMode::kClamp;
  }
}

SamplerDescriptor sampler_of(const hipTextureDesc& texture) {
  SamplerDescriptor sampler;
  sampler.unnormalized = texture.normalizedCoords == 0;
  sampler.linear = texture.filterMode == hipFilterModeLinear;
  for (unsigned i = 0; i < 3; ++i)
    sampler.address[i] = address_mode(texture.addressMode[i], texture.normalizedCoords != 0);
  return sampler;
}

// The descriptors, in the object's dwords.
struct Words {
  std::array<std::uint32_t, HIP_TEXTURE_OBJECT_SIZE_DWORD> dword{};

  template <std::size_t N>
  void put(unsigned at, const std::array<std::uint32_t, N>& words) {
    std::copy(words.begin(), words.end(), dword.begin() + at);
  }
  void put_format(TexelFormat format, std::size_t width) {
    dword[8] = channel_type(format);
    dword[9] = channel_order(format);
    dword[10] = static_cast<std::uint32_t>(width);
  }
};

bool holds(const Runtime& runtime, const void* begin, std::size_t bytes) {
  const auto found = const_cast<Runtime&>(runtime).memory().find(address_of(begin));
  return found && bytes <= found->end() - address_of(begin);
}

hipError_t describe_array(Texture& object, Words& words) {
  object.array = find_array(object.resource.res.array.array);
  if (!object.array) return hipErrorInvalidValue;
  const Array& array = *object.array;
  const bool three = kind_of(array) == ImageKind::k3D;
  // gfx90a has no volume filter.
  if (three && object.texture.filterMode == hipFilterModeLinear &&
      object.runtime->isa() == Isa::kGfx90a)
    return refuse(hipErrorNotSupported,
                  {"cannot create a texture", "on gfx90a", "it does not filter 3D textures",
                   "Use hipFilterModePoint."});
  const hipChannelFormatDesc channels = object.view.format == hipResViewFormatNone
                                            ? array.format
                                            : channels_of_view(object.view.format);
  const auto format = read_format(channels, object.texture);
  if (!format || format->bytes() != array.element) return hipErrorInvalidValue;
  words.put(0, pack(image_of(array, *format), object.runtime->isa()));
  words.put_format(*format, array.extent.width);
  return hipSuccess;
}

hipError_t describe_linear(const Texture& object, Words& words) {
  const auto& linear = object.resource.res.linear;
  const auto format = read_format(linear.desc, object.texture);
  // Buffers have no sRGB.
  if (!format || format->number == TexelNumber::kSrgb) return hipErrorInvalidValue;
  if (!linear.devPtr || address_of(linear.devPtr) % kAlignment != 0) return hipErrorInvalidValue;
  const std::size_t count = linear.sizeInBytes / format->bytes();
  if (count == 0 || count > UINT32_MAX || !holds(*object.runtime, linear.devPtr, 1))
    return hipErrorInvalidValue;
  words.put(0, pack(TexelBuffer{.base = address_of(linear.devPtr),
                                .records = static_cast<std::uint32_t>(count),
                                .format = *format,
                                .select = select_of(*format)},
                    object.runtime->isa()));
  words.put_format(*format, count);
  return hipSuccess;
}

hipError_t describe_pitched(const Texture& object, Words& words) {
  const auto& plane = object.resource.res.pitch2D;
  const auto format = read_format(plane.desc, object.texture);
  if (!format) return hipErrorInvalidValue;
  const unsigned bytes = format->bytes();
  if (!plane.devPtr || address_of(plane.devPtr) % kAlignment != 0 || plane.width == 0 ||
      plane.height == 0 || plane.width >= kWidest || plane.height >= kWidest ||
      plane.pitchInBytes % kAlignment != 0 || plane.pitchInBytes < plane.width * bytes ||
      plane.pitchInBytes / bytes > kWidest)
    return hipErrorInvalidValue;
  if (!holds(*object.runtime, plane.devPtr,
             plane.pitchInBytes * (plane.height - 1) + plane.width * bytes))
    return hipErrorInvalidValue;
  words.put(0, pack(ImageDescriptor{.base = address_of(plane.devPtr),
                                    .width = static_cast<std::uint32_t>(plane.width),
                                    .height = static_cast<std::uint32_t>(plane.height),
                                    .pitch = static_cast<std::uint32_t>(plane.pitchInBytes / bytes),
                                    .format = *format,
                                    .select = select_of(*format),
                                    .kind = ImageKind::k2D},
                    object.runtime->isa()));
  words.put_format(*format, plane.width);
  return hipSuccess;
}

hipError_t describe(Texture& object, Words& words) {
  switch (object.resource.resType) {
    case hipResourceTypeArray:
      return describe_array(object, words);
    case hipResourceTypeLinear:
      return describe_linear(object, words);
    case hipResourceTypePitch2D:
      return describe_pitched(object, words);
    case hipResourceTypeMipmappedArray:
      return hipErrorNotSupported;  // ROCm has none on Linux
  }
  return hipErrorInvalidValue;
}

// Each axis has its mode here, as HIP documents it.
void warn_of_modes(const hipTextureDesc& texture, const Texture& object) {
  if (!object.array || texture.normalizedCoords == 0) return;
  const unsigned axes = (object.array->extent.height != 0 ? 2U : 1U) +
                        (kind_of(*object.array) == ImageKind::k3D ? 1U : 0U);
  for (unsigned i = 1; i < axes; ++i)
    if (texture.addressMode[i] != texture.addressMode[0]) {
      static std::once_flag once;
      std::call_once(once, [] {
        say("a texture has different address modes on its axes. ROCm's runtime has taken the first "
            "axis's mode for all of them; here each axis has its own.");
      });
      return;
    }
}

hipError_t publish(std::shared_ptr<Texture> object, const Words& words, const void** handle) {
  const auto memory = object->runtime->memory().borrow(kObjectBytes);
  if (!memory) return hipErrorOutOfMemory;
  object->address = *memory;
  std::memcpy(pointer_to(object->address), words.dword.data(), kObjectBytes);
  *handle = pointer_to(object->address);
  const std::lock_guard lock(objects().mutex);
  objects().by_handle[*handle] = std::move(object);
  return hipSuccess;
}

std::shared_ptr<Texture> find(const void* handle) {
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().by_handle.find(handle);
  return found == objects().by_handle.end() ? nullptr : found->second;
}

hipError_t drop(const void* handle) {
  std::shared_ptr<Texture> dropped;  // ends outside the lock
  const std::lock_guard lock(objects().mutex);
  const auto found = objects().by_handle.find(handle);
  if (found == objects().by_handle.end()) return hipErrorInvalidValue;
  dropped = std::move(found->second);
  objects().by_handle.erase(found);
  return hipSuccess;
}

hipError_t create_surface(hipSurfaceObject_t* out, const hipResourceDesc* resource) {
  HIP_RUNTIME(runtime);
  HIP_TRY(need_images(runtime, "cannot create a surface"));
  if (!out || !resource || resource->resType != hipResourceTypeArray) return hipErrorInvalidValue;
  auto object = std::make_shared<Texture>();
  object->runtime = &runtime;
  object->resource = *resource;
  object->array = find_array(resource->res.array.array);
  if (!object->array) return hipErrorInvalidValue;
  const Array& array = *object->array;
  if (array.flags != hipArrayDefault && (array.flags & hipArraySurfaceLoadStore) == 0)
    return hipErrorInvalidValue;
  const auto format = texel_format(array.format);
  if (!format) return hipErrorInvalidValue;
  Words words;
  words.put(0, pack(image_of(array, *format), runtime.isa()));
  words.put_format(*format, array.extent.width);
  const void* handle = nullptr;
  HIP_TRY(publish(std::move(object), words, &handle));
  *out = static_cast<hipSurfaceObject_t>(const_cast<void*>(handle));
  return hipSuccess;
}

// --- the driver's forms ---

hipError_t from_driver(const HIP_RESOURCE_DESC& in, hipResourceDesc& out) {
  out = {};
  switch (in.resType) {
    case HIP_RESOURCE_TYPE_ARRAY:
      out.resType = hipResourceTypeArray;
      out.res.array.array = in.res.array.hArray;
      return hipSuccess;
    case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      out.resType = hipResourceTypeMipmappedArray;
      out.res.mipmap.mipmap = in.res.mipmap.hMipmappedArray;
      return hipSuccess;
    case HIP_RESOURCE_TYPE_LINEAR:
      out.resType = hipResourceTypeLinear;
      out.res.linear = {in.res.linear.devPtr,
                        channels_of(in.res.linear.format, in.res.linear.numChannels),
                        in.res.linear.sizeInBytes};
      return hipSuccess;
    case HIP_RESOURCE_TYPE_PITCH2D:
      out.resType = hipResourceTypePitch2D;
      out.res.pitch2D = {in.res.pitch2D.devPtr,
                         channels_of(in.res.pitch2D.format, in.res.pitch2D.numChannels),
                         in.res.pitch2D.width, in.res.pitch2D.height, in.res.pitch2D.pitchInBytes};
      return hipSuccess;
  }
  return hipErrorInvalidValue;
}

unsigned channels_in(const hipChannelFormatDesc& channels) {
  return static_cast<unsigned>((channels.x != 0) + (channels.y != 0) + (channels.z != 0) +
                               (channels.w != 0));
}

HIP_RESOURCE_DESC to_driver(const hipResourceDesc& in) {
  HIP_RESOURCE_DESC out{};
  switch (in.resType) {
    case hipResourceTypeArray:
      out.resType = HIP_RESOURCE_TYPE_ARRAY;
      out.res.array.hArray = in.res.array.array;
      break;
    case hipResourceTypeMipmappedArray:
      out.resType = HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      out.res.mipmap.hMipmappedArray = in.res.mipmap.mipmap;
      break;
    case hipResourceTypeLinear:
      out.resType = HIP_RESOURCE_TYPE_LINEAR;
      out.res.linear = {in.res.linear.devPtr, array_format(in.res.linear.desc),
                        channels_in(in.res.linear.desc), in.res.linear.sizeInBytes};
      break;
    case hipResourceTypePitch2D:
      out.resType = HIP_RESOURCE_TYPE_PITCH2D;
      out.res.pitch2D = {in.res.pitch2D.devPtr,
                         array_format(in.res.pitch2D.desc),
                         channels_in(in.res.pitch2D.desc),
                         in.res.pitch2D.width,
                         in.res.pitch2D.height,
                         in.res.pitch2D.pitchInBytes};
      break;
  }
  return out;
}

hipTextureDesc from_driver(const HIP_TEXTURE_DESC& in) {
  hipTextureDesc out{};
  for (unsigned i = 0; i < 3; ++i)
    out.addressMode[i] = static_cast<hipTextureAddressMode>(in.addressMode[i]);
  out.filterMode = static_cast<hipTextureFilterMode>(in.filterMode);
  out.readMode =
      (in.flags & HIP_TRSF_READ_AS_INTEGER) ? hipReadModeElementType : hipReadModeNormalizedFloat;
  out.sRGB = (in.flags & HIP_TRSF_SRGB) != 0;
  out.normalizedCoords = (in.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  std::copy_n(in.borderColor, 4, out.borderColor);
  out.maxAnisotropy = in.maxAnisotropy;
  out.mipmapFilterMode = static_cast<hipTextureFilterMode>(in.mipmapFilterMode);
  out.mipmapLevelBias = in.mipmapLevelBias;
  out.minMipmapLevelClamp = in.minMipmapLevelClamp;
  out.maxMipmapLevelClamp = in.maxMipmapLevelClamp;
  return out;
}

HIP_TEXTURE_DESC to_driver(const hipTextureDesc& in) {
  HIP_TEXTURE_DESC out{};
  for (unsigned i = 0; i < 3; ++i)
    out.addressMode[i] = static_cast<HIPaddress_mode>(in.addressMode[i]);
  out.filterMode = static_cast<HIPfilter_mode>(in.filterMode);
  if (in.readMode == hipReadModeElementType) out.flags |= HIP_TRSF_READ_AS_INTEGER;
  if (in.sRGB) out.flags |= HIP_TRSF_SRGB;
  if (in.normalizedCoords) out.flags |= HIP_TRSF_NORMALIZED_COORDINATES;
  std::copy_n(in.borderColor, 4, out.borderColor);
  out.maxAnisotropy = in.maxAnisotropy;
  out.mipmapFilterMode = static_cast<HIPfilter_mode>(in.mipmapFilterMode);
  out.mipmapLevelBias = in.mipmapLevelBias;
  out.minMipmapLevelClamp = in.minMipmapLevelClamp;
  out.maxMipmapLevelClamp = in.maxMipmapLevelClamp;
  return out;
}

hipResourceViewDesc from_driver(const HIP_RESOURCE_VIEW_DESC& in) {
  return {static_cast<hipResourceViewFormat>(in.format),
          in.width,
          in.height,
          in.depth,
          in.firstMipmapLevel,
          in.lastMipmapLevel,
          in.firstLayer,
          in.lastLayer};
}
HIP_RESOURCE_VIEW_DESC to_driver(const hipResourceViewDesc& in) {
  return {.format = static_cast<HIPresourceViewFormat>(in.format),
          .width = in.width,
          .height = in.height,
          .depth = in.depth,
          .firstMipmapLevel = in.firstMipmapLevel,
          .lastMipmapLevel = in.lastMipmapLevel,
          .firstLayer = in.firstLayer,
          .lastLayer = in.lastLayer,
          .reserved = {}};
}

// What an object was made of.
template <class T, class Get>
hipError_t describe_object(T* out, hipTextureObject_t handle, Get get) {
  return api([&] {
    if (!out || !handle) return hipErrorInvalidValue;
    HIP_RUNTIME(runtime);
    HIP_TRY(need_images(runtime, "cannot describe a texture"));
    const auto object = find_texture(handle);
    if (!object) return hipErrorInvalidValue;
    *out = get(*object);
    return hipSuccess;
  });
}

}  // namespace

Texture::~Texture() {
  if (address) runtime->memory().give_back(address, kObjectBytes);
}

hipError_t create_texture(hipTextureObject_t* out, const hipResourceDesc* resource,
                          const hipTextureDesc* texture, const hipResourceViewDesc* view) {
  HIP_RUNTIME(runtime);
  HIP_TRY(need_images(runtime, "cannot create a texture"));
  if (!out || !resource || !texture) return hipErrorInvalidValue;
  const bool is_array = resource->resType == hipResourceTypeArray ||
                        resource->resType == hipResourceTypeMipmappedArray;
  if (view && !is_array) return hipErrorInvalidValue;
  if (texture->maxAnisotropy != 0 || texture->mipmapLevelBias != 0) return hipErrorNotSupported;
  auto object = std::make_shared<Texture>();
  object->runtime = &runtime;
  object->resource = *resource;
  object->texture = *texture;
  if (view) object->view = *view;
  Words words;
  HIP_TRY(describe(*object, words));
  warn_of_modes(*texture, *object);
  words.put(HIP_SAMPLER_OBJECT_OFFSET_DWORD, pack(sampler_of(*texture)));
  const void* handle = nullptr;
  HIP_TRY(publish(std::move(object), words, &handle));
  *out = static_cast<hipTextureObject_t>(const_cast<void*>(handle));
  return hipSuccess;
}

hipError_t destroy_texture(hipTextureObject_t handle) {
  return handle ? drop(handle) : hipSuccess;
}

std::shared_ptr<Texture> find_texture(hipTextureObject_t handle) {
  return find(handle);
}

hipResourceViewFormat view_format(const hipChannelFormatDesc& channels) {
  for (int i = hipResViewFormatUnsignedChar1; i <= hipResViewFormatFloat4; ++i) {
    const auto format = static_cast<hipResourceViewFormat>(i);
    const hipChannelFormatDesc each = channels_of_view(format);
    if (each.f == channels.f && each.x == channels.x && each.y == channels.y &&
        each.z == channels.z && each.w == channels.w)
      return format;
  }
  return hipResViewFormatNone;
}

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* out, const hipResourceDesc* resource,
                                  const hipTextureDesc* texture, const hipResourceViewDesc* view) {
  return api([&] { return create_texture(out, resource, texture, view); });
}
hipError_t hipTexObjectCreate(hipTextureObject_t* out, const HIP_RESOURCE_DESC* resource,
                              const HIP_TEXTURE_DESC* texture, const HIP_RESOURCE_VIEW_DESC* view) {
  return api([&] {
    if (!out || !resource || !texture) return hipErrorInvalidValue;
    hipResourceDesc read;
    HIP_TRY(from_driver(*resource, read));
    const hipTextureDesc sampled = from_driver(*texture);
    const hipResourceViewDesc viewed = view ? from_driver(*view) : hipResourceViewDesc{};
    return create_texture(out, &read, &sampled, view ? &viewed : nullptr);
  });
}

hipError_t hipDestroyTextureObject(hipTextureObject_t handle) {
  return api([&] { return destroy_texture(handle); });
}
hipError_t hipTexObjectDestroy(hipTextureObject_t handle) {
  return api([&] { return destroy_texture(handle); });
}

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* out, hipTextureObject_t handle) {
  return describe_object(out, handle, [](const Texture& object) { return object.resource; });
}
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* out, hipTextureObject_t handle) {
  return describe_object(out, handle, [](const Texture& object) { return object.texture; });
}
hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* out,
                                               hipTextureObject_t handle) {
  return describe_object(out, handle, [](const Texture& object) { return object.view; });
}
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* out, hipTextureObject_t handle) {
  return describe_object(out, handle,
                         [](const Texture& object) { return to_driver(object.resource); });
}
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* out, hipTextureObject_t handle) {
  return describe_object(out, handle,
                         [](const Texture& object) { return to_driver(object.texture); });
}
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* out, hipTextureObject_t handle) {
  return describe_object(out, handle, [](const Texture& object) { return to_driver(object.view); });
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* out, const hipResourceDesc* resource) {
  return api([&] { return create_surface(out, resource); });
}
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t handle) {
  return api([&] { return handle ? drop(handle) : hipSuccess; });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
