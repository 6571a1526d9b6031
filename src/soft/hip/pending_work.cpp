// SPDX-License-Identifier: MIT
#include "soft/hip/pending_work.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <map>
#include <set>

#include <fmt/format.h>

#include "soft/hip/graph.h"
#include "soft/hip/pointer_attributes.h"
#include "soft/hip/runtime.h"
#include "soft/hip/stream_order.h"

namespace hipwright::soft::hip {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Under a random schedule: a host that polls memory without calling HIP would wait for ever.
constexpr auto kLatest = std::chrono::seconds(2);
// How long a call waits for work that it has submitted to an idle device.
constexpr auto kMoment = milliseconds(30);
// After which a thread without work ends.
constexpr auto kIdle = milliseconds(500);
// As a hardware queue, this one is full at some time.
constexpr std::size_t kMostItems = 1024;
constexpr auto kLongestExit = std::chrono::seconds(10);

enum class Mode { kAtOnce, kThreads, kWhenNeeded };

Mode find_mode() {
  const Process* process = Process::get();
  if (!process) return Mode::kAtOnce;
  const Config& config = process->config();
  if (config.schedule.kind == Schedule::Kind::kRandom) return Mode::kWhenNeeded;
  return config.schedule.kind == Schedule::Kind::kParallel && !config.check() ? Mode::kThreads
                                                                              : Mode::kAtOnce;
}
Mode mode() {
  static const Mode found = find_mode();
  return found;
}

thread_local bool is_worker = false;

struct Item {
  std::shared_ptr<Stream> stream;
  Work work;
  std::vector<std::uint64_t> after;  // numbers of items; those that are gone have run
  Clock::time_point since;
  bool running = false;
  std::shared_ptr<std::optional<hipError_t>> result;  // set for the call that waits a moment
};

hipError_t run_item(const Item& item) noexcept {
  try {
    return execute(*item.stream->runtime, item.work);
  } catch (const std::exception&) {
    return hipErrorOutOfMemory;
  }
}

class Pending {
 public:
  static Pending& get();

  bool is_empty() const { return !any_.load(std::memory_order_acquire); }

  hipError_t add(const std::shared_ptr<Stream>& stream, Work work, bool waits) {
    std::unique_lock lock(mutex_);
    if (mode() == Mode::kThreads) finished_.wait(lock, [&] { return items_.size() < kMostItems; });
    const bool was_idle = items_.empty();
    Item item{stream, std::move(work), std::move(stream->awaited), Clock::now(), false, nullptr};
    stream->awaited.clear();
    item.after.push_back(stream->last);
    if (is_null(*stream)) {
      for (const auto& [number, other] : items_)
        if (is_joined(*other.stream, *stream)) item.after.push_back(number);
    } else if (is_blocking(*stream)) {
      item.after.push_back(stream->runtime->null_stream()->last);
    }
    const std::uint64_t number = ++number_;
    stream->last = number;
    if (const auto* record = std::get_if<RecordWork>(&item.work)) record->event->last = number;
    const auto result = std::make_shared<std::optional<hipError_t>>();
    waits = waits && was_idle;
    if (waits) item.result = result;
    items_.emplace(number, std::move(item));
    any_.store(true, std::memory_order_release);
    if (mode() == Mode::kWhenNeeded) {
      if (!std::exchange(is_watched_, true)) std::thread([this] { watch(); }).detach();
      return hipSuccess;
    }
    provide_threads(0);
    if (!waits) return hipSuccess;
    finished_.wait_for(lock, kMoment, [&] { return result->has_value(); });
    if (const auto left = items_.find(number); left != items_.end()) left->second.result = nullptr;
    return result->value_or(hipSuccess);
  }

  void join(Stream& stream, const Event& event) {
    const std::lock_guard lock(mutex_);
    if (items_.contains(event.last)) stream.awaited.push_back(event.last);
  }

  hipError_t run_all() {
    if (is_empty()) return hipSuccess;
    std::unique_lock lock(mutex_);
    return run(lock, all_numbers());
  }

  hipError_t run_stream(Stream& stream) {
    std::unique_lock lock(mutex_);
    const auto needed = needed_by(last_of(stream));
    stream.awaited.clear();
    const hipError_t result = run(lock, needed);
    return result == hipSuccess ? std::exchange(stream.late_error, hipSuccess) : result;
  }

  hipError_t run_event(const Event& event) {
    std::unique_lock lock(mutex_);
    return run(lock, needed_by({event.last}));
  }

  bool is_busy(Stream& stream) {
    const std::lock_guard lock(mutex_);
    return !needed_by(last_of(stream)).empty();
  }
  bool is_behind(Stream& stream, std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    return needed_by(last_of(stream)).contains(number);
  }
  bool is_pending(const Event& event) {
    const std::lock_guard lock(mutex_);
    return items_.contains(event.last);
  }

  // How many items are left after that time.
  std::size_t wait(Clock::duration time) {
    std::unique_lock lock(mutex_);
    finished_.wait_for(lock, time, [&] { return items_.empty(); });
    return items_.size();
  }

  void lock_for_fork() { mutex_.lock(); }
  void unlock_after_fork() { mutex_.unlock(); }

 private:
  using Lock = std::unique_lock<std::recursive_mutex>;

  static bool is_joined(const Stream& stream, const Stream& null) {
    return stream.runtime == null.runtime && is_blocking(stream);
  }

  std::vector<std::uint64_t> last_of(const Stream& stream) const {
    std::vector<std::uint64_t> last = stream.awaited;
    last.push_back(stream.last);
    if (is_null(stream)) {
      for (const auto& [number, other] : items_)
        if (is_joined(*other.stream, stream)) last.push_back(number);
    } else if (is_blocking(stream)) {
      last.push_back(stream.runtime->null_stream()->last);
    }
    return last;
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

  hipError_t run(Lock& lock, const std::set<std::uint64_t>& numbers) {
    if (mode() != Mode::kThreads) return run_here(numbers);
    // A host function that calls HIP must not wait for itself.
    if (is_worker) return hipSuccess;
    finished_.wait(lock, [&] {
      for (const std::uint64_t number : numbers)
        if (items_.contains(number)) return false;
      return true;
    });
    return hipSuccess;
  }

  // In the order in which they came, which every dependence follows.
  hipError_t run_here(const std::set<std::uint64_t>& numbers) {
    hipError_t first = hipSuccess;
    for (const std::uint64_t number : numbers) {
      const auto node = items_.extract(number);
      if (node.empty()) continue;
      const hipError_t result = run_item(node.mapped());
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
      static_cast<void>(run_here(all_numbers()));
    }
  }

  bool is_ready(const Item& item) const {
    if (item.running) return false;
    for (const std::uint64_t number : item.after)
      if (items_.contains(number)) return false;
    return true;
  }
  std::map<std::uint64_t, Item>::iterator next_ready() {
    auto at = items_.begin();
    while (at != items_.end() && !is_ready(at->second)) ++at;
    return at;
  }

  // Wakes or makes as many threads as there is work for, `busy` of which already look for it.
  void provide_threads(std::size_t busy) {
    std::size_t ready = 0;
    for (const auto& [number, item] : items_)
      if (is_ready(item) && ++ready > idle_ + busy) break;
    if (ready > busy) wake_.notify_all();
    if (ready <= idle_ + busy) return;
    // The program's signals are for the program's threads.
    sigset_t all, before;
    sigfillset(&all);
    // What this thread itself does: see lost_memory.h.
    for (const int own : {SIGSEGV, SIGBUS}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { serve(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void serve() {
    is_worker = true;
    Lock lock(mutex_);
    for (;;) {
      auto found = next_ready();
      if (found == items_.end()) {
        ++idle_;
        const bool woken =
            wake_.wait_for(lock, kIdle, [&] { return next_ready() != items_.end(); });
        --idle_;
        if (!woken) return;
        continue;
      }
      Item& item = found->second;
      item.running = true;
      provide_threads(0);
      lock.unlock();
      set_current_device(item.stream->runtime->ordinal());
      const hipError_t result = run_item(item);
      lock.lock();
      finish(found, result);
      provide_threads(1);
    }
  }

  void finish(std::map<std::uint64_t, Item>::iterator found, hipError_t result) {
    Item& item = found->second;
    if (item.result)
      *item.result = result;
    else if (result != hipSuccess && item.stream->late_error == hipSuccess)
      item.stream->late_error = result;
    const auto node = items_.extract(found);  // may hold the last reference to its stream
    any_.store(!items_.empty(), std::memory_order_release);
    finished_.notify_all();
  }

  std::recursive_mutex mutex_;
  std::condition_variable_any finished_, wake_;
  std::map<std::uint64_t, Item> items_;
  std::uint64_t number_ = 0;
  std::size_t idle_ = 0;  // threads that wait for work
  std::atomic<bool> any_{false};
  bool is_watched_ = false;
};

std::atomic<Pending*> instance{nullptr};

// A child process has none of the threads, and the work is its parent's.
Pending& Pending::get() {
  static const bool made [[maybe_unused]] = [] {
    instance = new Pending;
    pthread_atfork([] { instance.load()->lock_for_fork(); },
                   [] { instance.load()->unlock_after_fork(); }, [] { instance = new Pending; });
    return true;
  }();
  return *instance.load(std::memory_order_acquire);
}

// Memory that the device knows is copied asynchronously; other memory before the call returns. In
// the null stream, calls wait unless both sides are a device's.
bool is_asynchronous_copy(hipStream_t handle, const Stream& stream, const CopyWork& copy) {
  Memory& memory = stream.runtime->memory();
  const auto to = memory.find(copy.to.base), from = memory.find(copy.from.base);
  if (!to || !from || waits_for_copies(*to) || waits_for_copies(*from)) return false;
  if (!is_null(stream) && handle != hipStreamPerThread) return true;
  return mode() == Mode::kThreads && to->kind == MemoryKind::kDevice &&
         from->kind == MemoryKind::kDevice;
}

// As for a copy alone: the program's own memory is read or written before the call returns.
bool copies_own_memory(const Stream& stream, const Graph& graph) {
  const std::lock_guard lock(graph_mutex());
  Memory& memory = stream.runtime->memory();
  const auto is_own = [&](std::uint64_t base) {
    return !memory.find(base) && !is_graph_memory(base);
  };
  return std::ranges::any_of(graph.nodes, [&](const std::shared_ptr<Node>& node) {
    const auto* copy = std::get_if<CopyWork>(&node->work);
    const auto* child = std::get_if<ChildWork>(&node->work);
    return node->enabled && ((copy && (is_own(copy->to.base) || is_own(copy->from.base))) ||
                             (child && copies_own_memory(stream, *child->graph)));
  });
}

bool is_asynchronous(hipStream_t handle, const Stream& stream, const Work& work) {
  if (const auto* child = std::get_if<ChildWork>(&work))
    return mode() == Mode::kThreads && !copies_own_memory(stream, *child->graph);
  if (const auto* copy = std::get_if<CopyWork>(&work))
    return is_asynchronous_copy(handle, stream, *copy);
  return mode() == Mode::kThreads || std::holds_alternative<KernelWork>(work) ||
         std::holds_alternative<FillWork>(work) || std::holds_alternative<RecordWork>(work);
}

bool may_wait_for_host(const Work& work) {
  return std::holds_alternative<ValueWork>(work) || std::holds_alternative<BatchWork>(work) ||
         std::holds_alternative<WaitWork>(work);
}

// Invalid requests are refused before they wait.
hipError_t check(Runtime& runtime, const Work& work) {
  if (const auto* copy = std::get_if<CopyWork>(&work)) return check_copy(runtime, *copy);
  if (const auto* fill = std::get_if<FillWork>(&work)) return check_fill(runtime, *fill);
  return hipSuccess;
}

}  // namespace

bool streams_are_late() {
  return mode() != Mode::kAtOnce && !is_worker;
}

hipError_t run_at_once(hipStream_t handle, const std::shared_ptr<Stream>& stream,
                       const Work& work) {
  const auto* copy = std::get_if<CopyWork>(&work);
  const OrderedOperation operation(*stream, work,
                                   copy && !is_asynchronous_copy(handle, *stream, *copy));
  return execute(*stream->runtime, work);
}

hipError_t run_late(hipStream_t handle, const std::shared_ptr<Stream>& stream, Work work) {
  if (!is_asynchronous(handle, *stream, work)) {
    HIP_TRY(Pending::get().run_stream(*stream));
    return execute(*stream->runtime, work);
  }
  HIP_TRY(check(*stream->runtime, work));
  const bool waits = !may_wait_for_host(work);
  return Pending::get().add(stream, std::move(work), waits);
}

void run_behind(Stream& stream, const Event& event) {
  order_behind(stream, event);
  if (!Pending::get().is_empty()) Pending::get().join(stream, event);
}

bool is_behind(Stream& stream, std::uint64_t number) {
  return Pending::get().is_behind(stream, number);
}

bool is_busy(Stream& stream) {
  return mode() == Mode::kThreads && !Pending::get().is_empty() && Pending::get().is_busy(stream);
}
bool is_pending(const Event& event) {
  return mode() == Mode::kThreads && !Pending::get().is_empty() && Pending::get().is_pending(event);
}

hipError_t finish_stream(Stream& stream) {
  host_saw(stream);
  return mode() == Mode::kAtOnce ? hipSuccess : Pending::get().run_stream(stream);
}

hipError_t finish_event(const Event& event) {
  host_saw(event);
  return Pending::get().is_empty() ? hipSuccess : Pending::get().run_event(event);
}

// Threads work while the host does other things.
hipError_t finish_work() {
  return mode() == Mode::kThreads ? hipSuccess : Pending::get().run_all();
}

hipError_t finish_everything() {
  host_saw_everything();
  return Pending::get().run_all();
}

void finish_at_exit() {
  if (mode() != Mode::kThreads || Pending::get().is_empty() || is_worker) return;
  if (const std::size_t left = Pending::get().wait(kLongestExit))
    say(fmt::format("the program ended before {} of its kernels and copies", left));
}

}  // namespace hipwright::soft::hip
