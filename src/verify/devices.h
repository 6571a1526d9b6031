// SPDX-License-Identifier: MIT
// Device names as users write them, and the devices of this machine.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::verify {

// The devices of these hardware kinds ("hip", "cuda") on this machine.
std::vector<std::string> hardware_here(std::span<const std::string_view> kinds);

// The names that reports use: "cuda" becomes "cuda:0". A device of another kind is an error, and so
// is an absent one if `must_be_here`.
Result<std::vector<std::string>> device_ids(const std::vector<std::string>& names,
                                            std::span<const std::string_view> kinds,
                                            bool must_be_here);

// Why code for these targets cannot run on an AMD device: the device is absent, or the code is for
// other targets. Empty: it can.
std::string why_not_run(const std::vector<std::string>& targets, const std::string& device);

bool is_soft(std::string_view device);
// Lanes per wave of a software GPU; 0: not a software GPU.
unsigned wave_of(std::string_view device);

}  // namespace hipwright::verify
