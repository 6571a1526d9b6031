// SPDX-License-Identifier: MIT
// A folder of sources for one test.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "lint/engine.h"

namespace hipwright::lint {

// HW101 finds its first line.
inline const char* const kBad =
    "#define WARP_SIZE 32\n__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n";

class TreeTest : public testing::Test {
 protected:
  void file(const std::string& path, std::string_view content) {
    std::filesystem::create_directories((root() / path).parent_path());
    ASSERT_TRUE(write_file_atomic(root() / path, content));
  }
  const std::filesystem::path& root() const { return folder_->path(); }
  // Other rules may find more in the texts of these tests.
  Options options() const { return {.root = root(), .select = {"suppression", "HW101"}}; }
  static Report run(const Options& options) {
    auto report = lint(options);
    EXPECT_TRUE(report) << report.error().message();
    return report ? *std::move(report) : Report{};
  }
  Report run() const { return run(options()); }
  static std::vector<std::string> places(const Report& report) {
    std::vector<std::string> list;
    for (const Finding& finding : report.findings)
      list.push_back(finding.path + ":" + std::to_string(finding.position.line) + " " +
                     finding.code);
    return list;
  }

  Result<TemporaryDirectory> folder_ = TemporaryDirectory::create();
};

}  // namespace hipwright::lint
