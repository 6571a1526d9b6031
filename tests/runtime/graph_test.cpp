// SPDX-License-Identifier: MIT
#include "hipwright/graph.h"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

#include "hipwright/multi_gpu.h"
#include "runtime/on_device.h"

namespace hipwright {

namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Graphs : public OnDevice {};

INSTANTIATE_TEST_SUITE_P(Devices, Graphs, testing::ValuesIn(kDevices), device_name);

TEST_P(Graphs, AreCapturedOnceAndReplayedOften) {
  const Kernel add_to = kernel("add_to");
  const Kernel times = kernel("times");
  const DeviceBuffer data = ints(1);
  const Graph graph = utils->capture_graph("step", [&](const Stream& stream) {
    EXPECT_EQ(utils->current_stream(), stream);
    launch(add_to, data, 2);
    launch(times, data, 3, stream);
  });
  EXPECT_THAT(content(data), Each(1)) << "recorded, not run";
  EXPECT_THAT(graph.kernels(), ElementsAre("add_to", "times"));
  graph.replay();
  graph.replay();
  EXPECT_THAT(content(data), Each(((1 + 2) * 3 + 2) * 3));
  EXPECT_EQ(utils->current_stream(), Stream()) << "the scope of the capture is over";
}

TEST_P(Graphs, ReplayOnTheRequestedStream) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const Graph graph = utils->capture_graph("step", [&](const Stream&) { launch(add_to, data, 1); });
  const Stream mine = utils->create_stream("mine");
  const Event after = utils->create_event();
  graph.replay(mine);
  launch(add_to, data, 10, mine);
  after.record(mine);
  after.synchronize();
  EXPECT_THAT(content(data), Each(11));
}

TEST_P(Graphs, AcceptNewArguments) {
  const DeviceBuffer data = ints(0);
  const DeviceBuffer other = ints(100);
  const Kernel add_to = kernel("add_to");
  const Graph graph = utils->capture_graph("step", [&](const Stream&) {
    launch(add_to, data, 1);
    launch(add_to, data, 2);
  });
  graph.set_arguments(1, other, 7, kCount);
  graph.replay();
  EXPECT_THAT(content(data), Each(1));
  EXPECT_THAT(content(other), Each(107));

  EXPECT_THAT(message_of([&] { graph.set_arguments(0, data); }), HasSubstr("3 arguments"));
  EXPECT_THAT(message_of([&] { graph.set_arguments(0, data, 1.5, kCount); }),
              testing::ContainsRegex("\\b8\\b"));
  EXPECT_THROW(graph.set_arguments(2, data, 1, kCount), AMDDeviceError);
  graph.replay();
  EXPECT_THAT(content(data), Each(2)) << "what was refused changed nothing";
}

TEST_P(Graphs, TakeParametersFromANewCaptureOfTheSameShape) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const auto record = [&](int first, int second) {
    return [&, first, second](const Stream&) {
      launch(add_to, data, first);
      launch(add_to, data, second);
    };
  };
  const Graph graph = utils->capture_graph("step", record(1, 2));
  graph.update(record(10, 20));
  graph.replay();
  EXPECT_THAT(content(data), Each(30));
  EXPECT_THROW(graph.update([&](const Stream&) { launch(add_to, data, 1); }), AMDDeviceError);
  EXPECT_THROW(graph.update([&](const Stream&) {
    launch(add_to, data, 1);
    utils->fill(data.data(), 0, 4);
  }),
               AMDDeviceError);
  graph.replay();
  EXPECT_THAT(content(data), Each(60)) << "a refused update changed nothing";
}

TEST_P(Graphs, CaptureStreamsThatForkAndJoin) {
  const DeviceBuffer data = ints(1);
  const DeviceBuffer copy = ints(0);
  const Kernel times = kernel("times");
  const Stream side = utils->create_stream("side");
  const Event fork = utils->create_event(false);
  const Event join = utils->create_event(false);
  const Graph graph = utils->capture_graph("fork", [&](const Stream& stream) {
    launch(times, data, 5);
    fork.record(stream);
    side.wait(fork);
    utils->copy_on_device(copy.data(), data.data(), data.size(), side);
    join.record(side);
    stream.wait(join);
    launch(times, data, 2);
  });
  graph.replay();
  EXPECT_THAT(content(copy), Each(5));
  EXPECT_THAT(content(data), Each(10));
}

TEST_P(Graphs, AForkThatIsNotJoinedIsAnError) {
  const DeviceBuffer data = ints(1);
  const Stream side = utils->create_stream("side");
  const Event fork = utils->create_event(false);
  const auto capture = [&] {
    utils->capture_graph("torn", [&](const Stream& stream) {
      utils->fill(data.data(), 0, 4);
      fork.record(stream);
      side.wait(fork);
      utils->fill(data.data(), 1, 4, side);
    });
  };
  EXPECT_THROW(capture(), GraphCaptureError);
  EXPECT_THAT(content(data), Each(1)) << "the device works on, and nothing was run";
}

TEST_P(Graphs, OwnMemoryAllocatedDuringCapture) {
  const Kernel times = kernel("times");
  const DeviceBuffer data = ints(6);
  const auto capture = [&] {
    return utils->capture_graph("scratch", [&](const Stream&) {
      const DeviceBuffer scratch = memory->allocate(data.size());
      utils->copy_on_device(scratch.data(), data.data(), data.size());
      launch(times, scratch, 7);
      utils->copy_on_device(data.data(), scratch.data(), data.size());
    });
  };
  Graph graph = capture();
  // The graph's memory was freed above, but nobody else gets it.
  std::vector<DeviceBuffer> others;
  for (int i = 0; i < 8; ++i) others.push_back(ints(-1));
  graph.replay();
  EXPECT_THAT(content(data), Each(42));
  for (const DeviceBuffer& other : others) EXPECT_THAT(content(other), Each(-1));
  graph.replay();
  graph = Graph();  // waits for the replay
  EXPECT_THAT(content(data), Each(294));
}

TEST_P(Graphs, DoNotCaptureMemoryTheyWouldNotOwn) {
  AMDMemoryManager unknown(device, {});
  EXPECT_THAT(message_of([&] {
                utils->capture_graph("scratch", [&](const Stream&) { unknown.allocate(64); });
              }),
              AllOf(HasSubstr("allocate()"), HasSubstr("graph 'scratch'")));
  AMDMemoryManager unpooled(device, {.enable_memory_pooling = false});
  HIPUtilities with_it(device, {}, &unpooled);
  const auto capture = [&] {
    with_it.capture_graph("scratch", [&](const Stream&) { unpooled.allocate(64); });
  };
  EXPECT_THROW(capture(), GraphCaptureError);
}

TEST_P(Graphs, KeepTheirKernelsAlive) {
  const DeviceBuffer data = ints(0);
  const Graph graph =
      utils->capture_graph("step", [&](const Stream&) { launch(kernel("add_to"), data, 4); });
  graph.replay();
  EXPECT_THAT(content(data), Each(4));
}

TEST_P(Graphs, CallsThatCannotBeCapturedAreRejectedByName) {
  const DeviceBuffer data = ints(3);
  const DeviceBuffer other = ints(4);
  const Kernel add_to = kernel("add_to");
  const Event event = utils->create_event();
  const Graph inner = utils->capture_graph("inner", [&](const Stream&) {});
  std::vector<int> host(kCount);
  const std::vector<std::pair<std::string, std::function<void(const Stream&)>>> calls{
      {"synchronize()", [&](const Stream&) { utils->synchronize(); }},
      {"synchronize()", [&](const Stream&) { device.synchronize(); }},
      {"Stream::synchronize()", [&](const Stream& stream) { stream.synchronize(); }},
      {"Stream::idle()", [&](const Stream& stream) { static_cast<void>(stream.idle()); }},
      {"Event::synchronize()",
       [&](const Stream&) {
         event.record();
         event.synchronize();
       }},
      {"Event::reached()",
       [&](const Stream& stream) {
         event.record(stream);
         static_cast<void>(event.reached());
       }},
      {"copy_to_device()",
       [&](const Stream&) { utils->copy_to_device(data.data(), host.data(), 4); }},
      {"copy_to_host()", [&](const Stream&) { utils->copy_to_host(host.data(), data.data(), 4); }},
      {"get_memory_info()", [&](const Stream&) { utils->get_memory_info(); }},
      {"cleanup()", [&](const Stream&) { utils->cleanup(); }},
      {"copy_between()",
       [&](const Stream&) { copy_between(data.data(), device, other.data(), device, 4); }},
      {"the replay of graph 'inner'", [&](const Stream& stream) { inner.replay(stream); }},
  };
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    const auto capture = [&, &call = call] {
      utils->capture_graph("wrong", [&](const Stream& stream) {
        launch(add_to, data, 1);
        call(stream);
      });
    };
    EXPECT_THROW(capture(), GraphCaptureError);
    EXPECT_THAT(message_of(capture), AllOf(HasSubstr(name), HasSubstr("graph 'wrong'")));
  }
  EXPECT_THAT(content(data), Each(3)) << "nothing of it was run";
}

TEST_P(Graphs, ARejectedCallThatIsCaughtDoesNotBreakTheCapture) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const Graph graph = utils->capture_graph("careful", [&](const Stream&) {
    launch(add_to, data, 1);
    EXPECT_THROW(utils->synchronize(), GraphCaptureError);
    launch(add_to, data, 1);
  });
  graph.replay();
  EXPECT_THAT(content(data), Each(2));
}

TEST_P(Graphs, ACaptureBrokenFromOutsideReportsEarlierCalls) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const std::string message = message_of([&] {
    utils->capture_graph("outside", [&](const Stream& stream) {
      launch(add_to, data, 1);
      // A program that calls the device behind this library's back.
      static_cast<void>(device.driver()->synchronize(runtime::native(stream)));
    });
  });
  EXPECT_THAT(message, AllOf(HasSubstr("capture of graph 'outside' failed"),
                             HasSubstr("the launch of kernel 'add_to'")));
  EXPECT_THAT(content(data), Each(0));
}

TEST_P(Graphs, AnExceptionEndsTheCaptureAndPropagates) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  EXPECT_THROW(utils->capture_graph("thrown",
                                    [&](const Stream&) {
                                      launch(add_to, data, 1);
                                      throw std::logic_error("the user's own");
                                    }),
               std::logic_error);
  EXPECT_EQ(utils->current_stream(), Stream());
  launch(add_to, data, 5);
  EXPECT_THAT(content(data), Each(5));
}

TEST_P(Graphs, CapturesDoNotNest) {
  EXPECT_THAT(message_of([&] {
                utils->capture_graph("outer", [&](const Stream&) {
                  utils->capture_graph("inner", [](const Stream&) {});
                });
              }),
              AllOf(HasSubstr("'inner'"), HasSubstr("'outer'")));
}

TEST_P(Graphs, ACaptureDoesNotBlockStreamsOfOtherThreads) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const Stream other = utils->create_stream("other");
  const Graph graph = utils->capture_graph("mine", [&](const Stream&) {
    launch(add_to, data, 1);
    std::thread([&] {
      launch(add_to, data, 10, other);
      other.synchronize();
      EXPECT_THAT(message_of([&] { utils->synchronize(); }),
                  AllOf(HasSubstr("another thread"), HasSubstr("'mine'")));
      const HIPUtilities temporary(device, config);  // its end waits too
    }).join();
  });
  EXPECT_THAT(content(data), Each(10));
  graph.replay();
  EXPECT_THAT(content(data), Each(11)) << "the capture was not broken by it";
}

// Work is recorded by the stream that it is given to, not by the thread that gives it.
TEST_P(Graphs, OtherThreadsFollowTheRulesOfTheStreamThatTheyUse) {
  const DeviceBuffer data = ints(3);
  const Event event = utils->create_event();
  std::vector<int> host(kCount);
  const auto by_another_thread = [](const std::function<void()>& action) {
    std::string message;
    std::thread([&] { message = message_of(action); }).join();
    return message;
  };
  const Graph graph = utils->capture_graph("mine", [&](const Stream& stream) {
    const std::vector<std::pair<std::string, std::function<void()>>> calls{
        {"copy_to_device()", [&] { utils->copy_to_device(data.data(), host.data(), 4, stream); }},
        {"copy_to_host()", [&] { utils->copy_to_host(host.data(), data.data(), 4, stream); }},
        {"Stream::synchronize()", [&] { stream.synchronize(); }},
        {"Stream::idle()", [&] { static_cast<void>(stream.idle()); }},
        {"Event::reached()",
         [&] {
           event.record(stream);
           static_cast<void>(event.reached());
         }},
        {"AMDMemoryManager::allocate()", [&] { memory->allocate(64, {.stream = stream}); }},
        {"copy_between()",
         [&] {
           const StreamScope scope(device, stream);
           copy_between(data.data(), device, data.data(), device, 4);
         }},
    };
    for (const auto& [name, call] : calls)
      EXPECT_THAT(by_another_thread(call), AllOf(HasSubstr(name), HasSubstr("graph 'mine'")));
    EXPECT_EQ(by_another_thread([&] {
                launch(kernel("add_to"), data, 1, stream);  // which is gone after this
              }),
              "nothing was thrown");
  });
  EXPECT_THAT(graph.kernels(), ElementsAre("add_to"));
  graph.replay();
  EXPECT_THAT(content(data), Each(4)) << "none of it broke the capture, and the kernel is kept";
  for (int round = 0; round < 6; ++round) {
    utils->copy_to_device(data.data(), host.data(), data.size());
    utils->synchronize();
  }
  EXPECT_THAT(content(data), Each(0)) << "the staging buffers are as good as before";
}

TEST_P(Graphs, TheThreadThatCapturesMayUseOtherStreams) {
  const DeviceBuffer data = ints(3);
  const Stream other = utils->create_stream("other");
  const Event event = utils->create_event();
  const std::vector<int> host(kCount, 7);
  const Graph graph = utils->capture_graph("mine", [&](const Stream&) {
    utils->copy_to_device(data.data(), host.data(), data.size(), other);
    event.record(other);
    event.synchronize();
    EXPECT_TRUE(event.reached());
    launch(kernel("add_to"), data, 1);
  });
  EXPECT_THAT(content(data), Each(7));
  graph.replay();
  EXPECT_THAT(content(data), Each(8));
}

TEST_P(Graphs, DeviceWaitsDoNotBreakCapturesOfOtherThreads) {
  HIPUtilities poolless(device, {});
  AMDMemoryManager other(device, {});
  auto closed = std::make_unique<AMDMemoryManager>(device, AMDConfig{});
  auto with_buffers = std::make_unique<AMDMemoryManager>(device, AMDConfig{});
  DeviceBuffer kept = with_buffers->allocate(1000);
  DeviceBuffer large = other.allocate(40 << 20);
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const Graph graph = poolless.capture_graph("mine", [&](const Stream& stream) {
    launch(add_to, data, 1, stream);
    std::thread([&] {
      EXPECT_THAT(message_of([&] { other.empty_cache(); }), HasSubstr("is being captured"));
      AMDMemoryManager(device, {}).allocate(100);
      AMDMemoryManager(device, {.memory_pool_size_gb = 0.0}).allocate(100);
      AMDMemoryManager(device, {.enable_memory_pooling = false}).allocate(100);
      static_cast<void>(other.create_private_pool());
      const HIPUtilities temporary(device, config);
      static_cast<void>(temporary.allocate_pinned(100));
    }).join();
    // The same on the thread that captures.
    closed.reset();
    with_buffers.reset();
    kept.reset();
    large.reset();
    { const Stream local(runtime::make_stream(device.driver(), "local", 0)); }
    launch(add_to, data, 1, stream);
  });
  graph.replay();
  EXPECT_THAT(content(data), Each(2));
  other.empty_cache();
  EXPECT_EQ(other.get_memory_stats().reserved_mb, 0);
}

TEST_P(Graphs, AJoinedStreamMayBeDestroyedBeforeTheCaptureEnds) {
  const DeviceBuffer data = ints(1);
  const Graph graph = utils->capture_graph("fork", [&](const Stream& stream) {
    const Stream side(runtime::make_stream(device.driver(), "side", 0));
    const Event fork = utils->create_event(false);
    const Event join = utils->create_event(false);
    fork.record(stream);
    side.wait(fork);
    utils->fill(data.data(), 0, data.size(), side);
    join.record(side);
    stream.wait(join);
  });
  graph.replay();
  EXPECT_THAT(content(data), Each(0));
}

// One thread captures again and again while others wait for the whole device, close managers and
// empty caches: no capture is broken, and nobody waits for ever.
TEST_P(Graphs, CapturesAndDeviceWaitsExcludeEachOther) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  AMDMemoryManager other(device, {});
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (!done) static_cast<void>(message_of([&] { utils->synchronize(); }));
  });
  threads.emplace_back([&] {
    while (!done) {
      other.allocate(1000);
      static_cast<void>(message_of([&] { other.empty_cache(); }));
      AMDMemoryManager(device, {}).allocate(100);
    }
  });
  HIPUtilities poolless(device, {});
  for (int i = 0; i < 50; ++i)
    EXPECT_NO_THROW(poolless.capture_graph("step", [&](const Stream& stream) {
      launch(add_to, data, 1, stream);
      std::this_thread::yield();
      launch(add_to, data, 1, stream);
    })) << i;
  done = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_P(Graphs, ManyThreadsCaptureAndReplay) {
  const Kernel add_to = kernel("add_to");
  std::vector<DeviceBuffer> buffers;
  for (int i = 0; i < 4; ++i) buffers.push_back(ints(0));
  std::vector<std::thread> threads;
  for (DeviceBuffer& buffer : buffers)
    threads.emplace_back([&] {
      const Graph graph = utils->capture_graph("step", [&](const Stream&) {
        const DeviceBuffer scratch = memory->allocate(buffer.size());
        utils->copy_on_device(scratch.data(), buffer.data(), buffer.size());
        launch(add_to, scratch, 1);
        utils->copy_on_device(buffer.data(), scratch.data(), buffer.size());
      });
      for (int round = 0; round < 20; ++round) graph.replay();
    });
  for (std::thread& thread : threads) thread.join();
  for (const DeviceBuffer& buffer : buffers) EXPECT_THAT(content(buffer), Each(20));
}

TEST(Graph, AnEmptyOneIsReported) {
  const Graph graph;
  EXPECT_THROW(graph.replay(), AMDDeviceError);
  EXPECT_THROW(graph.kernels(), AMDDeviceError);
  EXPECT_THROW(graph.update([](const Stream&) {}), AMDDeviceError);
}

}  // namespace

}  // namespace hipwright
