// SPDX-License-Identifier: MIT
// Reads a kernel's spec: spec.cpp the tables, spec_argument.cpp their arguments.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "base/edit_distance.h"
#include "verify/kernel/spec.h"

namespace hipwright::verify {

template <class Keys>
std::string nearest(std::string_view key, const Keys& keys) {
  std::size_t least = 4;
  std::string near = fmt::format("Known keys: {}.", fmt::join(keys, ", "));
  for (const std::string_view each : keys)
    if (const std::size_t distance = edit_distance(key, each); distance < least) {
      least = distance;
      near = fmt::format("Did you mean {}?", each);
    }
  return near;
}

class SpecReader {
 public:
  SpecReader(const std::filesystem::path& file, std::string_view text) : file_(file), text_(text) {}

  Result<std::vector<KernelSpec>> read(const toml::table& all);

 private:
  static constexpr const char* kWhat = "invalid kernel spec";

  std::unexpected<Error> wrong(const toml::source_region& where, std::string why,
                               std::string fix = {}) const;

  Result<KernelSpec> kernel(std::string label, const toml::table& table);

  // Sizes may stand behind what uses them.
  Status check_names(const KernelSpec& spec) const;

  Status check_signature(const KernelSpec& spec, const toml::table& table) const;

  Status key_of(KernelSpec& spec, const toml::key& key, const toml::node& value);

  template <class Function>
  Status each(const toml::node& value, const Function& function) {
    const toml::array* array = value.as_array();
    if (array == nullptr) return wrong(value.source(), "expected a list", "Write [ … ].");
    for (const toml::node& node : *array) HW_CHECK(function(node));
    return {};
  }

  Status text(const toml::node& value, std::string& out) const;

  Status path(const toml::node& value, std::filesystem::path& out, bool must_exist = true) const;

  Status expression(const toml::node& value, Expression& out, bool is_claim = false);

  Status dimensions(const toml::node& value, std::vector<Expression>& out);

  Status sizes(const toml::node& value, Sizes& out) const;

  Status limits(const toml::node& value, Limits& out) const;

  Status seed(const toml::node& value, std::uint64_t& out) const;

  Status number(const toml::node& value, double& out) const;

  // The tolerance is made when all keys are known: explicit numbers go over the table's.
  struct Asked {
    std::optional<Operation> operation;
    std::size_t terms = 1;
    bool is_pytorch = false;
    std::optional<double> relative, absolute, ulps, cosine;
    bool any_order = false;
    bool has_shape = false, has_fill = false, has_value = false, has_type = false;
  };

  Status argument(const toml::table& table, Argument& out);
  Status check_struct(const toml::table& table, const Argument& out, const Asked& asked) const;
  Status field(const toml::node& node, Argument& out);
  Status check_value(const toml::table& table, const Argument& out) const;
  static Tolerance tolerance(DataType type, const Asked& asked);
  Status argument_key(const toml::key& key, const toml::node& value, Argument& out, Asked& asked);
  Status type(const toml::node& value, DataType& out) const;

  Status hash(KernelSpec& spec, const toml::table& table) const;

  struct Written {
    toml::source_region where;
    Expression expression;
    bool is_claim;  // about tensors; else a size
  };

  const std::filesystem::path& file_;
  std::string_view text_;
  std::vector<Written> expressions_;  // of the kernel that is being read
};

}  // namespace hipwright::verify
