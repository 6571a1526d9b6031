// SPDX-License-Identifier: MIT
// Paths of any bytes in JSON files of ours, and paths that such a file may name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipwright::port {

// JSON cannot represent paths that are not UTF-8: such bytes become %XX.
std::string escaped_path(std::string_view path);
// Empty if it is not an escaped path, or leads outside the tree or into a tool's own folder.
std::optional<std::string> unescaped_path(std::string_view text);

}  // namespace hipwright::port
