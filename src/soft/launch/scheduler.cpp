// SPDX-License-Identifier: MIT
#include "soft/launch/scheduler.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "base/thread_pool.h"
#include "soft/decode/program.h"
#include "soft/exec/interpreter.h"
#include "soft/exec/lost_memory.h"
#include "soft/launch/resident_group.h"
#include "toolchain/code_object/demangle.h"

namespace hipwright::soft {

namespace {

// How the waves of a workgroup take turns. Hardware runs waves side by side: hand-written kernels
// that rely on it without synchronisation work there and must work here. (The checks and random
// schedules find such programs.) Shorter turns cost speed.
struct Pace {
  unsigned turn;    // instructions before the next wave gets its turn
  unsigned rounds;  // between looks at what became of the workgroup
};
constexpr Pace kTogether = {.turn = 4, .rounds = 8};
// A workgroup of one wave has nobody to keep pace with.
constexpr Pace kAlone = {.turn = 256, .rounds = 1};
// Instructions of each wave before a workgroup makes room for others.
constexpr unsigned kBudget = 1U << 20;
constexpr unsigned kCooperativeBudget = 256;
// Memory of workgroups that one thread keeps going at the same time.
constexpr std::uint64_t kResidentBytes = std::uint64_t{256} << 20;
// Rounds in which all its waves sleep before a workgroup counts as waiting for another one.
constexpr unsigned kPatience = 8;
// What a thread keeps for the next launch.
constexpr std::size_t kKeptResidents = 4;
constexpr std::uint64_t kKeptBytes = std::uint64_t{64} << 20;

bool can_run(const Wave& wave) {
  return wave.state == WaveState::kReady || wave.state == WaveState::kSleeping;
}

// What the threads of a launch share.
struct Shared {
  const Engine* engine = nullptr;
  const LaunchPlan* plan = nullptr;
  LaunchState state;
  std::atomic<std::uint64_t> next{0};  // workgroup to start
  std::atomic<bool> stop{false};
  std::mutex mutex;  // of what follows
  LaunchOutcome outcome;
};

// Null once the thread's own objects are destroyed: exit handlers still launch what is pending.
std::vector<std::unique_ptr<Resident>>* kept_residents() {
  thread_local bool has_ended = false;
  struct Kept {
    std::vector<std::unique_ptr<Resident>> residents;
    ~Kept() { has_ended = true; }
  };
  thread_local Kept kept;
  return has_ended ? nullptr : &kept.residents;
}

LaunchFailure describe(const LaunchPlan& plan, const Wave& wave) {
  LaunchFailure failure;
  failure.fault = wave.fault;
  failure.kernel = toolchain::demangle(plan.kernel->info->name);
  failure.workgroup = wave.group->id;
  failure.wave = wave.id;
  if (const Inst* inst = wave.fault.inst) {
    failure.instruction = plan.program->text(*inst);
    failure.location = plan.kernel->image->symbolize(inst->address);
  }
  return failure;
}

// One host thread of a launch.
class Worker {
 public:
  explicit Worker(Shared& shared)
      : shared_(shared),
        plan_(*shared.plan),
        lookups_(*shared.engine->memory,
                 shared.engine->reachable ? shared.engine->reachable->load() : ~std::uint64_t{0}) {
    if (shared.engine->watch) watch_ = shared.engine->watch(*plan_.request);
    const std::uint64_t rows = plan_.vector_rows + plan_.accumulator_rows;
    const std::uint64_t bytes =
        rows * plan_.wave_size * 4 * plan_.waves + plan_.lds_size + plan_.scratch_bytes + 4096;
    most_ = plan_.request->cooperative ? plan_.groups
                                       : std::clamp<std::uint64_t>(kResidentBytes / bytes, 1, 4096);
  }
  ~Worker() {
    auto* const kept = kept_residents();
    const auto keep = [&](std::unique_ptr<Resident> resident) {
      if (kept != nullptr && kept->size() < kKeptResidents && resident->kept_bytes() <= kKeptBytes)
        kept->push_back(std::move(resident));
    };
    for (auto& resident : running_) {
      count(resident->group);
      keep(std::move(resident));
    }
    for (auto& resident : idle_) keep(std::move(resident));
    const std::lock_guard lock(shared_.mutex);
    shared_.outcome.wave_instructions += steps_;
    shared_.outcome.waves += waves_;
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void run_in_order();
  void run_randomly(std::uint64_t seed);

 private:
  const DeviceWork work_;
  enum class Turn : std::uint8_t { kEnded, kLong, kWaits, kFailed };

  bool start_next();
  Turn run_rounds(Workgroup& group, unsigned budget);
  Turn after_round(Workgroup& group, bool progress);
  void end_group(std::size_t index);
  void count(const Workgroup& group) {
    for (const Wave& wave : group.waves) {
      steps_ += wave.steps;
      if (wave.steps != 0) ++waves_;
    }
  }
  void fail_with(const Wave& wave);
  bool stopped() const { return shared_.stop.load(std::memory_order_relaxed); }

  Shared& shared_;
  const LaunchPlan& plan_;
  LookupCache lookups_;
  std::unique_ptr<Watch> watch_;
  std::vector<std::unique_ptr<Resident>> running_, idle_;
  std::uint64_t most_ = 1;
  std::uint64_t steps_ = 0, waves_ = 0;
};

void Worker::fail_with(const Wave& wave) {
  const std::lock_guard lock(shared_.mutex);
  if (!shared_.outcome.failure) shared_.outcome.failure = describe(plan_, wave);
  shared_.stop.store(true, std::memory_order_relaxed);
}

// Starts the next workgroup; false: all have started, or there is no memory for it.
bool Worker::start_next() {
  if (shared_.next.load(std::memory_order_relaxed) >= plan_.groups) return false;
  std::unique_ptr<Resident> resident;
  if (!idle_.empty()) {
    resident = std::move(idle_.back());
    idle_.pop_back();
  } else {
    auto* const kept = kept_residents();
    if (kept == nullptr || kept->empty()) {
      resident = std::make_unique<Resident>();
    } else {
      resident = std::move(kept->back());
      kept->pop_back();
    }
    if (auto attached = resident->attach(plan_); !attached) {
      if (!running_.empty()) return false;
      Wave none;
      none.group = &resident->group;
      none.stop({.kind = Fault::Kind::kLimit, .what = attached.error().message()});
      fail_with(none);
      return false;
    }
  }
  const std::uint64_t number = shared_.next.fetch_add(1, std::memory_order_relaxed);
  if (number >= plan_.groups) {
    idle_.push_back(std::move(resident));
    return false;
  }
  Workgroup& group = resident->group;
  group.launch = &shared_.state;
  group.lookups = &lookups_;
  for (Wave& wave : group.waves) wave.watch = watch_.get();
  start_group(plan_, group, number);
  if (watch_) watch_->begin(group);
  running_.push_back(std::move(resident));
  return true;
}

void Worker::end_group(std::size_t index) {
  Workgroup& group = running_[index]->group;
  if (watch_) watch_->end(group);
  count(group);
  idle_.push_back(std::move(running_[index]));
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(index));
}

// What to do with a workgroup whose waves have all had a turn. `progress`: one of them ran
// something other than a pause.
Worker::Turn Worker::after_round(Workgroup& group, bool progress) {
  const Wave* waiting = nullptr;
  bool runnable = false;
  for (const Wave& wave : group.waves) {
    if (wave.state == WaveState::kFault) {
      fail_with(wave);
      return Turn::kFailed;
    }
    if (wave.state == WaveState::kAtBarrier) waiting = &wave;
    if (can_run(wave)) runnable = true;
  }
  if (runnable) return progress ? Turn::kLong : Turn::kWaits;
  if (!waiting) return Turn::kEnded;
  if (watch_) watch_->stuck(group, *waiting);
  Wave& wave = group.waves[waiting->id];
  wave.stop({.kind = Fault::Kind::kDeadlock,
             .inst = wave.next - 1,
             .what = "the wave waits at a barrier that no other wave will reach"});
  fail_with(wave);
  return Turn::kFailed;
}

// Some turns for each wave that can run; those of higher priority (s_setprio) come first in each
// round. True: one of them ran something other than a pause.
bool run_some_rounds(Workgroup& group, const Pace& pace) {
  std::uint8_t highest = 0;
  for (const Wave& wave : group.waves)
    if (can_run(wave)) highest = std::max(highest, wave.priority);
  bool progress = false;
  for (unsigned round = 0; round < pace.rounds; ++round)
    for (int priority = highest; priority >= 0; --priority)
      for (Wave& wave : group.waves) {
        if (!can_run(wave) || std::min(wave.priority, highest) != priority) continue;
        run_wave(wave, pace.turn);
        if (wave.state == WaveState::kFault) return true;
        progress |= wave.state != WaveState::kSleeping;
      }
  return progress;
}

Worker::Turn Worker::run_rounds(Workgroup& group, unsigned budget) {
  const Pace& pace = group.waves.size() == 1 ? kAlone : kTogether;
  Turn turn = Turn::kLong;
  unsigned patience = plan_.request->cooperative ? 1 : kPatience;
  for (unsigned used = 0; used < budget && !stopped(); used += pace.turn * pace.rounds) {
    turn = after_round(group, run_some_rounds(group, pace));
    if (turn == Turn::kWaits ? --patience == 0 : turn != Turn::kLong) break;
  }
  return turn;
}

void Worker::run_in_order() {
  const unsigned budget = plan_.request->cooperative ? kCooperativeBudget : kBudget;
  std::size_t current = 0;
  std::size_t waiting = 0;  // turns in a row that only waited
  while (!stopped()) {
    if (running_.empty() && !start_next()) return;
    if (current >= running_.size()) current = 0;
    const Turn turn = run_rounds(running_[current]->group, budget);
    if (turn == Turn::kFailed) return;
    if (turn == Turn::kEnded) {
      end_group(current);
      waiting = 0;
      continue;
    }
    waiting = turn == Turn::kWaits ? waiting + 1 : 0;
    ++current;
    if (running_.size() < most_ && start_next()) {
      current = running_.size() - 1;
      waiting = 0;
    }
    // Others may have what they wait for.
    if (waiting > running_.size()) std::this_thread::yield();
  }
}

void Worker::run_randomly(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  std::uint64_t width =
      plan_.request->cooperative ? plan_.groups : std::min<std::uint64_t>(1 + below(16), most_);
  std::uint64_t patience = 0;
  while (!stopped()) {
    while (running_.size() < width && start_next()) {
    }
    if (running_.empty()) return;
    const std::size_t index = below(running_.size());
    Workgroup& group = running_[index]->group;
    std::vector<Wave*> ready;
    for (Wave& wave : group.waves)
      if (can_run(wave)) ready.push_back(&wave);
    // Mostly short turns, some long ones.
    const std::uint64_t quantum = below(8) == 0 ? 1 + below(2000) : 1 + below(64);
    if (!ready.empty()) run_wave(*ready[below(ready.size())], quantum);
    const Turn turn = after_round(group, true);
    if (turn == Turn::kFailed) return;
    if (turn == Turn::kEnded) {
      end_group(index);
      patience = 0;
    } else if (++patience > 100'000) {
      // Those that run may wait for one that does not.
      patience = 0;
      width = std::min(width + 1, std::max(most_, width));
    }
  }
}

// Threads that outlive launches. Never destroyed: a kernel may still run when the program exits.
ThreadPool& pool() {
  static ThreadPool* threads = new ThreadPool;
  return *threads;
}

// Threads that wake up too late find the door closed: a small launch does not wait for them.
struct Door {
  std::mutex mutex;
  std::condition_variable left;
  unsigned inside = 0;
  bool closed = false;

  bool enter() {
    const std::lock_guard lock(mutex);
    if (closed) return false;
    ++inside;
    return true;
  }
  void leave() {
    const std::lock_guard lock(mutex);
    --inside;
    left.notify_all();
  }
  void close() {
    std::unique_lock lock(mutex);
    closed = true;
    left.wait(lock, [&] { return inside == 0; });
  }
};

void run_parallel(Shared& shared, unsigned threads) {
  const std::uint64_t wanted =
      std::min<std::uint64_t>(threads != 0 ? threads : pool().size(), shared.plan->groups);
  auto door = std::make_shared<Door>();
  for (std::uint64_t i = 1; i < wanted; ++i)
    pool().submit([door, &shared] {
      if (!door->enter()) return;
      Worker(shared).run_in_order();
      door->leave();
    });
  Worker(shared).run_in_order();
  door->close();
}

}  // namespace

LaunchOutcome run_groups(const Engine& engine, const LaunchPlan& plan) {
  Shared shared;
  shared.engine = &engine;
  shared.plan = &plan;
  shared.state = state_of(engine, *plan.request);
  if (const auto block = engine.memory->find(plan.block)) {
    shared.state.arguments_end = plan.block + plan.block_size;
    shared.state.arguments_block_end = block->end();
  }
  switch (engine.schedule.kind) {
    case Schedule::Kind::kParallel:
      run_parallel(shared, engine.schedule.threads);
      break;
    case Schedule::Kind::kDeterministic:
      Worker(shared).run_in_order();
      break;
    case Schedule::Kind::kRandom:
      Worker(shared).run_randomly(engine.schedule.seed);
      break;
  }
  return std::move(shared.outcome);
}

}  // namespace hipwright::soft
