// SPDX-License-Identifier: MIT
// The proof that a port does not affect NVIDIA builds: NVIDIA's tools see every file unchanged,
// token by token. Works on any two trees, whatever made the port.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::port {

struct IsolationOptions {
  std::filesystem::path before, after;
};

// A file that changed for NVIDIA's tools.
struct IsolationLeak {
  std::string path;
  std::size_t line_before = 0, line_after = 0;  // of the first difference; 0 if there is no line
  std::string what;                             // "the file is missing"
  std::string diff;                             // of the two views
  std::string asked_by;                         // of a new file: the file that finds it
  std::size_t asked_line = 0;
};

struct Isolation {
  std::size_t same_bytes = 0;      // files
  std::size_t same_view = 0;       // files that differ, but not for NVIDIA
  std::vector<std::string> added;  // new files
  std::vector<IsolationLeak> leaks;
  std::vector<std::string> not_read;  // and why: these may leak, too
  bool is_proven() const { return leaks.empty() && not_read.empty(); }
};

Result<Isolation> check_isolation(const IsolationOptions& options);

// The same for one file.
std::vector<IsolationLeak> compare_for_nvidia(const std::string& path, std::string_view before,
                                              std::string_view after);

}  // namespace hipwright::port
