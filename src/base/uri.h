// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hipwright {

// A path as part of a URI, as SARIF requires it, with reserved bytes percent-encoded.
std::string uri_of(std::string_view path);

}  // namespace hipwright
