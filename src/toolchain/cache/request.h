// SPDX-License-Identifier: MIT
// A request to the kernel cache: everything that determines the compiler's output, except the files
// it includes (those are known only after a compile: include_set.h).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace hipwright::toolchain {

struct CacheRequest {
  std::string source;       // the text itself, not a path
  std::string source_name;  // ends up in __FILE__ and in messages
  std::string compiler;     // its identity, not its path: version text, digest of the library, …
  std::string target;       // canonical, with features: "gfx90a:sramecc+:xnack-"
  std::vector<std::string> options;                          // as passed, order kept
  std::vector<std::pair<std::string, std::string>> headers;  // in-memory headers: name, text
  // Where the compiler runs; needed if options or includes are relative paths. If it is empty, a
  // compile with a relative include is not cached.
  std::filesystem::path directory;
};

// The request as bytes and their hash. The hash names files; the bytes decide equality, so a hash
// collision costs a compile and never returns the wrong kernel.
struct RequestKey {
  std::string material;
  Hash128 hash;
  std::filesystem::path directory;  // absolute or empty
};

RequestKey make_request_key(const CacheRequest& request);

}  // namespace hipwright::toolchain
