// SPDX-License-Identifier: MIT
#include "device/hip/errors.h"

#include <algorithm>

namespace hipwright::device::hip {

namespace {

// device_lost is true where HIP fails every later call of the process.
constexpr NativeError kErrors[] = {
    {0, "hipSuccess", FailureKind::kDevice, false, "no error", "Nothing needs to be done."},
    {1, "hipErrorInvalidValue", FailureKind::kDevice, false, "invalid argument",
     "Check the pointers, sizes and flags."},
    {2, "hipErrorOutOfMemory", FailureKind::kMemory, false, "not enough free memory on the device",
     "Free memory, use smaller buffers, or check with rocm-smi which process holds it."},
    {2, "hipErrorMemoryAllocation", FailureKind::kMemory, false,
     "not enough free memory on the device",
     "Free memory, use smaller buffers, or check with rocm-smi which process holds it."},
    {3, "hipErrorNotInitialized", FailureKind::kNotAvailable, false,
     "the HIP runtime could not be initialised",
     "Check with rocminfo that the driver works and that this user may open /dev/kfd."},
    {3, "hipErrorInitializationError", FailureKind::kNotAvailable, false,
     "the HIP runtime could not be initialised",
     "Check with rocminfo that the driver works and that this user may open /dev/kfd."},
    {4, "hipErrorDeinitialized", FailureKind::kNotAvailable, true,
     "the HIP runtime is shutting down", "Do not call it from destructors that run after main."},
    {5, "hipErrorProfilerDisabled", FailureKind::kDevice, false,
     "an external profiler holds the profiling interface",
     "Run without the profiler, or without the calls that start one."},
    {6, "hipErrorProfilerNotInitialized", FailureKind::kDevice, false,
     "the profiler was not initialised", "Start it before stopping or querying it."},
    {7, "hipErrorProfilerAlreadyStarted", FailureKind::kDevice, false,
     "the profiler is already running", "Start it once."},
    {8, "hipErrorProfilerAlreadyStopped", FailureKind::kDevice, false,
     "the profiler is already stopped", "Stop it once."},
    {9, "hipErrorInvalidConfiguration", FailureKind::kDevice, false, "invalid grid or block size",
     "Use at most the block size that the kernel was compiled for, and no empty dimension."},
    {12, "hipErrorInvalidPitchValue", FailureKind::kDevice, false,
     "the row is longer than the pitch", "Use a pitch of at least the row size in bytes."},
    {13, "hipErrorInvalidSymbol", FailureKind::kDevice, false, "no device variable has that name",
     "Check the name, and that its module is loaded on this device."},
    {17, "hipErrorInvalidDevicePointer", FailureKind::kDevice, false,
     "the pointer does not point to device memory", "Pass a live allocation of this device."},
    {21, "hipErrorInvalidMemcpyDirection", FailureKind::kDevice, false,
     "the direction of the copy does not match the pointers",
     "Check which of the two buffers is on the device."},
    {35, "hipErrorInsufficientDriver", FailureKind::kNotAvailable, false,
     "the kernel driver is older than the HIP runtime",
     "Install the amdgpu driver of the same ROCm release, or use an older runtime."},
    {52, "hipErrorMissingConfiguration", FailureKind::kDevice, false,
     "a kernel was launched without a grid", "Specify a grid and a block for every launch."},
    {53, "hipErrorPriorLaunchFailure", FailureKind::kDevice, true, "an earlier kernel failed",
     "Find the kernel that failed first: synchronise after each launch (AMD_SERIALIZE_KERNEL=3)."},
    {98, "hipErrorInvalidDeviceFunction", FailureKind::kCompilation, false,
     "the kernel has no code for this device", "Compile it for the architecture of the device."},
    {100, "hipErrorNoDevice", FailureKind::kNotAvailable, false, "the HIP runtime finds no AMD GPU",
     "Check rocminfo, /dev/kfd, and that HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES does not hide "
     "it."},
    {101, "hipErrorInvalidDevice", FailureKind::kDevice, false, "invalid device index",
     "`hipwright devices` lists the devices."},
    {200, "hipErrorInvalidImage", FailureKind::kCompilation, false, "invalid code object",
     "Compile it again; clear the kernel cache if it came from there."},
    {201, "hipErrorInvalidContext", FailureKind::kDevice, false,
     "the context belongs to another device", "Use handles on the device that created them."},
    {202, "hipErrorContextAlreadyCurrent", FailureKind::kDevice, false,
     "the context is already current", "Do not push it twice."},
    {205, "hipErrorMapFailed", FailureKind::kDevice, false,
     "memory could not be mapped for the device",
     "Check ulimit -l and that the range is not mapped already."},
    {205, "hipErrorMapBufferObjectFailed", FailureKind::kDevice, false,
     "memory could not be mapped for the device",
     "Check ulimit -l and that the range is not mapped already."},
    {206, "hipErrorUnmapFailed", FailureKind::kDevice, false, "memory could not be unmapped",
     "Wait for the work that uses it, then unmap it once."},
    {207, "hipErrorArrayIsMapped", FailureKind::kDevice, false, "the array is mapped",
     "Unmap it before freeing it."},
    {208, "hipErrorAlreadyMapped", FailureKind::kDevice, false, "the resource is already mapped",
     "Map it once."},
    {209, "hipErrorNoBinaryForGpu", FailureKind::kCompilation, false,
     "the code object has no code for this GPU",
     "Compile for the architecture of the device (see `hipwright devices`), features such as "
     "xnack included."},
    {210, "hipErrorAlreadyAcquired", FailureKind::kDevice, false, "the resource is already in use",
     "Release it before acquiring it again."},
    {211, "hipErrorNotMapped", FailureKind::kDevice, false, "the resource is not mapped",
     "Map it before using it."},
    {212, "hipErrorNotMappedAsArray", FailureKind::kDevice, false,
     "the resource is not mapped as an array", "Map it as an array, or use it as a pointer."},
    {213, "hipErrorNotMappedAsPointer", FailureKind::kDevice, false,
     "the resource is not mapped as a pointer", "Map it as a pointer, or use it as an array."},
    {214, "hipErrorECCNotCorrectable", FailureKind::kDevice, true,
     "uncorrectable memory error on the device",
     "Check rocm-smi --showrasinfo; the device may need a reset or a repair."},
    {215, "hipErrorUnsupportedLimit", FailureKind::kDevice, false, "the device has no such limit",
     "Do not set that limit on this device."},
    {216, "hipErrorContextAlreadyInUse", FailureKind::kDevice, false, "the context is in use",
     "Set its flags before the first use of the device."},
    {217, "hipErrorPeerAccessUnsupported", FailureKind::kDevice, false,
     "the two devices cannot access each other's memory",
     "Copy through host memory; check the PCIe topology with rocm-smi --showtopo."},
    {218, "hipErrorInvalidKernelFile", FailureKind::kCompilation, false,
     "the file is not a code object", "Compile the kernel again."},
    {219, "hipErrorInvalidGraphicsContext", FailureKind::kDevice, false, "invalid graphics context",
     "Make the OpenGL context current before sharing it."},
    {300, "hipErrorInvalidSource", FailureKind::kCompilation, false,
     "the device code could not be compiled",
     "Compile it with `hipwright cc` to see the messages."},
    {301, "hipErrorFileNotFound", FailureKind::kCompilation, false,
     "the file with the device code does not exist", "Check the path."},
    {302, "hipErrorSharedObjectSymbolNotFound", FailureKind::kCompilation, false,
     "a symbol of a shared object is missing", "Link or install the library that defines it."},
    {303, "hipErrorSharedObjectInitFailed", FailureKind::kNotAvailable, false,
     "a shared object that HIP needs could not be initialised",
     "Check the ROCm installation: all of its libraries must be from one release."},
    {304, "hipErrorOperatingSystem", FailureKind::kDevice, false, "a system call failed",
     "Check dmesg for messages of the amdgpu driver."},
    {400, "hipErrorInvalidHandle", FailureKind::kDevice, false,
     "invalid stream, event, module or kernel handle",
     "Do not use it after its destruction or on another device."},
    {400, "hipErrorInvalidResourceHandle", FailureKind::kDevice, false,
     "invalid stream, event, module or kernel handle",
     "Do not use it after its destruction or on another device."},
    {401, "hipErrorIllegalState", FailureKind::kDevice, false,
     "the object is in the wrong state for this call",
     "Begin a capture before ending it, and only once."},
    {500, "hipErrorNotFound", FailureKind::kDevice, false, "name not found",
     "List the contents of a code object with `hipwright inspect`."},
    {600, "hipErrorNotReady", FailureKind::kDevice, false, "the work is not finished",
     "Query it later, or wait for it."},
    {700, "hipErrorIllegalAddress", FailureKind::kDevice, true,
     "a kernel accessed memory out of bounds",
     "Run the program on the software GPU (`hipwright run --check`), which reports the instruction "
     "and "
     "the allocation."},
    {701, "hipErrorLaunchOutOfResources", FailureKind::kDevice, false,
     "the launch needs more registers or shared memory than the device has",
     "Use a smaller block or less shared memory."},
    {702, "hipErrorLaunchTimeOut", FailureKind::kDevice, true, "a kernel did not finish in time",
     "Look for a loop or a wait that never ends."},
    {704, "hipErrorPeerAccessAlreadyEnabled", FailureKind::kDevice, false,
     "peer access is already enabled", "Nothing needs to be done."},
    {705, "hipErrorPeerAccessNotEnabled", FailureKind::kDevice, false, "peer access is not enabled",
     "Enable it before using the memory of the other device."},
    {708, "hipErrorSetOnActiveProcess", FailureKind::kDevice, false, "the device is already in use",
     "Set its flags before the first use of the device."},
    {709, "hipErrorContextIsDestroyed", FailureKind::kDevice, true, "the context was destroyed",
     "Do not reset the device while it is in use."},
    {710, "hipErrorAssert", FailureKind::kDevice, true, "an assertion in a kernel failed",
     "Its message is on standard error."},
    {712, "hipErrorHostMemoryAlreadyRegistered", FailureKind::kDevice, false,
     "the host memory is already registered", "Register each range once."},
    {713, "hipErrorHostMemoryNotRegistered", FailureKind::kDevice, false,
     "the host memory is not registered", "Register it first, and unregister it once."},
    {719, "hipErrorLaunchFailure", FailureKind::kDevice, true, "a kernel failed during execution",
     "Run the program on the software GPU (`hipwright run --check`), which reports the failing "
     "instruction and the cause."},
    {720, "hipErrorCooperativeLaunchTooLarge", FailureKind::kDevice, false,
     "not all blocks of a cooperative launch fit on the device at once",
     "Launch at most as many blocks as the occupancy query allows."},
    {801, "hipErrorNotSupported", FailureKind::kDevice, false,
     "not supported by this device or this release of HIP", "Use an alternative, or a newer ROCm."},
    {900, "hipErrorStreamCaptureUnsupported", FailureKind::kCapture, false,
     "the call is not allowed during stream capture",
     "Allocate, synchronise and copy to pageable memory before or after the capture."},
    {901, "hipErrorStreamCaptureInvalidated", FailureKind::kCapture, false,
     "an earlier call broke the capture",
     "The first error after the beginning of the capture names it; end the capture and start again "
     "without that call."},
    {902, "hipErrorStreamCaptureMerge", FailureKind::kCapture, false,
     "the call would merge two captures", "Wait only for events of the same capture."},
    {903, "hipErrorStreamCaptureUnmatched", FailureKind::kCapture, false,
     "the capture was not begun on this stream", "End it on the stream that began it."},
    {904, "hipErrorStreamCaptureUnjoined", FailureKind::kCapture, false,
     "another stream joined the capture and was not joined back",
     "Let the first stream wait for an event of every other stream before the end."},
    {905, "hipErrorStreamCaptureIsolation", FailureKind::kCapture, false,
     "captured work would depend on work outside the capture",
     "Wait for outside work before the capture begins."},
    {906, "hipErrorStreamCaptureImplicit", FailureKind::kCapture, false,
     "the call would make the captured stream wait for the default stream",
     "Submit all work of a capture to a separate stream."},
    {907, "hipErrorCapturedEvent", FailureKind::kCapture, false,
     "the event was recorded inside a capture",
     "Query and wait for events that were recorded outside captures."},
    {908, "hipErrorStreamCaptureWrongThread", FailureKind::kCapture, false,
     "the capture was begun by another thread", "End it on the thread that began it."},
    {910, "hipErrorGraphExecUpdateFailure", FailureKind::kCapture, false,
     "the graphs differ in shape", "Instantiate the new graph instead."},
    {911, "hipErrorInvalidChannelDescriptor", FailureKind::kDevice, false,
     "unsupported channel format", "Use one of HIP's documented formats."},
    {912, "hipErrorInvalidTexture", FailureKind::kDevice, false, "invalid texture",
     "Bind it to memory or an array first."},
    {999, "hipErrorUnknown", FailureKind::kDevice, false, "the HIP runtime gives no reason",
     "Run again with AMD_LOG_LEVEL=3 and check dmesg."},
    {1052, "hipErrorRuntimeMemory", FailureKind::kMemory, false,
     "the ROCr runtime is out of memory",
     "Free host memory; check ulimit -l and the size of /dev/shm."},
    {1053, "hipErrorRuntimeOther", FailureKind::kDevice, false, "the ROCr runtime failed",
     "Run again with AMD_LOG_LEVEL=3 and check dmesg."},
    {1054, "hipErrorTbd", FailureKind::kDevice, false, "undefined error code of HIP",
     "Run again with AMD_LOG_LEVEL=3 and check dmesg."},
};

}  // namespace

std::span<const NativeError> error_table() {
  return kErrors;
}

const NativeError* find_error(int code) {
  const auto* found = std::ranges::find(kErrors, code, &NativeError::code);
  return found == std::end(kErrors) ? nullptr : found;
}

Failure failure_of(int code, std::string call, std::string device, const char* name,
                   const char* text) {
  Failure failure(FailureKind::kDevice, std::move(call), std::move(device), {});
  failure.code = code;
  if (const NativeError* known = find_error(code)) {
    failure.kind = known->kind;
    failure.code_name = known->name;
    failure.why = known->meaning;
    failure.advice = known->advice;
    failure.device_lost = known->device_lost;
    return failure;
  }
  failure.code_name = name != nullptr ? name : "hipError_t";
  failure.why = text != nullptr && *text != '\0' ? text : "the HIP runtime gives no reason";
  failure.advice = "Run again with AMD_LOG_LEVEL=3 to log HIP's calls.";
  return failure;
}

}  // namespace hipwright::device::hip
