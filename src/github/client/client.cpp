// SPDX-License-Identifier: MIT
#include "github/client/client.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/json.h"
#include "base/words.h"
#include "github/time.h"

namespace hipwright::github {

namespace {

constexpr unsigned kMostAttempts = 4;
constexpr unsigned kMostRedirections = 5;
constexpr std::string_view kJsonFormat = "application/vnd.github+json";

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_gateway_failure(int status) {
  return status == 500 || status == 502 || status == 503 || status == 504;
}

std::string string_in(const Json& json, const char* key) {
  if (!json.is_object()) return {};
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// GitHub's own words, and for 422 the fields that are wrong.
std::string message_of(const HttpResponse& response) {
  const auto json = parse_json(response.body, "answer");
  if (!json) return {};
  std::string text = string_in(*json, "message");
  if (!json->is_object() || !json->contains("errors") || !(*json)["errors"].is_array()) return text;
  for (const Json& each : (*json)["errors"]) {
    const std::string detail =
        each.is_string() ? each.get<std::string>()
        : string_in(each, "message").empty()
            ? fmt::format("{} {}", string_in(each, "field"), string_in(each, "code"))
            : string_in(each, "message");
    if (!trimmed(detail).empty()) text += fmt::format("{}{}", text.empty() ? "" : "; ", detail);
  }
  return text;
}

struct GraphqlErrors {
  std::string text;
  bool is_limit = false, is_missing = false;
};

std::optional<GraphqlErrors> graphql_errors(const Json& answer) {
  const auto errors = answer.find("errors");
  if (errors == answer.end() || !errors->is_array() || errors->empty()) return std::nullopt;
  GraphqlErrors found;
  for (const Json& each : *errors) {
    const std::string type = string_in(each, "type");
    found.is_limit |= type == "RATE_LIMITED";
    found.is_missing |= type == "NOT_FOUND";
    if (!found.text.empty()) found.text += "; ";
    found.text += string_in(each, "message");
  }
  return found;
}

}  // namespace

std::string next_page(std::string_view link) {
  while (!link.empty()) {
    const std::size_t begin = link.find('<'), end = link.find('>');
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
    const std::string_view rest = link.substr(end + 1);
    const std::size_t next = rest.find('<');
    if (rest.substr(0, next).find("rel=\"next\"") != std::string_view::npos)
      return std::string(link.substr(begin + 1, end - begin - 1));
    if (next == std::string_view::npos) return {};
    link = rest.substr(next);
  }
  return {};
}

HttpRequest Client::request(const std::string& url, const std::string& accept) const {
  HttpRequest made{.url = url,
                   .headers = {"Accept: " + accept, "X-GitHub-Api-Version: 2022-11-28"},
                   .timeout = options_.timeout};
  if (!options_.token.is_empty()) made.headers.push_back(options_.token.header());
  return made;
}

Error Client::explain(const HttpResponse& response, const std::string& on) const {
  const std::string said = options_.token.redacted(message_of(response));
  const std::string why =
      fmt::format("HTTP {}{}{}", response.status, said.empty() ? "" : ": ", said);
  const Token& token = options_.token;
  switch (response.status) {
    case 401:
      if (token.is_empty())
        return {"GitHub requires authentication", on, why,
                fmt::format("Set {}, or log in with: gh auth login",
                            token_variables(options_.endpoints.rest).front())};
      return {"GitHub does not accept the token", on, why,
              fmt::format("Replace it: it comes from {}.", token.origin())};
    case 403:
    case 429:
      if (limit_wait(response, 0))
        return {"GitHub's rate limit is reached", on, why, "Try again later, or use --offline."};
      return {"GitHub does not allow this", on, why,
              "The token may lack a scope or access to the repository."};
    case 404:
      return {"GitHub does not find it", on, why,
              "Check the name; a private repository needs a token with access to it."};
    case 422:
      return {"GitHub rejects the request", on, why, ""};
    default:
      return {"GitHub cannot answer", on, why,
              is_gateway_failure(response.status) ? "Try again later." : ""};
  }
}

// Seconds to wait if a limit is the reason for the answer.
std::optional<double> Client::limit_wait(const HttpResponse& response, unsigned attempt) const {
  if (response.status != 403 && response.status != 429) return std::nullopt;
  if (const auto after = number_in(response.header("retry-after"))) return std::max(0.0, *after);
  if (response.header("x-ratelimit-remaining") == "0") {
    const auto reset = number_in(response.header("x-ratelimit-reset"));
    return reset ? std::max(1.0, *reset - static_cast<double>(options_.now())) : 60.0;
  }
  const bool is_secondary = contains_word(response.body, "secondary rate limit");
  if (!is_secondary && response.status != 429) return std::nullopt;
  return 60.0 * (1U << std::min(attempt, 4U));
}

Result<HttpResponse> Client::send(const HttpRequest& request, bool may_repeat) {
  for (unsigned attempt = 0;; ++attempt) {
    auto answered = options_.transport(request);
    last_status_ = answered ? answered->status : 0;
    const bool is_last = attempt + 1 >= kMostAttempts || !may_repeat;
    if (!answered) {
      Error error = answered.error();
      error.why = options_.token.redacted(error.why);
      return std::unexpected(std::move(error));
    }
    if (const auto limit = limit_wait(*answered, attempt); limit && !is_last) {
      if (*limit > static_cast<double>(options_.most_wait.count()))
        return fail("GitHub's rate limit is reached", host_of(request.url),
                    fmt::format("it is lifted in {:.0f} s", *limit),
                    "Try again then, or use --offline.");
      HW_CHECK(options_.wait(*limit, "rate limit of GitHub"));
    } else if (is_gateway_failure(answered->status) && !is_last) {
      HW_CHECK(options_.wait(options_.retry_delay * (1U << attempt),
                             fmt::format("GitHub answered with HTTP {}", answered->status)));
    } else {
      return answered;
    }
    ++counts_.retries;
  }
}

// Logs and archives are on other hosts, which must not see the token.
Result<HttpResponse> Client::follow(HttpResponse response, const HttpRequest& request) {
  for (unsigned hop = 0; response.status >= 301 && response.status <= 308; ++hop) {
    const std::string location = response.header("location");
    const std::string host = host_of(location);
    if (response.status == 304) break;
    if (hop == kMostRedirections || !is_private(location))
      return fail("cannot follow the redirection", host_of(request.url),
                  host.empty() ? "it names no address" : "it leads to " + host);
    HttpRequest next{.url = location, .timeout = request.timeout};
    if (host == host_of(request.url)) next.headers = request.headers;
    HW_TRY(response, send(next, true));
  }
  return response;
}

std::optional<CachedAnswer> Client::from_cache(const std::string& question) {
  auto cached = options_.cache.find(question);
  if (cached) {
    ++counts_.from_cache;
    if (oldest_ == 0 || cached->saved < oldest_) oldest_ = cached->saved;
  }
  return cached;
}

Result<std::optional<Client::Page>> Client::get_page(const std::string& url,
                                                     const std::string& accept) {
  const std::string question = fmt::format("GET {} {}", url, accept);
  if (options_.is_offline) {
    if (auto cached = from_cache(question))
      return cached->is_missing ? std::optional<Page>() : Page{cached->body, cached->link};
    return fail("cannot work offline", url, "the answer is not in the cache",
                "Run the same command once without --offline.");
  }
  HttpRequest made = request(url, accept);
  const auto cached = options_.cache.find(question);
  if (cached && !cached->etag.empty()) made.headers.push_back("If-None-Match: " + cached->etag);
  ++counts_.rest;
  HW_TRY(HttpResponse response, send(made, true));
  if (response.status == 304 && cached) {
    ++counts_.unchanged;
    return Page{cached->body, cached->link};
  }
  HW_TRY(response, follow(std::move(response), made));
  if (response.status == 404) {
    options_.cache.keep(question, {.saved = options_.now(), .is_missing = true});
    return std::optional<Page>();
  }
  if (response.status != 200) return std::unexpected(explain(response, url));
  options_.cache.keep(question, {.etag = response.header("etag"),
                                 .link = response.header("link"),
                                 .body = response.body,
                                 .saved = options_.now()});
  return Page{std::move(response.body), response.header("link")};
}

Result<std::optional<std::string>> Client::get(const std::string& path, const std::string& accept) {
  HW_TRY(auto page, get_page(options_.endpoints.rest + path, accept));
  if (!page) return std::optional<std::string>();
  return std::move(page->body);
}

Result<Json> Client::get_json(const std::string& path) {
  const std::string url = options_.endpoints.rest + path;
  HW_TRY(const auto page, get_page(url, std::string(kJsonFormat)));
  if (!page) return std::unexpected(explain({.status = 404}, url));
  return parse_json(page->body, url);
}

Result<std::vector<Json>> Client::get_pages(const std::string& path, std::size_t most) {
  std::vector<Json> items;
  std::string url = options_.endpoints.rest + path;
  while (!url.empty()) {
    HW_TRY(const auto page, get_page(url, std::string(kJsonFormat)));
    if (!page) return std::unexpected(explain({.status = 404}, url));
    HW_TRY(Json list, parse_json(page->body, url));
    if (!list.is_array()) return fail("unexpected answer", url, "not a list");
    for (Json& item : list) items.push_back(std::move(item));
    const std::string next = next_page(page->link);
    // Pages of another host would get the token.
    if (!next.empty() && host_of(next) != host_of(url))
      return fail("unexpected answer", url, "the next page is on another host");
    if (items.size() > most)
      return fail("the list is too long", path, fmt::format("more than {} items", most));
    url = next;
  }
  return items;
}

Result<Json> Client::post(const std::string& path, const Json& body) {
  const std::string url = options_.endpoints.rest + path;
  if (options_.is_offline)
    return fail("cannot post offline", url, "--offline was given", "Leave it out.");
  HttpRequest made = request(url, std::string(kJsonFormat));
  made.method = "POST";
  made.headers.emplace_back("Content-Type: application/json");
  made.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  ++counts_.rest;
  HW_TRY(const HttpResponse response, send(made, false));
  if (response.status == 200 || response.status == 201) return parse_json(response.body, url);
  Error error = explain(response, url);
  if (is_gateway_failure(response.status))
    error.fix = "Look at the pull request before you try again: it may have been posted.";
  return std::unexpected(std::move(error));
}

Result<Json> Client::graphql(const std::string& what, const std::string& query,
                             const Json& variables) {
  const std::string& url = options_.endpoints.graphql;
  const std::string body = Json{{"query", query}, {"variables", variables}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
  const std::string question = "POST " + url + " " + body;
  if (options_.is_offline) {
    if (const auto cached = from_cache(question)) return parse_json(cached->body, what);
    return fail("cannot work offline", what, "the answer is not in the cache",
                "Run the same command once without --offline.");
  }
  HttpRequest made = request(url, "application/json");
  made.method = "POST";
  made.headers.emplace_back("Content-Type: application/json");
  made.body = body;
  for (unsigned attempt = 0;; ++attempt) {
    ++counts_.graphql;
    HW_TRY(const HttpResponse response, send(made, true));
    if (response.status != 200) return std::unexpected(explain(response, what));
    HW_TRY(const Json answer, parse_json(response.body, "GitHub's answer: " + what));
    if (!answer.is_object()) return fail("unexpected answer", what, "not an object");
    if (const auto errors = graphql_errors(answer)) {
      if (errors->is_limit && attempt + 1 < kMostAttempts) {
        // These answers have HTTP status 200 and the headers of a limit.
        HttpResponse limited = response;
        limited.status = 403;
        const double seconds = limit_wait(limited, attempt).value_or(60);
        if (seconds <= static_cast<double>(options_.most_wait.count())) {
          HW_CHECK(options_.wait(seconds, "rate limit of GitHub"));
          ++counts_.retries;
          continue;
        }
      }
      const std::string text = options_.token.redacted(errors->text);
      if (errors->is_limit)
        return fail("GitHub's rate limit is reached", what, text, "Try again later.");
      return fail(errors->is_missing ? "GitHub does not find it" : "GitHub cannot answer", what,
                  text,
                  errors->is_missing ? "Check the name; a private repository needs a token "
                                       "with access to it."
                                     : "");
    }
    const auto data = answer.find("data");
    if (data == answer.end() || !data->is_object())
      return fail("unexpected answer", what, "it has no data");
    options_.cache.keep(question,
                        {.body = data->dump(-1, ' ', false, Json::error_handler_t::replace),
                         .saved = options_.now()});
    return *data;
  }
}

}  // namespace hipwright::github
