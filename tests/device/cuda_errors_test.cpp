// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "base/file.h"
#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

TEST(CudaErrors, AreSortedUniqueAndExplained) {
  const auto errors = native_errors();
  EXPECT_TRUE(std::ranges::is_sorted(errors, std::less_equal<>{}, &NativeError::code) ||
              std::ranges::is_sorted(errors, {}, &NativeError::code));
  std::map<int, std::string> seen;
  for (const NativeError& error : errors) {
    EXPECT_TRUE(seen.emplace(error.code, error.name).second) << error.name;
    EXPECT_GT(std::string(error.meaning).size(), 5u) << error.name;
  }
}

TEST(CudaErrors, BecomeTheDocumentedFailures) {
  const struct {
    int code;
    FailureKind kind;
    bool lost;
  } expected[] = {
      {2, FailureKind::kMemory, false},        {100, FailureKind::kNotAvailable, false},
      {101, FailureKind::kDevice, false},      {209, FailureKind::kCompilation, false},
      {700, FailureKind::kDevice, true},       {701, FailureKind::kDevice, false},
      {719, FailureKind::kDevice, true},       {803, FailureKind::kNotAvailable, false},
      {900, FailureKind::kCapture, false},     {901, FailureKind::kCapture, false},
      {36, FailureKind::kNotAvailable, false},
  };
  for (const auto& [code, kind, lost] : expected) {
    const auto row = std::ranges::find(native_errors(), code, &NativeError::code);
    ASSERT_NE(row, native_errors().end()) << code;
    EXPECT_EQ(row->kind, kind) << row->name;
    EXPECT_EQ(row->device_lost, lost) << row->name;
  }
}

// Where a CUDA toolkit is installed: its list is ours.
TEST(CudaErrors, CoverTheToolkitsHeader) {
  const char* header = "/usr/local/cuda/include/cuda.h";
  if (!std::filesystem::exists(header)) GTEST_SKIP() << "not run: no CUDA toolkit";
  const std::string text = *read_file(header);
  const std::size_t begin = text.find("typedef enum cudaError_enum");
  const std::string list = text.substr(begin, text.find("} CUresult;") - begin);
  const std::regex row(R"((CUDA_[A-Z_]+)\s*=\s*(\d+))");
  int rows = 0;
  for (std::sregex_iterator match(list.begin(), list.end(), row), end; match != end; ++match) {
    const int code = std::stoi((*match)[2]);
    const auto found = std::ranges::find(native_errors(), code, &NativeError::code);
    ASSERT_NE(found, native_errors().end()) << (*match)[0];
    EXPECT_EQ((*match)[1], found->name);
    ++rows;
  }
  EXPECT_GT(rows, 90);
}

}  // namespace

}  // namespace hipwright::device::cuda
