// SPDX-License-Identifier: MIT
#pragma once

#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

// hipEventRecord and hipStreamWaitEvent: in a stream that captures they carry dependencies from
// stream to stream.
hipError_t record_in_stream(hipStream_t stream, const std::shared_ptr<Event>& event);
hipError_t wait_in_stream(hipStream_t stream, const std::shared_ptr<Event>& event);

}  // namespace hipwright::soft::hip
