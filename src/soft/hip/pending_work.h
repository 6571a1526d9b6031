// SPDX-License-Identifier: MIT
// Work that streams have not run yet.
//
// HIP promises order within a stream, between streams that an event joins, and between the null
// stream and those that are not hipStreamNonBlocking; no more. Under a random schedule work stays
// here until the host waits for it, and then only the work that must run does: a program that
// forgot to wait sees what hardware may show it. Under other schedules nothing is ever pending.
#pragma once

#include <memory>

#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

// Whether work waits at all.
bool streams_are_late();

// Keeps the work; where the host waits for it, runs it now, after what comes before it.
hipError_t run_late(hipStream_t handle, const std::shared_ptr<Stream>& stream, Work work);
// What the stream does from now on comes behind the event.
void run_behind(Stream& stream, const Event& event);

// The host waits. The result is that of the work that ran.
hipError_t finish_stream(Stream& stream);
hipError_t finish_event(const Event& event);

}  // namespace hipwright::soft::hip
