// SPDX-License-Identifier: MIT
#include "graph/ops/activation.h"

#include <cmath>
#include <string>

namespace hipwright::graph {

namespace {

struct Row {
  std::string_view name;
  double (*function)(double);
};
constexpr Row kActivations[] = {
    {"", [](double x) { return x; }},
    {"relu", [](double x) { return x < 0 ? 0 : x; }},
    {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2))); }},
    {"gelu_tanh",
     [](double x) {
       return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
     }},
};

}  // namespace

Status activate(std::string_view name, std::vector<double>& values) {
  for (const Row& row : kActivations) {
    if (row.name != name) continue;
    for (double& value : values) value = row.function(value);
    return {};
  }
  return fail("unsupported activation", "", std::string(name));
}

}  // namespace hipwright::graph
