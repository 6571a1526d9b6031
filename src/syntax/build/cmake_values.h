// SPDX-License-Identifier: MIT
// Variables of CMake on one platform, where not all of them are known.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/build/built.h"
#include "syntax/build/cmake_commands.h"

namespace hipwright::syntax::build {

// An element of a list; it may be there only on some configurations.
struct Item {
  std::string text;
  Truth present = Truth::kYes;
};

struct Values {
  std::vector<Item> items;
  bool is_known = true;  // there is nothing else in it

  // The one text that it has for certain; none: not known.
  std::optional<std::string> text() const;
  // As if(<variable>) sees it.
  Truth truth() const;
};

Truth truth_of_text(std::string_view text);

class Variables {
 public:
  explicit Variables(Platform platform) : platform_(platform) {}

  Platform platform() const { return platform_; }
  Values get(std::string_view name) const;
  bool has(std::string_view name) const { return set_.contains(name); }
  // What `name` holds where `when` holds; elsewhere it keeps what it has.
  void set(std::string_view name, Values values, Truth when);
  void append(std::string_view name, const Values& values, Truth when);
  void forget(std::string_view name);  // something unknown may have changed it

  // ${…} in an argument replaced, lists taken apart.
  Values expand(const CMakeArgument& argument) const;
  Values expand(std::string_view text) const;

 private:
  Platform platform_;
  std::map<std::string, Values, std::less<>> set_;
};

// Does it hold, on this platform? The arguments of if(), elseif() and while().
Truth evaluate_cmake_condition(const std::vector<CMakeArgument>& arguments,
                               const Variables& variables);

}  // namespace hipwright::syntax::build
