// SPDX-License-Identifier: MIT
// Texture and surface objects: descriptors in device memory, as kernels load them. A texture has
// twelve dwords of image and eight of sampler, a surface has the image.
#pragma once

#include <memory>

#include "soft/hip/array.h"

namespace hipwright::soft::hip {

// One object; its handle is the address of its descriptors.
struct Texture {
  Runtime* runtime = nullptr;
  std::uint64_t address = 0;
  std::shared_ptr<Array> array;  // keeps what it reads
  hipResourceDesc resource{};
  hipTextureDesc texture{};
  hipResourceViewDesc view{};
  Texture() = default;
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture();
};

hipError_t create_texture(hipTextureObject_t* out, const hipResourceDesc* resource,
                          const hipTextureDesc* texture, const hipResourceViewDesc* view);
// Nothing happens to a null handle.
hipError_t destroy_texture(hipTextureObject_t handle);
// nullptr: unknown object.
std::shared_ptr<Texture> find_texture(hipTextureObject_t handle);

// A view of an array's texels in their own format, or in another one of the same size.
hipResourceViewFormat view_format(const hipChannelFormatDesc& channels);

}  // namespace hipwright::soft::hip
