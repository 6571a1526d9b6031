// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::verify {

// What a folder's Makefile says, as far as plain variables go: what has a function or a pattern is
// left out.
struct MakefileFacts {
  std::string folder;                           // of the tree
  std::vector<std::string> flags;               // -I and -D, folders made absolute
  std::vector<std::vector<std::string>> calls;  // "./program 1 2" of its recipes
  std::set<std::string> sources;                // "main.cu", "common/*.cpp": from its folder
  std::set<std::string> objects;                // without ".o": "kernels"

  // "common/timer.cpp", by itself, as an object or as one of "common/*.cpp".
  bool names(std::string_view source) const;
};

MakefileFacts read_makefile(std::string_view text, std::filesystem::path folder);

bool is_device_source(std::string_view path);  // .cu, .hip
bool is_host_source(std::string_view path);    // .cpp and its kin

}  // namespace hipwright::verify
