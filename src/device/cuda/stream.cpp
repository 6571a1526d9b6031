// SPDX-License-Identifier: MIT
#include "device/cuda/device.h"

namespace hipwright::device::cuda {

PriorityRange CudaDevice::priorities() {
  PriorityRange range;
  if (!call("cuCtxGetStreamPriorityRange", &Api::cuCtxGetStreamPriorityRange, &range.lowest,
            &range.highest))
    return {};
  return range;
}

Outcome<Stream> CudaDevice::create_stream(int priority) {
  CUstream stream = nullptr;
  HW_CHECK(call("cuStreamCreateWithPriority", &Api::cuStreamCreateWithPriority, &stream,
                kStreamNonBlocking, priority));
  return reinterpret_cast<Stream>(stream);
}

Done CudaDevice::destroy_stream(Stream stream) {
  return call("cuStreamDestroy", &Api::cuStreamDestroy, native(stream));
}

Done CudaDevice::synchronize(Stream stream) {
  return call("cuStreamSynchronize", &Api::cuStreamSynchronize, native(stream));
}

Outcome<bool> CudaDevice::idle(Stream stream) {
  return query("cuStreamQuery", &Api::cuStreamQuery, native(stream));
}

Done CudaDevice::synchronize() {
  return call("cuCtxSynchronize", &Api::cuCtxSynchronize);
}

Outcome<Event> CudaDevice::create_event(bool timed) {
  CUevent event = nullptr;
  HW_CHECK(call("cuEventCreate", &Api::cuEventCreate, &event, timed ? 0U : kEventDisableTiming));
  return reinterpret_cast<Event>(event);
}

Done CudaDevice::destroy_event(Event event) {
  return call("cuEventDestroy", &Api::cuEventDestroy, native(event));
}

Done CudaDevice::record(Event event, Stream stream) {
  return call("cuEventRecord", &Api::cuEventRecord, native(event), native(stream));
}

Done CudaDevice::wait(Stream stream, Event event) {
  return call("cuStreamWaitEvent", &Api::cuStreamWaitEvent, native(stream), native(event), 0U);
}

Outcome<bool> CudaDevice::reached(Event event) {
  return query("cuEventQuery", &Api::cuEventQuery, native(event));
}

Done CudaDevice::synchronize(Event event) {
  return call("cuEventSynchronize", &Api::cuEventSynchronize, native(event));
}

Outcome<double> CudaDevice::elapsed_ms(Event start, Event stop) {
  float milliseconds = 0;
  HW_CHECK(call("cuEventElapsedTime", &Api::cuEventElapsedTime, &milliseconds, native(start),
                native(stop)));
  return milliseconds;
}

}  // namespace hipwright::device::cuda
