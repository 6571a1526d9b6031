// SPDX-License-Identifier: MIT
// Which tokens of a statement a fix kept.
#pragma once

#include <optional>
#include <vector>

#include "lint/like/stream.h"

namespace hipwright::lint::like {

// For each token of `before`: its partner in `after` (an index of the stream), or kNone. The
// partners go up; names count more than brackets. None: the ranges are too long to compare.
std::optional<std::vector<std::uint32_t>> kept_tokens(const Stream& before, Range in_before,
                                                      const Stream& after, Range in_after);

}  // namespace hipwright::lint::like
