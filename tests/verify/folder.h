// SPDX-License-Identifier: MIT
// A folder with files in it, for tests.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/file.h"

namespace hipwright::verify {

class TestFolder {
 public:
  explicit TestFolder(std::initializer_list<std::pair<const char*, const char*>> files = {})
      : folder_(TemporaryDirectory::create().value()) {
    for (const auto& [name, text] : files) add(name, text);
  }
  std::filesystem::path add(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    EXPECT_TRUE(make_directories(path.parent_path()));
    EXPECT_TRUE(write_file_atomic(path, text));
    return path;
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryDirectory folder_;
};

}  // namespace hipwright::verify
