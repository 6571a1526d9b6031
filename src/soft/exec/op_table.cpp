// SPDX-License-Identifier: MIT
// The operations of the SIMD level that this machine has.
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/table.h"

namespace hipwright::soft {

namespace {

struct OpTable {
  std::string_view level;
  std::vector<const Op*> all;
  std::unordered_map<std::string_view, const Op*> by_name;
};

bool machine_has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

OpTable build() {
  OpTable table;
  const auto add = [&](std::span<const Op> family) {
    for (const Op& op : family) {
      table.all.push_back(&op);
      table.by_name.emplace(op.name, &op);
    }
  };
  // For tests and measurements: the slower level on a machine that has the faster one.
  const char* wanted = std::getenv("HIPWRIGHT_SOFT_SIMD");
  if (machine_has_avx2() && !(wanted && std::string_view(wanted) == "generic")) {
    table.level = "avx2";
    avx2::for_each_family(add);
  } else {
    table.level = "generic";
    generic::for_each_family(add);
  }
  return table;
}

const OpTable& op_table() {
  static const OpTable table = build();
  return table;
}

}  // namespace

const Op* find_op(std::string_view name) {
  const auto found = op_table().by_name.find(name);
  return found == op_table().by_name.end() ? nullptr : found->second;
}

std::span<const Op* const> all_ops() {
  return op_table().all;
}

std::string_view simd_level() {
  return op_table().level;
}

}  // namespace hipwright::soft
