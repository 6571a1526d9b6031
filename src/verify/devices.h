// SPDX-License-Identifier: MIT
// Names of devices as users write them, and the devices that are here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::verify {

// Those of the hardware kinds ("hip", "cuda") that are here.
std::vector<std::string> hardware_here(std::span<const std::string_view> kinds);

// Each as reports call it: "cuda" is "cuda:0". One that is not a device of these kinds is an error;
// so is one that is not here, if it must be.
Result<std::vector<std::string>> device_ids(const std::vector<std::string>& names,
                                            std::span<const std::string_view> kinds,
                                            bool must_be_here);

// Why code for these targets would not run on an AMD device: it is not here, or it is for others.
// Empty: it runs.
std::string why_not_run(const std::vector<std::string>& targets, const std::string& device);

bool is_soft(std::string_view device);
// The lanes of the waves that the software GPU compiles for; 0: not a software GPU.
unsigned wave_of(std::string_view device);

}  // namespace hipwright::verify
