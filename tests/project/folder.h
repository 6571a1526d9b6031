// SPDX-License-Identifier: MIT
// A folder of files for one test.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/file.h"

namespace hipwright::project {

class FolderTest : public testing::Test {
 protected:
  void file(const std::string& path, std::string_view content = "") {
    std::filesystem::create_directories((root() / path).parent_path());
    ASSERT_TRUE(write_file_atomic(root() / path, content));
  }
  const std::filesystem::path& root() const { return folder_->path(); }

  Result<TemporaryDirectory> folder_ = TemporaryDirectory::create();
};

}  // namespace hipwright::project
