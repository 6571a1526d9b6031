// SPDX-License-Identifier: MIT
#include "github/http/curl.h"

#include <memory>

namespace hipwright::github::curl {

namespace {

template <class Function>
bool find(const toolchain::DynamicLibrary& library, const char* name, Function& function) {
  function = library.function<Function>(name);
  return function != nullptr;
}

Result<std::unique_ptr<Api>> open() {
  auto library = toolchain::DynamicLibrary::open_any({"libcurl.so.4", "libcurl-gnutls.so.4"});
  if (!library)
    return fail("cannot talk to GitHub", "libcurl.so.4", "the library is not installed",
                "Install it: apt install libcurl4 (Fedora: dnf install libcurl).");
  auto api = std::make_unique<Api>(*std::move(library));
  Api& a = *api;
  const bool found = find(a.library, "curl_global_init", a.curl_global_init) &&
                     find(a.library, "curl_easy_init", a.curl_easy_init) &&
                     find(a.library, "curl_easy_cleanup", a.curl_easy_cleanup) &&
                     find(a.library, "curl_easy_setopt", a.curl_easy_setopt) &&
                     find(a.library, "curl_easy_perform", a.curl_easy_perform) &&
                     find(a.library, "curl_easy_getinfo", a.curl_easy_getinfo) &&
                     find(a.library, "curl_easy_strerror", a.curl_easy_strerror) &&
                     find(a.library, "curl_slist_append", a.curl_slist_append) &&
                     find(a.library, "curl_slist_free_all", a.curl_slist_free_all);
  if (!found || a.curl_global_init(kGlobalDefault) != kOk)
    return fail("cannot talk to GitHub", a.library.path().string(), "not a working libcurl",
                "Install it again: apt install --reinstall libcurl4");
  return api;
}

}  // namespace

Result<const Api*> Api::load() {
  static const auto the_api = open();
  if (!the_api) return std::unexpected(the_api.error());
  return the_api->get();
}

}  // namespace hipwright::github::curl
