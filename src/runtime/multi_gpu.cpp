// SPDX-License-Identifier: MIT
#include "hipwright/multi_gpu.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "device/device.h"
#include "runtime/capture.h"
#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright {

using runtime::value_or_raise;

namespace {

constexpr std::size_t kChunk = 16 << 20;

device::Device& driver_of(const Device& device, const char* call) {
  if (!device) runtime::raise_misuse(call, {}, "empty device", "Open it with Device::open().");
  return *device.driver();
}

device::Stream stream_of(const device::Device& driver) {
  return runtime::native(runtime::current_stream(driver));
}

void copy_through_host(void* to, device::Device& to_driver, const void* from,
                       device::Device& from_driver, std::size_t bytes) {
  std::vector<std::byte> part(std::min(bytes, kChunk));
  for (std::size_t done = 0; done < bytes; done += kChunk) {
    const std::size_t size = std::min(kChunk, bytes - done);
    value_or_raise(from_driver.copy(part.data(), static_cast<const std::byte*>(from) + done, size,
                                    device::Direction::kToHost));
    value_or_raise(to_driver.copy(static_cast<std::byte*>(to) + done, part.data(), size,
                                  device::Direction::kToDevice));
  }
}

}  // namespace

void coordinate(const std::vector<Device>& devices,
                const std::function<void(const Device&, std::size_t rank)>& work) {
  std::vector<std::exception_ptr> failures(devices.size());
  std::vector<std::thread> threads;
  threads.reserve(devices.size());
  for (std::size_t rank = 0; rank < devices.size(); ++rank) try {
      threads.emplace_back([&, rank] {
        try {
          work(devices[rank], rank);
        } catch (...) {
          failures[rank] = std::current_exception();
        }
      });
    } catch (const std::system_error& error) {
      constexpr const char* kAdvice = "Raise the limit of threads, or use fewer devices at once.";
      failures[rank] = std::make_exception_ptr(
          AMDDeviceError(fmt::format("coordinate: cannot start a thread for rank {}: {}. {}", rank,
                                     error.what(), kAdvice),
                         {.call = "coordinate",
                          .device = devices[rank] ? devices[rank].id() : std::string(),
                          .advice = kAdvice}));
      break;
    }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

bool can_access_peer(const Device& from, const Device& to) {
  device::Device& driver = driver_of(from, "can_access_peer");
  device::Device& other = driver_of(to, "can_access_peer");
  if (&driver == &other) return true;  // on which the runtimes disagree
  if (driver.properties().kind != other.properties().kind) return false;
  return value_or_raise(driver.can_access_peer(other));
}

void enable_peer_access(const Device& from, const Device& to) {
  device::Device& driver = driver_of(from, "enable_peer_access");
  device::Device& other = driver_of(to, "enable_peer_access");
  if (&driver == &other) return;
  if (driver.properties().kind != other.properties().kind)
    runtime::raise_misuse(
        "enable_peer_access", driver.id(),
        fmt::format("it cannot access the memory of {}, a device of a different kind", other.id()),
        "Use copy_between().");
  value_or_raise(driver.enable_peer_access(other));
}

void copy_between(void* to, const Device& to_device, const void* from, const Device& from_device,
                  std::size_t bytes) {
  device::Device& to_driver = driver_of(to_device, "copy_between");
  device::Device& from_driver = driver_of(from_device, "copy_between");
  if (bytes == 0) return;
  for (device::Device* const driver : {&to_driver, &from_driver})
    runtime::check_not_part_of_capture(*driver, stream_of(*driver), "copy_between()");
  // After the earlier work of both sides.
  value_or_raise(to_driver.synchronize(stream_of(to_driver)));
  const device::Stream stream = stream_of(from_driver);
  if (to_driver.properties().kind != from_driver.properties().kind) {
    value_or_raise(from_driver.synchronize(stream));
    copy_through_host(to, to_driver, from, from_driver, bytes);
    return;
  }
  value_or_raise(from_driver.copy_peer(to, to_driver, from, bytes, stream));
  value_or_raise(from_driver.synchronize(stream));
}

}  // namespace hipwright
