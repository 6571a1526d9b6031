// SPDX-License-Identifier: MIT
// The positions of #include lines, and of a new one.
#pragma once

#include <cstddef>
#include <optional>

#include "base/source.h"
#include "syntax/cuda/file.h"

namespace hipwright::port {

// The line of an #include, given its #, with its line break.
Span include_line(const syntax::cuda::File& file, syntax::cuda::TokenIndex hash);

// The position of a line that must precede the extern "C" { } around a token.
std::optional<std::size_t> before_c_linkage(const syntax::cuda::File& file,
                                            syntax::cuda::TokenIndex token);

// The position of a line that must precede all others: before the first #include; without one,
// after the comments and the #pragma once at the top.
std::size_t place_for_include(const syntax::cuda::File& file);

// The position of a line that must precede all code and all headers but those of the C and C++
// standard libraries: after these if it can, otherwise place_for_include().
std::size_t place_for_late_include(const syntax::cuda::File& file);

// The end of the text `#pragma once` or `#ifndef GUARD` at the top of a header.
std::optional<std::size_t> end_of_guard(const syntax::cuda::File& file);

}  // namespace hipwright::port
