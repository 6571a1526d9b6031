// SPDX-License-Identifier: MIT
// Memory that graphs allocate and free, and nodes made from one structure for all kinds.
#include <gtest/gtest.h>

#include <array>

#include "soft/hip/runtime.h"

namespace hipwright::soft::hip {
namespace {

constexpr std::size_t kBytes = 8192;

std::uint64_t counter(hipGraphMemAttributeType which) {
  std::uint64_t value = ~std::uint64_t{0};
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(0, which, &value), hipSuccess);
  return value;
}

// A graph that allocates memory and fills it.
class GraphMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(hipSetDevice(0), hipSuccess);
    ASSERT_EQ(hipGraphCreate(&graph_, 0), hipSuccess);
    hipMemAllocNodeParams wanted{};
    wanted.poolProps.allocType = hipMemAllocationTypePinned;
    wanted.poolProps.location = {hipMemLocationTypeDevice, 0};
    wanted.bytesize = kBytes;
    ASSERT_EQ(hipGraphAddMemAllocNode(&allocate_, graph_, nullptr, 0, &wanted), hipSuccess);
    memory_ = wanted.dptr;
    ASSERT_NE(memory_, nullptr);
    hipGraphNodeParams fill{};
    fill.type = hipGraphNodeTypeMemset;
    fill.memset = {memory_, 4, 1, 0, 0x01020304, kBytes / 4};
    ASSERT_EQ(hipGraphAddNode(&fill_, graph_, &allocate_, 1, &fill), hipSuccess);
  }
  void TearDown() override {
    if (exec_) EXPECT_EQ(hipGraphExecDestroy(exec_), hipSuccess);
    EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }
  void instantiate(unsigned long long flags = 0) {
    ASSERT_EQ(hipGraphInstantiateWithFlags(&exec_, graph_, flags), hipSuccess);
  }
  hipError_t launch() {
    const hipError_t result = hipGraphLaunch(exec_, nullptr);
    return result == hipSuccess ? hipDeviceSynchronize() : result;
  }
  std::uint32_t first_word() const {
    std::uint32_t word = 0;
    EXPECT_EQ(hipMemcpy(&word, memory_, 4, hipMemcpyDeviceToHost), hipSuccess);
    return word;
  }
  bool is_there() const { return runtime_of(0)->memory().find(address_of(memory_)).has_value(); }

  hipGraph_t graph_ = nullptr;
  hipGraphExec_t exec_ = nullptr;
  hipGraphNode_t allocate_ = nullptr, fill_ = nullptr;
  void* memory_ = nullptr;
};

TEST_F(GraphMemoryTest, IsThereFromTheLaunchUntilItIsFreed) {
  instantiate();
  EXPECT_FALSE(is_there());
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(first_word(), 0x01020304U);
  EXPECT_EQ(counter(hipGraphMemAttrUsedMemCurrent), kBytes);
  // A second launch would allocate it twice.
  EXPECT_EQ(hipGraphLaunch(exec_, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipFree(memory_), hipSuccess);
  EXPECT_FALSE(is_there());
  EXPECT_EQ(counter(hipGraphMemAttrUsedMemCurrent), 0U);
  EXPECT_EQ(counter(hipGraphMemAttrReservedMemCurrent), kBytes);
  EXPECT_EQ(hipDeviceGraphMemTrim(0), hipSuccess);
  EXPECT_EQ(counter(hipGraphMemAttrReservedMemCurrent), 0U);
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(hipFreeAsync(memory_, nullptr), hipSuccess);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_FALSE(is_there());
}

TEST_F(GraphMemoryTest, AFreeNodeFreesItOnce) {
  hipGraphNode_t free_node = nullptr, again = nullptr;
  ASSERT_EQ(hipGraphAddMemFreeNode(&free_node, graph_, &fill_, 1, memory_), hipSuccess);
  EXPECT_EQ(hipGraphAddMemFreeNode(&again, graph_, &fill_, 1, memory_), hipErrorInvalidValue);
  void* freed = nullptr;
  EXPECT_EQ(hipGraphMemFreeNodeGetParams(free_node, &freed), hipSuccess);
  EXPECT_EQ(freed, memory_);
  EXPECT_EQ(hipGraphDestroyNode(free_node), hipErrorNotSupported);
  instantiate();
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_FALSE(is_there());
  EXPECT_EQ(launch(), hipSuccess);
}

TEST_F(GraphMemoryTest, CanBeFreedByTheNextLaunch) {
  instantiate(hipGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(first_word(), 0x01020304U);
  EXPECT_EQ(hipFree(memory_), hipSuccess);
}

TEST_F(GraphMemoryTest, OnlyOneExecutableGraphMayAllocateIt) {
  instantiate();
  hipGraphExec_t second = nullptr;
  EXPECT_EQ(hipGraphInstantiateWithFlags(&second, graph_, 0), hipErrorNotSupported);
}

TEST_F(GraphMemoryTest, HighWaterMarksGoBackToWhatIsUsed) {
  instantiate();
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(hipFree(memory_), hipSuccess);
  EXPECT_GE(counter(hipGraphMemAttrUsedMemHigh), kBytes);
  std::uint64_t value = 1;
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &value),
            hipErrorInvalidValue);
  value = 0;
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &value), hipSuccess);
  EXPECT_EQ(counter(hipGraphMemAttrUsedMemHigh), 0U);
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &value),
            hipErrorInvalidValue);
}

TEST_F(GraphMemoryTest, NodesOfEveryKindComeFromOneStructure) {
  static int runs = 0;
  runs = 0;
  hipGraphNode_t host = nullptr, copy = nullptr;
  std::uint32_t word = 0;
  hipGraphNodeParams p{};
  p.type = hipGraphNodeTypeHost;
  p.host = {[](void*) { ++runs; }, nullptr};
  ASSERT_EQ(hipGraphAddNode(&host, graph_, &fill_, 1, &p), hipSuccess);
  p = {};
  p.type = hipGraphNodeTypeMemcpy;
  p.memcpy.copyParams = {.srcPtr = {memory_, 4, 4, 1},
                         .dstPtr = {&word, 4, 4, 1},
                         .extent = {4, 1, 1},
                         .kind = hipMemcpyDeviceToHost};
  ASSERT_EQ(hipGraphAddNode(&copy, graph_, &host, 1, &p), hipSuccess);
  p = {};
  p.type = hipGraphNodeTypeMemFree;
  p.free.dptr = memory_;
  hipGraphNode_t free_node = nullptr;
  ASSERT_EQ(hipGraphAddNode(&free_node, graph_, &copy, 1, &p), hipSuccess);
  instantiate();
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(word, 0x01020304U);
  EXPECT_EQ(runs, 1);
  p = {};
  p.type = hipGraphNodeTypeMemset;
  p.memset = {memory_, 4, 1, 0, 9, kBytes / 4};
  EXPECT_EQ(hipGraphExecNodeSetParams(exec_, host, &p), hipErrorInvalidValue);
  ASSERT_EQ(hipGraphExecNodeSetParams(exec_, fill_, &p), hipSuccess);
  EXPECT_EQ(launch(), hipSuccess);
  EXPECT_EQ(word, 9U);
  p.type = hipGraphNodeTypeCount;
  EXPECT_EQ(hipGraphAddNode(&host, graph_, nullptr, 0, &p), hipErrorInvalidValue);
}

TEST_F(GraphMemoryTest, StreamsThatCaptureAllocateInTheGraph) {
  hipStream_t stream = nullptr;
  ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
  ASSERT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipSuccess);
  void* memory = nullptr;
  ASSERT_EQ(hipMallocAsync(&memory, kBytes, stream), hipSuccess);
  ASSERT_EQ(hipMemsetAsync(memory, 3, kBytes, stream), hipSuccess);
  ASSERT_EQ(hipFreeAsync(memory, stream), hipSuccess);
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess);
  std::array<hipGraphNode_t, 3> nodes{};
  std::size_t count = nodes.size();
  ASSERT_EQ(hipGraphGetNodes(graph, nodes.data(), &count), hipSuccess);
  ASSERT_EQ(count, 3U);
  hipGraphNodeType type{};
  EXPECT_EQ(hipGraphNodeGetType(nodes[0], &type), hipSuccess);
  EXPECT_EQ(type, hipGraphNodeTypeMemAlloc);
  hipGraphExec_t exec = nullptr;
  ASSERT_EQ(hipGraphInstantiateWithFlags(&exec, graph, 0), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(exec, stream), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(exec, stream), hipSuccess);
  EXPECT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(exec), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
}

TEST(GraphCopies, MustFitInTheirMemory) {
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  void* small = nullptr;
  ASSERT_EQ(hipMalloc(&small, 16), hipSuccess);
  std::array<char, 64> host{};
  hipGraphNode_t node = nullptr;
  EXPECT_EQ(
      hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, small, host.data(), 64, hipMemcpyDefault),
      hipErrorInvalidValue);
  const hipMemsetParams fill{small, 1, 1, 0, 0, 17};
  EXPECT_EQ(hipGraphAddMemsetNode(&node, graph, nullptr, 0, &fill), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, small, host.data(), 16,
                                    hipMemcpyHostToDevice),
            hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  EXPECT_EQ(hipFree(small), hipSuccess);
  static_cast<void>(hipGetLastError());
}

}  // namespace
}  // namespace hipwright::soft::hip
