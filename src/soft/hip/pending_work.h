// SPDX-License-Identifier: MIT
// Work that streams have not finished yet.
//
// HIP promises order within a stream, between streams that an event joins, and between the null
// stream and those that are not hipStreamNonBlocking; no more.
//  - Usually threads run it, one for each stream that has something to do. A call that submits
//    work waits a moment for it: most work is short, and its error is then the call's own.
//  - Under a random schedule it stays here until the host waits for it, and then only the work
//    that must run does: a program that forgot to wait sees what hardware may show it.
//  - Under a deterministic schedule, and with checks, calls run their work themselves.
#pragma once

#include <memory>

#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

// Whether calls leave work to be done later.
bool streams_are_late();

// Runs the work now.
hipError_t run_at_once(hipStream_t handle, const std::shared_ptr<Stream>& stream, const Work& work);
// Keeps the work; where the host waits for it, runs it now, after what comes before it.
hipError_t run_late(hipStream_t handle, const std::shared_ptr<Stream>& stream, Work work);
// What the stream does from now on comes behind the event.
void run_behind(Stream& stream, const Event& event);

// Whether the stream's next work comes behind the work with that number.
bool is_behind(Stream& stream, std::uint64_t number);

// Whether something is unfinished. Under a random schedule, asking finishes it.
bool is_busy(Stream& stream);
bool is_pending(const Event& event);

// The host waits. The result is that of the work that ran.
hipError_t finish_stream(Stream& stream);
hipError_t finish_event(const Event& event);
// For calls that take away what work may still use.
hipError_t finish_everything();
// At the end of the program: gives up after a while.
void finish_at_exit();

}  // namespace hipwright::soft::hip
