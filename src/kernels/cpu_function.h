// SPDX-License-Identifier: MIT
// The CPU code of an operation as plain functions: cpu.cpp is compiled once per SIMD level, and
// shares nothing else with the rest of the library.
#pragma once

#include <cstddef>

#include "hipwright/checkpoint.h"

namespace hipwright::kernels {

// One of `count` equal shares of the rows.
struct Share {
  unsigned index, count;
};

struct CpuFunction {
  DataType type;
  bool in_double;  // arithmetic in double precision
  void (*call)(Share share, const void* const* arguments);
  const std::size_t* argument_sizes;
  std::size_t argument_count;
};
struct CpuFunctions {
  const CpuFunction* begin;
  std::size_t count;
};

}  // namespace hipwright::kernels
