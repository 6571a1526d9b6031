// SPDX-License-Identifier: MIT
// Settings of the runtime. Every field has an effect; an unknown name is an error.
//
//   hipwright::AMDConfig config{.architecture = hipwright::AMDArchitecture::CDNA3,
//                               .memory_pool_size_gb = 16.0};
//   hipwright::AMDBackend backend(config);
//
// An unset field gets its value from, in increasing precedence: the built-in default, the default
// of the architecture, a preset. The environment (HIPWRIGHT_<FIELD>) overrides them all, including
// values set by code or a file. effective() returns the result and the origin of each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hipwright/compiler.h"
#include "hipwright/error.h"

namespace hipwright {

enum class AMDArchitecture { AUTO, CDNA, CDNA2, CDNA3, CDNA4, RDNA2, RDNA3, RDNA4 };
std::string_view to_string(AMDArchitecture architecture);

// The use cases of the guide.
enum class Preset { kLlmTraining, kGeneralTraining, kInference, kDevelopment };
std::string_view to_string(Preset preset);  // "llm-training", …

struct EffectiveConfig;

// The braces avoid compiler warnings about fields that an initialiser omits.
struct AMDConfig {
  // Hardware
  std::optional<AMDArchitecture> architecture{};  // AUTO: the device's; others must match it
  std::optional<int> device_id{};                 // among the devices of the chosen kind

  // Memory
  std::optional<bool> enable_memory_pooling{};  // false: every allocation goes to the device
  std::optional<double> memory_pool_size_gb{};  // freed memory to keep, besides memory in use
  std::optional<double> max_memory_fraction{};  // of the device's memory, for all allocations
  std::optional<bool> enable_stream_ordered_allocator{};  // hipMallocAsync, after a self-test

  // Compiler
  std::optional<bool> hip_kernel_cache_enabled{};
  std::optional<std::size_t> hip_compiler_cache_size{};           // kernels kept in memory
  std::optional<std::filesystem::path> hip_compiler_cache_dir{};  // empty: the user's cache folder

  // Profiling
  std::optional<bool> enable_profiling{};  // false: profile_region() does nothing

  // Validation
  std::optional<bool> enable_strict_validation{};  // no fallbacks; leaks are reported at the end
  std::optional<bool> enable_oom_protection{};     // check before growing; release and retry

  // Provides the values not set above; not a field of the file format.
  std::optional<Preset> preset{};

  // The origin of fields that code did not set. Filled by from_file() and similar functions;
  // applies to a field only while it still has that value.
  struct Origin {
    std::string where;  // "hipwright.toml:3"
    std::string value;  // as shown in EffectiveConfig::rows
  };
  std::map<std::string, Origin, std::less<>> origins{};

  // TOML, or JSON if the name ends in .json; the fields are at the top level or in [amd]. An
  // architecture may also be a gfx or product name, which means its family. Throws
  // AMDConfigurationError with every problem in the file.
  static AMDConfig from_file(const std::filesystem::path& path);
  static AMDConfig from_toml(std::string_view text, const std::string& origin = "text");
  static AMDConfig from_json(std::string_view text, const std::string& origin = "text");
  // Copies every field that `other` has set.
  AMDConfig& merge(const AMDConfig& other);

  // The settings on a device of `architecture` ("gfx942", "gfx942:sramecc+", a product name;
  // "sm_90" and "cpu": no AMD GPU; empty: not known yet) after applying defaults, preset and
  // environment. Throws AMDConfigurationError with all problems at once.
  EffectiveConfig effective(std::string_view architecture = {}) const;

  // The settings for ROCmCompiler. The architecture is that of the device which HIPWRIGHT_DEVICE
  // names ("soft:gfx1100", "hip:1"), as for a backend; an exception if that device is missing.
  // Otherwise AUTO stays "auto", and a family becomes this machine's GPU of that family, or the
  // family's first target.
  operator CompilerConfig() const;
};

// AMDConfig with every field resolved.
struct EffectiveConfig {
  AMDArchitecture architecture = AMDArchitecture::AUTO;
  int device_id = 0;
  bool enable_memory_pooling = true;
  double memory_pool_size_gb = 8.0;
  double max_memory_fraction = 0.9;
  bool enable_stream_ordered_allocator = false;
  bool hip_kernel_cache_enabled = true;
  std::size_t hip_compiler_cache_size = 100;
  std::filesystem::path hip_compiler_cache_dir;
  bool enable_profiling = false;
  bool enable_strict_validation = false;
  bool enable_oom_protection = true;

  // One row per field, in the order above.
  struct Row {
    std::string field;
    std::string value;
    std::string origin;  // "default", "architecture gfx942", "preset inference",
                         // "hipwright.toml:3", "code", "HIPWRIGHT_DEVICE_ID"
  };
  std::vector<Row> rows;
  // Settings that could not be applied as requested, such as an architecture that is not the
  // device's. Errors with enable_strict_validation.
  std::vector<std::string> warnings;
};

// The same, step by step; build() checks everything at once.
class AMDConfigBuilder {
 public:
  AMDConfigBuilder& preset(Preset value);
  AMDConfigBuilder& file(const std::filesystem::path& path);
  AMDConfigBuilder& architecture(AMDArchitecture value);
  AMDConfigBuilder& device_id(int value);
  AMDConfigBuilder& enable_memory_pooling(bool value);
  AMDConfigBuilder& memory_pool_size_gb(double value);
  AMDConfigBuilder& max_memory_fraction(double value);
  AMDConfigBuilder& enable_stream_ordered_allocator(bool value);
  AMDConfigBuilder& hip_kernel_cache_enabled(bool value);
  AMDConfigBuilder& hip_compiler_cache_size(std::size_t value);
  AMDConfigBuilder& hip_compiler_cache_dir(std::filesystem::path value);
  AMDConfigBuilder& enable_profiling(bool value);
  AMDConfigBuilder& enable_strict_validation(bool value);
  AMDConfigBuilder& enable_oom_protection(bool value);
  AMDConfig build() const;

 private:
  AMDConfig config_;
  std::vector<ConfigurationProblem> problems_;  // of files
};

}  // namespace hipwright
