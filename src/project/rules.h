// SPDX-License-Identifier: MIT
// A project's rules for the porter, in hipwright-port.toml:
//
//   ignore = ["third_party/"]         # files to leave alone, as in .gitignore
//   keep = ["cudaStreamPool"]         # names that look like CUDA APIs and are not
//   [names]                           # the project's names, or CUDA names to map differently
//   my_cuda_alloc = "my_hip_alloc"
//   [headers]
//   "my_cuda.h" = "my_hip.h"
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::project {

constexpr const char* kRulesName = "hipwright-port.toml";

struct Rules {
  std::vector<std::string> ignore;
  std::set<std::string, std::less<>> keep;
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, std::string, std::less<>> headers;  // as written in #include lines
};

Result<Rules> parse_rules(std::string_view text, const std::string& origin);
Result<Rules> read_rules(const std::filesystem::path& file);

}  // namespace hipwright::project
