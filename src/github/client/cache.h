// SPDX-License-Identifier: MIT
// Answers of GitHub, kept to save requests (ETag) and to work without a network. The directory is
// the user's own (0700), its files are 0600: they may come from private repositories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::github {

struct CachedAnswer {
  std::string etag;  // may be empty
  std::string link;  // the header with the next page
  std::string body;
  std::int64_t saved = 0;
  bool is_missing = false;  // HTTP 404
};

// The text of a cache file; nothing if it is damaged, or of another question.
std::string cache_text(std::string_view question, const CachedAnswer& answer);
std::optional<CachedAnswer> parse_cache(std::string_view text, std::string_view question);

class AnswerCache {
 public:
  AnswerCache() = default;  // keeps nothing
  // Creates the directory, and removes what is older than 30 days.
  static Result<AnswerCache> open(const std::filesystem::path& directory, std::int64_t now);

  std::optional<CachedAnswer> find(std::string_view question) const;
  // A cache that cannot be written is no reason to fail.
  void keep(std::string_view question, const CachedAnswer& answer) const;

 private:
  std::filesystem::path file_of(std::string_view question) const;
  std::filesystem::path directory_;
};

}  // namespace hipwright::github
