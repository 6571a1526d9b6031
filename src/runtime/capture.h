// SPDX-License-Identifier: MIT
// The graph that this thread captures, and what must not be done meanwhile.
//
// Devices break a capture when something is done that cannot be recorded, and say so only at its
// end. Here such a call is refused before it reaches the device, with its name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "runtime/stream.h"

namespace hipwright::runtime {

// On the stack of capture_graph(); at most one per thread.
class ActiveCapture {
 public:
  ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream);
  ActiveCapture(const ActiveCapture&) = delete;
  ActiveCapture& operator=(const ActiveCapture&) = delete;
  ~ActiveCapture();

  // This thread's, or nullptr.
  static ActiveCapture* current();

  const std::string& graph() const { return graph_; }
  const device::Device& driver() const { return driver_; }
  // Whether work given to `stream` of the device is recorded: the capture's own stream, and those
  // that joined it.
  bool records(device::Device& driver, device::Stream stream) const;

  // For the report of a capture that something outside of this library broke.
  std::string last_operation = "none";
  // A graph needs the code of its kernels.
  std::vector<std::shared_ptr<KernelState>> kernels;

 private:
  const std::string graph_;
  const device::Device& driver_;
  const Stream& stream_;
};

// Throws GraphCaptureError when this thread captures work of `driver`. `operation` is the call as
// the user wrote it, `rule` why it cannot be recorded, `instead` what to do.
void check_not_capturing(const device::Device& driver, std::string_view operation,
                         std::string_view rule, std::string_view instead);
// The usual reason: it waits for the device, or asks how far it is.
void check_not_capturing(const device::Device& driver, std::string_view operation);

// For what waits for all streams of the device: no thread may be capturing one.
void check_nobody_captures(const device::Device& driver, std::string_view operation);
bool somebody_captures(const device::Device& driver);

// Notes what is given to the device, when this thread captures it.
template <class Describe>
void note_operation(const device::Device& driver, Describe describe) {
  if (ActiveCapture* const capture = ActiveCapture::current())
    if (&capture->driver() == &driver) capture->last_operation = describe();
}

}  // namespace hipwright::runtime
