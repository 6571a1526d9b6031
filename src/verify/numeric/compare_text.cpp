// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "verify/numeric/compare.h"

namespace hipwright::verify {

namespace {

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string errors(const Comparison& c) {
  if (c.max_absolute == 0) return {};
  if (!is_float(c.type))
    return fmt::format("The largest difference is {:.6g}, at {}.", c.max_absolute,
                       index_text(c.shape, c.worst));
  return fmt::format(
      "The largest error is {:.4g} ulps, at {} (largest relative {:.2g}, absolute {:.2g}).",
      c.max_ulps, index_text(c.shape, c.worst), c.max_relative, c.max_absolute);
}

// "81 % are equal, 12 % within 1 ulp, 7 % within 4 ulps"; empty classes are omitted.
std::string distribution(const Comparison& c) {
  std::string text;
  for (std::size_t i = 0; i < c.by_ulps.size(); ++i) {
    if (c.by_ulps[i] == 0) continue;
    const double percent = 100.0 * static_cast<double>(c.by_ulps[i]) / static_cast<double>(c.count);
    const std::string share = percent < 0.1 ? plural(c.by_ulps[i], "element is", "elements are")
                                            : fmt::format("{:.3g} % are", percent);
    text += text.empty() ? "" : ", ";
    if (i == 0)
      text += share + " equal";
    else if (i + 1 == c.by_ulps.size())
      text += fmt::format("{} further away", share);
    else
      text += fmt::format("{} within {}", share, plural(std::size_t{1} << (i - 1), "ulp", "ulps"));
  }
  return text.empty() ? "" : text + ".";
}

std::string specials(const Comparison& c) {
  std::string text;
  if (c.wrong_nans != 0)
    text +=
        fmt::format(" {} NaN on one side only or not allowed.", plural(c.wrong_nans, "is", "are"));
  if (c.wrong_infinities != 0)
    text += fmt::format(" {} infinite on one side only, or with another sign.",
                        plural(c.wrong_infinities, "is", "are"));
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text.empty() ? text : " " + text + ".";
}

std::string shown(std::string text) {
  return text.empty() ? text : " " + text;
}

}  // namespace

std::string Comparison::text() const {
  if (!problem.empty()) return "Not compared: " + problem + ".";
  if (count == 0) return "There are no elements.";
  if (passes && by_ulps[0] == count)
    return count == 1 ? "The element is equal." : fmt::format("All {} elements are equal.", count);
  if (passes)
    return fmt::format("All {} elements agree ({}). {}{}", count, allowed,
                       is_float(type) ? distribution(*this) : "", shown(errors(*this)));
  if (wrong == 0)
    return fmt::format("As vectors they differ: the cosine is {:.8g} ({} is allowed).{}", cosine,
                       allowed, shown(errors(*this)));
  return fmt::format("{} of {} elements {} (first {}: {}, expected {}; allowed: {}).{}{}{}{}",
                     wrong, count, wrong == 1 ? "differs" : "differ",
                     index_text(shape, first_wrong), first_actual_text, first_expected_text,
                     allowed, sentence(pattern), specials(*this), shown(errors(*this)),
                     cosine < 1 ? fmt::format(" The cosine is {:.6g}.", cosine) : "");
}

}  // namespace hipwright::verify
