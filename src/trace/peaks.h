// SPDX-License-Identifier: MIT
// The rates that a device cannot exceed: from the table of gfx targets, and for NVIDIA's devices
// from the one here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace hipwright::trace {

struct Peaks {
  std::string device;                                 // "MI300X"
  std::string gfx;                                    // empty: not AMD
  std::optional<double> bandwidth;                    // bytes per second
  std::optional<double> fp32, tf32, fp16, bf16, fp8;  // FLOP per second, dense
  std::string source;

  // The product is known, and none of its rates is.
  bool is_empty() const { return !bandwidth && !fp32 && !tf32 && !fp16 && !bf16 && !fp8; }
  // Of a type as PyTorch names it: "c10::BFloat16", "float". Empty: not known.
  std::optional<double> rate(std::string_view type) const;
};

// By name, or by gfx name, units and memory where the profiler wrote no name.
std::optional<Peaks> peaks_of(const Device& device);

// Bytes of an element of a type as PyTorch names it; 0: not known.
unsigned bytes_of_type(std::string_view type);

}  // namespace hipwright::trace
