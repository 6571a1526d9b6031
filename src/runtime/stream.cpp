// SPDX-License-Identifier: MIT
#include "runtime/stream.h"

#include <utility>
#include <vector>

#include "runtime/capture.h"
#include "runtime/raise.h"

namespace hipwright {

namespace runtime {

namespace {

struct Current {
  const device::Device* driver;
  Stream stream;
};
// A thread works on few devices at a time: a search is faster than a map.
thread_local std::vector<Current> current_streams;
const Stream kDefaultStream;

}  // namespace

// Destructors cannot report; what went wrong in the work shows at the next call on the device.
StreamState::~StreamState() {
  if (native == nullptr) return;
  static_cast<void>(driver->synchronize(native));
  static_cast<void>(driver->destroy_stream(native));
}

EventState::~EventState() {
  if (native != nullptr) static_cast<void>(driver->destroy_event(native));
}

KernelState::~KernelState() {
  if (module != nullptr) static_cast<void>(driver->unload(module));
}

std::shared_ptr<StreamState> make_stream(std::shared_ptr<device::Device> driver, std::string name,
                                         int priority) {
  auto state = std::make_shared<StreamState>();
  const device::PriorityRange range = driver->priorities();
  state->priority = std::min(std::max(priority, range.highest), range.lowest);
  state->native = value_or_raise(driver->create_stream(state->priority));
  state->driver = std::move(driver);
  state->name = std::move(name);
  return state;
}

std::shared_ptr<EventState> make_event(std::shared_ptr<device::Device> driver, bool timed) {
  auto state = std::make_shared<EventState>();
  state->native = value_or_raise(driver->create_event(timed));
  state->driver = std::move(driver);
  state->timed = timed;
  return state;
}

const Stream& current_stream(const device::Device& driver) {
  for (const Current& current : current_streams)
    if (current.driver == &driver) return current.stream;
  return kDefaultStream;
}

Stream exchange_current_stream(const device::Device& driver, Stream stream) {
  for (auto current = current_streams.begin(); current != current_streams.end(); ++current) {
    if (current->driver != &driver) continue;
    Stream previous = std::exchange(current->stream, std::move(stream));
    if (!current->stream.state()) current_streams.erase(current);
    return previous;
  }
  if (stream.state()) current_streams.push_back({&driver, std::move(stream)});
  return {};
}

}  // namespace runtime

using runtime::value_or_raise;

namespace {

const std::string kDefaultName = "default";

const runtime::EventState& state_of(const Event& event) {
  if (!event.state())
    throw AMDDeviceError("this event is empty: make it with HIPUtilities::create_event()");
  return *event.state();
}

const runtime::StreamState& state_of(const Stream& stream) {
  if (!stream.state())
    throw AMDDeviceError("the default stream belongs to a device: synchronize that instead");
  return *stream.state();
}

// Other streams may be waited for while one is captured.
void check_not_recorded(const runtime::StreamState& stream, std::string_view operation) {
  const auto* const capture = runtime::ActiveCapture::current();
  if (capture != nullptr && capture->records(*stream.driver, stream.native))
    runtime::check_not_capturing(*stream.driver, operation);
}

}  // namespace

const std::string& Stream::name() const {
  return state_ ? state_->name : kDefaultName;
}

int Stream::priority() const {
  return state_ ? state_->priority : 0;
}

void Stream::synchronize() const {
  const runtime::StreamState& state = state_of(*this);
  check_not_recorded(state, "Stream::synchronize()");
  value_or_raise(state.driver->synchronize(state.native));
}

bool Stream::idle() const {
  const runtime::StreamState& state = state_of(*this);
  check_not_recorded(state, "Stream::idle()");
  return value_or_raise(state.driver->idle(state.native));
}

void Stream::wait(const Event& event) const {
  const runtime::EventState& state = state_of(event);
  runtime::note_operation(*state.driver, [] { return "Stream::wait()"; });
  value_or_raise(state.driver->wait(runtime::native(*this), state.native));
}

void Event::record(const Stream& stream) const {
  const runtime::EventState& state = state_of(*this);
  runtime::note_operation(*state.driver, [] { return "Event::record()"; });
  value_or_raise(
      state.driver->record(state.native, runtime::native(runtime::resolve(stream, *state.driver))));
}

bool Event::reached() const {
  const runtime::EventState& state = state_of(*this);
  runtime::check_not_capturing(*state.driver, "Event::reached()");
  return value_or_raise(state.driver->reached(state.native));
}

void Event::synchronize() const {
  const runtime::EventState& state = state_of(*this);
  runtime::check_not_capturing(*state.driver, "Event::synchronize()");
  value_or_raise(state.driver->synchronize(state.native));
}

double Event::elapsed_ms(const Event& later) const {
  const runtime::EventState& first = state_of(*this);
  const runtime::EventState& second = state_of(later);
  runtime::check_not_capturing(*first.driver, "Event::elapsed_ms()");
  return value_or_raise(first.driver->elapsed_ms(first.native, second.native));
}

const std::string& Kernel::name() const {
  if (!state_) throw AMDDeviceError("this kernel is empty: make it with load_kernel()");
  return state_->name;
}

}  // namespace hipwright
