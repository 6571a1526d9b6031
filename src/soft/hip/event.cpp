// SPDX-License-Identifier: MIT
// Events. The times are those of the software GPU, not of the hardware it stands for.
#include <bit>

#include "soft/hip/capture.h"
#include "soft/hip/ipc.h"
#include "soft/hip/pending_work.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

constexpr unsigned kAllFlags = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                               hipEventDisableSystemFence | hipEventReleaseToDevice |
                               hipEventReleaseToSystem;

hipError_t make_event(hipEvent_t* out, unsigned flags) {
  constexpr unsigned kRelease =
      hipEventReleaseToDevice | hipEventReleaseToSystem | hipEventDisableSystemFence;
  if (!out || (flags & ~kAllFlags) || std::popcount(flags & kRelease) > 1 ||
      ((flags & hipEventInterprocess) && !(flags & hipEventDisableTiming)))
    return hipErrorInvalidValue;
  HIP_RUNTIME(runtime);
  auto event = std::make_shared<Event>();
  event->device = runtime.ordinal();
  event->flags = flags;
  if (flags & hipEventInterprocess) {
    event->shared = SharedEvent::create();
    if (!event->shared) return hipErrorOutOfMemory;
  }
  *out = events().add(std::move(event));
  return hipSuccess;
}

hipError_t wait_for(hipEvent_t handle) {
  const auto event = events().find(handle);
  if (!event) return any_runtime() ? hipErrorInvalidHandle : hipErrorNoDevice;
  HIP_TRY(finish_event(*event));
  if (event->shared) event->shared->wait_for(event->shared->records());
  HIP_TRY(runtime_of(event->device)->sticky_error());
  const std::lock_guard lock(event->mutex);
  return event->capture ? hipErrorCapturedEvent : hipSuccess;
}

hipError_t record_event(hipEvent_t handle, hipStream_t stream) {
  const auto event = events().find(handle);
  const auto target = stream_of(stream);
  // An event is recorded on its own device; any stream may wait for it.
  if (!event) return hipErrorInvalidHandle;
  if (!target) return no_stream();
  if (target->runtime->ordinal() != event->device) return hipErrorInvalidHandle;
  return record_in_stream(stream, event);
}

}  // namespace

Registry<Event, hipEvent_t>& events() {
  static auto* const registry = new Registry<Event, hipEvent_t>;
  return *registry;
}

extern "C" {

hipError_t hipEventCreate(hipEvent_t* event) {
  return async_api([&] { return make_event(event, hipEventDefault); });
}
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  return async_api([&] { return make_event(event, flags); });
}
hipError_t hipEventDestroy(hipEvent_t event) {
  return api([&] {
    if (!event) return hipErrorInvalidHandle;
    return events().remove(event) ? hipSuccess : hipErrorContextIsDestroyed;
  });
}
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return async_api([&] { return record_event(event, stream); });
}
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  return api([&] {
    if (flags != hipEventRecordDefault && flags != hipEventRecordExternal)
      return hipErrorInvalidValue;
    if (flags == hipEventRecordDefault) return record_event(event, stream);
    const auto found = events().find(event);
    return found ? submit(stream, RecordWork{found}) : hipErrorInvalidHandle;
  });
}
hipError_t hipEventQuery(hipEvent_t event) {
  return api([&] {
    const auto found = events().find(event);
    if (found && is_pending(*found)) return hipErrorNotReady;
    // Under a random schedule, work of this process has run now; that of another one may not have.
    if (found && found->shared && !found->shared->is_past(found->shared->records()))
      return hipErrorNotReady;
    return wait_for(event);
  });
}
hipError_t hipEventSynchronize(hipEvent_t event) {
  return async_api([&] { return wait_for(event); });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start, hipEvent_t stop) {
  return api([&] {
    if (!milliseconds) return hipErrorInvalidValue;
    const auto first = events().find(start), second = events().find(stop);
    if (!first || !second || first->device != second->device) return hipErrorInvalidHandle;
    if ((first->flags | second->flags) & hipEventDisableTiming) return hipErrorInvalidHandle;
    const auto never_recorded = [](Event& event) {
      const std::lock_guard lock(event.mutex);
      return !event.recorded && event.last == 0;
    };
    if (never_recorded(*first) || never_recorded(*second)) return hipErrorInvalidHandle;
    if (is_pending(*first) || is_pending(*second)) return hipErrorNotReady;
    const auto time_of = [](Event& event, std::chrono::steady_clock::time_point& out) {
      const std::lock_guard lock(event.mutex);
      out = event.time;
      return event.recorded;
    };
    std::chrono::steady_clock::time_point from, to;
    if (!time_of(*first, from) || !time_of(*second, to)) return hipErrorInvalidHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(to - from).count();
    return hipSuccess;
  });
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t handle, unsigned flags) {
  return async_api([&] {
    if (flags != 0 && flags != 1) return hipErrorInvalidValue;
    const auto event = events().find(handle);
    if (!event || !stream_of(stream)) return hipErrorInvalidHandle;
    return wait_in_stream(stream, event);
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
