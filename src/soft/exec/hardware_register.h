// SPDX-License-Identifier: MIT
// The registers of s_getreg and s_setreg.
#pragma once

#include <cstdint>
#include <optional>

#include "soft/exec/wave.h"

namespace hipwright::soft {

// `id` as the instruction encodes it: the same number means different registers on different
// targets. Nothing: the register is not modelled. Where a wave runs (HW_ID, XCC_ID) is invented.
std::optional<std::uint32_t> read_hardware_register(const Wave& wave, unsigned id);
// The bits of `mask` become those of `value`. False: cannot be written here.
bool write_hardware_register(Wave& wave, unsigned id, std::uint32_t value, std::uint32_t mask);

// MODE, as the hardware lays it out.
std::uint32_t mode_bits(const Wave& wave);
void set_mode_bits(Wave& wave, std::uint32_t bits);

}  // namespace hipwright::soft
