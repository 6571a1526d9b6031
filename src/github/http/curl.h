// SPDX-License-Identifier: MIT
// The functions of libcurl that we use, looked up at run time. Names and values are libcurl's ABI,
// which has been stable since version 7.16; options were added later where a line says so.
#pragma once

#include <cstddef>

#include "base/error.h"
#include "toolchain/dynamic_library.h"

namespace hipwright::github::curl {

struct Easy;
struct List;  // curl_slist

enum Code : int { kOk = 0, kWriteError = 23, kTimedOut = 28, kAborted = 42 };

// Kinds of options by their offset: long 0, object 10000, function 20000, off_t 30000.
enum Option : int {
  kWriteData = 10001,
  kUrl = 10002,
  kErrorBuffer = 10010,
  kPostFields = 10015,
  kUserAgent = 10018,
  kHttpHeader = 10023,
  kHeaderData = 10029,
  kCustomRequest = 10036,
  kProgressData = 10057,
  kAcceptEncoding = 10102,
  kNoProgress = 43,
  kPost = 47,
  kNoSignal = 99,
  kTimeoutMs = 155,
  kConnectTimeoutMs = 156,
  kProtocols = 181,  // 7.19.4
  kWriteFunction = 20011,
  kHeaderFunction = 20079,
  kProgressFunction = 20219,  // 7.32
  kPostFieldSize = 30120,
};
constexpr long kHttpAndHttps = 3;
constexpr int kResponseCode = 0x200002;
constexpr std::size_t kErrorBytes = 256;
constexpr long kGlobalDefault = 3;

struct Api {
  // Loads the library once in the process's life. An error says which package has it.
  static Result<const Api*> load();

  explicit Api(toolchain::DynamicLibrary opened) : library(std::move(opened)) {}
  toolchain::DynamicLibrary library;

  Code (*curl_global_init)(long);
  Easy* (*curl_easy_init)();
  void (*curl_easy_cleanup)(Easy*);
  Code (*curl_easy_setopt)(Easy*, int, ...);
  Code (*curl_easy_perform)(Easy*);
  Code (*curl_easy_getinfo)(Easy*, int, ...);
  const char* (*curl_easy_strerror)(Code);
  List* (*curl_slist_append)(List*, const char*);
  void (*curl_slist_free_all)(List*);
};

}  // namespace hipwright::github::curl
