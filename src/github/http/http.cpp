// SPDX-License-Identifier: MIT
#include "github/http/http.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/stop.h"
#include "base/words.h"
#include "github/http/curl.h"

namespace hipwright::github {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr long kConnectMilliseconds = 15'000;

struct Receiving {
  HttpResponse response;
  bool is_too_large = false;
};

std::size_t take_body(const char* data, std::size_t, std::size_t size, void* to) {
  auto& receiving = *static_cast<Receiving*>(to);
  if (receiving.response.body.size() + size > kMostBytes) {
    receiving.is_too_large = true;
    return 0;
  }
  receiving.response.body.append(data, size);
  return size;
}

std::size_t take_header(const char* data, std::size_t, std::size_t size, void* to) {
  auto& headers = static_cast<Receiving*>(to)->response.headers;
  const std::string_view line(data, size);
  // Each response of a proxy or redirection begins anew.
  if (line.starts_with("HTTP/")) headers.clear();
  if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
    headers[lowered(line.substr(0, colon))] = std::string(trimmed(line.substr(colon + 1)));
  return size;
}

int is_stopped(void*, long long, long long, long long, long long) {
  return stop_requested() ? 1 : 0;
}

Error describe(const curl::Api& api, curl::Code code, const char* detail,
               const HttpRequest& request, const Receiving& receiving) {
  const std::string host = host_of(request.url);
  if (stop_requested()) return stopped("asking " + host);
  if (receiving.is_too_large)
    return {"cannot read the answer", host, "it is larger than 256 MiB", ""};
  const std::string why = *detail != '\0' ? detail : api.curl_easy_strerror(code);
  if (code == curl::kTimedOut)
    return {"no answer from", host, why, "Try again, or allow more time with --timeout."};
  return {"cannot reach", host, why,
          "Check the network and https_proxy, or work from the cache with --offline."};
}

Result<HttpResponse> send(const HttpRequest& request) {
  HW_TRY(const curl::Api* const api, curl::Api::load());
  const std::unique_ptr<curl::Easy, void (*)(curl::Easy*)> easy(api->curl_easy_init(),
                                                                api->curl_easy_cleanup);
  if (!easy) return fail("cannot talk to GitHub", "", "libcurl has no memory");
  curl::List* list = nullptr;
  for (const std::string& header : request.headers)
    list = api->curl_slist_append(list, header.c_str());
  const std::unique_ptr<curl::List, void (*)(curl::List*)> headers(list, api->curl_slist_free_all);

  Receiving receiving;
  char detail[curl::kErrorBytes] = "";
  const auto set = [&](curl::Option option, auto value) {
    api->curl_easy_setopt(easy.get(), option, value);
  };
  set(curl::kUrl, request.url.c_str());
  set(curl::kUserAgent, "hipwright/" HIPWRIGHT_VERSION);
  set(curl::kHttpHeader, headers.get());
  set(curl::kErrorBuffer, static_cast<char*>(detail));
  set(curl::kAcceptEncoding, "");
  set(curl::kProtocols, curl::kHttpAndHttps);
  set(curl::kNoSignal, 1L);
  set(curl::kTimeoutMs, static_cast<long>(request.timeout.count()));
  set(curl::kConnectTimeoutMs, std::min<long>(kConnectMilliseconds, request.timeout.count()));
  set(curl::kWriteFunction, &take_body);
  set(curl::kWriteData, static_cast<void*>(&receiving));
  set(curl::kHeaderFunction, &take_header);
  set(curl::kHeaderData, static_cast<void*>(&receiving));
  set(curl::kNoProgress, 0L);
  set(curl::kProgressFunction, &is_stopped);
  if (request.method == "POST") {
    set(curl::kPost, 1L);
    set(curl::kPostFields, request.body.c_str());
    set(curl::kPostFieldSize, static_cast<long long>(request.body.size()));
  }

  const curl::Code code = api->curl_easy_perform(easy.get());
  if (code != curl::kOk) return std::unexpected(describe(*api, code, detail, request, receiving));
  long status = 0;
  api->curl_easy_getinfo(easy.get(), curl::kResponseCode, &status);
  receiving.response.status = static_cast<int>(status);
  return std::move(receiving.response);
}

}  // namespace

std::string HttpResponse::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

Transport curl_transport() {
  return send;
}

std::string host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url = url.substr(scheme + 3, url.find_first_of("/?#", scheme + 3) - scheme - 3);
  // A name and password before the host are not shown.
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos)
    url.remove_prefix(at + 1);
  return std::string(url);
}

bool is_private(std::string_view url) {
  const std::string host = host_of(url);
  if (url.starts_with("https://")) return !host.empty();
  const std::string_view name = host.starts_with('[')
                                    ? std::string_view(host).substr(0, host.find(']') + 1)
                                    : std::string_view(host).substr(0, host.find(':'));
  return url.starts_with("http://") && is_any(name, {"127.0.0.1", "localhost", "[::1]"});
}

}  // namespace hipwright::github
