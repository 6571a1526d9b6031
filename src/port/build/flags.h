// SPDX-License-Identifier: MIT
// nvcc's options in the words of HIP's compilers. Makefiles, CMake and setup.py share them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipwright::port {

struct FlagChange {
  std::string now;          // empty: dropped
  std::string_view reason;  // "AMD GPUs have no such limit: see __launch_bounds__"
  bool takes_next = false;  // the option's value is the next word, and goes with it
};

// One word of a command line and the one behind it (empty at the end). Nothing: it stays.
std::optional<FlagChange> translate_flag(std::string_view word, std::string_view next);

}  // namespace hipwright::port
