// SPDX-License-Identifier: MIT
#include "device/hip/errors.h"

#include <algorithm>

namespace hipwright::device::hip {

namespace {

// device_lost is true where HIP fails every later call of the process.
constexpr NativeError kErrors[] = {
    {0, "hipSuccess", FailureKind::kDevice, false, "no error", "Nothing needs to be done."},
    {1, "hipErrorInvalidValue", FailureKind::kDevice, false,
     "an argument is not one that the call takes",
     "Check the pointers, sizes and flags that were given."},
    {2, "hipErrorOutOfMemory", FailureKind::kMemory, false, "the device has not enough free memory",
     "Free memory, use smaller buffers, or see with rocm-smi which process holds it."},
    {2, "hipErrorMemoryAllocation", FailureKind::kMemory, false,
     "the device has not enough free memory",
     "Free memory, use smaller buffers, or see with rocm-smi which process holds it."},
    {3, "hipErrorNotInitialized", FailureKind::kNotAvailable, false,
     "the HIP runtime could not be initialised",
     "Check with rocminfo that the driver works and that this account may open /dev/kfd."},
    {3, "hipErrorInitializationError", FailureKind::kNotAvailable, false,
     "the HIP runtime could not be initialised",
     "Check with rocminfo that the driver works and that this account may open /dev/kfd."},
    {4, "hipErrorDeinitialized", FailureKind::kNotAvailable, true,
     "the HIP runtime is shutting down", "Do not call it from destructors that run after main."},
    {5, "hipErrorProfilerDisabled", FailureKind::kDevice, false,
     "an external profiler holds the profiling interface",
     "Run without the profiler, or without the calls that start one."},
    {6, "hipErrorProfilerNotInitialized", FailureKind::kDevice, false,
     "the profiler was not initialised", "Start it before it is stopped or asked."},
    {7, "hipErrorProfilerAlreadyStarted", FailureKind::kDevice, false,
     "the profiler was started before", "Start it once."},
    {8, "hipErrorProfilerAlreadyStopped", FailureKind::kDevice, false,
     "the profiler was stopped before", "Stop it once."},
    {9, "hipErrorInvalidConfiguration", FailureKind::kDevice, false,
     "the grid or the block is not one that the device can launch",
     "Use at most the block size that the kernel was compiled for, and no empty dimension."},
    {12, "hipErrorInvalidPitchValue", FailureKind::kDevice, false, "a row is longer than the pitch",
     "Give a pitch of at least the row size in bytes."},
    {13, "hipErrorInvalidSymbol", FailureKind::kDevice, false, "no device variable has that name",
     "Check the name, and that the module which holds it is loaded on this device."},
    {17, "hipErrorInvalidDevicePointer", FailureKind::kDevice, false,
     "the pointer is not to memory of the device",
     "Pass what the device allocated and has not freed."},
    {21, "hipErrorInvalidMemcpyDirection", FailureKind::kDevice, false,
     "the direction of the copy does not fit the pointers",
     "Check which of the two buffers is on the device."},
    {35, "hipErrorInsufficientDriver", FailureKind::kNotAvailable, false,
     "the kernel driver is older than the HIP runtime",
     "Install the amdgpu driver of the same ROCm release, or an older runtime."},
    {52, "hipErrorMissingConfiguration", FailureKind::kDevice, false,
     "a kernel was launched without a grid", "Give a grid and a block with every launch."},
    {53, "hipErrorPriorLaunchFailure", FailureKind::kDevice, true, "an earlier kernel failed",
     "Find the kernel that failed first: synchronise after each launch (AMD_SERIALIZE_KERNEL=3)."},
    {98, "hipErrorInvalidDeviceFunction", FailureKind::kCompilation, false,
     "the kernel does not exist for this device", "Compile it for the architecture of the device."},
    {100, "hipErrorNoDevice", FailureKind::kNotAvailable, false, "the HIP runtime sees no AMD GPU",
     "Check rocminfo, /dev/kfd, and that HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES does not hide "
     "it."},
    {101, "hipErrorInvalidDevice", FailureKind::kDevice, false, "there is no device of that number",
     "`hipwright devices` lists those that there are."},
    {200, "hipErrorInvalidImage", FailureKind::kCompilation, false,
     "the code object is damaged or not one",
     "Compile it again; clear the kernel cache if it came from there."},
    {201, "hipErrorInvalidContext", FailureKind::kDevice, false,
     "the context is not one of this device", "Use handles on the device that they were made on."},
    {202, "hipErrorContextAlreadyCurrent", FailureKind::kDevice, false,
     "the context is the current one already", "Do not push it twice."},
    {205, "hipErrorMapFailed", FailureKind::kDevice, false,
     "memory could not be mapped for the device",
     "Check ulimit -l and that the range is not mapped already."},
    {205, "hipErrorMapBufferObjectFailed", FailureKind::kDevice, false,
     "memory could not be mapped for the device",
     "Check ulimit -l and that the range is not mapped already."},
    {206, "hipErrorUnmapFailed", FailureKind::kDevice, false, "memory could not be unmapped",
     "Wait for the work that uses it, then unmap it once."},
    {207, "hipErrorArrayIsMapped", FailureKind::kDevice, false, "the array is mapped",
     "Unmap it before it is freed."},
    {208, "hipErrorAlreadyMapped", FailureKind::kDevice, false, "the resource is mapped already",
     "Map it once."},
    {209, "hipErrorNoBinaryForGpu", FailureKind::kCompilation, false,
     "the code object has no code for this GPU",
     "Compile for the architecture of the device (`hipwright devices` says it), features like "
     "xnack included."},
    {210, "hipErrorAlreadyAcquired", FailureKind::kDevice, false, "the resource is in use already",
     "Release it before it is acquired again."},
    {211, "hipErrorNotMapped", FailureKind::kDevice, false, "the resource is not mapped",
     "Map it before it is used."},
    {212, "hipErrorNotMappedAsArray", FailureKind::kDevice, false,
     "the resource is not mapped as an array", "Map it as an array, or use it as a pointer."},
    {213, "hipErrorNotMappedAsPointer", FailureKind::kDevice, false,
     "the resource is not mapped as a pointer", "Map it as a pointer, or use it as an array."},
    {214, "hipErrorECCNotCorrectable", FailureKind::kDevice, true,
     "the device's memory had an error that could not be corrected",
     "See rocm-smi --showrasinfo; the device may need a reset or a repair."},
    {215, "hipErrorUnsupportedLimit", FailureKind::kDevice, false, "the device has no such limit",
     "Leave that limit alone on this device."},
    {216, "hipErrorContextAlreadyInUse", FailureKind::kDevice, false, "the context is in use",
     "Set its flags before the first use of the device."},
    {217, "hipErrorPeerAccessUnsupported", FailureKind::kDevice, false,
     "the two devices cannot reach the memory of each other",
     "Copy through host memory; check the PCIe topology with rocm-smi --showtopo."},
    {218, "hipErrorInvalidKernelFile", FailureKind::kCompilation, false,
     "the file is no code object", "Compile the kernel again."},
    {219, "hipErrorInvalidGraphicsContext", FailureKind::kDevice, false,
     "the graphics context is not usable", "Make the OpenGL context current before it is shared."},
    {300, "hipErrorInvalidSource", FailureKind::kCompilation, false,
     "the device code could not be read as source",
     "Compile it with `hipwright cc` to see the messages."},
    {301, "hipErrorFileNotFound", FailureKind::kCompilation, false,
     "the file with the device code is not there", "Check the path."},
    {302, "hipErrorSharedObjectSymbolNotFound", FailureKind::kCompilation, false,
     "a symbol of a shared object is missing", "Link or install the library that defines it."},
    {303, "hipErrorSharedObjectInitFailed", FailureKind::kNotAvailable, false,
     "a shared object that HIP needs could not be initialised",
     "Check the ROCm installation: all of its libraries must be of one release."},
    {304, "hipErrorOperatingSystem", FailureKind::kDevice, false,
     "the operating system refused a call", "See dmesg for what the amdgpu driver says."},
    {400, "hipErrorInvalidHandle", FailureKind::kDevice, false,
     "a stream, event, module or kernel is not live on this device",
     "Do not use it after it was destroyed, nor on another device."},
    {400, "hipErrorInvalidResourceHandle", FailureKind::kDevice, false,
     "a stream, event, module or kernel is not live on this device",
     "Do not use it after it was destroyed, nor on another device."},
    {401, "hipErrorIllegalState", FailureKind::kDevice, false,
     "the object is not in a state that allows the call",
     "Begin a capture before it is ended, and not twice."},
    {500, "hipErrorNotFound", FailureKind::kDevice, false, "there is nothing of that name",
     "List what a code object holds with `hipwright inspect`."},
    {600, "hipErrorNotReady", FailureKind::kDevice, false, "the work is not done yet",
     "Ask again later, or wait for it."},
    {700, "hipErrorIllegalAddress", FailureKind::kDevice, true,
     "a kernel read or wrote memory that is not its own",
     "Run the program on the software GPU (`hipwright run --check`): it names the instruction and "
     "the allocation."},
    {701, "hipErrorLaunchOutOfResources", FailureKind::kDevice, false,
     "the launch needs more registers or shared memory than the device has",
     "Use a smaller block or less shared memory."},
    {702, "hipErrorLaunchTimeOut", FailureKind::kDevice, true, "a kernel did not end in time",
     "Look for a loop or a wait that never ends."},
    {704, "hipErrorPeerAccessAlreadyEnabled", FailureKind::kDevice, false,
     "peer access is enabled already", "Nothing needs to be done."},
    {705, "hipErrorPeerAccessNotEnabled", FailureKind::kDevice, false, "peer access is not enabled",
     "Enable it before the memory of the other device is used."},
    {708, "hipErrorSetOnActiveProcess", FailureKind::kDevice, false, "the device is in use already",
     "Set its flags before the first use of the device."},
    {709, "hipErrorContextIsDestroyed", FailureKind::kDevice, true, "the context was destroyed",
     "Do not reset the device while it is in use."},
    {710, "hipErrorAssert", FailureKind::kDevice, true, "an assertion in a kernel failed",
     "Its message is on standard error."},
    {712, "hipErrorHostMemoryAlreadyRegistered", FailureKind::kDevice, false,
     "the host memory is registered already", "Register each range once."},
    {713, "hipErrorHostMemoryNotRegistered", FailureKind::kDevice, false,
     "the host memory is not registered", "Register it first, and unregister it once."},
    {719, "hipErrorLaunchFailure", FailureKind::kDevice, true, "a kernel failed while it ran",
     "Run the program on the software GPU (`hipwright run --check`): it says which instruction "
     "failed and why."},
    {720, "hipErrorCooperativeLaunchTooLarge", FailureKind::kDevice, false,
     "not all blocks of a cooperative launch fit on the device at once",
     "Launch at most as many blocks as the occupancy query allows."},
    {801, "hipErrorNotSupported", FailureKind::kDevice, false,
     "this device or this release of HIP cannot do that", "Use another way, or a newer ROCm."},
    {900, "hipErrorStreamCaptureUnsupported", FailureKind::kCapture, false,
     "the call is not allowed while a stream is captured",
     "Allocate, synchronise and copy to pageable memory before or after the capture."},
    {901, "hipErrorStreamCaptureInvalidated", FailureKind::kCapture, false,
     "an earlier call broke the capture",
     "The first error after the begin of the capture says which; end the capture and begin again "
     "without that call."},
    {902, "hipErrorStreamCaptureMerge", FailureKind::kCapture, false,
     "the call would join two captures into one", "Wait only for events of the same capture."},
    {903, "hipErrorStreamCaptureUnmatched", FailureKind::kCapture, false,
     "the capture was not begun on this stream", "End it on the stream that began it."},
    {904, "hipErrorStreamCaptureUnjoined", FailureKind::kCapture, false,
     "another stream took part in the capture and was not joined",
     "Let the first stream wait for an event of each other stream before the end."},
    {905, "hipErrorStreamCaptureIsolation", FailureKind::kCapture, false,
     "captured work would depend on work outside the capture",
     "Wait for outside work before the capture begins."},
    {906, "hipErrorStreamCaptureImplicit", FailureKind::kCapture, false,
     "the call would make the captured stream wait for the default stream",
     "Give all work during a capture to a stream of its own."},
    {907, "hipErrorCapturedEvent", FailureKind::kCapture, false,
     "the event was recorded inside a capture",
     "Query and wait for events that were recorded outside captures."},
    {908, "hipErrorStreamCaptureWrongThread", FailureKind::kCapture, false,
     "the capture was begun by another thread", "End it on the thread that began it."},
    {910, "hipErrorGraphExecUpdateFailure", FailureKind::kCapture, false,
     "the graph cannot take the parameters of the other: they differ in shape",
     "Instantiate the new graph instead."},
    {911, "hipErrorInvalidChannelDescriptor", FailureKind::kDevice, false,
     "the channel format is not one that the device has",
     "Use one of the formats that HIP documents."},
    {912, "hipErrorInvalidTexture", FailureKind::kDevice, false, "the texture is not usable",
     "Bind it to memory or an array first."},
    {999, "hipErrorUnknown", FailureKind::kDevice, false, "the HIP runtime gives no reason",
     "Run again with AMD_LOG_LEVEL=3 and see dmesg."},
    {1052, "hipErrorRuntimeMemory", FailureKind::kMemory, false,
     "the ROCr runtime has no memory for itself",
     "Free host memory; check ulimit -l and the size of /dev/shm."},
    {1053, "hipErrorRuntimeOther", FailureKind::kDevice, false, "the ROCr runtime failed",
     "Run again with AMD_LOG_LEVEL=3 and see dmesg."},
    {1054, "hipErrorTbd", FailureKind::kDevice, false, "HIP has not decided what this code means",
     "Run again with AMD_LOG_LEVEL=3 and see dmesg."},
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
  failure.advice = "Run again with AMD_LOG_LEVEL=3 for what HIP did.";
  return failure;
}

}  // namespace hipwright::device::hip
