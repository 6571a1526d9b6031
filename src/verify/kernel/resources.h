// SPDX-License-Identifier: MIT
// Hardware resources of a compiled kernel, as build checks report and limit them.
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
// Of the kernel with that symbol in an AMD code object. Empty: not recorded (a CUBIN).
std::optional<Resources> resources_of(std::string_view code_object, const std::string& symbol);

// "24 VGPRs, 18 SGPRs, 1024 bytes of LDS, 0 bytes of scratch, 0 registers spilled".
std::string to_string(const Resources& resources);
// "warning: …" if registers were spilled or scratch memory is used; otherwise empty.
std::string warning_of(const Resources& resources);
// "72 vgprs exceeds the spec's limit of 64"; empty: no limit is exceeded.
std::string excess(const Resources& resources, const Limits& limits);

}  // namespace hipwright::verify
