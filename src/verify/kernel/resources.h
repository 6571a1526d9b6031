// SPDX-License-Identifier: MIT
// What a compiled kernel takes of the hardware, as a build check tells and bounds it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/code_object/resources.h"

namespace hipwright::verify {

// What a spec can limit. Spills are registers; lds and scratch are bytes, scratch of a lane.
constexpr std::array<std::string_view, 6> kResources = {"vgprs", "agprs",   "sgprs",
                                                        "lds",   "scratch", "spills"};
using Limits = std::map<std::string, std::uint64_t, std::less<>>;
using Resources = std::map<std::string, std::uint64_t, std::less<>>;  // by those names

Resources resources_of(const toolchain::KernelResources& kernel);
// Of the kernel with that symbol in an AMD code object. Nothing: it cannot be told (a CUBIN).
std::optional<Resources> resources_of(std::string_view code_object, const std::string& symbol);

// "24 VGPRs, 18 SGPRs, 1024 bytes of LDS, 0 bytes of scratch, 0 registers spilled".
std::string to_string(const Resources& resources);
// "warning: …" where registers were spilled or memory stands in for them; else empty.
std::string warning_of(const Resources& resources);
// "72 vgprs, and the spec's limit is 64"; empty: none is exceeded.
std::string excess(const Resources& resources, const Limits& limits);

}  // namespace hipwright::verify
