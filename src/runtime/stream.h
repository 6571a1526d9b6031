// SPDX-License-Identifier: MIT
// What is behind the public Stream, Event and Kernel, and which stream a thread works on.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "device/device.h"
#include "hipwright/device.h"

namespace hipwright::runtime {

// Whoever keeps something that is ordered by a stream keeps its state alive: a native handle that
// was closed may be given to the next stream.
struct StreamState {
  std::shared_ptr<device::Device> driver;
  device::Stream native = nullptr;
  std::string name;
  int priority = 0;

  ~StreamState();  // waits for its work
};

struct EventState {
  std::shared_ptr<device::Device> driver;
  device::Event native = nullptr;
  bool timed = true;
  std::mutex mutex;  // of what follows
  // "graph 'step'": its last record was recorded there, where it orders work and is no moment.
  std::string recorded_by;

  ~EventState();
};

struct KernelState {
  std::shared_ptr<device::Device> driver;
  device::Module module = nullptr;
  device::Function function = nullptr;
  std::string name;

  ~KernelState();
};

std::shared_ptr<StreamState> make_stream(std::shared_ptr<device::Device> driver, std::string name,
                                         int priority);
std::shared_ptr<EventState> make_event(std::shared_ptr<device::Device> driver, bool timed);

// Throws AMDDeviceError when `stream` is one of another device than `driver`.
void check_stream(const Stream& stream, const device::Device& driver, const char* call);

// The stream that this thread's work on `driver` goes to: the innermost StreamScope's, or the
// device's default stream (an empty Stream).
const Stream& current_stream(const device::Device& driver);
// Sets it and returns the one before.
Stream exchange_current_stream(const device::Device& driver, Stream stream);

inline device::Stream native(const Stream& stream) {
  return stream.state() ? stream.state()->native : nullptr;
}
// An empty stream stands for the thread's current one.
inline const Stream& resolve(const Stream& stream, const device::Device& driver) {
  return stream.state() ? stream : current_stream(driver);
}

}  // namespace hipwright::runtime
