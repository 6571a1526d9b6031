// SPDX-License-Identifier: MIT
// 0.5 · x · (1 + erf(x / √2)), in the orders in which exporters write it.
#include <cmath>

#include "graph/passes/match.h"

namespace hipwright::graph::passes {

namespace {

// x, if the value is 1 + erf(x / √2).
ValueId gelu_argument(const Matcher& matcher, ValueId value) {
  const Node* add = matcher.inner(value, "Add");
  if (add == nullptr) return kNoValue;
  const auto one = matcher.with_scalar(*add);
  if (!one || one->number != 1) return kNoValue;
  const Node* erf = matcher.inner(one->value, "Erf");
  if (erf == nullptr) return kNoValue;
  if (const Node* div = matcher.inner(erf->input(0), "Div"))
    return matcher.is_scalar(div->input(1), std::sqrt(2), 1e-4) ? div->input(0) : kNoValue;
  if (const Node* mul = matcher.inner(erf->input(0), "Mul"))
    if (const auto scaled = matcher.with_scalar(*mul))
      return std::abs(scaled->number - std::sqrt(0.5)) < 1e-4 ? scaled->value : kNoValue;
  return kNoValue;
}

// Is the value x / 2?
bool is_half(const Matcher& matcher, ValueId value, ValueId x) {
  const Node* mul = matcher.inner(value, "Mul");
  const auto scaled = mul == nullptr ? std::nullopt : matcher.with_scalar(*mul);
  return scaled && scaled->number == 0.5 && scaled->value == x;
}

Result<Applied> apply(Graph& graph, const PassContext&) {
  return rewrite_nodes(graph, "Mul", [&](const Matcher& matcher, Node& node) {
    if (node.domain == kOwnDomain) return false;
    ValueId x = kNoValue;
    if (const auto half = matcher.with_scalar(node); half && half->number == 0.5) {
      // (x · (1 + erf)) · 0.5
      const Node* inner = matcher.inner(half->value, "Mul");
      for (const std::size_t side : {0, 1}) {
        if (inner == nullptr) continue;
        const ValueId argument = gelu_argument(matcher, inner->input(side));
        if (argument != kNoValue && argument == inner->input(1 - side)) x = argument;
      }
    } else {
      for (const std::size_t side : {0, 1}) {
        const ValueId argument = gelu_argument(matcher, node.input(side));
        if (argument == kNoValue) continue;
        if (is_half(matcher, node.input(1 - side), argument)) x = argument;
      }
      // x · ((1 + erf) · 0.5)
      for (const std::size_t side : {0, 1}) {
        const Node* scaled = matcher.inner(node.input(side), "Mul");
        const auto half_of = scaled == nullptr ? std::nullopt : matcher.with_scalar(*scaled);
        if (!half_of || half_of->number != 0.5) continue;
        const ValueId argument = gelu_argument(matcher, half_of->value);
        if (argument != kNoValue && argument == node.input(1 - side)) x = argument;
      }
    }
    if (x == kNoValue) return false;
    node = own_node(node, "Gelu", {x});
    return true;
  });
}

}  // namespace

Pass gelu() {
  return {"recognize 0.5 · x · (1 + erf(x / √2)) as GELU", Level::kConservative, 300, 1e-5, apply};
}

}  // namespace hipwright::graph::passes
