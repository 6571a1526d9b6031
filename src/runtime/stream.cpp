// SPDX-License-Identifier: MIT
#include "runtime/stream.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

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

}  // namespace

// Destructors cannot report; an error in the work shows at the next call on the device.
StreamState::~StreamState() {
  if (native == nullptr || borrowed) return;
  const auto close = [driver = driver, native = native] {
    static_cast<void>(driver->synchronize(native));
    static_cast<void>(driver->destroy_stream(native));
  };
  // A stream that joined a capture may be released before that ends.
  if (!recorded_by(*driver, native).empty() && after_captures(*driver, close)) return;
  close();
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

void check_stream(const Stream& stream, const device::Device& driver, const char* call) {
  if (!stream.state() || stream.state()->driver.get() == &driver) return;
  raise_misuse(
      call, driver.id(),
      fmt::format("stream '{}' belongs to {}", stream.name(), stream.state()->driver->id()),
      fmt::format("Use a stream of {}.", driver.id()));
}

const Stream& current_stream(const device::Device& driver) {
  // Never destroyed: destructors that run after main() use it.
  static const auto* const default_stream = new Stream;
  for (const Current& current : current_streams)
    if (current.driver == &driver) return current.stream;
  return *default_stream;
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

using runtime::check_not_recorded;
using runtime::note_operation;
using runtime::value_or_raise;

namespace {

const std::string kDefaultName = "default";

runtime::EventState& state_of(const Event& event, const char* call) {
  if (!event.state())
    runtime::raise_misuse(call, {}, "empty event", "Create it with HIPUtilities::create_event().");
  return *event.state();
}

const runtime::StreamState& state_of(const Stream& stream, const char* call) {
  if (!stream.state())
    runtime::raise_misuse(call, {}, "the default stream belongs to a device",
                          "Synchronize the device, or HIPUtilities, instead.");
  return *stream.state();
}

// Its moment, where it has one.
void check_has_moment(runtime::EventState& event, const char* call) {
  const std::lock_guard lock(event.mutex);
  if (event.recorded_by.empty()) return;
  runtime::raise(
      {device::FailureKind::kCapture, call, event.driver->id(),
       fmt::format("the event was recorded in {}, where it only orders work: neither the "
                   "capture nor replays reach it",
                   event.recorded_by),
       "Record it outside the capture first."});
}

}  // namespace

Stream Stream::borrow(const Device& device, void* native) {
  if (!device)
    runtime::raise_misuse("Stream::borrow", {}, "empty device", "Open one with Device::open().");
  auto state = std::make_shared<runtime::StreamState>();
  state->driver = device.driver();
  state->native = static_cast<device::Stream>(native);
  state->name = "borrowed";
  state->borrowed = true;
  return Stream(std::move(state));
}

const std::string& Stream::name() const {
  return state_ ? state_->name : kDefaultName;
}

int Stream::priority() const {
  return state_ ? state_->priority : 0;
}

void Stream::synchronize() const {
  const runtime::StreamState& state = state_of(*this, "Stream::synchronize");
  check_not_recorded(*state.driver, state.native, "Stream::synchronize()");
  value_or_raise(state.driver->synchronize(state.native));
}

bool Stream::idle() const {
  const runtime::StreamState& state = state_of(*this, "Stream::idle");
  check_not_recorded(*state.driver, state.native, "Stream::idle()");
  return value_or_raise(state.driver->idle(state.native));
}

void Stream::wait(const Event& event) const {
  const runtime::EventState& state = state_of(event, "Stream::wait");
  runtime::check_stream(*this, *state.driver, "Stream::wait");
  const device::Stream on = runtime::native(runtime::resolve(*this, *state.driver));
  note_operation(*state.driver, on, [] { return "Stream::wait()"; });
  value_or_raise(state.driver->wait(on, state.native));
}

void Event::record(const Stream& stream) const {
  runtime::EventState& state = state_of(*this, "Event::record");
  runtime::check_stream(stream, *state.driver, "Event::record");
  const device::Stream on = runtime::native(runtime::resolve(stream, *state.driver));
  const std::lock_guard lock(state.mutex);
  std::string graph = note_operation(*state.driver, on, [] { return "Event::record()"; });
  value_or_raise(state.driver->record(state.native, on));
  state.recorded_by = std::move(graph);
}

bool Event::reached() const {
  runtime::EventState& state = state_of(*this, "Event::reached");
  check_has_moment(state, "Event::reached()");
  return value_or_raise(state.driver->reached(state.native));
}

void Event::synchronize() const {
  runtime::EventState& state = state_of(*this, "Event::synchronize");
  check_has_moment(state, "Event::synchronize()");
  value_or_raise(state.driver->synchronize(state.native));
}

double Event::elapsed_ms(const Event& later) const {
  runtime::EventState& first = state_of(*this, "Event::elapsed_ms");
  runtime::EventState& second = state_of(later, "Event::elapsed_ms");
  if (first.driver != second.driver)
    runtime::raise_misuse("Event::elapsed_ms", first.driver->id(),
                          fmt::format("the later event belongs to {}", second.driver->id()),
                          "Each device has its own clock: use events of one device.");
  check_has_moment(first, "Event::elapsed_ms()");
  check_has_moment(second, "Event::elapsed_ms()");
  return value_or_raise(first.driver->elapsed_ms(first.native, second.native));
}

namespace {

const runtime::KernelState& loaded(const Kernel& kernel, const char* call) {
  if (!kernel.state())
    runtime::raise_misuse(call, {}, "empty kernel", "Create it with Backend::load_kernel().");
  return *kernel.state();
}

}  // namespace

const std::string& Kernel::name() const {
  return loaded(*this, "Kernel::name").name;
}

const std::string& Kernel::symbol() const {
  return loaded(*this, "Kernel::symbol").symbol;
}

std::vector<std::size_t> Kernel::argument_sizes() const {
  const runtime::KernelState& kernel = loaded(*this, "Kernel::argument_sizes");
  return runtime::value_or_raise(kernel.driver->argument_sizes(kernel.function));
}

}  // namespace hipwright
