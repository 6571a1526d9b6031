// SPDX-License-Identifier: MIT
#include "runtime/capture.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "hipwright/error.h"
#include "runtime/raise.h"

namespace hipwright::runtime {

namespace {

constinit thread_local ActiveCapture* active = nullptr;

// Of all threads.
struct Captures {
  struct PerDevice {
    unsigned waits = 0;  // for the whole device, under way
    std::vector<std::function<void()>> put_off;
  };

  std::mutex mutex;
  std::condition_variable wait_ended;
  std::vector<ActiveCapture*> list;
  std::unordered_map<const device::Device*, PerDevice> devices;  // those that have something in it

  const ActiveCapture* on(const device::Device& driver) const {
    for (const ActiveCapture* const capture : list)
      if (&capture->driver() == &driver) return capture;
    return nullptr;
  }
  // A stream that joined does not say which capture: all that it can be.
  std::vector<ActiveCapture*> recording(device::Device& driver, device::Stream stream) const {
    std::vector<ActiveCapture*> found;
    for (ActiveCapture* const capture : list) {
      if (&capture->driver() != &driver) continue;
      if (native(capture->stream()) == stream) return {capture};
      found.push_back(capture);
    }
    if (found.empty()) return {};
    const auto state = driver.capture_state(stream);
    return state && *state != device::CaptureState::kNone ? found : std::vector<ActiveCapture*>();
  }

  void end_wait(const device::Device& driver) {
    const auto found = devices.find(&driver);
    if (--found->second.waits > 0) return;
    if (found->second.put_off.empty()) devices.erase(found);
    wait_ended.notify_all();
  }
};

// Never destroyed: destructors that run after main() ask it.
Captures& captures() {
  static auto* const instance = new Captures;
  return *instance;
}
// The size of the list, to read without the mutex.
constinit std::atomic<std::size_t> capture_count = 0;

// Counts as a wait for the device while it lives.
class Waiting {
 public:
  explicit Waiting(const device::Device& driver) : driver_(driver) {}  // counted by the caller
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    const std::lock_guard lock(captures().mutex);
    captures().end_wait(driver_);
  }

 private:
  const device::Device& driver_;
};

std::string names(const std::vector<ActiveCapture*>& list) {
  std::string text;
  for (const ActiveCapture* const capture : list)
    text += fmt::format("{}'{}'", text.empty() ? "graph " : " or ", capture->graph());
  return text;
}

[[noreturn]] void refuse(const device::Device& driver, std::string_view operation,
                         std::string_view graph, std::string_view rule, std::string_view instead) {
  throw GraphCaptureError(
      fmt::format("{} cannot be captured in {} on {}: {}. {}", operation, graph, driver.id(), rule,
                  instead),
      {.call = std::string(operation), .device = driver.id(), .advice = std::string(instead)});
}

constexpr std::string_view kNothingRuns =
    "captured work does not run, so there is nothing to wait for";
constexpr std::string_view kCallOutside = "Call it before or after capture_graph().";

}  // namespace

ActiveCapture::ActiveCapture(std::string graph, const device::Device& driver, const Stream& stream)
    : graph_(std::move(graph)), driver_(driver), stream_(stream) {
  Captures& all = captures();
  std::unique_lock lock(all.mutex);
  // From here on no new wait for the device starts, so that current ones come to an end.
  all.list.push_back(this);
  capture_count.store(all.list.size());
  all.wait_ended.wait(lock, [&] {
    const auto found = all.devices.find(&driver_);
    return found == all.devices.end() || found->second.waits == 0;
  });
  active = this;
}

ActiveCapture::~ActiveCapture() {
  active = nullptr;
  Captures& all = captures();
  std::vector<std::function<void()>> put_off;
  {
    const std::lock_guard lock(all.mutex);
    std::erase(all.list, this);
    capture_count.store(all.list.size());
    if (all.on(driver_) != nullptr) return;
    const auto found = all.devices.find(&driver_);
    if (found == all.devices.end() || found->second.put_off.empty()) return;
    put_off.swap(found->second.put_off);
    ++found->second.waits;
  }
  const Waiting waiting(driver_);
  for (const auto& action : put_off) action();
}

ActiveCapture* ActiveCapture::current() {
  return active;
}

std::string ActiveCapture::last_operation() const {
  const std::lock_guard lock(captures().mutex);
  return last_operation_;
}

std::vector<std::shared_ptr<KernelState>> ActiveCapture::take_kernels() {
  const std::lock_guard lock(captures().mutex);
  return std::exchange(kernels_, {});
}

std::string recorded_by(device::Device& driver, device::Stream stream) {
  if (stream == nullptr || capture_count.load() == 0) return {};
  const std::lock_guard lock(captures().mutex);
  return names(captures().recording(driver, stream));
}

void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation,
                        std::string_view rule, std::string_view instead) {
  if (const std::string graph = recorded_by(driver, stream); !graph.empty())
    refuse(driver, operation, graph, rule, instead);
}

void check_not_recorded(device::Device& driver, device::Stream stream, std::string_view operation) {
  check_not_recorded(driver, stream, operation, kNothingRuns, kCallOutside);
}

std::string note_operation(device::Device& driver, device::Stream stream,
                           const std::function<std::string()>& describe,
                           const std::shared_ptr<KernelState>& kernel) {
  if (stream == nullptr || capture_count.load() == 0) return {};
  const std::lock_guard lock(captures().mutex);
  const auto recording = captures().recording(driver, stream);
  for (ActiveCapture* const capture : recording) {
    capture->last_operation_ = describe();
    if (kernel) capture->kernels_.push_back(kernel);
  }
  return names(recording);
}

void check_not_capturing(const device::Device& driver, std::string_view operation,
                         std::string_view rule, std::string_view instead) {
  if (active == nullptr || &active->driver() != &driver) return;
  refuse(driver, operation, fmt::format("graph '{}'", active->graph()), rule, instead);
}

void check_not_capturing(const device::Device& driver, std::string_view operation) {
  check_not_capturing(driver, operation, kNothingRuns, kCallOutside);
}

void check_not_part_of_capture(device::Device& driver, device::Stream stream,
                               std::string_view operation) {
  constexpr std::string_view kAtOnce = "it runs immediately, not in stream order";
  check_not_capturing(driver, operation, kAtOnce, kCallOutside);
  check_not_recorded(driver, stream, operation, kAtOnce, kCallOutside);
}

bool somebody_captures(const device::Device& driver) {
  if (capture_count.load() == 0) return false;
  const std::lock_guard lock(captures().mutex);
  return captures().on(driver) != nullptr;
}

bool without_captures(const device::Device& driver, const std::function<void()>& action) {
  {
    const std::lock_guard lock(captures().mutex);
    if (captures().on(driver) != nullptr) return false;
    ++captures().devices[&driver].waits;
  }
  const Waiting waiting(driver);
  action();
  return true;
}

bool after_captures(const device::Device& driver, std::function<void()> action) {
  const std::lock_guard lock(captures().mutex);
  if (captures().on(driver) == nullptr) return false;
  captures().devices[&driver].put_off.push_back(std::move(action));
  return true;
}

void when_nobody_captures(const device::Device& driver, const std::function<void()>& action) {
  while (!without_captures(driver, action) && !after_captures(driver, action)) {
  }
}

void synchronize_device(device::Device& driver, std::string_view operation) {
  check_not_capturing(driver, operation);
  device::Done done;
  if (without_captures(driver, [&] { done = driver.synchronize(); })) return value_or_raise(done);
  std::string graph = "a graph";
  {
    const std::lock_guard lock(captures().mutex);
    if (const ActiveCapture* const capture = captures().on(driver))
      graph = fmt::format("graph '{}'", capture->graph());
  }
  constexpr const char* kAdvice =
      "Wait for a stream or an event instead, or for the end of that capture.";
  throw GraphCaptureError(
      fmt::format("{} waits for all streams of {}, but another thread captures {} on one of them. "
                  "{}",
                  operation, driver.id(), graph, kAdvice),
      {.call = std::string(operation), .device = driver.id(), .advice = kAdvice});
}

}  // namespace hipwright::runtime
