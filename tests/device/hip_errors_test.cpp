// SPDX-License-Identifier: MIT
// Every error of HIP as a failure, and what opening says where there is no AMD GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>

#include "base/file.h"
#include "device/device.h"
#include "device/hip/bandwidth.h"
#include "device/hip/errors.h"
#include "paths.h"

namespace hipwright::device {

namespace {

using hip::error_table;
using hip::find_error;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

// Name and number of each enumerator, from the header that users compile with.
std::map<std::string, int> enumerators() {
  const auto text = read_file(tests_folder() / "../sdk/include/hip/amd_detail/api/error_types.h");
  EXPECT_TRUE(text);
  std::map<std::string, int> found;
  const std::size_t begin = text->find("typedef enum"), end = text->find("} hipError_t;");
  const std::string body = text->substr(begin, end - begin);
  const std::regex line(R"(\n  (hip[A-Za-z]+)(?: = (\d+))?,)");
  int next = 0;
  for (std::sregex_iterator match(body.begin(), body.end(), line), none; match != none; ++match) {
    if ((*match)[2].matched) next = std::stoi((*match)[2]);
    found[(*match)[1]] = next++;
  }
  return found;
}

TEST(HipErrorTable, HasEveryErrorOfTheHeader) {
  const auto header = enumerators();
  ASSERT_GE(header.size(), 80U);
  for (const auto& [name, code] : header) {
    const auto row = std::ranges::find(error_table(), name, &NativeError::name);
    ASSERT_NE(row, error_table().end()) << name;
    EXPECT_EQ(row->code, code) << name;
  }
  EXPECT_EQ(error_table().size(), header.size());
  EXPECT_TRUE(std::ranges::is_sorted(error_table(), {}, &NativeError::code));
}

TEST(HipErrorTable, ExplainsTheErrorAndTheRemedy) {
  for (const NativeError& row : error_table()) {
    const std::string meaning = row.meaning, advice = row.advice;
    EXPECT_GE(meaning.size(), 8U) << row.name;
    EXPECT_FALSE(meaning.ends_with('.')) << row.name;
    EXPECT_TRUE(advice.ends_with('.')) << row.name;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(advice[0])) || advice[0] == '`')
        << row.name;
  }
}

TEST(HipErrorTable, BecomesTheDocumentedKind) {
  const std::map<FailureKind, std::vector<int>> kinds = {
      {FailureKind::kMemory, {2, 1052}},
      {FailureKind::kNotAvailable, {3, 4, 35, 100, 303}},
      {FailureKind::kCompilation, {98, 200, 209, 218, 300, 301, 302}},
      {FailureKind::kCapture, {900, 901, 902, 903, 904, 905, 906, 907, 908, 910}},
  };
  for (const NativeError& row : error_table()) {
    FailureKind expected = FailureKind::kDevice;
    for (const auto& [kind, codes] : kinds)
      if (std::ranges::find(codes, row.code) != codes.end()) expected = kind;
    EXPECT_EQ(row.kind, expected) << row.name;
  }
}

TEST(HipErrorTable, KnowsWhichErrorsLoseTheDevice) {
  const std::vector<int> lost = {4, 53, 214, 700, 702, 709, 710, 719};
  for (const NativeError& row : error_table())
    EXPECT_EQ(row.device_lost, std::ranges::find(lost, row.code) != lost.end()) << row.name;
}

TEST(HipErrorTable, FailuresCarryCodeCallAndDevice) {
  const Failure failure = hip::failure_of(2, "hipMalloc", "hip:0", nullptr, nullptr);
  EXPECT_EQ(failure.kind, FailureKind::kMemory);
  EXPECT_EQ(failure.code_name, "hipErrorOutOfMemory");  // the first of its two names
  EXPECT_THAT(failure.message(),
              AllOf(HasSubstr("hipMalloc failed on hip:0: "), HasSubstr("hipErrorOutOfMemory, 2")));
  const Failure unknown = hip::failure_of(12345, "hipFree", "hip:1", "hipErrorNew", "a new reason");
  EXPECT_EQ(unknown.kind, FailureKind::kDevice);
  EXPECT_THAT(unknown.message(),
              HasSubstr("hipFree failed on hip:1: a new reason (hipErrorNew, 12345)"));
  EXPECT_THAT(hip::failure_of(12345, "hipFree", "hip:1", nullptr, nullptr).message(),
              HasSubstr("gives no reason (hipError_t, 12345)"));
}

TEST(HipBandwidth, IsTheDataSheetsWhereTheProductIsKnown) {
  const auto peak = [](const char* name, const char* target, unsigned cus, double clock = 0,
                       unsigned bus = 0) {
    const auto [gbs, from] = hip::peak_bandwidth(name, target, cus, clock, bus);
    return std::to_string(static_cast<int>(gbs + 0.5)) + " " + from;
  };
  // MI300X reports 1300 MHz and 8192 bits.
  EXPECT_EQ(peak("AMD Instinct MI300X", "gfx942:sramecc+:xnack-", 304, 1300, 8192),
            "5300 MI300X data sheet");
  EXPECT_EQ(peak("AMD Instinct MI250X / MI250", "gfx90a:sramecc+:xnack-", 110, 1600, 4096),
            "1638 MI250X data sheet, one of two dies");
  EXPECT_EQ(peak("AMD Instinct MI210", "gfx90a", 104, 1600, 4096), "1638 MI210 data sheet");
  EXPECT_EQ(peak("AMD Instinct MI300A", "gfx942", 228, 1300, 8192), "5300 MI300A data sheet");
  // A partition of an MI300X, and one whose clock is all that is known.
  EXPECT_EQ(peak("AMD Instinct MI300X", "gfx942", 38, 1300, 8192),
            "5325 memory clock and bus width");
  EXPECT_EQ(peak("AMD Instinct MI308X", "gfx942", 80, 1300, 8192),
            "5325 memory clock and bus width");
  // Graphics memory: the clock does not say it.
  EXPECT_EQ(peak("AMD Radeon RX 7900 XTX", "gfx1100", 96, 1250, 384), "960 RX 7900 XTX data sheet");
  EXPECT_EQ(peak("AMD Radeon RX 7900 XT", "gfx1100", 84, 1250, 320), "0 ");
  EXPECT_EQ(peak("a GPU of tomorrow", "gfx9999", 1, 1000, 1024), "0 ");
}

// Sets a variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(OpenHip, WithoutALibraryItListsWhereItLooked) {
  const Variable library("HIPWRIGHT_HIP", "/nowhere/libamdhip64.so");
  const auto devices = open_hip();
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().kind, FailureKind::kNotAvailable);
  EXPECT_THAT(devices.error().message(),
              AllOf(HasSubstr("no HIP runtime found"), HasSubstr("/nowhere/libamdhip64.so"),
                    HasSubstr("set HIPWRIGHT_HIP")));
}

TEST(OpenHip, AnUnrelatedLibraryIsRejectedByAMissingFunction) {
  const Variable library("HIPWRIGHT_HIP", "libm.so.6");
  const auto devices = open_hip();
  ASSERT_FALSE(devices);
  EXPECT_EQ(devices.error().kind, FailureKind::kNotAvailable);
  EXPECT_THAT(devices.error().message(), AllOf(HasSubstr("libm.so.6"), HasSubstr("hipInit")));
}

// Debian's libamdhip64-5 is a real one, and machines without an AMD GPU have no /dev/kfd.
TEST(OpenHip, ARuntimeWithoutADeviceExplainsWhy) {
  if (std::filesystem::exists("/dev/kfd")) GTEST_SKIP() << "not run: this machine has /dev/kfd";
  const Variable library("HIPWRIGHT_HIP", "libamdhip64.so.5");
  for (int i = 0; i < 2; ++i) {
    const auto devices = open_hip();
    ASSERT_FALSE(devices);
    if (devices.error().message().find("no HIP runtime found") != std::string::npos)
      GTEST_SKIP() << "not run: libamdhip64-5 is not installed";
    EXPECT_EQ(devices.error().kind, FailureKind::kNotAvailable);
    EXPECT_THAT(devices.error().message(),
                AllOf(HasSubstr("finds no device"), HasSubstr("libamdhip64.so.5"),
                      HasSubstr("there is no /dev/kfd")));
  }
}

// The library's devices under the name "hip", as a program sees them that `hipwright run` starts.
TEST(OpenHip, OpensEveryDeviceOfTheLibraryOnce) {
  const auto soft = open_soft({"gfx942", "gfx1100"});
  ASSERT_TRUE(soft) << soft.error().message();
  const Variable library("HIPWRIGHT_HIP", soft->front()->properties().library);
  const auto devices = open_hip();
  ASSERT_TRUE(devices) << devices.error().message();
  EXPECT_GE(devices->size(), 2U);
  EXPECT_EQ(open_hip()->front(), devices->front());
  const auto beyond = open_all(*parse_selector("hip:99"));
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().kind, FailureKind::kDevice);
  EXPECT_THAT(beyond.error().message(), HasSubstr("hip:99"));
}

}  // namespace

}  // namespace hipwright::device
