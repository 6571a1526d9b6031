// SPDX-License-Identifier: MIT
// GitHub's two interfaces, with everything that can go wrong on the way: limits, retries, pages,
// cached answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "github/client/cache.h"
#include "github/client/token.h"
#include "github/http/http.h"

namespace hipwright::github {

struct Endpoints {
  std::string rest = "https://api.github.com";
  std::string graphql = "https://api.github.com/graphql";
};

// What the options say, else GITHUB_API_URL and GITHUB_GRAPHQL_URL, else github.com. An error: not
// an address, or a token would go unencrypted to another machine.
Result<Endpoints> find_endpoints(std::string api_url, std::string graphql_url);

struct ClientOptions {
  Endpoints endpoints;
  Token token;
  AnswerCache cache;
  bool is_offline = false;
  std::chrono::milliseconds timeout{30'000};
  std::chrono::seconds most_wait{300};  // for a limit to be lifted
  double retry_delay = 1;               // seconds; doubled with each retry
  Transport transport;
  // Waits, and says why. An error: stopped meanwhile.
  std::function<Status(double seconds, const std::string& why)> wait;
  std::function<std::int64_t()> now;  // seconds since 1970
};

struct RequestCounts {
  unsigned graphql = 0, rest = 0, unchanged = 0, from_cache = 0, retries = 0;
};

class Client {
 public:
  explicit Client(ClientOptions options) : options_(std::move(options)) {}

  // The `data` of a query. `what` names it in messages: "the pull requests of a/b".
  Result<Json> graphql(const std::string& what, const std::string& query, const Json& variables);
  // `path` begins with a slash. With `accept`, a text in that format; nothing if there is no such
  // thing (404).
  Result<std::optional<std::string>> get(const std::string& path, const std::string& accept);
  Result<Json> get_json(const std::string& path);
  // The items of all pages of a list.
  Result<std::vector<Json>> get_pages(const std::string& path, std::size_t most = 3000);
  // Is sent once: what came of it is not known if no answer comes.
  Result<Json> post(const std::string& path, const Json& body);

  const RequestCounts& counts() const { return counts_; }
  // GitHub gives up on what takes it longer than ten seconds.
  bool was_too_slow() const { return last_status_ == 502 || last_status_ == 504; }
  bool is_offline() const { return options_.is_offline; }
  // Of the oldest answer that came from the cache without asking; 0: none did.
  std::int64_t oldest_answer() const { return oldest_; }
  Status wait(double seconds, const std::string& why) const { return options_.wait(seconds, why); }

 private:
  struct Page {
    std::string body, link;
  };
  Result<std::optional<Page>> get_page(const std::string& url, const std::string& accept);
  Result<HttpResponse> follow(HttpResponse response, const HttpRequest& request);
  Result<HttpResponse> send(const HttpRequest& request, bool may_repeat);
  std::optional<double> limit_wait(const HttpResponse& response, unsigned attempt) const;
  HttpRequest request(const std::string& url, const std::string& accept) const;
  Error explain(const HttpResponse& response, const std::string& on) const;
  std::optional<CachedAnswer> from_cache(const std::string& question);

  ClientOptions options_;
  RequestCounts counts_;
  int last_status_ = 0;
  std::int64_t oldest_ = 0;
};

// The address of the page after this one, from a Link header; empty: this is the last.
std::string next_page(std::string_view link);

}  // namespace hipwright::github
