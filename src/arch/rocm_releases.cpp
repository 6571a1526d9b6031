// SPDX-License-Identifier: MIT
#include "arch/rocm_releases.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace hipwright::arch {

namespace {

struct First {
  std::string_view gfx;
  std::vector<unsigned> release;
};

}  // namespace

std::span<const unsigned> first_rocm_release(std::string_view gfx) {
  static const First first[] = {
      {"gfx942", {6, 0}}, {"gfx950", {7, 0}}, {"gfx1200", {6, 4, 1}}, {"gfx1201", {6, 4, 1}}};
  const auto* found = std::ranges::find(first, gfx, &First::gfx);
  return found == std::end(first) ? std::span<const unsigned>() : found->release;
}

}  // namespace hipwright::arch
