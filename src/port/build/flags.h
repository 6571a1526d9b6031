// SPDX-License-Identifier: MIT
// Translates nvcc options to those of HIP compilers, for Makefiles, CMake, scripts and
// setup.py.
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

// The program that the options are for. kAnyones: possibly not nvcc, so only options unique to nvcc
// are translated.
enum class FlagOf { kNvcc, kAnyones };

// One word of a command line and the next one (empty at the end). Empty if it stays.
std::optional<FlagChange> translate_flag(std::string_view word, std::string_view next,
                                         FlagOf of = FlagOf::kNvcc);

// What to do about an option that HIP compilers reject and that has no counterpart. Empty for other
// options.
std::string_view advice_on_flag(std::string_view word);

// -arch, -gencode=…: an option for the GPU to compile for.
bool chooses_gpu(std::string_view word);

// -dc, -rdc=true: separate compilation of device code, which needs an option for both compiling and
// linking.
bool asks_for_device_link(std::string_view word, std::string_view next);

}  // namespace hipwright::port
