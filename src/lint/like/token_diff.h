// SPDX-License-Identifier: MIT
// The tokens of a statement that a fix kept.
#pragma once

#include <optional>
#include <vector>

#include "lint/like/stream.h"

namespace hipwright::lint::like {

// For each token of `before`: its partner in `after` (an index into the stream), or kNone. Partners
// are increasing; names count more than brackets. Empty if the ranges are too long to compare.
std::optional<std::vector<std::uint32_t>> kept_tokens(const Stream& before, Range in_before,
                                                      const Stream& after, Range in_after);

}  // namespace hipwright::lint::like
