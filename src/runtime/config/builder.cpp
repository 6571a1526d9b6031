// SPDX-License-Identifier: MIT
#include <utility>

#include "runtime/config/problems.h"

namespace hipwright {

AMDConfigBuilder& AMDConfigBuilder::preset(Preset value) {
  config_.preset = value;
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::file(const std::filesystem::path& path) {
  runtime::Problems problems(std::move(problems_));
  problems.collect([&] { config_.merge(AMDConfig::from_file(path)); });
  problems_ = problems.list();
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::architecture(AMDArchitecture value) {
  config_.merge({.architecture = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::device_id(int value) {
  config_.merge({.device_id = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::enable_memory_pooling(bool value) {
  config_.merge({.enable_memory_pooling = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::memory_pool_size_gb(double value) {
  config_.merge({.memory_pool_size_gb = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::max_memory_fraction(double value) {
  config_.merge({.max_memory_fraction = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::enable_stream_ordered_allocator(bool value) {
  config_.merge({.enable_stream_ordered_allocator = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::hip_kernel_cache_enabled(bool value) {
  config_.merge({.hip_kernel_cache_enabled = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::hip_compiler_cache_size(std::size_t value) {
  config_.merge({.hip_compiler_cache_size = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::hip_compiler_cache_dir(std::filesystem::path value) {
  config_.merge({.hip_compiler_cache_dir = std::move(value)});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::enable_profiling(bool value) {
  config_.merge({.enable_profiling = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::enable_strict_validation(bool value) {
  config_.merge({.enable_strict_validation = value});
  return *this;
}

AMDConfigBuilder& AMDConfigBuilder::enable_oom_protection(bool value) {
  config_.merge({.enable_oom_protection = value});
  return *this;
}

AMDConfig AMDConfigBuilder::build() const {
  runtime::Problems problems(problems_);
  runtime::check_settings(config_, problems);
  problems.raise();
  return config_;
}

}  // namespace hipwright
