// SPDX-License-Identifier: MIT
// Paths of any bytes in JSON files of ours, and paths that such a file may name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipwright::port {

// JSON has no place for paths that are not UTF-8: such bytes become %XX.
std::string escaped_path(std::string_view path);
// Nothing where it is no escaped path, or leads out of the tree, or to what tools keep in it.
std::optional<std::string> unescaped_path(std::string_view text);

}  // namespace hipwright::port
