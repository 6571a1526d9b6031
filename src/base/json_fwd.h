// SPDX-License-Identifier: MIT
// Json by name only: for headers, which leave nlohmann/json.hpp (a second of compile time) to the
// sources that build or read values.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace hipwright {

// Keys keep the order in which they were written, because people read the output, too.
using Json = nlohmann::ordered_json;

}  // namespace hipwright
