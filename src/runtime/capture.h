// SPDX-License-Identifier: MIT
// The graphs being captured, and the calls that are forbidden during capture.
//
// A call that cannot be captured breaks the capture, and the device reports this only at its end.
// Here such a call is rejected by name before it reaches the device. Two kinds of calls break
// captures: those on a captured stream, from any thread, and those that wait for all streams of the
// device.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

// On the stack of capture_graph(), from before the device begins the capture until after its end;
// at most one per thread.
class ActiveCapture {
 public:
  // Waits for current waits for the whole device.
  ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream);
  ActiveCapture(const ActiveCapture&) = delete;
  ActiveCapture& operator=(const ActiveCapture&) = delete;
  // After the device's last capture, runs the postponed actions.
  ~ActiveCapture();

  // This thread's, or nullptr.
  static ActiveCapture* current();

  const std::string& graph() const { return graph_; }
  const device::Device& driver() const { return driver_; }
  const Stream& stream() const { return stream_; }

  // For the report of a capture that code outside this library broke.
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
  // Any thread may submit work to the stream: guarded by the list of captures.
  std::string last_operation_ = "none";
  std::vector<std::shared_ptr<KernelState>> kernels_;
};

// --- Calls on a stream ---

// The capture of `stream`, its own or one that it joined: "graph 'step'". Empty if it is not
// captured.
std::string recorded_by(device::Device& driver, device::Stream stream);

// Throws GraphCaptureError if `stream` is captured. `operation` is the call as the user wrote it,
// `rule` why it cannot be captured, `instead` what to do.
void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation,
                        std::string_view rule, std::string_view instead);
// The usual reason: it waits for the device, or queries its progress.
void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation);

// Notes the next operation on `stream` if it is captured, and keeps the kernel for the graph.
// Returns the result of recorded_by().
std::string note_operation(device::Device& driver, device::Stream stream,
                           const std::function<std::string()>& describe,
                           const std::shared_ptr<KernelState>& kernel = nullptr);

// --- Calls on the device ---

// Throws GraphCaptureError if this thread captures work of `driver`.
void check_not_capturing(const device::Device& driver, std::string_view operation,
                         std::string_view rule, std::string_view instead);
void check_not_capturing(const device::Device& driver, std::string_view operation);

// For immediate operations with waits and copies: this thread must not be capturing on the device,
// and `stream` must not be captured.
void check_not_part_of_capture(device::Device& driver, device::Stream stream,
                               std::string_view operation);

bool somebody_captures(const device::Device& driver);

// Calls `action`, which may wait for the whole device, while no thread captures on it, and holds
// off new captures. Returns false without calling it if a thread captures.
bool without_captures(const device::Device& driver, const std::function<void()>& action);
// Calls `action` likewise after the last capture on the device, on the capturing thread. Returns
// false and drops it if no thread captures. `driver` must live until then.
bool after_captures(const device::Device& driver, std::function<void()> action);
// Either of the two.
void when_nobody_captures(const device::Device& driver, const std::function<void()>& action);

// Waits for all streams of the device; throws GraphCaptureError if any thread captures one.
void synchronize_device(device::Device& driver, std::string_view operation);

}  // namespace hipwright::runtime
