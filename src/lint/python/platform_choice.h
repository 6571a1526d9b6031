// SPDX-License-Identifier: MIT
// Which platform, and which format of fp8, a place in Python code is for.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/words.h"
#include "lint/rule.h"
#include "syntax/python/function_scope.h"

namespace hipwright::lint {

// Is the file never loaded on AMD: its path names NVIDIA's libraries or another vendor, or it is
// the "cuda" module among a program's platforms and never mentions ROCm?
bool is_for_others(const PythonCheck& check);
// A program that is run by hand, judging by its path.
bool is_tool(const PythonCheck& check);

// Is the code under a test for ROCm and nothing narrower: `a if is_rocm() else b`, `if _is_hip: …`?
// `is_fp8_fnuz()` and `on_gfx942()` are narrower.
bool is_for_all_of_rocm(const syntax::python::File& file, syntax::python::TokenIndex token);

// Does the scope choose between OCP fp8 and fnuz: by a name that refers to one, by fp8_dtype()?
bool chooses_fp8_format(const syntax::python::File& file,
                        const syntax::python::FunctionScope& scope);

// Is the format OCP by definition, as in MX and NVFP4? Judged by the words of the statement and of
// the conditions around it, the function's name, and the path.
bool is_ocp_by_definition(const PythonCheck& check, syntax::python::StatementIndex statement);

// Names that code uses to check the platform.
std::span<const syntax::Name> platform_questions();

}  // namespace hipwright::lint
