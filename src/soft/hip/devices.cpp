// SPDX-License-Identifier: MIT
// Which devices a process has, and which one a thread works on.
#include <fmt/format.h>

#include <array>
#include <mutex>

#include "arch/processors.h"
#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

namespace {

// Devices are added and never go away, so that reading needs no lock.
struct Devices {
  std::mutex mutex;
  std::atomic<int> count{0};
  std::array<std::atomic<Runtime*>, kMostDevices> list{};
};
Devices& devices() {
  static auto* const all = new Devices;
  return *all;
}

thread_local int device_of_thread = 0;

// With the mutex held.
Result<int> add(Process& process, const arch::Target& target) {
  const int ordinal = devices().count.load();
  if (ordinal == kMostDevices)
    return fail("cannot add a software GPU", target.id(),
                fmt::format("the process already has the maximum of {}", ordinal));
  devices().list[static_cast<std::size_t>(ordinal)] = new Runtime(process, target, ordinal);
  devices().count.store(ordinal + 1, std::memory_order_release);
  return ordinal;
}

// With the mutex held: the devices of the environment come first, so that a program finds under 0
// what it was started with.
Status add_configured(Process& process) {
  if (devices().count.load() > 0) return {};
  for (const arch::Target& target : process.config().targets) HW_CHECK(add(process, target));
  return {};
}

}  // namespace

int device_count() {
  Devices& all = devices();
  if (const int count = all.count.load(std::memory_order_acquire); count > 0) return count;
  Process* process = Process::get();
  if (!process) return 0;
  const std::lock_guard lock(all.mutex);
  Status added = add_configured(*process);
  if (const std::string& list = process->config().hidden_by; !list.empty()) {
    static const bool said [[maybe_unused]] = [&] {
      say(list + " hides all devices");
      return true;
    }();
    return all.count.load();
  }
  if (added && all.count.load() == 0)
    if (const auto device = parse_device(std::string(arch::kDefaultTarget)); device)
      if (const auto ordinal = add(*process, *device); !ordinal)
        added = std::unexpected(ordinal.error());
  if (!added) notify({.kind = EventKind::kLimit, .text = added.error().message()});
  return all.count.load();
}

Runtime* runtime_of(int ordinal) {
  if (ordinal < 0 || ordinal >= device_count()) return nullptr;
  return devices().list[static_cast<std::size_t>(ordinal)].load(std::memory_order_acquire);
}

Result<int> find_device(const std::string& text, int nth) {
  HW_TRY(const arch::Target target, parse_device(text));
  if (nth < 0 || nth >= kMostDevices)
    return fail("cannot add a software GPU", text, fmt::format("{} is not a device number", nth));
  Process* process = Process::get();
  if (!process)
    return fail("cannot add a software GPU", text,
                "a HIPWRIGHT_SOFT_… variable is invalid; see the message above");
  const std::lock_guard lock(devices().mutex);
  HW_CHECK(add_configured(*process));
  int seen = 0;
  for (int i = 0; i < devices().count.load(); ++i)
    if (devices().list[static_cast<std::size_t>(i)].load()->target() == target && seen++ == nth)
      return i;
  for (;; ++seen) {
    HW_TRY(const int ordinal, add(*process, target));
    if (seen == nth) return ordinal;
  }
}

int current_device() {
  return device_of_thread;
}
void set_current_device(int ordinal) {
  device_of_thread = ordinal;
}

hipError_t check_device(int device) {
  if (device_count() == 0) return hipErrorNoDevice;
  return runtime_of(device) ? hipSuccess : hipErrorInvalidDevice;
}

Runtime* any_runtime() {
  return runtime_of(device_of_thread);
}

Ready ready() {
  Runtime* runtime = any_runtime();
  if (!runtime) return {nullptr, hipErrorNoDevice};
  return {runtime, runtime->sticky_error()};
}

}  // namespace hipwright::soft::hip

// What device/soft and the Python package call. None throws.
namespace {
thread_local std::string device_error, instruments_text;

// The text lives until the thread's next call. Empty when there is no device or no memory.
template <class Text>
const char* text_of_instruments(Text text) {
  try {
    hipwright::soft::hip::Process* process = hipwright::soft::hip::Process::get();
    instruments_text = process ? text(process->instruments()) : "";
  } catch (const std::exception&) {
    return "";
  }
  return instruments_text.c_str();
}
}  // namespace

extern "C" const char* hipwright_soft_take_findings() {
  return text_of_instruments([](auto& instruments) { return instruments.take_findings(); });
}
extern "C" const char* hipwright_soft_kernels() {
  return text_of_instruments([](auto& instruments) { return instruments.kernels_json(); });
}

extern "C" int hipwright_soft_device(const char* target, int nth) {
  try {
    const auto ordinal = hipwright::soft::hip::find_device(target ? target : "", nth);
    if (ordinal) return *ordinal;
    device_error = ordinal.error().message();
  } catch (const std::exception& error) {
    device_error = error.what();
  }
  return -1;
}

// Why the thread's last call of hipwright_soft_device returned -1.
extern "C" const char* hipwright_soft_error() {
  return device_error.c_str();
}
