// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <future>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/file.h"
#include "device/cpu/device.h"
#include "device/cpu/registry.h"
#include "device/device.h"

namespace hipwright::device {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

void add(std::string name, std::vector<std::size_t> sizes, CpuFunction function) {
  cpu::register_kernel({std::move(name), std::move(sizes), std::move(function)});
}
constexpr Stream kDefault = nullptr;

template <class T>
T value(const void* argument) {
  return *static_cast<const T*>(argument);
}

// A kernel in the "gate" waits here until the test lets it through: order without sleeping.
struct Gate {
  std::promise<void> entered;
  std::promise<void> open;
};

const bool kRegistered = [] {
  add("add_to", {8, 4, 4}, [](const CpuBlock& block, const void* const* arguments) {
    int* const data = value<int*>(arguments[0]);
    block.each_thread([&](Dim3 thread) {
      const unsigned i = block.index.x * block.size.x + thread.x;
      if (i < value<unsigned>(arguments[2])) data[i] += value<int>(arguments[1]);
    });
  });
  add("gate", {8}, [](const CpuBlock&, const void* const* arguments) {
    Gate* const gate = value<Gate*>(arguments[0]);
    gate->entered.set_value();
    gate->open.get_future().wait();
  });
  add("throws", {},
      [](const CpuBlock&, const void* const*) { throw std::runtime_error("the pipe is blocked"); });
  add("reverse", {8}, [](const CpuBlock& block, const void* const* arguments) {
    int* const data = value<int*>(arguments[0]) + block.index.x * block.size.x;
    int* const tile = reinterpret_cast<int*>(block.shared);
    block.each_thread([&](Dim3 thread) { tile[thread.x] = data[thread.x]; });
    block.each_thread([&](Dim3 thread) { data[thread.x] = tile[block.size.x - 1 - thread.x]; });
  });
  return true;
}();

class Cpu : public testing::Test {
 protected:
  Cpu() { module = *cpu->load(""); }
  ~Cpu() override {
    for (void* pointer : buffers) EXPECT_TRUE(cpu->free(pointer));
    for (Event event : events) EXPECT_TRUE(cpu->destroy_event(event));
    for (Stream stream : streams) EXPECT_TRUE(cpu->destroy_stream(stream));
    EXPECT_TRUE(cpu->unload(module));
  }

  int* ints(std::size_t count) {
    buffers.push_back(*cpu->allocate(count * sizeof(int)));
    std::memset(buffers.back(), 0, count * sizeof(int));
    return static_cast<int*>(buffers.back());
  }
  Stream stream() {
    streams.push_back(*cpu->create_stream(0));
    return streams.back();
  }
  Event event(bool timed = true) {
    events.push_back(*cpu->create_event(timed));
    return events.back();
  }
  template <class... Args>
  Done run(const char* kernel, Launch launch, const Args&... arguments) {
    const auto function = cpu->find(module, kernel);
    if (!function) return std::unexpected(function.error());
    const std::array<Argument, sizeof...(Args)> list{Argument{&arguments, sizeof arguments}...};
    return cpu->launch(*function, launch, list);
  }
  Done add_to(int* data, int amount, Stream on, unsigned count = 1) {
    return run("add_to", {.grid = {(count + 31) / 32}, .block = {32}, .stream = on}, data, amount,
               count);
  }
  Done close(Gate& gate, Stream on) { return run("gate", {.stream = on}, &gate); }

  std::shared_ptr<Device> cpu = open_cpu()->front();
  Module module;
  std::vector<void*> buffers;
  std::vector<Stream> streams;
  std::vector<Event> events;
};

TEST_F(Cpu, SaysWhatItIs) {
  const Properties& properties = cpu->properties();
  EXPECT_EQ(properties.id, "cpu");
  EXPECT_EQ(properties.kind, Kind::kCpu);
  EXPECT_FALSE(properties.name.empty());
  EXPECT_GE(properties.compute_units, 1U);
  EXPECT_EQ(properties.wave_size, 1U);
  const auto memory = cpu->memory_info();
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->total_bytes, properties.memory_bytes);
  EXPECT_GT(memory->free_bytes, 0U);
  EXPECT_LT(memory->free_bytes, memory->total_bytes);
}

TEST_F(Cpu, IsOneDeviceForTheWholeProcess) {
  EXPECT_EQ(open_cpu()->front(), cpu);
  EXPECT_EQ(open_all(*parse_selector("cpu"))->front(), cpu);
}

// --- Memory ---

TEST_F(Cpu, MemoryIsAlignedAndItsOwn) {
  std::set<void*> seen;
  for (const std::size_t bytes : {1, 255, 256, 257, 1 << 20}) {
    void* const memory = *cpu->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0U);
    std::memset(memory, 1, bytes);
    EXPECT_TRUE(seen.insert(memory).second);
  }
  for (void* memory : seen) EXPECT_TRUE(cpu->free(memory));
  EXPECT_EQ(*cpu->allocate(0), nullptr);
  EXPECT_TRUE(cpu->free(nullptr));
}

TEST_F(Cpu, FreeingAnUnknownPointerIsAnError) {
  void* const memory = *cpu->allocate(64);
  int local = 0;
  for (void* wild :
       {static_cast<void*>(&local), static_cast<void*>(static_cast<char*>(memory) + 8)}) {
    const Done done = cpu->free(wild);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message(), HasSubstr("not the start of a live allocation"));
  }
  const Done as_pinned = cpu->free_pinned(memory);
  ASSERT_FALSE(as_pinned);
  EXPECT_THAT(as_pinned.error().message(), HasSubstr("allocated as device memory"));
  EXPECT_TRUE(cpu->free(memory));
  EXPECT_FALSE(cpu->free(memory));
}

TEST_F(Cpu, AllocationsBeyondTheMachinesMemoryFail) {
  const auto refused = cpu->allocate(cpu->properties().memory_bytes + 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, FailureKind::kMemory);
  EXPECT_THAT(refused.error().message(), HasSubstr("MiB needed"));
  EXPECT_TRUE(cpu->free(*cpu->allocate(64)));
}

TEST_F(Cpu, ReservedMemoryIsNotFree) {
  const std::size_t bytes = cpu->memory_info()->free_bytes / 2;
  void* const memory = *cpu->allocate(bytes);
  const auto info = *cpu->memory_info();
  EXPECT_LE(info.free_bytes, info.total_bytes - bytes);
  EXPECT_TRUE(cpu->free(memory));
}

TEST_F(Cpu, CopiesOutsideAnAllocationAreRejected) {
  int* const data = ints(4);
  std::array<int, 8> host{};
  const Done past = cpu->copy(data, host.data(), sizeof host, Direction::kToDevice);
  ASSERT_FALSE(past);
  EXPECT_THAT(past.error().message(), HasSubstr("exceed their allocation"));
  const Done wild = cpu->copy(host.data(), host.data(), 4, Direction::kToDevice);
  ASSERT_FALSE(wild);
  EXPECT_THAT(wild.error().message(), HasSubstr("does not point to memory of this device"));
  EXPECT_FALSE(cpu->fill(data + 1, 0, 16, nullptr));
  EXPECT_FALSE(cpu->copy(data, nullptr, 16, Direction::kToDevice));
}

TEST_F(Cpu, HasNoAllocatorInStreamOrder) {
  EXPECT_EQ(cpu->allocate_async(64, nullptr).error().kind, FailureKind::kNotAvailable);
}

TEST_F(Cpu, IsItsOwnPeer) {
  int* const data = ints(2);
  data[0] = 7;
  EXPECT_TRUE(*cpu->can_access_peer(*cpu));
  EXPECT_TRUE(cpu->enable_peer_access(*cpu));
  EXPECT_TRUE(cpu->copy_peer(data + 1, *cpu, data, sizeof(int), nullptr));
  EXPECT_TRUE(cpu->synchronize(kDefault));
  EXPECT_EQ(data[1], 7);
}

TEST(CpuMemory, IsWhatTheControlGroupAllows) {
  const auto root = *TemporaryDirectory::create();
  const auto write = [&](const char* name, const char* text) {
    const auto path = root.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  };
  write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable: 8000000 kB\n");
  MemoryInfo info = cpu::machine_memory(root.path().string());
  EXPECT_EQ(info.total_bytes, 16000000ULL * 1024);
  EXPECT_EQ(info.free_bytes, 8000000ULL * 1024);

  write("proc/self/cgroup", "0::/pod/job\n");
  write("sys/fs/cgroup/pod/memory.max", "1000000000\n");
  write("sys/fs/cgroup/pod/memory.current", "600000000\n");
  write("sys/fs/cgroup/pod/memory.stat", "anon 1\nfile 300000000\ninactive_file 200000000\n");
  write("sys/fs/cgroup/pod/job/memory.max", "max\n");
  info = cpu::machine_memory(root.path().string());
  EXPECT_EQ(info.total_bytes, 1000000000U);
  EXPECT_EQ(info.free_bytes, 600000000U) << "files in the page cache can be dropped";

  write("proc/self/cgroup", "5:cpu:/a\n4:memory:/b\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "500\n");
  write("sys/fs/cgroup/memory/b/memory.usage_in_bytes", "700\n");
  info = cpu::machine_memory(root.path().string());
  EXPECT_EQ(info.total_bytes, 500U);
  EXPECT_EQ(info.free_bytes, 0U);
}

// --- Kernels ---

TEST_F(Cpu, RunsEveryBlockOnce) {
  constexpr unsigned kCount = 100'000;
  int* const data = ints(kCount);
  EXPECT_TRUE(add_to(data, 1, nullptr, kCount));
  EXPECT_TRUE(cpu->synchronize());
  EXPECT_EQ(std::accumulate(data, data + kCount, 0L), kCount);
}

TEST_F(Cpu, BlocksHaveSharedMemoryAndABarrier) {
  int* const data = ints(64);
  std::iota(data, data + 64, 0);
  EXPECT_TRUE(run("reverse", {.grid = {4}, .block = {16}, .shared_bytes = 64}, data));
  EXPECT_TRUE(cpu->synchronize(kDefault));
  EXPECT_EQ(data[0], 15);
  EXPECT_EQ(data[63], 48);
}

TEST_F(Cpu, GridsHaveThreeDimensions) {
  std::mutex mutex;
  std::set<std::array<unsigned, 3>> seen;
  add("where", {}, [&](const CpuBlock& block, const void* const*) {
    const std::lock_guard lock(mutex);
    seen.insert({block.index.x, block.index.y, block.index.z});
  });
  EXPECT_TRUE(run("where", {.grid = {3, 4, 5}}));
  EXPECT_TRUE(cpu->synchronize(kDefault));
  EXPECT_EQ(seen.size(), 60U);
  EXPECT_EQ(*seen.rbegin(), (std::array<unsigned, 3>{2, 3, 4}));
  add("where", {}, [](const CpuBlock&, const void* const*) {});
}

TEST_F(Cpu, ArgumentsAreCopiedAtTheLaunch) {
  int* const data = ints(1);
  const Stream on = stream();
  Gate gate;
  EXPECT_TRUE(close(gate, on));
  int amount = 5;
  EXPECT_TRUE(run("add_to", {.stream = on}, data, amount, 1U));
  amount = 100;
  gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[0], 5);
}

TEST_F(Cpu, OverAlignedArgumentsStayAligned) {
  struct alignas(32) Wide {
    double lanes[4];
  };
  std::atomic<bool> aligned = false;
  add("wide", {1, sizeof(Wide)}, [&](const CpuBlock&, const void* const* arguments) {
    aligned = reinterpret_cast<std::uintptr_t>(arguments[1]) % alignof(Wide) == 0;
  });
  EXPECT_TRUE(run("wide", {}, 'x', Wide{}));
  EXPECT_TRUE(cpu->synchronize(kDefault));
  EXPECT_TRUE(aligned);
}

TEST_F(Cpu, InvalidArgumentsAreNamed) {
  const Done few = run("add_to", {}, nullptr);
  ASSERT_FALSE(few);
  EXPECT_THAT(few.error().message(),
              AllOf(HasSubstr("'add_to'"), HasSubstr("expected 3 arguments, got 1")));
  const Done wide = run("add_to", {}, ints(1), 1.0, 1U);
  ASSERT_FALSE(wide);
  EXPECT_THAT(wide.error().message(),
              AllOf(HasSubstr("'add_to'"),
                    HasSubstr("argument 2 has 8 bytes, but the kernel's parameter has 4")));
}

TEST_F(Cpu, InvalidLaunchesAreNamed) {
  const auto why = [&](const Launch& launch) { return run("throws", launch).error().message(); };
  EXPECT_THAT(why({.grid = {0}}), AllOf(HasSubstr("'throws'"), HasSubstr("0x1x1")));
  EXPECT_THAT(why({.block = {32, 33}}), HasSubstr("32x33x1"));
  EXPECT_THAT(why({.shared_bytes = 1 << 20}), HasSubstr("shared memory"));
}

TEST_F(Cpu, AnUnregisteredKernelSuggestsSimilarNames) {
  const auto missing = cpu->find(module, "ad_to");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), AllOf(HasSubstr("'ad_to'"), HasSubstr("'add_to'")));
  EXPECT_FALSE(cpu->load("\177ELF"));
}

TEST_F(Cpu, AKernelThatThrowsFailsTheNextSynchronizeOfItsStreamOnly) {
  const Stream one = stream();
  const Stream other = stream();
  int* const data = ints(1);
  EXPECT_TRUE(run("throws", {.grid = {100}, .stream = one}));
  EXPECT_TRUE(add_to(data, 1, one));
  EXPECT_TRUE(add_to(data + 0, 0, other));
  EXPECT_TRUE(cpu->synchronize(other));
  const Done done = cpu->synchronize(one);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kDevice);
  EXPECT_FALSE(done.error().device_lost);
  EXPECT_THAT(done.error().message(),
              AllOf(HasSubstr("kernel 'throws'"), HasSubstr("the pipe is blocked")));
  EXPECT_TRUE(cpu->synchronize(one)) << "it is said once";
  EXPECT_EQ(data[0], 1) << "the stream goes on";

  EXPECT_TRUE(run("throws", {.stream = one}));
  EXPECT_FALSE(cpu->synchronize()) << "the device's synchronize says it too";
  EXPECT_TRUE(cpu->synchronize());
}

// --- Streams and events ---

TEST_F(Cpu, AStreamRunsInOrder) {
  const Stream on = stream();
  int* const data = ints(1024);
  for (int round = 1; round <= 50; ++round) {
    EXPECT_TRUE(cpu->fill(data, 0, 1024 * sizeof(int), on));
    EXPECT_TRUE(add_to(data, round, on, 1024));
  }
  std::vector<int> host(1024);
  EXPECT_TRUE(cpu->copy_async(host.data(), data, 1024 * sizeof(int), Direction::kToHost, on));
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_THAT(host, testing::Each(50));
}

TEST_F(Cpu, StreamsDoNotWaitForEachOtherNorForTheDefaultOne) {
  const Stream blocked = stream();
  Gate gate;
  Gate default_gate;
  EXPECT_TRUE(close(gate, blocked));
  EXPECT_TRUE(close(default_gate, nullptr));
  gate.entered.get_future().wait();
  default_gate.entered.get_future().wait();
  EXPECT_FALSE(*cpu->idle(blocked));
  EXPECT_FALSE(*cpu->idle(nullptr));

  const Stream free_stream = stream();
  int* const data = ints(1);
  EXPECT_TRUE(add_to(data, 3, free_stream));
  EXPECT_TRUE(cpu->synchronize(free_stream));
  EXPECT_EQ(data[0], 3);
  EXPECT_TRUE(*cpu->idle(free_stream));
  gate.open.set_value();
  default_gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize());
  EXPECT_TRUE(*cpu->idle(blocked));
}

TEST_F(Cpu, AStreamWaitsForAnEventOfAnotherAndTheCallerDoesNot) {
  const Stream producer = stream();
  const Stream consumer = stream();
  int* const data = ints(2);
  const Event done = event();
  Gate gate;
  EXPECT_TRUE(close(gate, producer));
  EXPECT_TRUE(add_to(data, 42, producer));
  EXPECT_TRUE(cpu->record(done, producer));
  EXPECT_TRUE(cpu->wait(consumer, done));
  EXPECT_TRUE(cpu->copy_async(data + 1, data, sizeof(int), Direction::kOnDevice, consumer));
  EXPECT_FALSE(*cpu->reached(done));
  EXPECT_FALSE(*cpu->idle(consumer));
  gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize(consumer));
  EXPECT_EQ(data[1], 42);
  EXPECT_TRUE(*cpu->reached(done));
}

TEST_F(Cpu, RecordingAnEventAgainDoesNotReleaseEarlierWaiters) {
  const Stream producer = stream();
  const Stream consumer = stream();
  const Stream idle = stream();
  const Event mark = event();
  int* const data = ints(2);
  Gate gate;
  EXPECT_TRUE(close(gate, producer));
  EXPECT_TRUE(add_to(data, 1, producer));
  EXPECT_TRUE(cpu->record(mark, producer));
  EXPECT_TRUE(cpu->wait(consumer, mark));
  EXPECT_TRUE(cpu->record(mark, idle));
  EXPECT_TRUE(*cpu->reached(mark)) << "the newest record counts for who asks now";
  EXPECT_TRUE(cpu->copy_async(data + 1, data, sizeof(int), Direction::kOnDevice, consumer));
  gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize(consumer));
  EXPECT_EQ(data[1], 1);
}

TEST_F(Cpu, AnUnrecordedEventBlocksNothing) {
  const Stream on = stream();
  const Event never = event();
  EXPECT_TRUE(cpu->wait(on, never));
  EXPECT_TRUE(cpu->synchronize(never));
  EXPECT_TRUE(*cpu->reached(never));
  EXPECT_TRUE(cpu->synchronize(on));
}

TEST_F(Cpu, EventsOfAnIdleStreamAreReachedAtOnce) {
  const Event first = event();
  const Event second = event();
  EXPECT_TRUE(cpu->record(first, nullptr));
  EXPECT_TRUE(*cpu->reached(first));
  EXPECT_TRUE(cpu->record(second, nullptr));
  EXPECT_GE(*cpu->elapsed_ms(first, second), 0);
}

TEST_F(Cpu, ElapsedTimeNeedsTimedReachedEvents) {
  const Event timed = event();
  const Event plain = event(false);
  EXPECT_THAT(cpu->elapsed_ms(timed, timed).error().message(), HasSubstr("never recorded"));
  EXPECT_TRUE(cpu->record(timed, nullptr));
  EXPECT_TRUE(cpu->record(plain, nullptr));
  EXPECT_THAT(cpu->elapsed_ms(timed, plain).error().message(), HasSubstr("is not timed"));
  const Stream on = stream();
  const Event later = event();
  Gate gate;
  EXPECT_TRUE(close(gate, on));
  EXPECT_TRUE(cpu->record(later, on));
  EXPECT_THAT(cpu->elapsed_ms(timed, later).error().message(), HasSubstr("not been reached"));
  gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize(later));
  EXPECT_GT(*cpu->elapsed_ms(timed, later), 0);
}

TEST_F(Cpu, FreeWaitsForTheWorkThatUsesTheMemory) {
  const Stream on = stream();
  auto* const data = static_cast<int*>(*cpu->allocate(sizeof(int)));
  Gate gate;
  EXPECT_TRUE(close(gate, on));
  EXPECT_TRUE(add_to(data, 1, on));
  auto freed = std::async(std::launch::async, [&] { return cpu->free(data).has_value(); });
  gate.entered.get_future().wait();
  gate.open.set_value();
  EXPECT_TRUE(freed.get());
}

TEST_F(Cpu, ManyThreadsShareItsStreams) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 50;
  const Stream shared = stream();
  int* const data = ints(kThreads);
  int* const common = ints(1);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] {
      const Stream own = *cpu->create_stream(0);
      const Event mark = *cpu->create_event(true);
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_TRUE(add_to(data + i, 1, own));
        EXPECT_TRUE(cpu->record(mark, own));
        EXPECT_TRUE(cpu->wait(shared, mark));
        EXPECT_TRUE(add_to(common, 1, shared));
        void* const scratch = *cpu->allocate(64);
        EXPECT_TRUE(cpu->free(scratch));
      }
      EXPECT_TRUE(cpu->synchronize(own));
      EXPECT_EQ(data[i], kRounds);
      EXPECT_TRUE(cpu->destroy_event(mark));
      EXPECT_TRUE(cpu->destroy_stream(own));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(cpu->synchronize(shared));
  EXPECT_EQ(common[0], kThreads * kRounds);
}

// --- Graphs ---

class CpuGraph : public Cpu {
 protected:
  ~CpuGraph() override {
    for (Graph graph : graphs) EXPECT_TRUE(cpu->destroy(graph));
  }
  Graph end() {
    auto graph = cpu->end_capture(on);
    EXPECT_TRUE(graph) << graph.error().message();
    graphs.push_back(*graph);
    return *graph;
  }
  std::vector<Graph> graphs;
  Stream on = stream();
};

TEST_F(CpuGraph, ReplaysCapturedWorkThatDidNotRunDuringCapture) {
  int* const data = ints(3);
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_EQ(*cpu->capture_state(on), CaptureState::kActive);
  EXPECT_TRUE(cpu->fill(data, 0, sizeof(int), on));
  EXPECT_TRUE(add_to(data, 5, on));
  EXPECT_TRUE(cpu->copy_async(data + 1, data, sizeof(int), Direction::kOnDevice, on));
  EXPECT_TRUE(add_to(data + 2, 1, on));
  const Graph graph = end();
  EXPECT_EQ(*cpu->capture_state(on), CaptureState::kNone);
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[0], 0);

  for (int i = 0; i < 3; ++i) EXPECT_TRUE(cpu->launch(graph, nullptr));
  EXPECT_TRUE(cpu->synchronize(kDefault));
  EXPECT_EQ(data[0], 5);
  EXPECT_EQ(data[1], 5);
  EXPECT_EQ(data[2], 3);
}

TEST_F(CpuGraph, ArgumentsCanBeChangedWhileAReplayIsPending) {
  int* const data = ints(1);
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_TRUE(cpu->fill(data, 0, 0, on));
  EXPECT_TRUE(add_to(data, 1, on));
  EXPECT_TRUE(add_to(data, 10, on));
  const Graph graph = end();
  const auto kernels = *cpu->kernel_nodes(graph);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[1].kernel, "add_to");
  EXPECT_EQ(kernels[1].launch.block.x, 32U);

  Gate gate;
  EXPECT_TRUE(close(gate, on));
  EXPECT_TRUE(cpu->launch(graph, on));
  const int amount = 1000;
  const unsigned count = 1;
  const std::array<Argument, 3> arguments{
      Argument{&data, sizeof data}, {&amount, sizeof amount}, {&count, sizeof count}};
  EXPECT_TRUE(cpu->set_arguments(graph, 1, arguments));
  gate.open.set_value();
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[0], 11) << "the pending replay keeps what it was launched with";
  EXPECT_TRUE(cpu->launch(graph, on));
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[0], 11 + 1001);

  EXPECT_THAT(cpu->set_arguments(graph, 1, std::span(arguments).first(2)).error().message(),
              HasSubstr("expected 3 arguments, got 2"));
  EXPECT_THAT(cpu->set_arguments(graph, 2, arguments).error().message(),
              HasSubstr("no kernel launch 2: the graph has 2"));
}

TEST_F(CpuGraph, UpdateTakesParametersAndRejectsAnotherShape) {
  int* const data = ints(4);
  const auto capture = [&](int amount, bool copy_first, bool more) {
    EXPECT_TRUE(cpu->begin_capture(on));
    EXPECT_TRUE(copy_first ? cpu->copy_async(data + 1, data, 4, Direction::kOnDevice, on)
                           : cpu->fill(data, 0, 4, on));
    EXPECT_TRUE(add_to(data, amount, on));
    if (more) {
      EXPECT_TRUE(add_to(data, amount, on));
    }
    return end();
  };
  const Graph graph = capture(1, false, false);
  EXPECT_TRUE(cpu->update(graph, capture(9, false, false)));
  EXPECT_TRUE(cpu->launch(graph, on));
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[0], 9);
  EXPECT_THAT(cpu->update(graph, capture(1, true, false)).error().message(),
              AllOf(HasSubstr("node 0"), HasSubstr("a copy"), HasSubstr("a fill")));
  EXPECT_THAT(cpu->update(graph, capture(1, false, true)).error().message(),
              HasSubstr("3 nodes instead of 2"));
}

TEST_F(CpuGraph, StreamsForkFromACaptureAndJoinItAgain) {
  const Stream side = stream();
  const Event fork = event();
  const Event join = event();
  int* const data = ints(2);
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_TRUE(add_to(data, 1, on));
  EXPECT_TRUE(cpu->record(fork, on));
  EXPECT_TRUE(cpu->wait(side, fork));
  EXPECT_EQ(*cpu->capture_state(side), CaptureState::kActive);
  EXPECT_TRUE(cpu->copy_async(data + 1, data, sizeof(int), Direction::kOnDevice, side));
  EXPECT_TRUE(cpu->record(join, side));
  EXPECT_TRUE(cpu->wait(on, join));
  const Graph graph = end();
  EXPECT_EQ(*cpu->capture_state(side), CaptureState::kNone);
  EXPECT_TRUE(cpu->launch(graph, on));
  EXPECT_TRUE(cpu->synchronize(on));
  EXPECT_EQ(data[1], 1);
  EXPECT_TRUE(add_to(data, 1, side)) << "the stream works again by itself";
  EXPECT_TRUE(cpu->synchronize(side));
  EXPECT_EQ(data[0], 2);
}

TEST_F(CpuGraph, AForkThatIsNotJoinedIsAnError) {
  const Stream side = stream();
  const Event fork = event();
  int* const data = ints(1);
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_TRUE(cpu->record(fork, on));
  EXPECT_TRUE(cpu->wait(side, fork));
  EXPECT_TRUE(add_to(data, 1, side));
  const auto graph = cpu->end_capture(on);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().kind, FailureKind::kCapture);
  EXPECT_THAT(graph.error().message(), HasSubstr("not joined back"));
  EXPECT_EQ(*cpu->capture_state(side), CaptureState::kNone);
}

TEST_F(CpuGraph, CallsThatCannotBeCapturedBreakTheCaptureAndAreNamed) {
  int* const data = ints(1);
  const Event outside = event();
  EXPECT_TRUE(cpu->record(outside, nullptr));
  const Event inside = event();
  void* const memory = *cpu->allocate(64);
  const std::vector<std::pair<const char*, std::function<Done()>>> calls{
      {"synchronize", [&] { return cpu->synchronize(on); }},
      {"synchronize", [&] { return cpu->synchronize(); }},
      {"synchronize", [&] { return cpu->synchronize(inside); }},
      {"idle",
       [&]() -> Done {
         HW_CHECK(cpu->idle(on));
         return {};
       }},
      {"reached",
       [&]() -> Done {
         HW_CHECK(cpu->reached(inside));
         return {};
       }},
      {"free", [&] { return cpu->free(memory); }},
      {"copy", [&] { return cpu->copy(data, data, 4, Direction::kOnDevice); }},
      {"wait", [&] { return cpu->wait(on, outside); }},
      {"wait", [&] { return cpu->wait(nullptr, inside); }},
      {"destroy_stream", [&] { return cpu->destroy_stream(on); }},
  };
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(cpu->begin_capture(on));
    EXPECT_TRUE(cpu->record(inside, on));
    const Done done = call();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kCapture);
    EXPECT_EQ(done.error().call, name);
    EXPECT_EQ(*cpu->capture_state(on), CaptureState::kInvalidated);
    const Done later = add_to(data, 1, on);
    ASSERT_FALSE(later);
    EXPECT_THAT(later.error().message(), HasSubstr(std::string(name) + " broke the capture"));
    const auto graph = cpu->end_capture(on);
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().kind, FailureKind::kCapture);
    EXPECT_THAT(graph.error().message(), HasSubstr(std::string(name) + " broke the capture"));
    EXPECT_EQ(*cpu->capture_state(on), CaptureState::kNone);
    EXPECT_TRUE(add_to(data, 1, on)) << "the stream is usable again";
    EXPECT_TRUE(cpu->synchronize(on));
  }
  EXPECT_TRUE(cpu->free(memory));
}

TEST_F(CpuGraph, OtherThreadsContinueDuringCapture) {
  int* const data = ints(1);
  const Stream other = stream();
  EXPECT_TRUE(cpu->begin_capture(on));
  std::thread([&] {
    void* const memory = *cpu->allocate(64);
    EXPECT_TRUE(add_to(data, 1, other));
    EXPECT_TRUE(cpu->synchronize(other));
    EXPECT_TRUE(cpu->free(memory));
  }).join();
  EXPECT_TRUE(cpu->allocate(0));
  end();
  EXPECT_EQ(data[0], 1);
}

TEST_F(CpuGraph, NoThreadMayWaitForAllStreamsWhileOneIsCaptured) {
  EXPECT_TRUE(cpu->begin_capture(on));
  std::thread([&] {
    const Done done = cpu->synchronize();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, FailureKind::kCapture);
  }).join();
  EXPECT_FALSE(cpu->end_capture(on));
}

TEST_F(CpuGraph, BeginAndEndAreChecked) {
  EXPECT_EQ(cpu->begin_capture(nullptr).error().kind, FailureKind::kCapture);
  EXPECT_EQ(cpu->end_capture(on).error().kind, FailureKind::kCapture);
  const Stream side = stream();
  const Event fork = event();
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_FALSE(cpu->begin_capture(on));
  EXPECT_TRUE(cpu->record(fork, on));
  EXPECT_TRUE(cpu->wait(side, fork));
  EXPECT_THAT(cpu->end_capture(side).error().message(), HasSubstr("began on another"));
  EXPECT_FALSE(cpu->end_capture(on));
  const Done late = cpu->wait(side, fork);
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message(), HasSubstr("a capture that has ended"));
}

TEST_F(CpuGraph, CapturesCannotBeMerged) {
  const Stream other = stream();
  const Event mark = event();
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_TRUE(cpu->begin_capture(other));
  EXPECT_TRUE(cpu->record(mark, on));
  EXPECT_THAT(cpu->wait(other, mark).error().message(), HasSubstr("another capture"));
  EXPECT_FALSE(cpu->end_capture(on));
  EXPECT_FALSE(cpu->end_capture(other));
}

TEST_F(CpuGraph, AnExceptionInAReplayFailsTheSynchronize) {
  EXPECT_TRUE(cpu->begin_capture(on));
  EXPECT_TRUE(run("throws", {.stream = on}));
  const Graph graph = end();
  EXPECT_TRUE(cpu->launch(graph, on));
  EXPECT_THAT(cpu->synchronize(on).error().message(), HasSubstr("the pipe is blocked"));
}

}  // namespace

}  // namespace hipwright::device
