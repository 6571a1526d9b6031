// SPDX-License-Identifier: MIT
// The header of a tree ported in dual mode that only AMD's compilers read. It includes HIP's
// runtime and what the port adds to it, and defines the program's CUDA names.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace hipwright::port {

struct Shim {
  // CUDA's name, with its parameters if the macro has any, to its text for AMD.
  std::map<std::string, std::string, std::less<>> names;
  std::set<std::string> settings;                // macros defined before HIP's headers
  std::set<std::string> warnings;                // clang's, disabled: "-Wregister"
  std::map<std::string, std::string> functions;  // by name
  bool compat = false, ptx = false;              // includes these headers
  bool is_included = false;                      // by a file of the tree
  bool is_read_by_c = false;                     // one of them is C

  void merge(const Shim& other);
};

std::string shim_text(const Shim& shim);
// What such a text holds.
Shim read_shim(std::string_view text);

}  // namespace hipwright::port
