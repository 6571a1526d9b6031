// SPDX-License-Identifier: MIT
// JSON of the protocol, read without trust: what is missing or of another kind is "none".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace hipwright::lsp {

// Sorted keys, unlike Json of base: an object with very many of them is still read quickly.
using Value = nlohmann::json;

// The member at the end of the way; nullptr when it is not there or null.
const Value* member(const Value& value, std::initializer_list<const char*> way);

const std::string* string_at(const Value& value, std::initializer_list<const char*> way);
std::optional<std::int64_t> integer_at(const Value& value, std::initializer_list<const char*> way);
// Not there: false.
bool flag_at(const Value& value, std::initializer_list<const char*> way);
// Is it an array that has this word?
bool list_has(const Value& value, std::initializer_list<const char*> way, const char* word);

}  // namespace hipwright::lsp
