// SPDX-License-Identifier: MIT
// One HTTP request and its response, through the system's libcurl, which is loaded when the first
// request is made. Proxies come from the environment, as libcurl reads it.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::github {

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Accept: application/json"
  std::string body;
  std::chrono::milliseconds timeout{30'000};
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string, std::less<>> headers;  // names in lower case
  std::string body;

  std::string header(std::string_view name) const;  // empty: missing
};

// Redirections are responses like others: whoever follows one decides what to send there. An error
// names the host, never the headers.
using Transport = std::function<Result<HttpResponse>(const HttpRequest& request)>;
Transport curl_transport();

// Host and port of a URL ("api.github.com:443"); empty if the text is not a URL.
std::string host_of(std::string_view url);

// Encrypted, or to this machine.
bool is_private(std::string_view url);

}  // namespace hipwright::github
