// SPDX-License-Identifier: MIT
// The conventions of a port: choices that do not change what the code does. Passes ask here and
// never for the style itself.
#pragma once

#include <string>
#include <string_view>

#include "port/options.h"

namespace hipwright::port {

struct Conventions {
  // "cuda_runtime.h" becomes "hip/hip_runtime.h", in quotes. Otherwise always <…>.
  bool keeps_quotes = false;
  // A removed #include leaves an empty line.
  bool keeps_lines = false;
  // Every file that uses HIP includes the runtime itself: after its include guard, or before its
  // first #include. Otherwise only sources for which nothing else provides it.
  bool includes_runtime_everywhere = false;
  // hipBLAS functions with complex or untyped arguments are called by the names that end in _v2,
  // which need no HIPBLAS_V2.
  bool names_blas_v2 = false;
};

Conventions conventions_of(const Options& options);

// The header that replaces `path`. Empty: the line is removed.
std::string header_path(const Options& options, const api::Entry& header, std::string_view path);
// May a second #include of this header be removed?
bool is_included_once(const Options& options, std::string_view header);
// The counterpart of a name.
std::string hip_name(const Options& options, const api::Entry& entry);

}  // namespace hipwright::port
