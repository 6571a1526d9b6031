// SPDX-License-Identifier: MIT
#include "github/repository.h"

#include <algorithm>
#include <cctype>

#include "base/words.h"

namespace hipwright::github {

namespace {

// The characters that GitHub allows: nothing that means something in an address or a search.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= 100 && !is_any(text, {".", ".."}) &&
         std::ranges::all_of(text, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
         });
}

std::optional<Repository> split(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  if (text.ends_with(".git")) text.remove_suffix(4);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view owner = text.substr(0, slash), name = text.substr(slash + 1);
  if (!is_name(owner) || !is_name(name)) return std::nullopt;
  return Repository{std::string(owner), std::string(name)};
}

}  // namespace

std::optional<Repository> repository_of_remote(std::string_view url) {
  url = trimmed(url);
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    const std::size_t slash = url.find('/');
    return slash == std::string_view::npos ? std::nullopt : split(url.substr(slash + 1));
  }
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || url.find('@') > colon) return std::nullopt;
  return split(url.substr(colon + 1));
}

Result<Repository> parse_repository(std::string_view text) {
  const auto found =
      text.find("://") == std::string_view::npos ? split(text) : repository_of_remote(text);
  if (found) return *found;
  return fail("invalid repository", std::string(text), "expected OWNER/NAME",
              "For example: --repo vllm-project/vllm");
}

}  // namespace hipwright::github
