// SPDX-License-Identifier: MIT
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "hipwright/multi_gpu.h"
#include "runtime/capture.h"
#include "runtime/collectives/transport.h"
#include "runtime/raise.h"
#include "runtime/stream.h"

namespace hipwright {

using runtime::raise_misuse;
using runtime::Rank;
using runtime::value_or_raise;

namespace {

runtime::Drivers drivers_of(const std::vector<Device>& devices) {
  if (devices.empty())
    raise_misuse("Collectives", {}, "a group needs at least one device", "List its devices.");
  runtime::Drivers drivers;
  for (const Device& device : devices) {
    if (!device) raise_misuse("Collectives", {}, "empty device", "Open it with Device::open().");
    drivers.push_back(device.driver());
    const auto& first = drivers.front()->properties();
    const auto& last = drivers.back()->properties();
    if (first.kind != last.kind)
      raise_misuse("Collectives", first.id, fmt::format("{} is of a different kind", last.id),
                   "Create a group for each kind, and use copy_between().");
  }
  return drivers;
}

std::unique_ptr<runtime::Transport> open_transport(const runtime::Drivers& drivers) {
  const device::Kind kind = drivers.front()->properties().kind;
  if (kind == device::Kind::kCpu || kind == device::Kind::kSoft)
    return runtime::make_host_transport();
  auto api = value_or_raise(runtime::load_nccl(kind));
  return value_or_raise(runtime::make_nccl_transport(drivers, std::move(api)));
}

}  // namespace

struct Collectives::State {
  explicit State(const std::vector<Device>& devices)
      : drivers(drivers_of(devices)), transport(open_transport(drivers)) {}

  // Uses the streams of the calling thread.
  std::vector<Rank> ranks() const {
    std::vector<Rank> result;
    for (const auto& driver : drivers)
      result.push_back({driver.get(), runtime::native(runtime::current_stream(*driver))});
    return result;
  }

  template <class Pointer>
  void check(const char* call, const std::vector<Pointer>& buffers, std::size_t elements,
             std::size_t bytes_each) const {
    if (buffers.size() != drivers.size())
      raise_misuse(call, drivers.front()->id(),
                   fmt::format("{} buffers for {} ranks", buffers.size(), drivers.size()),
                   "Pass one buffer per rank.");
    if (const auto null = std::ranges::find(buffers, nullptr);
        elements > 0 && null != buffers.end()) {
      const auto rank = static_cast<std::size_t>(null - buffers.begin());
      raise_misuse(call, drivers[rank]->id(), fmt::format("the buffer of rank {} is null", rank),
                   "Pass memory of the rank's device.");
    }
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(elements, bytes_each, &bytes))
      raise_misuse(call, drivers.front()->id(),
                   fmt::format("{} elements exceed the address space", elements),
                   "Pass the number of elements, not of bytes.");
    check_no_capture(call);
  }

  // A graph would not keep the group and its buffers alive.
  void check_no_capture(const char* call) const {
    for (const Rank& rank : ranks())
      runtime::check_not_part_of_capture(*rank.driver, rank.stream, fmt::format("{}()", call));
  }

  runtime::Drivers drivers;
  std::mutex mutex;  // one call at a time: ranks must see them in the same order
  std::unique_ptr<runtime::Transport> transport;
};

Collectives::Collectives(std::vector<Device> devices) : state_(std::make_unique<State>(devices)) {}
Collectives::Collectives(Collectives&&) noexcept = default;
Collectives& Collectives::operator=(Collectives&&) noexcept = default;
Collectives::~Collectives() = default;

std::size_t Collectives::size() const {
  return state_->drivers.size();
}

std::string Collectives::transport() const {
  return state_->transport->name();
}

void Collectives::all_reduce(const std::vector<void*>& buffers, std::size_t elements, DataType type,
                             Reduction reduction) {
  state_->check("all_reduce", buffers, elements, size_of(type));
  if (elements == 0) return;
  const std::lock_guard lock(state_->mutex);
  value_or_raise(
      state_->transport->all_reduce(state_->ranks(), buffers, elements, type, reduction));
}

void Collectives::broadcast(const std::vector<void*>& buffers, std::size_t elements, DataType type,
                            std::size_t root) {
  state_->check("broadcast", buffers, elements, size_of(type));
  if (root >= size())
    raise_misuse("broadcast", state_->drivers.front()->id(), fmt::format("invalid rank {}", root),
                 fmt::format("The ranks are 0 to {}.", size() - 1));
  if (elements == 0) return;
  const std::lock_guard lock(state_->mutex);
  value_or_raise(
      state_->transport->broadcast(state_->ranks(), buffers, elements * size_of(type), root));
}

void Collectives::all_gather(const std::vector<const void*>& send,
                             const std::vector<void*>& receive, std::size_t elements,
                             DataType type) {
  state_->check("all_gather", send, elements, size_of(type));
  state_->check("all_gather", receive, elements, size_of(type) * size());
  if (elements == 0) return;
  const std::lock_guard lock(state_->mutex);
  value_or_raise(
      state_->transport->all_gather(state_->ranks(), send, receive, elements * size_of(type)));
}

void Collectives::synchronize() {
  state_->check_no_capture("Collectives::synchronize");
  for (const Rank& rank : state_->ranks()) value_or_raise(rank.driver->synchronize(rank.stream));
  const std::lock_guard lock(state_->mutex);
  value_or_raise(state_->transport->check());
}

}  // namespace hipwright
