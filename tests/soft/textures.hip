// SPDX-License-Identifier: MIT
// Textures, surfaces and arrays through HIP's calls: what kernels read and write is compared with
// formulas of this file. On targets without image instructions every call must say so.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../examples/common/check.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#if defined(__HIP_NO_IMAGE_SUPPORT)
#define IMAGES 0
#else
#define IMAGES 1
#endif
// gfx90a samples, but has no levels, derivatives and gathering.
#if defined(__gfx90a__)
#define EXTENDED 0
#else
#define EXTENDED IMAGES
#endif

static int failures = 0;
#define EXPECT(condition)                                                \
  do {                                                                   \
    if (!(condition)) {                                                  \
      std::printf("FAILED %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                        \
    }                                                                    \
  } while (false)

static void expect_near(float got, float expected, const char* what, int index) {
  if (std::fabs(got - expected) <= 1e-6F) return;
  if (++failures < 20)
    std::printf("FAILED %s at %d: %g instead of %g\n", what, index, got, expected);
}

constexpr int kWidth = 10, kHeight = 6, kDepth = 4;  // no multiple of a row's alignment
constexpr int kPoints = 256;

// --- kernels ---

__global__ void read_1d(hipTextureObject_t t, const float* x, float* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex1D<float>(t, x[i]);
#endif
}
__global__ void read_2d(hipTextureObject_t t, const float2* at, float4* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex2D<float4>(t, at[i].x, at[i].y);
#endif
}
__global__ void read_2d_bytes(hipTextureObject_t t, const float2* at, uchar4* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex2D<uchar4>(t, at[i].x, at[i].y);
#endif
}
__global__ void read_3d(hipTextureObject_t t, const float4* at, float* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex3D<float>(t, at[i].x, at[i].y, at[i].z);
#endif
}
__global__ void read_layers(hipTextureObject_t t, const float4* at, float* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex2DLayered<float>(t, at[i].x, at[i].y, static_cast<int>(at[i].z));
#endif
}
__global__ void fetch(hipTextureObject_t t, short2* out, int count) {
#if IMAGES
  const int i = threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<short2>(t, i);
#endif
}
__global__ void read_extended(hipTextureObject_t t, const float2* at, float4* out) {
#if EXTENDED
  const int i = threadIdx.x;
  const float4 level = tex2DLod<float4>(t, at[i].x, at[i].y, 0.0F);
  const float4 derived =
      tex2DGrad<float4>(t, at[i].x, at[i].y, make_float2(0.25F, 0.5F), make_float2(0.5F, 0.25F));
  out[2 * i] = make_float4(level.x, level.y, derived.x, derived.y);
  out[2 * i + 1] = tex2Dgather<float4>(t, at[i].x, at[i].y, 1);
#endif
}
__global__ void double_surface(hipSurfaceObject_t s, int width, int height) {
#if IMAGES
  const int x = threadIdx.x, y = blockIdx.x;
  float2 value;
  surf2Dread(&value, s, x * static_cast<int>(sizeof(float2)), y);
  value.x *= 2;
  value.y += 1;
  if (x < width && y < height) surf2Dwrite(value, s, x * static_cast<int>(sizeof(float2)), y);
#endif
}
texture<float, hipTextureType2D, hipReadModeElementType> reference;
__global__ void read_reference(float* out) {
#if IMAGES
  const int i = threadIdx.x;
  out[i] = tex2D(reference, i % kWidth + 0.5F, i / kWidth + 0.5F);
#endif
}

// --- the values ---

static float value_at(int x, int y, int z) {
  return static_cast<float>(x * x) * 0.5F + static_cast<float>(7 * y) - static_cast<float>(z * 11);
}
static long wrapped(long i, long size, hipTextureAddressMode mode) {
  const long period = ((i % (2 * size)) + 2 * size) % (2 * size);
  if (mode == hipAddressModeWrap) return period % size;
  if (mode == hipAddressModeMirror) return period < size ? period : 2 * size - 1 - period;
  if (mode == hipAddressModeBorder) return i < 0 || i >= size ? -1 : i;
  return i < 0 ? 0 : i >= size ? size - 1 : i;
}

// What a texture of value_at gives: coordinates count texels here.
static float expected_at(const float* at, const int* size, int axes, int layer,
                         const hipTextureDesc& desc) {
  long low[3] = {0, 0, layer};
  double up[3] = {0, 0, 0};
  const bool linear = desc.filterMode == hipFilterModeLinear;
  for (int a = 0; a < axes; ++a) {
    const double place = linear ? std::floor((at[a] - 0.5) * 256 + 0.5) / 256 : at[a];
    low[a] = static_cast<long>(std::floor(place));
    up[a] = linear ? place - std::floor(place) : 0;
  }
  double sum = 0;
  for (int corner = 0; corner < (linear ? 1 << axes : 1); ++corner) {
    double weight = 1;
    long index[3] = {0, 0, layer};
    bool border = false;
    for (int a = 0; a < axes; ++a) {
      const int upper = (corner >> a) & 1;
      if (linear) weight *= upper ? up[a] : 1 - up[a];
      index[a] = wrapped(low[a] + upper, size[a], desc.addressMode[a]);
      border |= index[a] < 0;
    }
    if (!border && weight != 0)
      sum += weight * double{value_at(static_cast<int>(index[0]), static_cast<int>(index[1]),
                                      static_cast<int>(index[2]))};
  }
  return static_cast<float>(sum);
}

static hipTextureDesc sampling(hipTextureAddressMode mode, hipTextureFilterMode filter,
                               bool normalized) {
  hipTextureDesc desc{};
  for (auto& each : desc.addressMode) each = mode;
  desc.filterMode = filter;
  desc.readMode = hipReadModeElementType;
  desc.normalizedCoords = normalized;
  return desc;
}

template <class T>
struct Buffer {
  T* device = nullptr;
  std::vector<T> host;
  explicit Buffer(std::size_t count) : host(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&device), count * sizeof(T)));
  }
  ~Buffer() { (void)hipFree(device); }
  void up() {
    HIP_CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  void down() {
    HIP_CHECK(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost));
  }
};

static hipTextureObject_t texture_of(hipArray_t array, const hipTextureDesc& desc) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureObject_t texture = nullptr;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  return texture;
}

static hipArray_t filled_array(int width, int height, int depth, unsigned flags) {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array = nullptr;
  HIP_CHECK(hipMalloc3DArray(&array, &format, make_hipExtent(width, height, depth), flags));
  std::vector<float> texels;
  const int rows = height ? height : 1, slices = depth ? depth : 1;
  for (int z = 0; z < slices; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < width; ++x) texels.push_back(value_at(x, y, z));
  hipMemcpy3DParms copy{};
  copy.srcPtr = make_hipPitchedPtr(texels.data(), width * sizeof(float), width, rows);
  copy.dstArray = array;
  copy.extent = make_hipExtent(width, rows, slices);
  copy.kind = hipMemcpyHostToDevice;
  HIP_CHECK(hipMemcpy3D(&copy));
  // And back: rows are padded, which no copy shows.
  std::vector<float> back(texels.size(), -1.0F);
  hipMemcpy3DParms again{};
  again.srcArray = array;
  again.dstPtr = make_hipPitchedPtr(back.data(), width * sizeof(float), width, rows);
  again.extent = copy.extent;
  again.kind = hipMemcpyDeviceToHost;
  HIP_CHECK(hipMemcpy3D(&again));
  EXPECT(back == texels);
  return array;
}

// Points on multiples of 1/8 of a texel, from outside to outside.
static float point(int i, int size, int salt) {
  return static_cast<float>((i * 37 + salt * 101) % (size * 24)) / 8 - static_cast<float>(size);
}

// --- the tests ---

static void shapes(bool volumes) {
  struct Shape {
    int axes, height, depth;
    unsigned flags;
  };
  const Shape shapes[] = {{1, 0, 0, hipArrayDefault},
                          {2, kHeight, 0, hipArrayDefault},
                          {3, kHeight, kDepth, hipArrayDefault},
                          {2, kHeight, kDepth, hipArrayLayered}};
  for (const Shape& shape : shapes) {
    const hipArray_t array = filled_array(kWidth, shape.height, shape.depth, shape.flags);
    const int size[3] = {kWidth, kHeight, kDepth};
    for (const bool normalized : {false, true})
      for (const hipTextureFilterMode filter : {hipFilterModePoint, hipFilterModeLinear})
        for (const hipTextureAddressMode mode : {hipAddressModeWrap, hipAddressModeClamp,
                                                 hipAddressModeMirror, hipAddressModeBorder}) {
          if (!normalized && (mode == hipAddressModeWrap || mode == hipAddressModeMirror)) continue;
          const hipTextureDesc desc = sampling(mode, filter, normalized);
          if (shape.axes == 3 && filter == hipFilterModeLinear && !volumes) continue;
          const hipTextureObject_t texture = texture_of(array, desc);
          Buffer<float> x(kPoints), out(kPoints);
          Buffer<float4> at(kPoints);
          std::vector<float> expected(kPoints);
          for (int i = 0; i < kPoints; ++i) {
            float place[3] = {point(i, kWidth, 0), point(i, kHeight, 1), point(i, kDepth, 2)};
            float given[3];
            for (int a = 0; a < 3; ++a) {
              given[a] = normalized ? place[a] / static_cast<float>(size[a]) : place[a];
              if (normalized) place[a] = given[a] * static_cast<float>(size[a]);
            }
            const int layer = i % kDepth;
            if (shape.flags == hipArrayLayered) given[2] = static_cast<float>(layer);
            expected[i] = expected_at(place, size, shape.axes,
                                      shape.flags == hipArrayLayered ? layer : 0, desc);
            x.host[i] = given[0];
            at.host[i] = make_float4(given[0], given[1], given[2], 0);
          }
          x.up();
          at.up();
          if (shape.axes == 1)
            read_1d<<<1, kPoints>>>(texture, x.device, out.device);
          else if (shape.axes == 3)
            read_3d<<<1, kPoints>>>(texture, at.device, out.device);
          else if (shape.flags == hipArrayLayered)
            read_layers<<<1, kPoints>>>(texture, at.device, out.device);
          else {
            Buffer<float2> places(kPoints);
            Buffer<float4> texels(kPoints);
            for (int i = 0; i < kPoints; ++i)
              places.host[i] = make_float2(at.host[i].x, at.host[i].y);
            places.up();
            read_2d<<<1, kPoints>>>(texture, places.device, texels.device);
            texels.down();
            for (int i = 0; i < kPoints; ++i) {
              out.host[i] = texels.host[i].x;
              EXPECT(texels.host[i].y == 0 && texels.host[i].z == 0);
            }
            out.up();
          }
          out.down();
          for (int i = 0; i < kPoints; ++i) expect_near(out.host[i], expected[i], "a texel", i);
          HIP_CHECK(hipDestroyTextureObject(texture));
        }
    HIP_CHECK(hipFreeArray(array));
  }
}

static void bytes() {
  const hipChannelFormatDesc format = hipCreateChannelDesc<uchar4>();
  hipArray_t array = nullptr;
  HIP_CHECK(hipMallocArray(&array, &format, kWidth, kHeight));
  std::vector<uchar4> texels(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i)
    texels[i] = make_uchar4(i, 255 - i, 3 * i, 128 + i % 7);
  // Linear copies go on from row to row.
  HIP_CHECK(hipMemcpyToArray(array, 0, 0, texels.data(), texels.size() * sizeof(uchar4),
                             hipMemcpyHostToDevice));
  Buffer<float2> at(kPoints);
  Buffer<uchar4> raw(kPoints);
  Buffer<float4> normal(kPoints);
  for (int i = 0; i < kPoints; ++i)
    at.host[i] = make_float2(i % kWidth + 0.25F, i / kWidth % kHeight + 0.75F);
  at.up();
  hipTextureDesc desc = sampling(hipAddressModeClamp, hipFilterModePoint, false);
  const hipTextureObject_t elements = texture_of(array, desc);
  desc.readMode = hipReadModeNormalizedFloat;
  const hipTextureObject_t fractions = texture_of(array, desc);
  desc.sRGB = 1;
  const hipTextureObject_t curved = texture_of(array, desc);
  read_2d_bytes<<<1, kPoints>>>(elements, at.device, raw.device);
  read_2d<<<1, kPoints>>>(fractions, at.device, normal.device);
  raw.down();
  normal.down();
  for (int i = 0; i < kPoints; ++i) {
    const uchar4 t = texels[i % kWidth + i / kWidth % kHeight * kWidth];
    const uchar4 r = raw.host[i];
    EXPECT(r.x == t.x && r.y == t.y && r.z == t.z && r.w == t.w);
    EXPECT(normal.host[i].x == static_cast<float>(t.x) / 255);
    EXPECT(normal.host[i].w == static_cast<float>(t.w) / 255);
  }
  read_2d<<<1, kPoints>>>(curved, at.device, normal.device);
  normal.down();
  for (int i = 0; i < kPoints; ++i) {
    const uchar4 t = texels[i % kWidth + i / kWidth % kHeight * kWidth];
    const double stored = t.y / 255.0;
    expect_near(normal.host[i].y,
                static_cast<float>(stored <= 0.04045 ? stored / 12.92
                                                     : std::pow((stored + 0.055) / 1.055, 2.4)),
                "sRGB", i);
    EXPECT(normal.host[i].w == static_cast<float>(t.w) / 255);
  }
  for (const hipTextureObject_t each : {elements, fractions, curved})
    HIP_CHECK(hipDestroyTextureObject(each));
  HIP_CHECK(hipFreeArray(array));
}

static void linear_memory() {
  constexpr int kCount = 100;
  Buffer<short2> texels(kCount), out(kPoints);
  for (int i = 0; i < kCount; ++i) texels.host[i] = make_short2(-i, 3 * i);
  texels.up();
  for (short2& each : out.host) each = make_short2(7, 7);
  out.up();
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = texels.device;
  resource.res.linear.desc = hipCreateChannelDesc<short2>();
  resource.res.linear.sizeInBytes = kCount * sizeof(short2);
  const hipTextureDesc desc = sampling(hipAddressModeClamp, hipFilterModePoint, false);
  hipTextureObject_t texture = nullptr;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  fetch<<<1, kPoints>>>(texture, out.device, kCount + 20);
  out.down();
  for (int i = 0; i < kCount + 20; ++i) {
    const short2 expected = i < kCount ? texels.host[i] : make_short2(0, 0);
    EXPECT(out.host[i].x == expected.x && out.host[i].y == expected.y);
  }
  hipResourceDesc described{};
  HIP_CHECK(hipGetTextureObjectResourceDesc(&described, texture));
  EXPECT(described.resType == hipResourceTypeLinear &&
         described.res.linear.devPtr == texels.device);
  HIP_CHECK(hipDestroyTextureObject(texture));
  EXPECT(hipGetTextureObjectResourceDesc(&described, texture) == hipErrorInvalidValue);
}

static void pitched_memory(bool extended) {
  float4* memory = nullptr;
  std::size_t pitch = 0;
  HIP_CHECK(
      hipMallocPitch(reinterpret_cast<void**>(&memory), &pitch, kWidth * sizeof(float4), kHeight));
  std::vector<float4> texels(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i)
    texels[i] = make_float4(value_at(i % kWidth, i / kWidth, 0), i, -i, 0.5F);
  HIP_CHECK(hipMemcpy2D(memory, pitch, texels.data(), kWidth * sizeof(float4),
                        kWidth * sizeof(float4), kHeight, hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, hipCreateChannelDesc<float4>(), kWidth, kHeight, pitch};
  const hipTextureDesc desc = sampling(hipAddressModeClamp, hipFilterModeLinear, false);
  hipTextureObject_t texture = nullptr;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
  Buffer<float2> at(kPoints);
  Buffer<float4> out(2 * kPoints);
  for (int i = 0; i < kPoints; ++i)
    at.host[i] = make_float2(point(i, kWidth, 3), point(i, kHeight, 4));
  at.up();
  read_2d<<<1, kPoints>>>(texture, at.device, out.device);
  out.down();
  const int size[3] = {kWidth, kHeight, 1};
  std::vector<float> expected(kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const float place[3] = {at.host[i].x, at.host[i].y, 0};
    expected[i] = expected_at(place, size, 2, 0, desc);
    expect_near(out.host[i].x, expected[i], "pitched memory", i);
    EXPECT(out.host[i].w == 0.5F);
  }
  if (extended) {
    read_extended<<<1, kPoints>>>(texture, at.device, out.device);
    out.down();
    for (int i = 0; i < kPoints; ++i) {
      expect_near(out.host[2 * i].x, expected[i], "a level", i);
      expect_near(out.host[2 * i].z, expected[i], "derivatives", i);
      const long x = std::lround(std::floor(at.host[i].x - 0.5F));
      const long y = std::lround(std::floor(at.host[i].y - 0.5F));
      const auto texel = [&](long column, long row) {
        return value_at(static_cast<int>(wrapped(column, kWidth, hipAddressModeClamp)),
                        static_cast<int>(wrapped(row, kHeight, hipAddressModeClamp)), 0);
      };
      expect_near(out.host[2 * i + 1].x, texel(x, y + 1), "gathered", i);
      expect_near(out.host[2 * i + 1].y, texel(x + 1, y + 1), "gathered", i);
      expect_near(out.host[2 * i + 1].z, texel(x + 1, y), "gathered", i);
      expect_near(out.host[2 * i + 1].w, texel(x, y), "gathered", i);
    }
  }
  HIP_CHECK(hipDestroyTextureObject(texture));
  HIP_CHECK(hipFree(memory));
}

static void surfaces() {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float2>();
  hipArray_t array = nullptr;
  HIP_CHECK(hipMallocArray(&array, &format, kWidth, kHeight, hipArraySurfaceLoadStore));
  std::vector<float2> texels(kWidth * kHeight), out(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) texels[i] = make_float2(i * 0.5F, -i);
  HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * sizeof(float2),
                               kWidth * sizeof(float2), kHeight, hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipSurfaceObject_t surface = nullptr;
  HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  double_surface<<<kHeight + 2, kWidth + 3>>>(surface, kWidth, kHeight);
  HIP_CHECK(hipMemcpy2DFromArray(out.data(), kWidth * sizeof(float2), array, 0, 0,
                                 kWidth * sizeof(float2), kHeight, hipMemcpyDeviceToHost));
  for (int i = 0; i < kWidth * kHeight; ++i)
    EXPECT(out[i].x == texels[i].x * 2 && out[i].y == texels[i].y + 1);
  HIP_CHECK(hipDestroySurfaceObject(surface));
  HIP_CHECK(hipFreeArray(array));
}

static void references() {
  const hipArray_t array = filled_array(kWidth, kHeight, 0, hipArrayDefault);
  HIP_CHECK(hipBindTextureToArray(reference, array));
  Buffer<float> out(kWidth * kHeight);
  read_reference<<<1, kWidth * kHeight>>>(out.device);
  out.down();
  for (int i = 0; i < kWidth * kHeight; ++i)
    expect_near(out.host[i], value_at(i % kWidth, i / kWidth, 0), "a reference", i);
  HIP_CHECK(hipUnbindTexture(reference));
  HIP_CHECK(hipFreeArray(array));
}

static void mistakes() {
  const hipArray_t array = filled_array(kWidth, kHeight, 0, hipArrayDefault);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  hipTextureDesc desc = sampling(hipAddressModeClamp, hipFilterModePoint, false);
  hipTextureObject_t texture = nullptr;
  EXPECT(hipCreateTextureObject(nullptr, &resource, &desc, nullptr) == hipErrorInvalidValue);
  EXPECT(hipCreateTextureObject(&texture, nullptr, &desc, nullptr) == hipErrorInvalidValue);
  EXPECT(hipCreateTextureObject(&texture, &resource, nullptr, nullptr) == hipErrorInvalidValue);
  desc.maxAnisotropy = 4;
  EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) == hipErrorNotSupported);
  desc.maxAnisotropy = 0;
  resource.res.array.array = nullptr;
  EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) == hipErrorInvalidValue);
  resource.resType = hipResourceTypeMipmappedArray;
  EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) == hipErrorNotSupported);
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = nullptr;
  EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) == hipErrorInvalidValue);
  hipSurfaceObject_t surface = nullptr;
  EXPECT(hipCreateSurfaceObject(&surface, &resource) == hipErrorInvalidValue);
  EXPECT(hipDestroyTextureObject(nullptr) == hipSuccess);
  HIP_CHECK(hipFreeArray(array));
}

static void no_images() {
  const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
  hipArray_t array = nullptr;
  hipTextureObject_t texture = nullptr;
  hipSurfaceObject_t surface = nullptr;
  hipResourceDesc resource{};
  hipTextureDesc desc{};
  EXPECT(hipMallocArray(&array, &format, kWidth, kHeight) == hipErrorNotSupported);
  EXPECT(hipCreateTextureObject(&texture, &resource, &desc, nullptr) == hipErrorNotSupported);
  EXPECT(hipCreateSurfaceObject(&surface, &resource) == hipErrorNotSupported);
}

int main() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  int images = 0;
  HIP_CHECK(hipDeviceGetAttribute(&images, hipDeviceAttributeImageSupport, 0));
  const bool gfx90a = std::strstr(properties.gcnArchName, "gfx90a") != nullptr;
  if (images) {
    shapes(!gfx90a);
    bytes();
    linear_memory();
    pitched_memory(!gfx90a);
    surfaces();
    references();
    mistakes();
  } else {
    no_images();
  }
  std::printf("%s: %s images\n", failures == 0 ? "PASS" : "FAIL", images ? "with" : "without");
  return failures != 0;
}
