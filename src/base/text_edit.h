// SPDX-License-Identifier: MIT
// Edits to a text as values: collected, checked against each other, then applied at once.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/source.h"

namespace hipwright {

// Replace `span` by `replacement`. An empty span inserts.
struct TextEdit {
  Span span;
  std::string replacement;
  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

// Two edits overlap when they share a byte, or when both insert at the same place (their order
// would be a guess). An insertion at the edge of a replaced span does not overlap it.
bool overlap(const TextEdit& a, const TextEdit& b);

// Applies all edits or none: an overlap, or a span outside the text, is an error naming the lines.
// Identical edits count once.
Result<std::string> apply_edits(std::string_view text, std::span<const TextEdit> edits);

// The difference of two texts in `diff -u` form with paths a/<path> and b/<path>;
// empty when they are equal. Three lines of context.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace hipwright
