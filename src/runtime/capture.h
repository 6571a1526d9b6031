// SPDX-License-Identifier: MIT
// The graphs that are being captured, and what must not be done meanwhile.
//
// Devices break a capture when something is done that cannot be recorded, and say so only at its
// end. Here such a call is refused before it reaches the device, with its name. Two kinds of calls
// break captures: those on a stream that is recorded, whichever thread makes them, and those that
// wait for all streams of the device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

// On the stack of capture_graph(), from before the device begins to record until it has ended; at
// most one per thread.
class ActiveCapture {
 public:
  // Waits for those that wait for the whole device just now.
  ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream);
  ActiveCapture(const ActiveCapture&) = delete;
  ActiveCapture& operator=(const ActiveCapture&) = delete;
  // After the device's last capture, does what was put off until then.
  ~ActiveCapture();

  // This thread's, or nullptr.
  static ActiveCapture* current();

  const std::string& graph() const { return graph_; }
  const device::Device& driver() const { return driver_; }
  const Stream& stream() const { return stream_; }

  // For the report of a capture that something outside of this library broke.
  std::string last_operation() const;
  // A graph needs the code of its kernels.
  std::vector<std::shared_ptr<KernelState>> take_kernels();

 private:
  friend std::string note_operation(device::Device&, device::Stream,
                                    const std::function<std::string()>&,
                                    const std::shared_ptr<KernelState>&);

  const std::string graph_;
  const device::Device& driver_;
  const Stream& stream_;
  // Any thread may give work to the stream: guarded by the list of captures.
  std::string last_operation_ = "none";
  std::vector<std::shared_ptr<KernelState>> kernels_;
};

// --- Calls on a stream ---

// Who records what is given to `stream`, the capture's own one or one that joined it: "graph
// 'step'". Empty when nobody does.
std::string recorded_by(device::Device& driver, device::Stream stream);

// Throws GraphCaptureError when `stream` is recorded. `operation` is the call as the user wrote it,
// `rule` why it cannot be recorded, `instead` what to do.
void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation,
                        std::string_view rule, std::string_view instead);
// The usual reason: it waits for the device, or asks how far it is.
void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation);

// Notes what is about to be given to `stream`, when it is recorded, and keeps the kernel for the
// graph. Returns what recorded_by() does.
std::string note_operation(device::Device& driver, device::Stream stream,
                           const std::function<std::string()>& describe,
                           const std::shared_ptr<KernelState>& kernel = nullptr);

// --- Calls on the device ---

// Throws GraphCaptureError when this thread captures work of `driver`.
void check_not_capturing(const device::Device& driver, std::string_view operation,
                         std::string_view rule, std::string_view instead);
void check_not_capturing(const device::Device& driver, std::string_view operation);

// For what is done at once, with waits and copies between: neither this thread captures on the
// device, nor is `stream` recorded.
void check_not_part_of_capture(device::Device& driver, device::Stream stream,
                               std::string_view operation);

bool somebody_captures(const device::Device& driver);

// Calls `action`, which may wait for the whole device, while no thread captures on it: none begins
// to meanwhile. False, and nothing is done, when one does.
bool without_captures(const device::Device& driver, const std::function<void()>& action);
// Calls `action` likewise when the last capture on the device has ended, on the thread that
// captured. False, and it is forgotten, when nobody captures. `driver` lives until then.
bool after_captures(const device::Device& driver, std::function<void()> action);
// The one or the other.
void when_nobody_captures(const device::Device& driver, const std::function<void()>& action);

// Waits for all streams of the device; throws GraphCaptureError when any thread captures one.
void synchronize_device(device::Device& driver, std::string_view operation);

}  // namespace hipwright::runtime
