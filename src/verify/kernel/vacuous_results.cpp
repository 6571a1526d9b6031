// SPDX-License-Identifier: MIT
#include "verify/kernel/vacuous_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "verify/kernel/reduction.h"

namespace hipwright::verify {

Result<std::string> why_vacuous(const KernelSpec& spec, std::uint64_t seed,
                                const CellResult& result) {
  HW_TRY(const auto before, initial_values(spec, std::max(result.wave_size, 1U), seed));
  std::string untouched, nans;
  for (const auto& [name, values] : result.outputs) {
    HW_TRY(const double count, reduced("nans", values));
    std::string* const list = values.bytes == before.at(name).bytes          ? &untouched
                              : count == static_cast<double>(values.count()) ? &nans
                                                                             : nullptr;
    if (list == nullptr) return std::string();
    *list += (list->empty() ? "" : ", ") + name;
  }
  std::string why;
  if (!untouched.empty()) why = fmt::format("{}: unchanged by the launch", untouched);
  if (!nans.empty()) why += fmt::format("{}{}: all NaN", why.empty() ? "" : "; ", nans);
  return why + ". With the spec's sizes, values and fills, the kernel produces nothing to compare";
}

}  // namespace hipwright::verify
