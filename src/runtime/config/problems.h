// SPDX-License-Identifier: MIT
// Collects problems, so that a user sees all of them at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hipwright/config.h"
#include "hipwright/error.h"

namespace hipwright::runtime {

class Problems {
 public:
  Problems() = default;
  explicit Problems(std::vector<ConfigurationProblem> list) : list_(std::move(list)) {}

  void add(std::string field, std::string value, std::string allowed, std::string origin) {
    list_.push_back({std::move(field), std::move(value), std::move(allowed), std::move(origin)});
  }
  // Those that `action` throws.
  template <class Action>
  void collect(const Action& action) {
    try {
      action();
    } catch (const AMDConfigurationError& error) {
      list_.insert(list_.end(), error.problems().begin(), error.problems().end());
    }
  }
  const std::vector<ConfigurationProblem>& list() const { return list_; }
  // Throws AMDConfigurationError if there is any.
  void raise() const;

 private:
  std::vector<ConfigurationProblem> list_;
};

// Where the value of `field` in `config` was set: a position in a file, or "code".
std::string origin_of(std::string_view field, const AMDConfig& config);

// Invalid values.
void check_settings(const AMDConfig& config, Problems& problems);

}  // namespace hipwright::runtime
