// SPDX-License-Identifier: MIT
#include "graph/pass.h"

#include <algorithm>
#include <array>

#include "graph/pass_list.h"

namespace hipwright::graph {

namespace {

constexpr std::array<std::string_view, 3> kLevels = {"conservative", "balanced", "aggressive"};

}  // namespace

std::string_view to_string(Level level) {
  return kLevels[static_cast<std::size_t>(level)];
}

Result<Level> parse_level(std::string_view word) {
  for (std::size_t i = 0; i < kLevels.size(); ++i)
    if (kLevels[i] == word) return static_cast<Level>(i);
  return fail("unknown optimization level", std::string(word), "",
              "Use conservative, balanced or aggressive.");
}

const std::vector<Pass>& all_passes() {
  static const std::vector<Pass> passes = [] {
    std::vector<Pass> all;
    for (unsigned i = 0; i < kPassEntryCount; ++i) {
      Pass pass = kPassEntries[i].make();
      const std::string_view source = kPassEntries[i].source;
      const std::size_t slash = source.find('/');
      pass.group = source.substr(0, slash);
      pass.name = source.substr(slash + 1, source.rfind('.') - slash - 1);
      all.push_back(pass);
    }
    std::ranges::sort(all, {}, [](const Pass& pass) { return std::pair(pass.order, pass.name); });
    return all;
  }();
  return passes;
}

const Pass* find_pass(std::string_view name) {
  const auto found = std::ranges::find(all_passes(), name, &Pass::name);
  return found == all_passes().end() ? nullptr : &*found;
}

}  // namespace hipwright::graph
