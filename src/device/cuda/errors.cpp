// SPDX-License-Identifier: MIT
// The meaning of every CUresult. After a fault in a kernel the driver rejects every further call on
// the context: those codes lose the device.
#include <algorithm>

#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

using enum FailureKind;

constexpr const char* kFault =
    "Run the program under compute-sanitizer, or on the software GPU with `hipwright run --check`.";
constexpr const char* kCaptureRule = "During stream capture, submit only work for that stream.";
constexpr const char* kDriver = "Check nvidia-smi and the kernel log (dmesg).";
constexpr const char* kOurs = "This should not happen; please report it.";
constexpr const char* kCompileAgain = "Compile the kernel for this device's architecture.";
constexpr const char* kMps = "Check the MPS control daemon.";

constexpr NativeError kErrors[] = {
    {0, "CUDA_SUCCESS", kDevice, false, "nothing failed", ""},
    {1, "CUDA_ERROR_INVALID_VALUE", kDevice, false, "invalid argument",
     "Check pointers and sizes: they must be in memory of this device."},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", kMemory, false, "not enough free memory on the device",
     "Free buffers, call empty_cache(), or use smaller batches."},
    {3, "CUDA_ERROR_NOT_INITIALIZED", kNotAvailable, false, "the driver is not initialised", kOurs},
    {4, "CUDA_ERROR_DEINITIALIZED", kNotAvailable, true, "the driver is shutting down",
     "Do not use the device in destructors that run at the end of the process."},
    {5, "CUDA_ERROR_PROFILER_DISABLED", kDevice, false, "a profiler is already attached", ""},
    {6, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", kDevice, false, "the profiler is not initialised",
     ""},
    {7, "CUDA_ERROR_PROFILER_ALREADY_STARTED", kDevice, false, "the profiler is already running",
     ""},
    {8, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", kDevice, false, "the profiler is already stopped",
     ""},
    {34, "CUDA_ERROR_STUB_LIBRARY", kNotAvailable, false,
     "the loaded library is the toolkit's stub, not the driver",
     "Remove the toolkit's stubs directory from LD_LIBRARY_PATH."},
    {36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", kNotAvailable, false,
     "the driver is too old for this call", "Update NVIDIA's driver."},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", kNotAvailable, false,
     "another process has exclusive use of the device", kDriver},
    {100, "CUDA_ERROR_NO_DEVICE", kNotAvailable, false, "the driver finds no device",
     "Check nvidia-smi and CUDA_VISIBLE_DEVICES."},
    {101, "CUDA_ERROR_INVALID_DEVICE", kDevice, false, "invalid device index",
     "`hipwright devices` lists them."},
    {102, "CUDA_ERROR_DEVICE_NOT_LICENSED", kNotAvailable, false, "the device has no licence",
     "Check the vGPU licence."},
    {200, "CUDA_ERROR_INVALID_IMAGE", kCompilation, false, "invalid code object", kCompileAgain},
    {201, "CUDA_ERROR_INVALID_CONTEXT", kDevice, true, "the device's context is gone",
     "Other code in this process has reset the device."},
    {202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", kDevice, false, "the context is already current",
     kOurs},
    {205, "CUDA_ERROR_MAP_FAILED", kMemory, false, "memory could not be mapped", ""},
    {206, "CUDA_ERROR_UNMAP_FAILED", kMemory, false, "memory could not be unmapped", ""},
    {207, "CUDA_ERROR_ARRAY_IS_MAPPED", kDevice, false, "the array is mapped", ""},
    {208, "CUDA_ERROR_ALREADY_MAPPED", kDevice, false, "the resource is already mapped", ""},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", kCompilation, false,
     "the code object has no code for this device", kCompileAgain},
    {210, "CUDA_ERROR_ALREADY_ACQUIRED", kDevice, false, "the resource is already in use", ""},
    {211, "CUDA_ERROR_NOT_MAPPED", kDevice, false, "the resource is not mapped", ""},
    {212, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", kDevice, false,
     "the resource is not mapped as an array", ""},
    {213, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", kDevice, false,
     "the resource is not mapped as a pointer", ""},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", kDevice, true, "uncorrectable memory error on the device",
     kDriver},
    {215, "CUDA_ERROR_UNSUPPORTED_LIMIT", kDevice, false, "the device has no such limit", ""},
    {216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", kDevice, false, "another thread uses the context",
     ""},
    {217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", kDevice, false,
     "the two devices cannot access each other's memory", "Copy through the host."},
    {218, "CUDA_ERROR_INVALID_PTX", kCompilation, false, "the driver cannot compile the PTX",
     kCompileAgain},
    {219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", kDevice, false, "the graphics context is invalid",
     ""},
    {220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", kDevice, true, "uncorrectable NVLink error", kDriver},
    {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", kCompilation, false,
     "the driver's PTX compiler is missing", "Install the complete driver, or compile to a CUBIN."},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", kCompilation, false,
     "the PTX requires a newer driver", "Update the driver, or compile to a CUBIN."},
    {223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", kCompilation, false, "compiling PTX is disabled",
     "Unset CUDA_DISABLE_PTX_JIT, or compile to a CUBIN."},
    {224, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", kDevice, false,
     "the device does not support that affinity", ""},
    {225, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC", kCompilation, false,
     "the kernel waits for kernels that it launched, which this driver does not support",
     "Remove cudaDeviceSynchronize() from device code."},
    {226, "CUDA_ERROR_CONTAINED", kDevice, true, "the hardware contained an error", kDriver},
    {300, "CUDA_ERROR_INVALID_SOURCE", kCompilation, false, "the source is invalid", kCompileAgain},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", kCompilation, false, "the file does not exist", ""},
    {302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", kNotAvailable, false,
     "a shared library lacks a symbol", "Reinstall the driver."},
    {303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", kNotAvailable, false,
     "a shared library could not be initialised", "Reinstall the driver."},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", kDevice, false, "a system call failed", kDriver},
    {400, "CUDA_ERROR_INVALID_HANDLE", kDevice, false, "invalid stream, event or function handle",
     ""},
    {401, "CUDA_ERROR_ILLEGAL_STATE", kDevice, false,
     "the resource is in the wrong state for this call", ""},
    {402, "CUDA_ERROR_LOSSY_QUERY", kDevice, false, "the query cannot be answered completely", ""},
    {500, "CUDA_ERROR_NOT_FOUND", kDevice, false, "name not found in the code object",
     "Kernels that are not extern \"C\" have mangled names."},
    {600, "CUDA_ERROR_NOT_READY", kDevice, false, "the work is not finished",
     "Synchronize the stream or the event first."},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", kDevice, true, "a kernel accessed memory out of bounds",
     kFault},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", kDevice, false,
     "the launch needs more registers or shared memory than a block can have",
     "Use smaller blocks, or __launch_bounds__."},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", kDevice, true, "a kernel did not finish in time",
     "The device also drives a display: its watchdog stops long kernels."},
    {703, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING", kDevice, false,
     "the kernel's textures do not fit", ""},
    {704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", kDevice, false,
     "peer access is already enabled", ""},
    {705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", kDevice, false, "peer access is not enabled",
     "Call enable_peer_access() first."},
    {708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", kDevice, false,
     "the device was initialised before its flags were set", ""},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", kDevice, true, "the device's context was destroyed",
     "Other code in this process has reset the device."},
    {710, "CUDA_ERROR_ASSERT", kDevice, true, "an assert() in a kernel failed",
     "Its text is on standard error."},
    {711, "CUDA_ERROR_TOO_MANY_PEERS", kDevice, false, "too many peers", ""},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", kMemory, false,
     "the host memory is already pinned", ""},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", kMemory, false,
     "the host memory was not pinned by this driver", ""},
    {714, "CUDA_ERROR_HARDWARE_STACK_ERROR", kDevice, true,
     "a kernel's stack was damaged or overflowed", kFault},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", kDevice, true,
     "a kernel executed an unsupported instruction", kCompileAgain},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", kDevice, true, "a kernel accessed a misaligned address",
     kFault},
    {717, "CUDA_ERROR_INVALID_ADDRESS_SPACE", kDevice, true,
     "a kernel used an address of the wrong memory space", kFault},
    {718, "CUDA_ERROR_INVALID_PC", kDevice, true, "a kernel jumped outside its code", kFault},
    {719, "CUDA_ERROR_LAUNCH_FAILED", kDevice, true, "a kernel failed during execution", kFault},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", kDevice, false,
     "not all blocks of a cooperative launch fit on the device at once", "Launch fewer blocks."},
    {721, "CUDA_ERROR_TENSOR_MEMORY_LEAK", kDevice, true,
     "a kernel ended without freeing its tensor memory", kFault},
    {800, "CUDA_ERROR_NOT_PERMITTED", kDevice, false, "the operation is not permitted", ""},
    {801, "CUDA_ERROR_NOT_SUPPORTED", kDevice, false, "not supported by this device or driver", ""},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", kNotAvailable, false, "the system is not ready for CUDA",
     "Is nvidia-fabricmanager running?"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", kNotAvailable, false,
     "the kernel driver and libcuda have different versions", "Reboot after a driver update."},
    {804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", kNotAvailable, false,
     "forward compatibility is not supported on this device", "Update the driver."},
    {805, "CUDA_ERROR_MPS_CONNECTION_FAILED", kNotAvailable, false,
     "the MPS daemon cannot be reached", kMps},
    {806, "CUDA_ERROR_MPS_RPC_FAILURE", kNotAvailable, false, "the MPS daemon did not answer",
     kMps},
    {807, "CUDA_ERROR_MPS_SERVER_NOT_READY", kNotAvailable, false, "the MPS server is not ready",
     "Try again."},
    {808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", kNotAvailable, false, "too many MPS clients", kMps},
    {809, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", kNotAvailable, false,
     "too many MPS connections", kMps},
    {810, "CUDA_ERROR_MPS_CLIENT_TERMINATED", kDevice, true, "the MPS server ended this client",
     kMps},
    {811, "CUDA_ERROR_CDP_NOT_SUPPORTED", kDevice, false,
     "kernels cannot launch kernels on this device", ""},
    {812, "CUDA_ERROR_CDP_VERSION_MISMATCH", kCompilation, false,
     "parts of the code launch kernels in different ways", kCompileAgain},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", kCapture, false,
     "the operation cannot be captured", kCaptureRule},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", kCapture, false,
     "an earlier operation broke the capture", kCaptureRule},
    {902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", kCapture, false, "the call would merge two captures",
     "Wait only for events of the same capture."},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", kCapture, false,
     "the capture was not begun in this stream", ""},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", kCapture, false,
     "another stream joined the capture and was not joined back",
     "Record an event in it and let the captured stream wait for that."},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", kCapture, false,
     "captured work would depend on work outside the capture",
     "Wait only for events of the same capture."},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", kCapture, false,
     "captured work would depend on the default stream", "Use streams from create_stream()."},
    {907, "CUDA_ERROR_CAPTURED_EVENT", kCapture, false,
     "the event was recorded in a capture and is never reached", kCaptureRule},
    {908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", kCapture, false,
     "the capture was begun by another thread", "End it on the thread that began it."},
    {909, "CUDA_ERROR_TIMEOUT", kDevice, false, "the wait took too long", ""},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", kDevice, false,
     "the graph cannot be updated in place", "Capture it again."},
    {911, "CUDA_ERROR_EXTERNAL_DEVICE", kDevice, true, "an external device failed", kDriver},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", kDevice, false, "invalid cluster size", ""},
    {913, "CUDA_ERROR_FUNCTION_NOT_LOADED", kDevice, false, "the function is not loaded yet",
     kOurs},
    {914, "CUDA_ERROR_INVALID_RESOURCE_TYPE", kDevice, false, "wrong type of resource", ""},
    {915, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION", kDevice, false, "invalid split of resources",
     ""},
    {916, "CUDA_ERROR_KEY_ROTATION", kDevice, true, "the device is changing its encryption key",
     "Restart the process."},
    {999, "CUDA_ERROR_UNKNOWN", kDevice, true, "unknown error of the driver", kDriver},
};

}  // namespace

std::span<const NativeError> native_errors() {
  return kErrors;
}

Failure failure_of(const Api& api, CUresult result, std::string call, const std::string& device) {
  Failure failure(kDevice, std::move(call), device, "unknown error code");
  failure.code = result;
  const auto row = std::ranges::lower_bound(kErrors, result, {}, &NativeError::code);
  if (row != std::end(kErrors) && row->code == result) {
    failure.kind = row->kind;
    failure.code_name = row->name;
    failure.why = row->meaning;
    failure.advice = row->advice;
    failure.device_lost = row->device_lost;
    return failure;
  }
  const char* text = nullptr;
  failure.code_name = api.cuGetErrorName(result, &text) == kSuccess ? text : "unknown";
  if (api.cuGetErrorString(result, &text) == kSuccess) failure.why = text;
  return failure;
}

}  // namespace hipwright::device::cuda
