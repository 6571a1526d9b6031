// SPDX-License-Identifier: MIT
// The sitecustomize module that puts PyTorch's profiler around a program.
#pragma once

#include <string_view>

namespace hipwright::trace {

extern const std::string_view kTorchHook;

}  // namespace hipwright::trace
