// SPDX-License-Identifier: MIT
// Small files of /proc and /sys as values; absent where they cannot be read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hipwright::ci {

std::optional<std::string> trimmed_file(const std::filesystem::path& path);
std::optional<std::uint64_t> number_file(const std::filesystem::path& path);
// The value behind "key" and blanks or ":" in a text of lines.
std::optional<std::string> value_in(const std::string& text, const std::string& key);
std::optional<std::uint64_t> to_number(std::string_view text);
// The entries of a directory by name; empty where it cannot be read.
std::vector<std::filesystem::path> entries(const std::filesystem::path& directory);

}  // namespace hipwright::ci
