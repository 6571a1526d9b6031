// SPDX-License-Identifier: MIT
// The fuzzers of the replay program; CMake writes the list.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hipwright {

struct Fuzzer {
  const char* name;
  int (*run)(const std::uint8_t* bytes, std::size_t size);
};

extern const Fuzzer kFuzzers[];
extern const unsigned kFuzzerCount;

}  // namespace hipwright
