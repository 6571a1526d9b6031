// SPDX-License-Identifier: MIT
#include "ci/host/files.h"

#include <algorithm>
#include <charconv>

#include "base/file.h"
#include "base/words.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

std::optional<std::string> trimmed_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return std::nullopt;
  auto text = read_file(path);
  if (!text) return std::nullopt;
  return std::string(trimmed(*text));
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_file(const fs::path& path) {
  const auto text = trimmed_file(path);
  return text ? to_number(*text) : std::nullopt;
}

std::optional<std::string> value_in(const std::string& text, const std::string& key) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(key)) continue;
    const std::string_view rest = line.substr(key.size());
    const std::size_t begin = rest.find_first_not_of(" \t:=");
    if (begin == 0) continue;  // a longer key
    return std::string(trimmed(rest.substr(std::min(begin, rest.size()))));
  }
  return std::nullopt;
}

std::vector<fs::path> entries(const fs::path& directory) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(directory, error); !error && at != fs::directory_iterator();
       at.increment(error))
    found.push_back(at->path());
  std::ranges::sort(found);
  return found;
}

}  // namespace hipwright::ci
