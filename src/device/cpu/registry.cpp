// SPDX-License-Identifier: MIT
#include "device/cpu/registry.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/edit_distance.h"

namespace hipwright::device::cpu {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const RegisteredKernel>> kernels;
};
// Made by the first kernel, which may be a global of another file.
Registry& registry() {
  static Registry instance;
  return instance;
}

std::string advice_for(const std::string& name, const Registry& known) {
  if (known.kernels.empty())
    return "No kernel is registered: see hipwright/cpu_kernel.h, and link the file that registers "
           "it into the program.";
  constexpr std::size_t kNamed = 3;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& [other, kernel] : known.kernels) {
    const std::size_t distance = edit_distance(name, other);
    const bool inside = name.find(other) != std::string::npos || other.find(name) != name.npos;
    if (distance <= std::max<std::size_t>(2, name.size() / 3) || (inside && !name.empty()))
      near.emplace_back(distance, fmt::format("'{}'", other));
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(near.size(), kNamed));
  if (near.empty())
    return fmt::format(
        "None of the {} registered kernels has a similar name; register it with "
        "hipwright::CpuKernel.",
        known.kernels.size());
  std::vector<std::string> names;
  for (auto& [distance, text] : near) names.push_back(std::move(text));
  return fmt::format("Similar registered names: {}.", fmt::join(names, ", "));
}

}  // namespace

void register_kernel(RegisteredKernel kernel) {
  auto shared = std::make_shared<const RegisteredKernel>(std::move(kernel));
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.kernels.insert_or_assign(shared->name, shared);
}

Outcome<std::shared_ptr<const RegisteredKernel>> find_kernel(const std::string& name) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto found = known.kernels.find(name);
  if (found != known.kernels.end()) return found->second;
  return std::unexpected(Failure(FailureKind::kDevice, "find", "cpu",
                                 fmt::format("no kernel is registered under the name '{}'", name),
                                 advice_for(name, known)));
}

}  // namespace hipwright::device::cpu
