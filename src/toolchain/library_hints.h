// SPDX-License-Identifier: MIT
// For a unit that needs a library which was not added: the command that adds it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/library_table.h"

namespace hipwright::toolchain {

struct DriverRequest;
struct Sdk;

// "hipwright sdk add hipblas"; empty where that would not help: no release's packages have it.
std::string command_to_add(const Library& library);
// The same for the title of a library ("hipBLAS"), and empty as well where an installed ROCm
// compiles.
std::string command_to_add(std::string_view title);

// The #include lines of a text that name a header between < and >, with their lines.
struct NamedHeader {
  std::string header;
  unsigned line = 0;
};
std::vector<NamedHeader> named_headers(std::string_view source);

// What the sources and -l words of a call to the compiler name, and neither the SDK nor the user's
// folders have.
std::vector<std::string> library_hints(const DriverRequest& request, const Sdk& sdk);

}  // namespace hipwright::toolchain
