// SPDX-License-Identifier: MIT
// nvcc's options in the words of HIP's compilers. Makefiles, CMake, scripts and setup.py share
// them.
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

// Whose options they are. kAnyones: perhaps another program's, so that only what nobody but nvcc
// takes is translated.
enum class FlagOf { kNvcc, kAnyones };

// One word of a command line and the one behind it (empty at the end). Nothing: it stays.
std::optional<FlagChange> translate_flag(std::string_view word, std::string_view next,
                                         FlagOf of = FlagOf::kNvcc);

// An option that HIP's compilers refuse and that no other one stands for: what to do. Empty: it is
// none of them.
std::string_view advice_on_flag(std::string_view word);

// -dc, -rdc=true: device code of several files is linked together, which the compiler has to be
// told when it compiles and when it links.
bool asks_for_device_link(std::string_view word, std::string_view next);

}  // namespace hipwright::port
