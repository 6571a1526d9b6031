// SPDX-License-Identifier: MIT
#include "soft/hip/pending_work.h"

#include <atomic>
#include <map>
#include <set>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {

namespace {

using Clock = std::chrono::steady_clock;

// A host that polls memory without calling HIP would wait for ever.
constexpr auto kLatest = std::chrono::seconds(2);

struct Item {
  std::shared_ptr<Stream> stream;
  Work work;
  std::vector<std::uint64_t> after;  // numbers of items; those that are gone have run
  Clock::time_point since;
};

bool is_null(const Stream& stream) {
  return stream.runtime->null_stream().get() == &stream;
}
bool is_blocking(const Stream& stream) {
  return (stream.flags & hipStreamNonBlocking) == 0;
}

class Pending {
 public:
  static Pending& get() {
    static auto* const pending = new Pending;
    return *pending;
  }

  bool is_empty() const { return !any_.load(std::memory_order_acquire); }

  void add(const std::shared_ptr<Stream>& stream, Work work) {
    const std::lock_guard lock(mutex_);
    Item item{stream, std::move(work), std::move(stream->awaited), Clock::now()};
    stream->awaited.clear();
    item.after.push_back(stream->last);
    if (is_null(*stream)) {
      for (const auto& [number, other] : items_)
        if (is_joined(*other.stream, *stream)) item.after.push_back(number);
    } else if (is_blocking(*stream)) {
      item.after.push_back(stream->runtime->null_stream()->last);
    }
    stream->last = ++number_;
    if (const auto* record = std::get_if<RecordWork>(&item.work)) record->event->last = number_;
    items_.emplace(number_, std::move(item));
    any_.store(true, std::memory_order_release);
    if (!std::exchange(is_watched_, true)) std::thread([this] { watch(); }).detach();
  }

  void join(Stream& stream, const Event& event) {
    const std::lock_guard lock(mutex_);
    if (items_.contains(event.last)) stream.awaited.push_back(event.last);
  }

  hipError_t run_all() {
    if (is_empty()) return hipSuccess;
    const std::lock_guard lock(mutex_);
    return run(all_numbers());
  }

  hipError_t run_stream(Stream& stream) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> last = std::move(stream.awaited);
    stream.awaited.clear();
    last.push_back(stream.last);
    if (is_null(stream)) {
      for (const auto& [number, other] : items_)
        if (is_joined(*other.stream, stream)) last.push_back(number);
    } else if (is_blocking(stream)) {
      last.push_back(stream.runtime->null_stream()->last);
    }
    return run(needed_by(std::move(last)));
  }

  hipError_t run_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    return run(needed_by({event.last}));
  }

 private:
  static bool is_joined(const Stream& stream, const Stream& null) {
    return stream.runtime == null.runtime && is_blocking(stream);
  }

  std::set<std::uint64_t> all_numbers() const {
    std::set<std::uint64_t> all;
    for (const auto& [number, item] : items_) all.insert(number);
    return all;
  }

  std::set<std::uint64_t> needed_by(std::vector<std::uint64_t> last) const {
    std::set<std::uint64_t> needed;
    while (!last.empty()) {
      const auto found = items_.find(last.back());
      last.pop_back();
      if (found == items_.end() || !needed.insert(found->first).second) continue;
      last.insert(last.end(), found->second.after.begin(), found->second.after.end());
    }
    return needed;
  }

  // In the order in which they came, which every dependence follows.
  hipError_t run(const std::set<std::uint64_t>& numbers) {
    hipError_t first = hipSuccess;
    for (const std::uint64_t number : numbers) {
      const auto node = items_.extract(number);
      if (node.empty()) continue;
      const Item& item = node.mapped();
      const hipError_t result = execute(*item.stream->runtime, item.work);
      if (first == hipSuccess) first = result;
    }
    any_.store(!items_.empty(), std::memory_order_release);
    return first;
  }

  void watch() {
    for (;;) {
      std::this_thread::sleep_for(kLatest / 10);
      const std::lock_guard lock(mutex_);
      if (items_.empty() || Clock::now() - items_.begin()->second.since < kLatest) continue;
      static_cast<void>(run(all_numbers()));
    }
  }

  std::recursive_mutex mutex_;
  std::map<std::uint64_t, Item> items_;
  std::uint64_t number_ = 0;
  std::atomic<bool> any_{false};
  bool is_watched_ = false;
};

// Memory that the device knows is copied asynchronously; other memory before the call returns.
bool is_asynchronous(hipStream_t handle, const Stream& stream, const Work& work) {
  if (const auto* copy = std::get_if<CopyWork>(&work)) {
    Memory& memory = stream.runtime->memory();
    return !is_null(stream) && handle != hipStreamPerThread && memory.find(copy->to.base) &&
           memory.find(copy->from.base);
  }
  return std::holds_alternative<KernelWork>(work) || std::holds_alternative<FillWork>(work) ||
         std::holds_alternative<RecordWork>(work);
}

// Invalid requests are refused before they wait.
hipError_t check(Runtime& runtime, const Work& work) {
  if (const auto* copy = std::get_if<CopyWork>(&work)) return check_copy(runtime, *copy);
  if (const auto* fill = std::get_if<FillWork>(&work)) return check_fill(runtime, *fill);
  return hipSuccess;
}

}  // namespace

bool streams_are_late() {
  const Process* process = Process::get();
  return process && process->config().schedule.kind == Schedule::Kind::kRandom;
}

hipError_t run_late(hipStream_t handle, const std::shared_ptr<Stream>& stream, Work work) {
  if (!is_asynchronous(handle, *stream, work)) {
    HIP_TRY(Pending::get().run_stream(*stream));
    return execute(*stream->runtime, work);
  }
  HIP_TRY(check(*stream->runtime, work));
  Pending::get().add(stream, std::move(work));
  return hipSuccess;
}

void run_behind(Stream& stream, const Event& event) {
  if (!Pending::get().is_empty()) Pending::get().join(stream, event);
}

hipError_t finish_stream(Stream& stream) {
  return Pending::get().is_empty() ? hipSuccess : Pending::get().run_stream(stream);
}

hipError_t finish_event(const Event& event) {
  return Pending::get().is_empty() ? hipSuccess : Pending::get().run_event(event);
}

hipError_t finish_work() {
  return Pending::get().run_all();
}

}  // namespace hipwright::soft::hip
