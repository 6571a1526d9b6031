// SPDX-License-Identifier: MIT
#include "device/hip/device.h"

namespace hipwright::device::hip {

PriorityRange HipDevice::priorities() {
  PriorityRange range;
  if (!call(api_->hipDeviceGetStreamPriorityRange, &range.lowest, &range.highest)) return {};
  return range;
}

Outcome<Stream> HipDevice::create_stream(int priority) {
  hipStream_t stream = nullptr;
  HW_CHECK(
      call(api_->hipStreamCreateWithPriority, &stream, unsigned{hipStreamNonBlocking}, priority));
  return reinterpret_cast<Stream>(stream);
}

Done HipDevice::destroy_stream(Stream stream) {
  return call(api_->hipStreamDestroy, native(stream));
}

Done HipDevice::synchronize(Stream stream) {
  return call(api_->hipStreamSynchronize, native(stream));
}

Outcome<bool> HipDevice::idle(Stream stream) {
  return query(api_->hipStreamQuery, native(stream));
}

Done HipDevice::synchronize() {
  return call(api_->hipDeviceSynchronize);
}

Outcome<Event> HipDevice::create_event(bool timed) {
  hipEvent_t event = nullptr;
  HW_CHECK(call(api_->hipEventCreateWithFlags, &event,
                timed ? unsigned{hipEventDefault} : unsigned{hipEventDisableTiming}));
  return reinterpret_cast<Event>(event);
}

Done HipDevice::destroy_event(Event event) {
  return call(api_->hipEventDestroy, native(event));
}

Done HipDevice::record(Event event, Stream stream) {
  return call(api_->hipEventRecord, native(event), native(stream));
}

Done HipDevice::wait(Stream stream, Event event) {
  return call(api_->hipStreamWaitEvent, native(stream), native(event), 0U);
}

Outcome<bool> HipDevice::reached(Event event) {
  return query(api_->hipEventQuery, native(event));
}

Done HipDevice::synchronize(Event event) {
  return call(api_->hipEventSynchronize, native(event));
}

Outcome<double> HipDevice::elapsed_ms(Event start, Event stop) {
  float milliseconds = 0;
  auto done = call(api_->hipEventElapsedTime, &milliseconds, native(start), native(stop));
  if (done) return double{milliseconds};
  if (done.error().code == hipErrorInvalidHandle) {
    done.error().why = "one of the events was created without timing, or was never recorded";
    done.error().advice = "Use timed events, and record both first.";
  } else if (done.error().code == hipErrorNotReady) {
    done.error().why = "one of the events has not been reached yet";
    done.error().advice = "Synchronise with the later event first.";
  }
  return std::unexpected(std::move(done).error());
}

}  // namespace hipwright::device::hip
