// SPDX-License-Identifier: MIT
#include "lint/fp8_number.h"

#include <charconv>

namespace hipwright::lint {

int fp8_maximum(std::string_view number) {
  if (number.size() > std::string_view("448.00f").size()) return 0;
  if (number.ends_with('f') || number.ends_with('F')) number.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size()) return 0;
  for (const int maximum : {448, 240, 224})
    if (value == maximum) return maximum;
  return 0;
}

}  // namespace hipwright::lint
