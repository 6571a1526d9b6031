// SPDX-License-Identifier: MIT
#include "lsp/value.h"

#include <algorithm>
#include <limits>

namespace hipwright::lsp {

const Value* member(const Value& value, std::initializer_list<const char*> way) {
  const Value* at = &value;
  for (const char* key : way) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(key);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at->is_null() ? nullptr : at;
}

const std::string* string_at(const Value& value, std::initializer_list<const char*> way) {
  const Value* found = member(value, way);
  return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}

std::optional<std::int64_t> integer_at(const Value& value, std::initializer_list<const char*> way) {
  const Value* found = member(value, way);
  if (found == nullptr || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() &&
      found->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    return std::nullopt;
  return found->get<std::int64_t>();
}

bool flag_at(const Value& value, std::initializer_list<const char*> way) {
  const Value* found = member(value, way);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

bool list_has(const Value& value, std::initializer_list<const char*> way, const char* word) {
  const Value* found = member(value, way);
  return found != nullptr && found->is_array() &&
         std::any_of(found->begin(), found->end(),
                     [&](const Value& each) { return each.is_string() && each == word; });
}

}  // namespace hipwright::lsp
