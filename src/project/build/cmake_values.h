// SPDX-License-Identifier: MIT
// CMake variables on one platform; some are unknown.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "project/build/built.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::project {

using syntax::build::CMakeArgument;

// An element of a list; it may be present only in some configurations.
struct CMakeItem {
  std::string text;
  Truth present = Truth::kYes;
};

struct CMakeValues {
  std::vector<CMakeItem> items;
  bool is_known = true;  // the list has no other elements

  // The single known value; empty if unknown.
  std::optional<std::string> text() const;
  // As if(<variable>) sees it.
  Truth truth() const;
};

Truth truth_of_text(std::string_view text);

class CMakeVariables {
 public:
  explicit CMakeVariables(Platform platform) : platform_(platform) {}

  Platform platform() const { return platform_; }
  CMakeValues get(std::string_view name) const;
  bool has(std::string_view name) const { return set_.contains(name); }
  // Sets `name` where `when` holds; elsewhere it keeps its value.
  void set(std::string_view name, CMakeValues values, Truth when);
  void append(std::string_view name, const CMakeValues& values, Truth when);
  void forget(std::string_view name);  // something unknown may have changed it

  // Expands ${…} in an argument and splits lists.
  CMakeValues expand(const CMakeArgument& argument) const;
  CMakeValues expand(std::string_view text) const;

 private:
  Platform platform_;
  std::map<std::string, CMakeValues, std::less<>> set_;
};

// Does it hold, on this platform? The arguments of if(), elseif() and while().
Truth evaluate_cmake_condition(const std::vector<CMakeArgument>& arguments,
                               const CMakeVariables& variables);

}  // namespace hipwright::project
