// SPDX-License-Identifier: MIT
// How undefined bytes travel through operations that look at values bit by bit or byte by byte.
// All others make their whole result undefined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "soft/check/shadow.h"
#include "soft/exec/op_properties.h"

namespace hipwright::soft {

// A source dword: its undefined bytes, and its value where all lanes have the same defined one.
struct SourceDword {
  UndefinedBytes undefined;
  std::optional<std::uint32_t> value;
};

// The result of a 32-bit operation. `s` are its sources in the text's order; `mask` is the value
// of kSelect's lane mask and `mask_undefined` its undefined bits.
UndefinedBytes apply(VectorRule rule, const SourceDword* s, unsigned count, LaneMask mask = 0,
                     LaneMask mask_undefined = 0);

// The same for results of two dwords. A source has its low dword first; those of one dword have
// nothing in the second.
std::array<UndefinedBytes, 2> apply_wide(VectorRule rule, const std::array<SourceDword, 2>* s,
                                         unsigned count);

}  // namespace hipwright::soft
