// SPDX-License-Identifier: MIT
#include "hipwright/graph.h"

#include <functional>
#include <stdexcept>
#include <thread>

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

TEST_P(Graphs, AreRecordedOnceAndReplayedOften) {
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

TEST_P(Graphs, ReplayOnTheStreamThatIsAskedFor) {
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

TEST_P(Graphs, TakeOtherArguments) {
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

TEST_P(Graphs, TakeTheParametersOfANewRecordingOfTheSameShape) {
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

TEST_P(Graphs, RecordStreamsThatForkAndJoin) {
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

TEST_P(Graphs, OwnTheMemoryThatWasAllocatedWhileTheyWereCaptured) {
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

TEST_P(Graphs, DoNotRecordMemoryThatTheyWouldNotOwn) {
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

TEST_P(Graphs, KeepTheirKernels) {
  const DeviceBuffer data = ints(0);
  const Graph graph =
      utils->capture_graph("step", [&](const Stream&) { launch(kernel("add_to"), data, 4); });
  graph.replay();
  EXPECT_THAT(content(data), Each(4));
}

TEST_P(Graphs, WhatCannotBeRecordedIsRefusedByName) {
  const DeviceBuffer data = ints(3);
  const Kernel add_to = kernel("add_to");
  const Event event = utils->create_event();
  const Graph inner = utils->capture_graph("inner", [&](const Stream&) {});
  std::vector<int> host(kCount);
  const std::vector<std::pair<std::string, std::function<void(const Stream&)>>> calls{
      {"synchronize()", [&](const Stream&) { utils->synchronize(); }},
      {"synchronize()", [&](const Stream&) { device.synchronize(); }},
      {"Stream::synchronize()", [&](const Stream& stream) { stream.synchronize(); }},
      {"Stream::idle()", [&](const Stream& stream) { static_cast<void>(stream.idle()); }},
      {"Event::synchronize()", [&](const Stream&) { event.synchronize(); }},
      {"Event::reached()", [&](const Stream&) { static_cast<void>(event.reached()); }},
      {"copy_to_device()",
       [&](const Stream&) { utils->copy_to_device(data.data(), host.data(), 4); }},
      {"copy_to_host()", [&](const Stream&) { utils->copy_to_host(host.data(), data.data(), 4); }},
      {"get_memory_info()", [&](const Stream&) { utils->get_memory_info(); }},
      {"cleanup()", [&](const Stream&) { utils->cleanup(); }},
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

TEST_P(Graphs, ARefusedCallThatIsCaughtDoesNotBreakTheCapture) {
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

TEST_P(Graphs, ACaptureThatWasBrokenFromOutsideSaysWhatCameBefore) {
  const DeviceBuffer data = ints(0);
  const Kernel add_to = kernel("add_to");
  const std::string message = message_of([&] {
    utils->capture_graph("outside", [&](const Stream& stream) {
      launch(add_to, data, 1);
      // A program that calls the device behind this library's back.
      static_cast<void>(device.driver()->synchronize(runtime::native(stream)));
    });
  });
  EXPECT_THAT(message, AllOf(HasSubstr("graph 'outside' was not captured"),
                             HasSubstr("the launch of kernel 'add_to'")));
  EXPECT_THAT(content(data), Each(0));
}

TEST_P(Graphs, AnExceptionOfTheWorkEndsTheCaptureAndComesThrough) {
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

TEST_P(Graphs, AreNotCapturedInsideOfEachOther) {
  EXPECT_THAT(message_of([&] {
                utils->capture_graph("outer", [&](const Stream&) {
                  utils->capture_graph("inner", [](const Stream&) {});
                });
              }),
              AllOf(HasSubstr("'inner'"), HasSubstr("'outer'")));
}

TEST_P(Graphs, ACaptureDoesNotHinderTheStreamsOfOtherThreads) {
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

TEST(Graph, ThatIsEmptySaysSo) {
  const Graph graph;
  EXPECT_THROW(graph.replay(), AMDDeviceError);
  EXPECT_THROW(graph.kernels(), AMDDeviceError);
  EXPECT_THROW(graph.update([](const Stream&) {}), AMDDeviceError);
}

}  // namespace

}  // namespace hipwright
