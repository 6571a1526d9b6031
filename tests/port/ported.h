// SPDX-License-Identifier: MIT
// Ports texts, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "port/port.h"

namespace hipwright::port {

struct TestPort {
  std::map<std::string, std::string> files;  // after
  std::map<std::string, std::string> added;
  std::vector<Diagnostic> diagnostics;

  // "HP202:3 HP206:5": code and line, in order.
  std::string said() const;
};

// Writes the files to a folder of their own and ports that.
TestPort port_files(const std::map<std::string, std::string>& files, Options options = {});
// One file, to HIP.
std::string to_hip(const std::string& text, const std::string& name = "a.cu");

}  // namespace hipwright::port
