// SPDX-License-Identifier: MIT
// Reads untrusted JSON of the protocol: a missing value and one of another type are the same.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace hipwright::lsp {

// Sorted keys, unlike Json of base, so that objects with very many keys are read quickly.
using Value = nlohmann::json;

// The member at the end of the path; nullptr if it is missing or null.
const Value* member(const Value& value, std::initializer_list<const char*> way);

const std::string* string_at(const Value& value, std::initializer_list<const char*> way);
std::optional<std::int64_t> integer_at(const Value& value, std::initializer_list<const char*> way);
// False if it is missing.
bool flag_at(const Value& value, std::initializer_list<const char*> way);
// Whether it is an array that contains this word.
bool list_has(const Value& value, std::initializer_list<const char*> way, const char* word);

}  // namespace hipwright::lsp
