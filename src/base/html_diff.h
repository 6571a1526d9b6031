// SPDX-License-Identifier: MIT
// Differences for a browser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hipwright {

// A unified diff of one or more files as a table: the old text on the left, the new text on the
// right, changed parts of lines marked. At most `rows` rows, because browsers have to lay them out.
// `has_names`: each file begins with a row that names it.
std::string html_diff(std::string_view diff, std::size_t rows, bool has_names);

}  // namespace hipwright
