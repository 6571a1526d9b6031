// SPDX-License-Identifier: MIT
// What is said to RCCL and NCCL, to a library that writes it down.
#include <cstdlib>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/collectives/transport.h"

namespace hipwright::runtime {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> calls;
std::map<std::string, int> results;  // what a function answers; 0 when not named
int version = 22703;

int answer(const std::string& function, const std::string& arguments = {}) {
  calls.push_back(function + arguments);
  return results[function];
}

std::shared_ptr<NcclApi> recording_api() {
  calls.clear();
  results.clear();
  version = 22703;
  auto api = std::make_shared<NcclApi>();
  api->library = "NCCL";
  api->get_version = [](int* out) {
    *out = version;
    return answer("version");
  };
  api->get_error_string = [](int) { return "unhandled"; };
  api->comm_init_all = [](NcclComm* comms, int count, const int* devices) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      comms[i] = reinterpret_cast<NcclComm>(static_cast<std::uintptr_t>(i + 1));
      list += fmt::format(" {}", devices[i]);
    }
    return answer("init", list);
  };
  api->comm_destroy = [](NcclComm) { return answer("destroy"); };
  api->comm_get_async_error = [](NcclComm, int* result) {
    *result = results["async result"];
    return answer("async");
  };
  api->group_start = [] { return answer("start"); };
  api->group_end = [] { return answer("end"); };
  api->all_reduce = [](const void*, void*, std::size_t count, int type, int operation, NcclComm,
                       device::Stream) {
    return answer("reduce", fmt::format(" {} type {} operation {}", count, type, operation));
  };
  api->broadcast = [](const void*, void*, std::size_t count, int type, int root, NcclComm,
                      device::Stream) {
    return answer("broadcast", fmt::format(" {} type {} root {}", count, type, root));
  };
  api->all_gather = [](const void*, void*, std::size_t count, int type, NcclComm, device::Stream) {
    return answer("gather", fmt::format(" {} type {}", count, type));
  };
  api->get_last_error = nullptr;
  return api;
}

class Nccl : public ::testing::Test {
 protected:
  Nccl() {
    auto driver = device::open_cpu().value().front();
    drivers_ = {driver, driver};
    ranks_ = {{driver.get(), nullptr}, {driver.get(), nullptr}};
  }
  std::unique_ptr<Transport> open() {
    auto transport = make_nccl_transport(drivers_, api_);
    EXPECT_TRUE(transport) << transport.error().message();
    calls.clear();
    return *std::move(transport);
  }

  std::shared_ptr<NcclApi> api_ = recording_api();
  Drivers drivers_;
  std::vector<Rank> ranks_;
  int a_ = 0, b_ = 0;
  std::vector<void*> buffers_ = {&a_, &b_};
  std::vector<const void*> send_ = {&a_, &b_};
};

TEST_F(Nccl, OpensACommunicatorForEveryRankAndClosesIt) {
  {
    const auto transport = make_nccl_transport(drivers_, api_);
    ASSERT_TRUE(transport);
    EXPECT_EQ((*transport)->name(), "NCCL 2.27.3");
    EXPECT_THAT(calls, ElementsAre("version", "init 0 0"));
    calls.clear();
  }
  EXPECT_THAT(calls, ElementsAre("destroy", "destroy"));
  EXPECT_EQ(nccl_version_text(2804), "2.8.4");
}

TEST_F(Nccl, CallsForAllRanksAreOneGroup) {
  const auto transport = open();
  EXPECT_TRUE(transport->all_reduce(ranks_, buffers_, 5, DataType::kF32, Reduction::kMax));
  EXPECT_THAT(calls, ElementsAre("start", "reduce 5 type 7 operation 2",
                                 "reduce 5 type 7 operation 2", "end"));
  calls.clear();
  EXPECT_TRUE(transport->broadcast(ranks_, buffers_, 20, 1));
  EXPECT_THAT(calls, ElementsAre("start", "broadcast 20 type 1 root 1",
                                 "broadcast 20 type 1 root 1", "end"));
  calls.clear();
  EXPECT_TRUE(transport->all_gather(ranks_, send_, buffers_, 20));
  EXPECT_THAT(calls, ElementsAre("start", "gather 20 type 1", "gather 20 type 1", "end"));
}

TEST_F(Nccl, TypesAndOperationsHaveTheLibrarysNumbers) {
  const auto transport = open();
  const std::pair<DataType, int> types[] = {
      {DataType::kI8, 0},  {DataType::kU8, 1},   {DataType::kI32, 2},     {DataType::kU32, 3},
      {DataType::kI64, 4}, {DataType::kU64, 5},  {DataType::kF16, 6},     {DataType::kF32, 7},
      {DataType::kF64, 8}, {DataType::kBF16, 9}, {DataType::kF8E4M3, 10}, {DataType::kF8E5M2, 11}};
  const std::pair<Reduction, int> operations[] = {
      {Reduction::kSum, 0}, {Reduction::kProduct, 1}, {Reduction::kMax, 2}, {Reduction::kMin, 3}};
  for (const auto& [type, number] : types)
    for (const auto& [reduction, operation] : operations) {
      calls.clear();
      EXPECT_TRUE(transport->all_reduce(ranks_, buffers_, 1, type, reduction));
      EXPECT_EQ(calls.at(1), fmt::format("reduce 1 type {} operation {}", number, operation));
    }
  for (const DataType type : {DataType::kBool, DataType::kI16, DataType::kU16}) {
    const auto done = transport->all_reduce(ranks_, buffers_, 1, type, Reduction::kSum);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message(), HasSubstr(std::string(to_string(type))));
  }
}

TEST_F(Nccl, OldLibrariesDoNotReduceSmallFloats) {
  version = 22303;
  const auto transport = open();
  EXPECT_FALSE(transport->all_reduce(ranks_, buffers_, 1, DataType::kF8E4M3, Reduction::kSum));
  EXPECT_TRUE(calls.empty());
}

TEST_F(Nccl, EveryErrorIsMapped) {
  const char* const names[] = {"ncclUnhandledCudaError", "ncclSystemError",  "ncclInternalError",
                               "ncclInvalidArgument",    "ncclInvalidUsage", "ncclRemoteError",
                               "ncclInProgress",         "ncclTimeout"};
  for (int code = 1; code <= 8; ++code) {
    results = {{"init", code}};
    const auto transport = make_nccl_transport(drivers_, api_);
    ASSERT_FALSE(transport);
    EXPECT_EQ(transport.error().code, code);
    EXPECT_EQ(transport.error().code_name, names[code - 1]);
    EXPECT_EQ(transport.error().call, "ncclCommInitAll");
    EXPECT_EQ(transport.error().device, "cpu, cpu");
  }
  results = {{"init", 99}};
  EXPECT_THAT(make_nccl_transport(drivers_, api_).error().message(), HasSubstr("unhandled"));
}

TEST_F(Nccl, AGroupIsClosedWhenACallInItFails) {
  const auto transport = open();
  results = {{"reduce", 4}};
  const auto done = transport->all_reduce(ranks_, buffers_, 1, DataType::kF32, Reduction::kSum);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().call, "ncclAllReduce");
  EXPECT_THAT(calls, ElementsAre("start", "reduce 1 type 7 operation 0", "end"));
}

TEST_F(Nccl, AsynchronousFailuresAreReportedByTheWait) {
  const auto transport = open();
  EXPECT_TRUE(transport->check());
  results = {{"async result", 7}};
  EXPECT_TRUE(transport->check()) << "work that is not done yet is no error";
  results = {{"async result", 6}};
  ASSERT_FALSE(transport->check());
  EXPECT_EQ(transport->check().error().code_name, "ncclRemoteError");
}

TEST(NcclLibrary, AMissingLibraryIsNamedWithARemedy) {
  for (const auto& [kind, name] :
       {std::pair(device::Kind::kHip, "RCCL"), std::pair(device::Kind::kCuda, "NCCL")}) {
    const std::string variable = fmt::format("HIPWRIGHT_{}", name);
    ::setenv(variable.c_str(), "/nonexistent/libx.so", 1);
    const auto missing = load_nccl(kind);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().kind, device::FailureKind::kNotAvailable);
    EXPECT_THAT(missing.error().message(), HasSubstr(variable));
    ::setenv(variable.c_str(), "libc.so.6", 1);
    const auto other = load_nccl(kind);
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().message(), HasSubstr("has no nccl"));
    ::unsetenv(variable.c_str());
  }
}

}  // namespace

}  // namespace hipwright::runtime
