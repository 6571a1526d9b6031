// SPDX-License-Identifier: MIT
#include "github/client/cache.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

namespace fs = std::filesystem;

namespace hipwright::github {

namespace {

constexpr std::int64_t kKeptSeconds = std::int64_t{30} * 24 * 3600;
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
constexpr unsigned kOwnerOnly = 0600;

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void remove_old(const fs::path& directory, std::int64_t now) {
  std::error_code error;
  for (auto at = fs::directory_iterator(directory, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    struct stat status {};
    const fs::path path = at->path();
    if (path.extension() == ".json" && ::lstat(path.c_str(), &status) == 0 &&
        S_ISREG(status.st_mode) && status.st_mtime + kKeptSeconds < now) {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
  }
}

}  // namespace

std::string cache_text(std::string_view question, const CachedAnswer& answer) {
  return json_text({{"question", question},
                    {"etag", answer.etag},
                    {"link", answer.link},
                    {"saved", answer.saved},
                    {"missing", answer.is_missing},
                    {"body", answer.body}});
}

std::optional<CachedAnswer> parse_cache(std::string_view text, std::string_view question) {
  const auto json = parse_json(text, "cache");
  if (!json || !json->is_object() || text_of(*json, "question") != question) return std::nullopt;
  const auto body = json->find("body"), saved = json->find("saved"),
             missing = json->find("missing");
  if (body == json->end() || !body->is_string() || saved == json->end() ||
      !saved->is_number_integer() || missing == json->end() || !missing->is_boolean())
    return std::nullopt;
  return CachedAnswer{text_of(*json, "etag"), text_of(*json, "link"), body->get<std::string>(),
                      saved->get<std::int64_t>(), missing->get<bool>()};
}

Result<AnswerCache> AnswerCache::open(const fs::path& directory, std::int64_t now) {
  HW_CHECK(make_directories(directory.parent_path()));
  HW_CHECK(make_private_directory(directory));
  remove_old(directory, now);
  AnswerCache cache;
  cache.directory_ = directory;
  return cache;
}

fs::path AnswerCache::file_of(std::string_view question) const {
  return directory_ / (hash128(question).hex() + ".json");
}

std::optional<CachedAnswer> AnswerCache::find(std::string_view question) const {
  if (directory_.empty()) return std::nullopt;
  const auto text = read_file(file_of(question), kMostBytes, Links::kReject);
  return text ? parse_cache(*text, question) : std::nullopt;
}

void AnswerCache::keep(std::string_view question, const CachedAnswer& answer) const {
  if (directory_.empty()) return;
  static_cast<void>(write_file_atomic(file_of(question), cache_text(question, answer), kOwnerOnly,
                                      Durability::kProcessDeath));
}

}  // namespace hipwright::github
