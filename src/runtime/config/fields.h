// SPDX-License-Identifier: MIT
// THE table of AMDConfig's fields: the basis of files, environment, validation, `hipwright config`
// and the documentation.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/json_fwd.h"
#include "hipwright/config.h"

namespace hipwright::runtime {

// A raw value of a file, before it is matched with a field.
struct RawValue {
  // Empty for something that no field accepts, such as a list.
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
  std::string shown;  // for messages
};

template <class T>
struct Members {
  std::optional<T> AMDConfig::*setting;
  T EffectiveConfig::*effective;
  bool (*valid)(const T& value);
};

struct Field {
  std::string_view name;
  std::string_view type;     // "boolean", "integer", "number", "text"
  std::string_view allowed;  // completes "must be …"
  std::string_view doc;
  std::variant<Members<AMDArchitecture>, Members<int>, Members<bool>, Members<double>,
               Members<std::size_t>, Members<std::filesystem::path>>
      members;

  std::string environment_variable() const;  // "HIPWRIGHT_DEVICE_ID"
};

std::span<const Field> fields();  // in the order of AMDConfig
const Field* find_field(std::string_view name);

// The problem with a value: the text for ConfigurationProblem::allowed.
using Refused = std::optional<std::string>;

// Sets one field of `config`; a rejected value changes nothing. Environment and command line pass
// text, where booleans may also be 1/0, yes/no, on/off.
Refused set_field(const Field& field, AMDConfig& config, const RawValue& value);
Refused set_field_from_text(const Field& field, AMDConfig& config, std::string_view text);
Refused check_field(const Field& field, const AMDConfig& config);  // unset: nothing is wrong

bool is_set(const Field& field, const AMDConfig& config);
// Both do nothing for a field that `from` has not set.
void copy_field(const Field& field, const AMDConfig& from, AMDConfig& to);
void apply_field(const Field& field, const AMDConfig& from, EffectiveConfig& to);

std::string value_text(const Field& field, const AMDConfig& config);  // empty when not set
std::string value_text(const Field& field, const EffectiveConfig& config);
Json value_json(const Field& field, const EffectiveConfig& config);

// The problem with a name that is not in the table: not supported yet, or unknown, with the closest
// known name.
std::string unknown_field(std::string_view name);
// Names of the backend's guide whose consumer does not exist yet.
std::span<const std::string_view> fields_not_supported_yet();

// External text for one line of a message: shortened, without control characters.
std::string shown(std::string_view text);

}  // namespace hipwright::runtime
