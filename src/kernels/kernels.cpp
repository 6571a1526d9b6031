// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "arch/target.h"
#include "hipwright/cpu_kernel.h"
#include "kernels/op_list.h"
#include "kernels/state.h"
#include "runtime/kernel.h"
#include "runtime/raise.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

namespace {

std::string cpu_symbol(const Op& op, DataType type, bool in_double) {
  return fmt::format("hipwright_{}_{}{}", op.name, verify::short_name(type),
                     in_double ? "_in_double" : "");
}

// The best of kSimdLevels that this machine has, or HIPWRIGHT_KERNELS_SIMD if that is less.
std::size_t simd_level() {
  std::size_t level = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c"))
    level = 1;
  if (level == 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    level = 2;
#endif
  if (const char* const wanted = std::getenv("HIPWRIGHT_KERNELS_SIMD"))
    for (std::size_t i = 0; i < level; ++i)
      if (std::string_view(wanted) == kSimdLevels[i]) return i;
  return level;
}

void register_function(const Op& op, const CpuFunction& function) {
  register_cpu_kernel(cpu_symbol(op, function.type, function.in_double),
                      {function.argument_sizes, function.argument_sizes + function.argument_count},
                      [call = function.call](const CpuBlock& block, const void* const* arguments) {
                        call({block.index.x, block.grid.x}, arguments);
                      });
}

// The functions of the best level that this machine has.
void register_cpu_functions() {
  const std::size_t best = simd_level();
  for (unsigned i = 0; i < kOpEntryCount; ++i) {
    const OpEntry& entry = kOpEntries[i];
    const Op op = entry.row();
    std::size_t level = best;
    while (entry.functions[level] == nullptr) --level;
    const CpuFunctions functions = entry.functions[level]();
    for (std::size_t n = 0; n < functions.count; ++n) register_function(op, functions.begin[n]);
  }
}

[[noreturn]] void raise_error(const Error& error) {
  throw HIPCompilationError(error.message(), {}, {}, {.call = "Kernels", .advice = error.fix});
}

Device checked(const Device& device, const KernelsConfig& config) {
  if (!device)
    runtime::raise_misuse("Kernels", {}, "empty device", "Open one with Device::open().");
  if (config.double_precision && !device.is_cpu())
    runtime::raise_misuse("Kernels", device.id(), "double_precision is for the CPU only",
                          "Open the device cpu, or leave it out.");
  return device;
}

CompilerConfig compiler_for(const Device& device) {
  CompilerConfig config;
  if (!device.is_cpu()) config.architecture = device.info().architecture;
  return config;
}

}  // namespace

Kernels::State::State(const Device& on, KernelsConfig given)
    : device(checked(on, given)),
      config(std::move(given)),
      on_cpu(device.is_cpu()),
      chip(chip_of(device.info())),
      compute_units(device.info().compute_units),
      utilities(device, AMDConfig{}),
      compiler_(compiler_for(device)) {
  static std::once_flag once;
  if (on_cpu) std::call_once(once, register_cpu_functions);
  if (on_cpu || config.code_objects.empty()) return;
  auto opened = Bundles::open(config.code_objects);
  if (!opened) raise_error(opened.error());
  bundles_ = *std::move(opened);
}

template <class Keys, class Load>
const Kernel& Kernels::State::kept(Keys& kernels, const typename Keys::key_type& key, Load load) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = kernels.find(key); found != kernels.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = kernels.find(key); found != kernels.end()) return found->second;
  return kernels.emplace(key, load()).first->second;
}

const Kernel& Kernels::State::cpu_kernel(const Op& op, DataType type) {
  return kept(kernels_, {&op, type, nullptr}, [&] {
    const std::string symbol = cpu_symbol(op, type, config.double_precision);
    return runtime::make_kernel(device.driver(), {}, symbol, symbol);
  });
}

const Kernel& Kernels::State::gpu_kernel(const Op& op, DataType type, const Tile& tile) {
  return kept(kernels_, {&op, type, &tile},
              [&] { return load(op, "", symbol_of(op, type, tile)); });
}

const Kernel& Kernels::State::gpu_kernel(const Op& op, const std::string& unit,
                                         const std::string& symbol) {
  return kept(named_kernels_, {&op, symbol}, [&] { return load(op, unit, symbol); });
}

Kernel Kernels::State::load(const Op& op, const std::string& unit, const std::string& symbol) {
  std::string& code = code_[{&op, unit}];
  if (code.empty()) code = code_of(op, unit);
  return runtime::make_kernel(device.driver(), code, symbol, symbol);
}

// NVIDIA's GPUs have none.
std::optional<std::string> Kernels::State::bundled_code_of(const Op& op, const std::string& unit) {
  const auto target = arch::parse_target(device.info().architecture);
  if (!bundles_ || !target) return std::nullopt;
  auto code = bundles_->code(op, unit, *target);
  if (!code) raise_error(code.error());
  return *std::move(code);
}

std::string Kernels::State::code_of(const Op& op, const std::string& unit) {
  if (auto bundled = bundled_code_of(op, unit)) return *std::move(bundled);
  if (!config.compiles)
    runtime::raise({device::FailureKind::kCompilation, op.name, device.id(),
                    fmt::format("the bundles in {} have no code for {}",
                                config.code_objects.string(), device.info().architecture),
                    "Build them for this target, or set KernelsConfig::compiles."});
  return std::string(compiler_.compile_kernel(source_of(op, chip, unit), any_symbol(op, chip, unit))
                         .code_object());
}

Kernels::Kernels(const Device& device, KernelsConfig config)
    : state_(std::make_unique<State>(device, std::move(config))) {}
Kernels::Kernels(Kernels&&) noexcept = default;
Kernels& Kernels::operator=(Kernels&&) noexcept = default;
Kernels::~Kernels() = default;

const Device& Kernels::device() const {
  return state_->device;
}

}  // namespace hipwright::kernels
