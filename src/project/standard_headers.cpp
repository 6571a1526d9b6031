// SPDX-License-Identifier: MIT
#include "project/standard_headers.h"

#include <algorithm>

#include "base/words.h"

namespace hipwright::project {

bool is_standard_header(std::string_view path) {
  const auto is_of_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (std::ranges::all_of(path, is_of_word)) return true;  // C++ has no suffix
  return path.starts_with("sys/") ||
         is_any(path, {"assert.h",   "ctype.h",  "errno.h",  "fcntl.h",   "float.h",  "getopt.h",
                       "inttypes.h", "limits.h", "malloc.h", "math.h",    "memory.h", "omp.h",
                       "pthread.h",  "signal.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h",
                       "stdio.h",    "stdlib.h", "string.h", "strings.h", "time.h",   "unistd.h"});
}

}  // namespace hipwright::project
