// SPDX-License-Identifier: MIT
// The CUDA device over a driver that is a table of functions: what a real one would show only now
// and then.
#include <atomic>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

constexpr int kOptInShared = 232448;

struct FakeDriver {
  std::atomic<int> allowed_shared = 49152;
  std::atomic<int> set_attribute_calls = 0;
  bool capturing = false;
  CUgraphNode node = nullptr;
};
FakeDriver driver;  // the table's functions have no place for a pointer to it

template <class Handle>
Handle handle(std::uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}

const Api& fake_api() {
  static auto* const api = [] {
    auto* const made = new Api(*toolchain::DynamicLibrary::open("libc.so.6"));
    made->cuDriverGetVersion = [](int* version) { return *version = 12080, kSuccess; };
    made->cuGetErrorName = [](CUresult, const char** name) { return *name = "name", kSuccess; };
    made->cuGetErrorString = [](CUresult, const char** text) { return *text = "text", kSuccess; };
    made->cuDeviceGetName = [](char* name, int, CUdevice) { return *name = '\0', kSuccess; };
    made->cuDeviceTotalMem = [](std::size_t* bytes, CUdevice) { return *bytes = 0, kSuccess; };
    made->cuDeviceGetAttribute = [](int* value, int which, CUdevice) {
      *value = which == kSharedPerBlockOptIn  ? kOptInShared
               : which == kSharedPerBlock     ? 49152
               : which == kMaxThreadsPerBlock ? 1024
                                              : 0;
      return kSuccess;
    };
    made->cuDeviceGetPCIBusId = [](char* id, int, CUdevice) { return *id = '\0', kSuccess; };
    made->cuCtxSetCurrent = [](CUcontext) { return kSuccess; };
    made->cuModuleLoadData = [](CUmodule* module, const void*) {
      return *module = handle<CUmodule>(1), kSuccess;
    };
    made->cuModuleUnload = [](CUmodule) { return kSuccess; };
    made->cuModuleGetFunction = [](CUfunction* function, CUmodule, const char*) {
      return *function = handle<CUfunction>(2), kSuccess;
    };
    made->cuFuncGetAttribute = [](int* value, int which, CUfunction) {
      return *value = which == kFunctionMaxThreads ? 1024 : 0, kSuccess;
    };
    made->cuFuncSetAttribute = [](CUfunction, int which, int value) {
      ++driver.set_attribute_calls;
      if (which == kFunctionMaxDynamicShared) driver.allowed_shared = value;
      return kSuccess;
    };
    made->cuFuncGetParamInfo = nullptr;
    made->cuLaunchKernel = [](CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, unsigned shared, CUstream, void**, void**) -> CUresult {
      return static_cast<int>(shared) > driver.allowed_shared ? 1 : kSuccess;
    };
    made->cuStreamBeginCapture = [](CUstream, int) { return driver.capturing = true, kSuccess; };
    made->cuStreamEndCapture = [](CUstream, CUgraph* graph) {
      driver.capturing = false;
      return *graph = handle<CUgraph>(3), kSuccess;
    };
    made->cuStreamGetCaptureInfo = [](CUstream, int* status, unsigned long long* id, CUgraph*,
                                      const CUgraphNode** nodes, std::size_t* count) {
      *status = driver.capturing ? 1 : 0;
      if (id != nullptr) *id = 1;
      if (nodes != nullptr) *nodes = &driver.node;
      if (count != nullptr) *count = 1;
      return kSuccess;
    };
    made->cuGraphInstantiateWithFlags = [](CUgraphExec* graph, CUgraph, unsigned long long) {
      return *graph = handle<CUgraphExec>(4), kSuccess;
    };
    made->cuGraphExecDestroy = [](CUgraphExec) { return kSuccess; };
    made->cuGraphDestroy = [](CUgraph) { return kSuccess; };
    return made;
  }();
  return *api;
}

TEST(Cuda, ASharedMemoryLimitIsNotLoweredByAnotherThread) {
  CudaDevice device(fake_api(), 0, nullptr);
  const Module module = *device.load("code");
  const Function kernel = *device.find(module, "kernel");
  driver.set_attribute_calls = 0;
  std::atomic<int> failed = 0;
  const auto launch_often = [&](unsigned shared) {
    for (int i = 0; i < 20'000; ++i) failed += !device.launch(kernel, {.shared_bytes = shared}, {});
  };
  std::thread small(launch_often, 60'000U), large(launch_often, 100'000U);
  small.join();
  large.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(driver.set_attribute_calls, 1) << "asked for once, not at every launch";
  EXPECT_EQ(driver.allowed_shared, kOptInShared);
  EXPECT_TRUE(device.unload(module));
}

TEST(Cuda, AGraphOutlivesTheModuleOfItsKernels) {
  CudaDevice device(fake_api(), 0, nullptr);
  const auto stream = handle<Stream>(5);
  const std::string name = "a_kernel_with_a_name_that_is_not_stored_in_place";
  const Module module = *device.load("code");
  ASSERT_TRUE(device.begin_capture(stream));
  ASSERT_TRUE(device.launch(*device.find(module, name), {.stream = stream}, {}));
  const Graph graph = *device.end_capture(stream);
  ASSERT_TRUE(device.unload(module));
  const auto nodes = device.kernel_nodes(graph);
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 1U);
  EXPECT_EQ((*nodes)[0].kernel, name);
  EXPECT_TRUE(device.destroy(graph));
}

std::string describe_devices() {
  const auto devices = open_cuda();
  if (!devices) return devices.error().message();
  std::string ids;
  for (const auto& device : *devices) ids += device->id() + ' ';
  return ids;
}

// Objects of the program that end after main() use the devices still.
TEST(Cuda, DevicesLiveUntilTheProcessEnds) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        static auto* const before = new std::string;
        // Runs after the destructors of all that is made from here on.
        std::atexit([] { std::_Exit(describe_devices() == *before ? 0 : 1); });
        *before = describe_devices();
        std::exit(2);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace

}  // namespace hipwright::device::cuda
