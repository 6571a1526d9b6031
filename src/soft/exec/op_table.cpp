// SPDX-License-Identifier: MIT
// Finds operations by SIMD level and name.
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soft/exec/ops/families.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/simd_level.h"

namespace hipwright::soft {

namespace {

struct OpTable {
  std::vector<const Op*> all;
  std::unordered_map<std::string_view, const Op*> by_name;
};

bool machine_has_avx2() {
#if defined(HIPWRIGHT_HAS_AVX2_OPS)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

OpTable build(SimdLevel level) {
  OpTable table;
  const auto add = [&](std::span<const Op> family) {
    for (const Op& op : family) {
      table.all.push_back(&op);
      table.by_name.emplace(op.name, &op);
    }
  };
#if defined(HIPWRIGHT_HAS_AVX2_OPS)
  if (level == SimdLevel::kAvx2) {
    avx2::for_each_family(add);
    return table;
  }
#else
  static_cast<void>(level);
#endif
  generic::for_each_family(add);
  return table;
}

const OpTable& op_table(SimdLevel level) {
  if (level == SimdLevel::kAvx2) {
    static const OpTable fast = build(SimdLevel::kAvx2);
    return fast;
  }
  static const OpTable plain = build(SimdLevel::kGeneric);
  return plain;
}

}  // namespace

SimdLevel best_simd_level() {
  static const SimdLevel level = [] {
    // Tests and benchmarks run the slower level on a machine that has the faster one.
    const char* wanted = std::getenv("HIPWRIGHT_SOFT_SIMD");
    const bool generic = wanted && std::string_view(wanted) == "generic";
    return machine_has_avx2() && !generic ? SimdLevel::kAvx2 : SimdLevel::kGeneric;
  }();
  return level;
}

const Op* find_op(std::string_view name, SimdLevel level) {
  const OpTable& table = op_table(level);
  const auto found = table.by_name.find(name);
  return found == table.by_name.end() ? nullptr : found->second;
}

std::span<const Op* const> all_ops() {
  return op_table(best_simd_level()).all;
}

const Op* find_op(std::string_view name) {
  return find_op(name, best_simd_level());
}

std::string_view simd_level() {
  return best_simd_level() == SimdLevel::kAvx2 ? "avx2" : "generic";
}

}  // namespace hipwright::soft
