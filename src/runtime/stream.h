// SPDX-License-Identifier: MIT
// The state behind the public Stream, Event and Kernel, and the current stream of a thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "device/device.h"
#include "hipwright/device.h"

namespace hipwright::runtime {

// Objects ordered by a stream keep its state alive: a closed native handle may be reused for the
// next stream.
struct StreamState {
  std::shared_ptr<device::Device> driver;
  device::Stream native = nullptr;
  std::string name;
  int priority = 0;
  bool borrowed = false;  // another library closes it

  ~StreamState();  // waits for its work
};

struct EventState {
  std::shared_ptr<device::Device> driver;
  device::Event native = nullptr;
  bool timed = true;
  std::mutex mutex;  // of what follows
  // "graph 'step'": its last record was captured there, where it orders work and has no time.
  std::string recorded_by;

  ~EventState();
};

struct KernelState {
  std::shared_ptr<device::Device> driver;
  device::Module module = nullptr;
  device::Function function = nullptr;
  std::string name;
  std::string symbol;

  ~KernelState();
};

std::shared_ptr<StreamState> make_stream(std::shared_ptr<device::Device> driver, std::string name,
                                         int priority);
std::shared_ptr<EventState> make_event(std::shared_ptr<device::Device> driver, bool timed);

// Throws AMDDeviceError if `stream` belongs to a device other than `driver`.
void check_stream(const Stream& stream, const device::Device& driver, const char* call);

// The stream that this thread's work on `driver` goes to: the innermost StreamScope's, or the
// device's default stream (an empty Stream).
const Stream& current_stream(const device::Device& driver);
// Sets it and returns the previous one.
Stream exchange_current_stream(const device::Device& driver, Stream stream);

inline device::Stream native(const Stream& stream) {
  return stream.state() ? stream.state()->native : nullptr;
}
// An empty stream stands for the thread's current one.
inline const Stream& resolve(const Stream& stream, const device::Device& driver) {
  return stream.state() ? stream : current_stream(driver);
}

}  // namespace hipwright::runtime
