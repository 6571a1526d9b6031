// SPDX-License-Identifier: MIT
// The state behind Kernels: the code of the operations, loaded when it is first called.
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "hipwright/compiler.h"
#include "hipwright/kernels.h"
#include "hipwright/utilities.h"
#include "kernels/bundle.h"
#include "kernels/op.h"

namespace hipwright::kernels {

struct Kernels::State {
  State(const Device& on, KernelsConfig given);

  const Kernel& gpu_kernel(const Op& op, DataType type, const Tile& tile);
  const Kernel& gpu_kernel(const Op& op, const std::string& unit, const std::string& symbol);
  const Kernel& cpu_kernel(const Op& op, DataType type);

  const Device device;
  const KernelsConfig config;
  const bool on_cpu;
  const Chip chip;
  unsigned compute_units;  // as many blocks fill the device
  HIPUtilities utilities;

 private:
  using Key = std::tuple<const Op*, DataType, const Tile*>;
  using NamedKey = std::pair<const Op*, std::string>;
  template <class Keys, class Load>
  const Kernel& kept(Keys& kernels, const typename Keys::key_type& key, Load load);
  Kernel load(const Op& op, const std::string& unit, const std::string& symbol);
  std::optional<std::string> bundled_code_of(const Op& op, const std::string& unit);
  std::string code_of(const Op& op, const std::string& unit);

  std::optional<Bundles> bundles_;
  ROCmCompiler compiler_;
  std::shared_mutex mutex_;
  std::map<Key, Kernel> kernels_;  // nodes stay where they are
  std::map<NamedKey, Kernel> named_kernels_;
  std::map<NamedKey, std::string> code_;  // code objects of units
};

}  // namespace hipwright::kernels
