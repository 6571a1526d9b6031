// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hipwright::lsp {

// "file:///a%20b/c.cu" to "/a b/c.cu"; empty: it does not name a file of this machine.
std::optional<std::filesystem::path> path_of(std::string_view uri);
// From an absolute path.
std::string uri_of(const std::filesystem::path& path);

}  // namespace hipwright::lsp
