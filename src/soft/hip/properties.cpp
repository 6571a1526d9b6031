// SPDX-License-Identifier: MIT
#include "soft/hip/properties.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "arch/compute_unit.h"
#include "arch/processors.h"
#include "arch/reference_device.h"
#include "soft/hip/array.h"

namespace hipwright::soft::hip {

namespace {

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view from) {
  const std::size_t length = std::min(from.size(), N - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

int compute_units(const arch::ArchInfo& info) {
  if (const unsigned known = arch::reference_device(info.gfx).compute_units)
    return static_cast<int>(known);
  for (const arch::Product& product : info.products)
    if (product.cus) return static_cast<int>(product.cus->value);
  return 32;
}

void set_all_features(hipDeviceArch_t& features) {
  features.hasGlobalInt32Atomics = 1;
  features.hasGlobalFloatAtomicExch = 1;
  features.hasSharedInt32Atomics = 1;
  features.hasSharedFloatAtomicExch = 1;
  features.hasFloatAtomicAdd = 1;
  features.hasGlobalInt64Atomics = 1;
  features.hasSharedInt64Atomics = 1;
  features.hasDoubles = 1;
  features.hasWarpVote = 1;
  features.hasWarpBallot = 1;
  features.hasWarpShuffle = 1;
  features.hasThreadFenceSystem = 1;
  features.has3dGrid = 1;
}

// Attributes that are not 0.
using Props = hipDeviceProp_tR0600;
int narrow(std::size_t value) {
  return static_cast<int>(std::min<std::size_t>(value, std::numeric_limits<int>::max()));
}
// Compute units, where multiProcessorCount may count pairs of them.
int physical_units(const Props& p) {
  const bool pairs = p.major >= 10 && !(p.major == 12 && p.minor == 5);
  return pairs ? 2 * p.multiProcessorCount : p.multiProcessorCount;
}
struct Attribute {
  hipDeviceAttribute_t id;
  int (*value)(const Props&);
};
constexpr Attribute kAttributes[] = {
    {hipDeviceAttributeAsyncEngineCount, [](const Props& p) { return p.asyncEngineCount; }},
    {hipDeviceAttributeCanMapHostMemory, [](const Props& p) { return p.canMapHostMemory; }},
    {hipDeviceAttributeCanUseHostPointerForRegisteredMem,
     [](const Props& p) { return p.canUseHostPointerForRegisteredMem; }},
    {hipDeviceAttributeClockRate, [](const Props& p) { return p.clockRate; }},
    {hipDeviceAttributeConcurrentKernels, [](const Props& p) { return p.concurrentKernels; }},
    {hipDeviceAttributeConcurrentManagedAccess,
     [](const Props& p) { return p.concurrentManagedAccess; }},
    {hipDeviceAttributeVirtualMemoryManagementSupported, [](const Props&) { return 1; }},
    {hipDeviceAttributeCooperativeLaunch, [](const Props& p) { return p.cooperativeLaunch; }},
    {hipDeviceAttributeDirectManagedMemAccessFromHost,
     [](const Props& p) { return p.directManagedMemAccessFromHost; }},
    {hipDeviceAttributeGlobalL1CacheSupported,
     [](const Props& p) { return p.globalL1CacheSupported; }},
    {hipDeviceAttributeHostNativeAtomicSupported,
     [](const Props& p) { return p.hostNativeAtomicSupported; }},
    {hipDeviceAttributeL2CacheSize, [](const Props& p) { return p.l2CacheSize; }},
    {hipDeviceAttributeLocalL1CacheSupported,
     [](const Props& p) { return p.localL1CacheSupported; }},
    {hipDeviceAttributeComputeCapabilityMajor, [](const Props& p) { return p.major; }},
    {hipDeviceAttributeComputeCapabilityMinor, [](const Props& p) { return p.minor; }},
    {hipDeviceAttributeManagedMemory, [](const Props& p) { return p.managedMemory; }},
    {hipDeviceAttributeMaxBlocksPerMultiProcessor,
     [](const Props& p) { return p.maxBlocksPerMultiProcessor; }},
    {hipDeviceAttributeMaxBlockDimX, [](const Props& p) { return p.maxThreadsDim[0]; }},
    {hipDeviceAttributeMaxBlockDimY, [](const Props& p) { return p.maxThreadsDim[1]; }},
    {hipDeviceAttributeMaxBlockDimZ, [](const Props& p) { return p.maxThreadsDim[2]; }},
    {hipDeviceAttributeMaxGridDimX, [](const Props& p) { return p.maxGridSize[0]; }},
    {hipDeviceAttributeMaxGridDimY, [](const Props& p) { return p.maxGridSize[1]; }},
    {hipDeviceAttributeMaxGridDimZ, [](const Props& p) { return p.maxGridSize[2]; }},
    {hipDeviceAttributeMaxThreadsDim, [](const Props& p) { return p.maxThreadsDim[0]; }},
    {hipDeviceAttributeMaxThreadsPerBlock, [](const Props& p) { return p.maxThreadsPerBlock; }},
    {hipDeviceAttributeMaxThreadsPerMultiProcessor,
     [](const Props& p) { return p.maxThreadsPerMultiProcessor; }},
    {hipDeviceAttributeMaxPitch, [](const Props& p) { return narrow(p.memPitch); }},
    {hipDeviceAttributeMemoryBusWidth, [](const Props& p) { return p.memoryBusWidth; }},
    {hipDeviceAttributeMemoryClockRate, [](const Props& p) { return p.memoryClockRate; }},
    {hipDeviceAttributeMultiprocessorCount, [](const Props& p) { return p.multiProcessorCount; }},
    {hipDeviceAttributePhysicalMultiProcessorCount, physical_units},
    {hipDeviceAttributeMaxRegistersPerBlock, [](const Props& p) { return p.regsPerBlock; }},
    {hipDeviceAttributeMaxRegistersPerMultiprocessor,
     [](const Props& p) { return p.regsPerMultiprocessor; }},
    {hipDeviceAttributeMaxSharedMemoryPerBlock,
     [](const Props& p) { return narrow(p.sharedMemPerBlock); }},
    {hipDeviceAttributeSharedMemPerBlockOptin,
     [](const Props& p) { return narrow(p.sharedMemPerBlockOptin); }},
    {hipDeviceAttributeSharedMemPerMultiprocessor,
     [](const Props& p) { return narrow(p.maxSharedMemoryPerMultiProcessor); }},
    {hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
     [](const Props& p) { return narrow(p.maxSharedMemoryPerMultiProcessor); }},
    {hipDeviceAttributeStreamPrioritiesSupported,
     [](const Props& p) { return p.streamPrioritiesSupported; }},
    {hipDeviceAttributeSurfaceAlignment, [](const Props& p) { return narrow(p.surfaceAlignment); }},
    {hipDeviceAttributeTextureAlignment, [](const Props& p) { return narrow(p.textureAlignment); }},
    {hipDeviceAttributeTexturePitchAlignment,
     [](const Props& p) { return narrow(p.texturePitchAlignment); }},
    {hipDeviceAttributeTotalConstantMemory, [](const Props& p) { return narrow(p.totalConstMem); }},
    {hipDeviceAttributeTotalGlobalMem, [](const Props& p) { return narrow(p.totalGlobalMem); }},
    {hipDeviceAttributeUnifiedAddressing, [](const Props& p) { return p.unifiedAddressing; }},
    {hipDeviceAttributeWarpSize, [](const Props& p) { return p.warpSize; }},
    {hipDeviceAttributeMemoryPoolsSupported, [](const Props& p) { return p.memoryPoolsSupported; }},
    {hipDeviceAttributeHostRegisterSupported,
     [](const Props& p) { return p.hostRegisterSupported; }},
    {hipDeviceAttributeClockInstructionRate, [](const Props& p) { return p.clockInstructionRate; }},
    {hipDeviceAttributeWallClockRate, [](const Props& p) { return p.clockInstructionRate; }},
    {hipDeviceAttributeIsLargeBar, [](const Props& p) { return p.isLargeBar; }},
    {hipDeviceAttributeCanUseStreamWaitValue, [](const Props&) { return 1; }},
    {hipDeviceAttributeFineGrainSupport, [](const Props&) { return 1; }},
    // Targets without image instructions have no sizes of images.
    {hipDeviceAttributeImageSupport, [](const Props& p) { return p.maxTexture1D != 0 ? 1 : 0; }},
    {hipDeviceAttributeMaxTexture1DWidth, [](const Props& p) { return p.maxTexture1D; }},
    {hipDeviceAttributeMaxTexture1DLinear, [](const Props& p) { return p.maxTexture1DLinear; }},
    {hipDeviceAttributeMaxTexture1DMipmap, [](const Props& p) { return p.maxTexture1DMipmap; }},
    {hipDeviceAttributeMaxTexture1DLayered,
     [](const Props& p) { return p.maxTexture1DLayered[0]; }},
    {hipDeviceAttributeMaxTexture2DWidth, [](const Props& p) { return p.maxTexture2D[0]; }},
    {hipDeviceAttributeMaxTexture2DHeight, [](const Props& p) { return p.maxTexture2D[1]; }},
    {hipDeviceAttributeMaxTexture2DLayered,
     [](const Props& p) { return p.maxTexture2DLayered[0]; }},
    {hipDeviceAttributeMaxTexture3DWidth, [](const Props& p) { return p.maxTexture3D[0]; }},
    {hipDeviceAttributeMaxTexture3DHeight, [](const Props& p) { return p.maxTexture3D[1]; }},
    {hipDeviceAttributeMaxTexture3DDepth, [](const Props& p) { return p.maxTexture3D[2]; }},
    {hipDeviceAttributeMaxSurface1D, [](const Props& p) { return p.maxSurface1D; }},
    {hipDeviceAttributeMaxSurface1DLayered,
     [](const Props& p) { return p.maxSurface1DLayered[0]; }},
    {hipDeviceAttributeMaxSurface2D, [](const Props& p) { return p.maxSurface2D[0]; }},
    {hipDeviceAttributeMaxSurface2DLayered,
     [](const Props& p) { return p.maxSurface2DLayered[0]; }},
    {hipDeviceAttributeMaxSurface3D, [](const Props& p) { return p.maxSurface3D[0]; }},
};

// What ROCr reports of the image units.
void set_image_sizes(Props& p) {
  constexpr int kSide = 16384, kLayers = 8192;
  p.maxTexture1D = p.maxSurface1D = kSide;
  p.maxTexture1DLinear = p.maxTexture1DMipmap = std::numeric_limits<int>::max();
  for (int* side :
       {&p.maxTexture2D[0], &p.maxTexture2D[1], &p.maxSurface2D[0], &p.maxSurface2D[1],
        &p.maxTexture3D[0], &p.maxTexture3D[1], &p.maxSurface3D[0], &p.maxSurface3D[1],
        &p.maxTexture1DLayered[0], &p.maxSurface1DLayered[0], &p.maxTexture2DLayered[0],
        &p.maxTexture2DLayered[1], &p.maxSurface2DLayered[0], &p.maxSurface2DLayered[1]})
    *side = kSide;
  for (int* layers :
       {&p.maxTexture3D[2], &p.maxSurface3D[2], &p.maxTexture1DLayered[1],
        &p.maxSurface1DLayered[1], &p.maxTexture2DLayered[2], &p.maxSurface2DLayered[2]})
    *layers = kLayers;
}

// The last digit of a processor: 10 of gfx90a, 2 of gfx942.
int stepping_of(std::string_view target) {
  const char digit = target.substr(0, target.find(':')).back();
  return digit >= 'a' ? digit - 'a' + 10 : digit - '0';
}

}  // namespace

hipDeviceProp_tR0600 device_properties(const Runtime& runtime) {
  const arch::ArchInfo& info = runtime.arch();
  const arch::Resources& resources = info.resources.value;
  const arch::ReferenceDevice& device = arch::reference_device(info.gfx);
  hipDeviceProp_tR0600 p{};
  // Programs look for the product name; users must see that this is not hardware. It has the
  // target's results, not its times.
  std::string_view product = device.name;
  if (product.empty()) product = info.products.empty() ? info.gfx : info.products.front().name;
  copy_text(p.name, std::string(product) + " (hipwright software GPU)");
  copy_text(p.gcnArchName, runtime.target().id());
  copy_text(p.uuid.bytes, "hipwright-soft");
  p.uuid.bytes[15] = static_cast<char>(runtime.ordinal());
  p.pciBusID = runtime.ordinal();
  const int cus = compute_units(info);
  const int wave = static_cast<int>(info.default_wave_size());
  p.totalGlobalMem = runtime.memory_bytes();
  p.sharedMemPerBlock = info.lds_per_workgroup.value;
  p.regsPerBlock = 65536;
  p.regsPerMultiprocessor = 65536;
  p.warpSize = wave;
  p.memPitch = std::numeric_limits<int>::max();
  p.maxThreadsPerBlock = 1024;
  std::fill_n(p.maxThreadsDim, 3, 1024);
  p.maxGridSize[0] = std::numeric_limits<int>::max();
  p.maxGridSize[1] = p.maxGridSize[2] = 65536;
  p.clockRate = static_cast<int>(device.clock_khz);
  p.memoryClockRate = static_cast<int>(device.memory_clock_khz);
  p.memoryBusWidth = static_cast<int>(device.bus_bits);
  p.l2CacheSize = static_cast<int>(device.l2_bytes);
  p.totalConstMem = std::numeric_limits<int>::max();
  const arch::Version version = arch::version_of(info.gfx);
  p.major = static_cast<int>(version.major);
  p.minor = static_cast<int>(version.minor);
  p.textureAlignment = 256;
  p.texturePitchAlignment = 256;
  p.surfaceAlignment = 256;
  if (has_images(runtime)) set_image_sizes(p);
  // HIP counts work-group processors where there are any.
  p.multiProcessorCount = arch::has_wgps(info) ? cus / 2 : cus;
  p.maxThreadsPerMultiProcessor =
      static_cast<int>(resources.simds * resources.max_waves_per_simd) * wave;
  p.maxBlocksPerMultiProcessor = static_cast<int>(resources.simds * resources.max_waves_per_simd);
  p.sharedMemPerMultiprocessor = p.sharedMemPerBlock;
  p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerBlock;
  p.sharedMemPerBlockOptin = p.sharedMemPerBlock;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 1;
  p.directManagedMemAccessFromHost = 1;
  p.hostNativeAtomicSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = 1;
  p.cooperativeLaunch = 1;
  p.streamPrioritiesSupported = 1;
  p.memoryPoolsSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.clockInstructionRate = 100'000;  // kHz, of the constant-rate counter
  p.isLargeBar = 1;
  set_all_features(p.arch);
  return p;
}

hipDeviceProp_tR0000 old_properties(const hipDeviceProp_tR0600& p) {
  hipDeviceProp_tR0000 old{};
  copy_text(old.name, p.name);
  copy_text(old.gcnArchName, p.gcnArchName);
  old.totalGlobalMem = p.totalGlobalMem;
  old.sharedMemPerBlock = p.sharedMemPerBlock;
  old.regsPerBlock = p.regsPerBlock;
  old.warpSize = p.warpSize;
  old.maxThreadsPerBlock = p.maxThreadsPerBlock;
  std::copy_n(p.maxThreadsDim, 3, old.maxThreadsDim);
  std::copy_n(p.maxGridSize, 3, old.maxGridSize);
  old.clockRate = p.clockRate;
  old.memoryClockRate = p.memoryClockRate;
  old.memoryBusWidth = p.memoryBusWidth;
  old.totalConstMem = p.totalConstMem;
  old.major = p.major;
  old.minor = p.minor;
  old.multiProcessorCount = p.multiProcessorCount;
  old.l2CacheSize = p.l2CacheSize;
  old.maxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
  old.computeMode = p.computeMode;
  old.clockInstructionRate = p.clockInstructionRate;
  old.arch = p.arch;
  old.concurrentKernels = p.concurrentKernels;
  old.maxSharedMemoryPerMultiProcessor = p.maxSharedMemoryPerMultiProcessor;
  old.canMapHostMemory = p.canMapHostMemory;
  old.gcnArch = p.major * 100 + p.minor * 10 + stepping_of(p.gcnArchName);
  old.cooperativeLaunch = p.cooperativeLaunch;
  old.memPitch = p.memPitch;
  old.textureAlignment = p.textureAlignment;
  old.texturePitchAlignment = p.texturePitchAlignment;
  old.isLargeBar = p.isLargeBar;
  old.pciBusID = p.pciBusID;
  old.managedMemory = p.managedMemory;
  old.directManagedMemAccessFromHost = p.directManagedMemAccessFromHost;
  old.concurrentManagedAccess = p.concurrentManagedAccess;
  return old;
}

hipError_t device_attribute(const hipDeviceProp_tR0600& properties, hipDeviceAttribute_t attribute,
                            int& out) {
  out = 0;
  const auto* found = std::ranges::find(kAttributes, attribute, &Attribute::id);
  if (found != std::end(kAttributes)) {
    out = found->value(properties);
    return hipSuccess;
  }
  // Everything else that HIP 6.4 names is a feature or a size that this device lacks.
  const bool named = (attribute >= hipDeviceAttributeCudaCompatibleBegin &&
                      attribute <= hipDeviceAttributeMemoryPoolSupportedHandleTypes) ||
                     (attribute >= hipDeviceAttributeAmdSpecificBegin &&
                      attribute <= hipDeviceAttributeWallClockRate);
  return named ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace hipwright::soft::hip
