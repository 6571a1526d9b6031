// SPDX-License-Identifier: MIT
#include "lint/like/token_diff.h"

namespace hipwright::lint::like {

namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 23;

// The value of keeping a token: a kept name counts more than a kept comma, and neighbours that stay
// neighbours count most.
unsigned worth(Kind kind) {
  return kind == Kind::kBreak ? 2 : kind == Kind::kPunct ? 2 : 6;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> kept_tokens(const Stream& before, Range in_before,
                                                      const Stream& after, Range in_after) {
  const std::size_t rows = in_before.size(), columns = in_after.size();
  if ((rows + 1) * (columns + 1) > kMostCells) return std::nullopt;
  const auto row_token = [&](std::size_t i) {
    return in_before.begin + static_cast<std::uint32_t>(i);
  };
  const auto column_token = [&](std::size_t j) {
    return in_after.begin + static_cast<std::uint32_t>(j);
  };
  const auto same = [&](std::size_t i, std::size_t j) {
    return before.tokens[row_token(i)].kind == after.tokens[column_token(j)].kind &&
           before.of(row_token(i)) == after.of(column_token(j));
  };
  // best[i][j]: for the remainders that begin there.
  const std::size_t width = columns + 1;
  std::vector<std::uint32_t> best((rows + 1) * width, 0);
  const auto value_of_pair = [&](std::size_t i, std::size_t j) {
    const bool goes_on = i + 1 < rows && j + 1 < columns && same(i + 1, j + 1);
    return best[(i + 1) * width + j + 1] + worth(before.tokens[row_token(i)].kind) +
           (goes_on ? 1 : 0);
  };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;) {
      std::uint32_t value = std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
      if (same(i, j)) value = std::max(value, value_of_pair(i, j));
      best[i * width + j] = value;
    }
  std::vector<std::uint32_t> partners(rows, kNone);
  std::size_t i = 0, j = 0;
  while (i < rows && j < columns) {
    if (same(i, j) && best[i * width + j] == value_of_pair(i, j)) {
      partners[i++] = column_token(j++);
    } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return partners;
}

}  // namespace hipwright::lint::like
