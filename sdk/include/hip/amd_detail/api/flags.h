// SPDX-License-Identifier: MIT
// Flag values, by the function that takes them.
#pragma once

#include <hip/amd_detail/level.h>

// hipSetDeviceFlags
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceScheduleMask 0x7
#define hipDeviceMapHost 0x8
#define hipDeviceLmemResizeToMax 0x10

// Device ordinals that are no device.
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)

// hipStreamCreateWithFlags
#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01

// hipEventCreateWithFlags
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipEventDisableSystemFence 0x20000000
#define hipEventReleaseToDevice 0x40000000
#define hipEventReleaseToSystem 0x80000000

// hipEventRecordWithFlags
#define hipEventRecordDefault 0x00
#define hipEventRecordExternal 0x01

// hipStreamWaitEvent
#define hipEventWaitDefault 0x00
#define hipEventWaitExternal 0x01

// hipHostMalloc and hipHostAlloc
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#if __HW_ROCM >= 700
#define hipHostMallocUncached 0x10000000
#define hipHostAllocUncached hipHostMallocUncached
#endif
#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1
#define hipHostAllocMapped 0x2
#define hipHostAllocWriteCombined 0x4

// hipHostRegister. AMD's coarse-grained bit is the same bit as CUDA's read-only one.
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x08
#define hipExtHostRegisterCoarseGrained 0x8
#if __HW_ROCM >= 700
#define hipExtHostRegisterUncached 0x80000000
#endif

// hipExtMallocWithFlags
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4

// hipMallocManaged and hipStreamAttachMemAsync
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04

// hipMallocArray and its kin
#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

// hipIpcOpenMemHandle
#define hipIpcMemLazyEnablePeerAccess 0x01

// hipExternalMemoryHandleDesc
#define hipExternalMemoryDedicated 0x1

// Launches and occupancy
#define hipCooperativeLaunchMultiDeviceNoPreSync 0x01
#define hipCooperativeLaunchMultiDeviceNoPostSync 0x02
#define hipExtAnyOrderLaunch 0x01
#define hipOccupancyDefault 0x00
#define hipOccupancyDisableCachingOverride 0x01

// hipStreamWaitValue32 and hipStreamWaitValue64
#define hipStreamWaitValueGte 0x0
#define hipStreamWaitValueEq 0x1
#define hipStreamWaitValueAnd 0x2
#define hipStreamWaitValueNor 0x3

#if __HW_ROCM >= 701
// hipGetDriverEntryPoint
#define hipEnableDefault 0x0
#define hipEnableLegacyStream 0x1
#define hipEnablePerThreadDefaultStream 0x2
#endif
