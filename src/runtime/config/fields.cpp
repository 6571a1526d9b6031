// SPDX-License-Identifier: MIT
#include "runtime/config/fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "arch/names.h"
#include "base/edit_distance.h"
#include "base/json.h"
#include "runtime/config/architecture.h"

namespace fs = std::filesystem;

namespace hipwright::runtime {

namespace {

constexpr double kMaxPoolGb = 65536;
constexpr int kMaxDevices = 1024;
constexpr std::size_t kMaxCachedKernels = 1'000'000;

bool any_bool(const bool&) {
  return true;
}
bool any_architecture(const AMDArchitecture& value) {
  return value >= AMDArchitecture::AUTO && value <= AMDArchitecture::RDNA4;
}
bool device_number(const int& value) {
  return value >= 0 && value < kMaxDevices;
}
bool pool_size(const double& value) {
  return std::isfinite(value) && value >= 0 && value <= kMaxPoolGb;
}
bool fraction(const double& value) {
  return std::isfinite(value) && value > 0 && value <= 1;
}
bool kernel_count(const std::size_t& value) {
  return value <= kMaxCachedKernels;
}
bool folder(const fs::path& value) {
  const std::string& text = value.native();
  return !text.starts_with('~') && text.find('\0') == std::string::npos;
}

constexpr std::string_view kBoolean = "true or false";

const std::array kFields = {
    Field{"architecture", "text", kArchitectureNames, "the GPU family; auto uses the device's",
          Members<AMDArchitecture>{&AMDConfig::architecture, &EffectiveConfig::architecture,
                                   any_architecture}},
    Field{"device_id", "integer", "an integer from 0 to 1023",
          "index among the devices of the chosen kind",
          Members<int>{&AMDConfig::device_id, &EffectiveConfig::device_id, device_number}},
    Field{"enable_memory_pooling", "boolean", kBoolean, "keep freed device memory and reuse it",
          Members<bool>{&AMDConfig::enable_memory_pooling, &EffectiveConfig::enable_memory_pooling,
                        any_bool}},
    Field{"memory_pool_size_gb", "number", "a number from 0 to 65536",
          "GiB of freed memory that the pool keeps",
          Members<double>{&AMDConfig::memory_pool_size_gb, &EffectiveConfig::memory_pool_size_gb,
                          pool_size}},
    Field{"max_memory_fraction", "number", "a number over 0, at most 1",
          "fraction of the device's memory that may be allocated",
          Members<double>{&AMDConfig::max_memory_fraction, &EffectiveConfig::max_memory_fraction,
                          fraction}},
    Field{"enable_stream_ordered_allocator", "boolean", kBoolean,
          "allocate with hipMallocAsync, if its self-test passes",
          Members<bool>{&AMDConfig::enable_stream_ordered_allocator,
                        &EffectiveConfig::enable_stream_ordered_allocator, any_bool}},
    Field{"hip_kernel_cache_enabled", "boolean", kBoolean, "keep compiled kernels",
          Members<bool>{&AMDConfig::hip_kernel_cache_enabled,
                        &EffectiveConfig::hip_kernel_cache_enabled, any_bool}},
    Field{"hip_compiler_cache_size", "integer", "an integer from 0 to 1000000",
          "compiled kernels kept in memory",
          Members<std::size_t>{&AMDConfig::hip_compiler_cache_size,
                               &EffectiveConfig::hip_compiler_cache_size, kernel_count}},
    Field{"hip_compiler_cache_dir", "text", "a directory (~ is not expanded), or empty",
          "directory of compiled kernels; empty: the user's cache directory",
          Members<fs::path>{&AMDConfig::hip_compiler_cache_dir,
                            &EffectiveConfig::hip_compiler_cache_dir, folder}},
    Field{
        "enable_profiling", "boolean", kBoolean, "time the regions named by the program",
        Members<bool>{&AMDConfig::enable_profiling, &EffectiveConfig::enable_profiling, any_bool}},
    Field{"enable_strict_validation", "boolean", kBoolean,
          "no fallbacks; leaks are reported at the end",
          Members<bool>{&AMDConfig::enable_strict_validation,
                        &EffectiveConfig::enable_strict_validation, any_bool}},
    Field{"enable_oom_protection", "boolean", kBoolean,
          "check free memory before growing; release and retry",
          Members<bool>{&AMDConfig::enable_oom_protection, &EffectiveConfig::enable_oom_protection,
                        any_bool}},
};

constexpr std::array<std::string_view, 11> kNotYet = {"optimization_level",
                                                      "enable_matrix_cores",
                                                      "enable_mixed_precision",
                                                      "enable_operator_fusion",
                                                      "rocblas_enabled",
                                                      "enable_rocblas_tuning",
                                                      "miopen_enabled",
                                                      "miopen_find_mode",
                                                      "default_precision",
                                                      "allow_fp16",
                                                      "allow_bf16"};

// Converts a raw value to a field's type. The error is the text of ConfigurationProblem::allowed;
// an empty one means the field's own.
template <class T>
using Converted = std::expected<T, std::string>;

template <class T>
Converted<T> convert(const RawValue& raw);

template <>
Converted<bool> convert(const RawValue& raw) {
  if (const bool* value = std::get_if<bool>(&raw.value)) return *value;
  return std::unexpected("");
}

template <class Integer>
Converted<Integer> convert_integer(const RawValue& raw) {
  const std::int64_t* value = std::get_if<std::int64_t>(&raw.value);
  if (value == nullptr || !std::in_range<Integer>(*value)) return std::unexpected("");
  return static_cast<Integer>(*value);
}
template <>
Converted<int> convert(const RawValue& raw) {
  return convert_integer<int>(raw);
}
template <>
Converted<std::size_t> convert(const RawValue& raw) {
  return convert_integer<std::size_t>(raw);
}

template <>
Converted<double> convert(const RawValue& raw) {
  if (const double* value = std::get_if<double>(&raw.value)) return *value;
  if (const std::int64_t* value = std::get_if<std::int64_t>(&raw.value))
    return static_cast<double>(*value);
  return std::unexpected("");
}

template <>
Converted<fs::path> convert(const RawValue& raw) {
  if (const std::string* value = std::get_if<std::string>(&raw.value)) return fs::path(*value);
  return std::unexpected("");
}

template <>
Converted<AMDArchitecture> convert(const RawValue& raw) {
  if (const std::string* value = std::get_if<std::string>(&raw.value))
    return parse_architecture(*value);
  return std::unexpected("");
}

template <class Number>
RawValue number_from(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  RawValue raw{.shown = shown(text)};
  if (error == std::errc() && end == text.data() + text.size()) raw.value = number;
  return raw;
}

RawValue boolean_from(std::string_view text) {
  const std::string word = arch::lower_case(text);
  RawValue raw{.shown = shown(text)};
  if (word == "true" || word == "1" || word == "yes" || word == "on") raw.value = true;
  if (word == "false" || word == "0" || word == "no" || word == "off") raw.value = false;
  return raw;
}

std::string text_of(bool value) {
  return value ? "true" : "false";
}
std::string text_of(AMDArchitecture value) {
  return std::string(to_string(value));
}
std::string text_of(const fs::path& value) {
  return value.string();
}
template <class Number>
std::string text_of(Number value) {
  return fmt::format("{}", value);
}

Json json_of_value(AMDArchitecture value) {
  return text_of(value);
}
Json json_of_value(const fs::path& value) {
  return value.string();
}
template <class T>
Json json_of_value(T value) {
  return value;
}

template <class T>
Refused check(const Field& field, const Members<T>& members, const T& value) {
  if (members.valid(value)) return std::nullopt;
  return std::string(field.allowed);
}

}  // namespace

std::string Field::environment_variable() const {
  std::string variable = "HIPWRIGHT_";
  for (const char letter : name)
    variable += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return variable;
}

std::span<const Field> fields() {
  return kFields;
}

const Field* find_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &Field::name);
  return found == kFields.end() ? nullptr : found;
}

Refused set_field(const Field& field, AMDConfig& config, const RawValue& value) {
  return std::visit(
      [&]<class T>(const Members<T>& members) -> Refused {
        auto converted = convert<T>(value);
        if (!converted)
          return converted.error().empty() ? std::string(field.allowed) : converted.error();
        if (Refused refused = check(field, members, *converted)) return refused;
        config.*members.setting = *std::move(converted);
        return std::nullopt;
      },
      field.members);
}

Refused set_field_from_text(const Field& field, AMDConfig& config, std::string_view text) {
  if (field.type == "boolean") return set_field(field, config, boolean_from(text));
  if (field.type == "integer") return set_field(field, config, number_from<std::int64_t>(text));
  if (field.type == "number") return set_field(field, config, number_from<double>(text));
  return set_field(field, config, {.value = std::string(text), .shown = shown(text)});
}

Refused check_field(const Field& field, const AMDConfig& config) {
  return std::visit(
      [&]<class T>(const Members<T>& members) -> Refused {
        const std::optional<T>& value = config.*members.setting;
        return value ? check(field, members, *value) : std::nullopt;
      },
      field.members);
}

bool is_set(const Field& field, const AMDConfig& config) {
  return std::visit([&](const auto& members) { return (config.*members.setting).has_value(); },
                    field.members);
}

void copy_field(const Field& field, const AMDConfig& from, AMDConfig& to) {
  std::visit(
      [&](const auto& members) {
        if (from.*members.setting) to.*members.setting = from.*members.setting;
      },
      field.members);
}

void apply_field(const Field& field, const AMDConfig& from, EffectiveConfig& to) {
  std::visit(
      [&](const auto& members) {
        if (from.*members.setting) to.*members.effective = *(from.*members.setting);
      },
      field.members);
}

std::string value_text(const Field& field, const AMDConfig& config) {
  return std::visit(
      [&](const auto& members) {
        const auto& value = config.*members.setting;
        return value ? text_of(*value) : std::string();
      },
      field.members);
}

std::string value_text(const Field& field, const EffectiveConfig& config) {
  return std::visit([&](const auto& members) { return text_of(config.*members.effective); },
                    field.members);
}

Json value_json(const Field& field, const EffectiveConfig& config) {
  return std::visit([&](const auto& members) { return json_of_value(config.*members.effective); },
                    field.members);
}

std::span<const std::string_view> fields_not_supported_yet() {
  return kNotYet;
}

std::string unknown_field(std::string_view name) {
  if (std::ranges::find(kNotYet, name) != kNotYet.end())
    return "removed: not supported by this version";
  if (name == "preset") return "removed from files: code and the command line choose presets";
  const Field* nearest = nullptr;
  // With more than half of the letters wrong it is another name.
  std::size_t least = name.size() > 64 ? 0 : name.size() / 2 + 1;
  for (const Field& field : kFields)
    if (const std::size_t distance = least == 0 ? 0 : edit_distance(name, field.name);
        distance < least) {
      least = distance;
      nearest = &field;
    }
  if (nearest == nullptr) return "a known field; `hipwright config fields` lists them";
  return fmt::format("a known field; did you mean {}?", nearest->name);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.empty()) return "\"\"";
  std::size_t length = std::min(text.size(), kLongest);
  const bool is_cut = length < text.size();
  while (is_cut && length > 0 && (text[length] & 0xC0) == 0x80) --length;  // whole UTF-8 characters
  std::string out(text.substr(0, length));
  for (char& letter : out)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) letter = '?';
  return is_cut ? out + "…" : out;
}

}  // namespace hipwright::runtime
