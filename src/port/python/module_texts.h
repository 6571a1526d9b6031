// SPDX-License-Identifier: MIT
// The Python modules that a port adds, assembled from parts: modules/<module>/<part>.py.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hipwright::port {

// Is there a part of this name in the module that is added ("attention_fallback")?
bool has_part(std::string_view module, std::string_view part);
// The text of an added module with the parts that are needed.
std::string module_text(std::string_view module, const std::set<std::string>& parts);

}  // namespace hipwright::port
