// SPDX-License-Identifier: MIT
// Calls that are always refused, but whose arguments are looked at as ROCm does: programs and AMD's
// tests count on the difference. docs/soft-unsupported-calls.md lists them with the stubs.
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

extern "C" {

// Mipmapped arrays: ROCm has none on Linux either.

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* array, const hipChannelFormatDesc* format,
                                   hipExtent, unsigned, unsigned) {
  return api([&] {
    return array && format ? not_implemented("hipMallocMipmappedArray") : hipErrorInvalidValue;
  });
}
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* array, HIP_ARRAY3D_DESCRIPTOR* wanted,
                                   unsigned) {
  return api([&] {
    return array && wanted ? not_implemented("hipMipmappedArrayCreate") : hipErrorInvalidValue;
  });
}
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t) {
  return api([] { return hipErrorInvalidValue; });  // no such array
}
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t) {
  return api([] { return hipErrorInvalidValue; });
}
hipError_t hipGetMipmappedArrayLevel(hipArray_t* level, hipMipmappedArray_const_t, unsigned) {
  return api([&] { return level ? hipErrorInvalidHandle : hipErrorInvalidValue; });
}
hipError_t hipMipmappedArrayGetLevel(hipArray_t* level, hipMipmappedArray_t, unsigned) {
  return api([&] { return level ? hipErrorInvalidHandle : hipErrorInvalidValue; });
}

hipError_t hipBindTextureToMipmappedArray(const textureReference* reference,
                                          hipMipmappedArray_const_t array,
                                          const hipChannelFormatDesc* format) {
  return api([&] {
    return reference && array && format ? not_implemented("hipBindTextureToMipmappedArray")
                                        : hipErrorInvalidValue;
  });
}
hipError_t hipTexRefSetMipmappedArray(textureReference* reference, hipMipmappedArray* array,
                                      unsigned flags) {
  return api([&] {
    return reference && array && flags == HIP_TRSA_OVERRIDE_FORMAT
               ? not_implemented("hipTexRefSetMipmappedArray")
               : hipErrorInvalidValue;
  });
}
hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t*, const textureReference*) {
  return api([] { return hipErrorInvalidValue; });  // no reference has one
}

// Semaphores of other interfaces

hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* semaphore,
                                      const hipExternalSemaphoreHandleDesc* wanted) {
  return api([&] {
    return semaphore && wanted ? not_implemented("hipImportExternalSemaphore")
                               : hipErrorInvalidValue;
  });
}
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t*,
                                            const hipExternalSemaphoreSignalParams*, unsigned,
                                            hipStream_t) {
  return api([] { return hipErrorInvalidValue; });  // no such semaphore
}
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t*,
                                          const hipExternalSemaphoreWaitParams*, unsigned,
                                          hipStream_t) {
  return api([] { return hipErrorInvalidValue; });
}
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t) {
  return api([] { return hipErrorInvalidValue; });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
