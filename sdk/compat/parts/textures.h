// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
#if !defined(__HIPCC_RTC__)

namespace hip_compat {

// The argument of hipBindTexture and tex1Dfetch for a texture over linear memory. A device
// variable, as in CUDA; CUDA's settings for filtering and addressing do not apply to such textures.
template <class T>
struct linear_texture {
  const T* data;
  unsigned long long count;
  int normalized;
  hipTextureFilterMode filterMode;
  hipTextureAddressMode addressMode[3];
  hipChannelFormatDesc channelDesc;
};

template <class T>
__device__ inline T element(const T* data, unsigned long long count, long long index) {
  return index >= 0 && static_cast<unsigned long long>(index) < count ? data[index] : T();
}

template <class T>
__device__ inline T tex1Dfetch(const linear_texture<T>& texture, int index) {
  return element(texture.data, texture.count, index);
}

template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>& texture, const void* data,
                                 size_t bytes = ~size_t(0)) {
  if (offset != nullptr) *offset = 0;
  linear_texture<T> bound = texture;
  bound.data = static_cast<const T*>(data);
  bound.count = bytes / sizeof(T);
  return hipMemcpyToSymbol(reinterpret_cast<const void*>(&texture), &bound, sizeof(bound), 0,
                           hipMemcpyHostToDevice);
}
template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>& texture, const void* data,
                                 const hipChannelFormatDesc&, size_t bytes = ~size_t(0)) {
  return hipBindTexture(offset, texture, data, bytes);
}
template <class T>
inline hipError_t hipBindTexture(size_t* offset, linear_texture<T>* texture, const void* data,
                                 const hipChannelFormatDesc*, size_t bytes = ~size_t(0)) {
  return hipBindTexture(offset, *texture, data, bytes);
}
template <class T>
inline hipError_t hipUnbindTexture(linear_texture<T>& texture) {
  return hipBindTexture(nullptr, texture, nullptr, 0);
}
template <class T>
inline hipError_t hipUnbindTexture(linear_texture<T>* texture) {
  return hipUnbindTexture(*texture);
}
template <class T>
inline hipError_t hipGetTextureAlignmentOffset(size_t* offset, const linear_texture<T>&) {
  *offset = 0;
  return hipSuccess;
}

// The same, created at run time in GPU memory.
struct linear_memory {
  const void* data;
  unsigned long long bytes;
};

class linear_texture_object {
 public:
  linear_texture_object() = default;
  __host__ __device__ linear_texture_object(unsigned long long bits)
      : memory_(reinterpret_cast<const linear_memory*>(bits)) {}
  __host__ __device__ explicit operator bool() const { return memory_ != nullptr; }
  __host__ __device__ explicit operator unsigned long long() const {
    return reinterpret_cast<unsigned long long>(memory_);
  }
  friend __host__ __device__ bool operator==(linear_texture_object a, linear_texture_object b) {
    return a.memory_ == b.memory_;
  }
  friend __host__ __device__ bool operator!=(linear_texture_object a, linear_texture_object b) {
    return a.memory_ != b.memory_;
  }

  __host__ __device__ const linear_memory* memory() const { return memory_; }

 private:
  const linear_memory* memory_;
};

template <class T>
__device__ inline T tex1Dfetch(linear_texture_object texture, int index) {
  const linear_memory* memory = texture.memory();
  return element(static_cast<const T*>(memory->data), memory->bytes / sizeof(T), index);
}
template <class T>
__device__ inline void tex1Dfetch(T* to, linear_texture_object texture, int index) {
  *to = tex1Dfetch<T>(texture, index);
}

template <int = 0>
inline hipError_t hipCreateTextureObject(linear_texture_object* texture,
                                         const hipResourceDesc* resource,
                                         const hipTextureDesc* settings,
                                         const hipResourceViewDesc*) {
  if (resource->resType != hipResourceTypeLinear ||
      (settings != nullptr && settings->readMode != hipReadModeElementType))
    return hipErrorNotSupported;
  const linear_memory memory = {resource->res.linear.devPtr, resource->res.linear.sizeInBytes};
  void* place = nullptr;
  hipError_t status = hipMalloc(&place, sizeof(memory));
  if (status == hipSuccess)
    status = hipMemcpy(place, &memory, sizeof(memory), hipMemcpyHostToDevice);
  *texture = linear_texture_object(reinterpret_cast<unsigned long long>(place));
  return status;
}
template <int = 0>
inline hipError_t hipDestroyTextureObject(linear_texture_object texture) {
  return hipFree(const_cast<linear_memory*>(texture.memory()));
}

}  // namespace hip_compat

#endif
