// SPDX-License-Identifier: MIT
// Facts about ROCm: the expressions by which Python code checks the platform. Data only.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "syntax/python/condition.h"

namespace hipwright::syntax::python {

// A variable or attribute `name`, or a call of it. `dotted` is the whole of it:
// "torch.version.hip".
std::optional<Value> platform_fact(std::string_view dotted, bool is_called);
// `dotted == "text"`; also `… == PlatformEnum.ROCM`, without a text.
std::optional<Value> platform_equality(std::string_view dotted, std::string_view text);
// `text in torch.cuda.get_device_name()`.
std::optional<Value> device_name_has(std::string_view text);
// Is a variable of this name about ROCm, whatever its value?
bool is_rocm_name(std::string_view name);
// Is an expression with this name worth evaluating, although the name is not a fact by itself?
bool is_part_of_fact(std::string_view name);
// Is it a decorator that skips tests on ROCm?
bool skips_on_rocm(std::string_view decorator);
const Name& test_mark_name();  // pytestmark
// The names that facts are about.
std::span<const Name> platform_names();

}  // namespace hipwright::syntax::python
