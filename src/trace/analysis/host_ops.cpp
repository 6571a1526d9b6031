// SPDX-License-Identifier: MIT
#include "trace/analysis/host_ops.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hipwright::trace {

void add_host_ops(const Trace& trace, Summary& summary) {
  std::vector<Nanoseconds> self(trace.ops.size());
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    const Op& op = trace.ops[i];
    self[i] += op.time.length();
    if (op.parent != kNone) self[op.parent] -= op.time.length();
  }
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> places;
  for (std::size_t i = 0; i < trace.ops.size(); ++i) {
    const Op& op = trace.ops[i];
    if (op.is_annotation) continue;
    const auto [place, is_new] =
        places.emplace(std::tuple(op.name, op.shapes, op.types), summary.host_ops.size());
    if (is_new)
      summary.host_ops.push_back({.name = op.name, .shapes = op.shapes, .types = op.types});
    HostOp& use = summary.host_ops[place->second];
    ++use.calls;
    // Operations that overlap without being nested leave less than nothing.
    use.self += std::max<Nanoseconds>(self[i], 0);
  }
  std::ranges::stable_sort(summary.host_ops, std::ranges::greater(), &HostOp::self);
}

}  // namespace hipwright::trace
