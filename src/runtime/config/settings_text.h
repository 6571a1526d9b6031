// SPDX-License-Identifier: MIT
// The common part of the TOML and the JSON reader: they report entries and their positions, this
// interprets them.
#pragma once

#include <string>
#include <string_view>

#include "runtime/config/fields.h"
#include "runtime/config/problems.h"

namespace hipwright::runtime {

// A file that sets twelve fields is not longer.
constexpr std::size_t kLongestText = 64 * 1024;
constexpr std::string_view kTable = "amd";  // the table that may hold the fields

class SettingsText {
 public:
  explicit SettingsText(std::string origin) : origin_(std::move(origin)) {}

  // An entry at the top or in [amd].
  void entry(std::string_view name, const RawValue& value, std::size_t line);
  // A table at the top that is not [amd]. `shown` is what the format calls it.
  void unknown_table(std::string_view name, std::string shown, std::size_t line);
  // The text as a whole cannot be read; line 0: no place in it.
  void broken(std::string must_be, std::size_t line, std::size_t column);

  // The settings; throws AMDConfigurationError when there were problems.
  AMDConfig finish() const;

 private:
  std::string at(std::size_t line) const;

  std::string origin_;
  AMDConfig config_;
  Problems problems_;
};

}  // namespace hipwright::runtime
