// SPDX-License-Identifier: MIT
// What stands around a place in Python code.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "lint/rule.h"
#include "syntax/python/file.h"

namespace hipwright::lint {

// The function around a statement, nested ones included; outside of all functions, what the file
// has outside of functions.
class Scope {
 public:
  Scope(const syntax::python::File& file, syntax::python::StatementIndex statement);
  bool contains(syntax::python::TokenIndex token) const;
  bool is_function() const { return !function_.empty(); }
  syntax::python::TokenRange tokens() const;  // of the whole file where it is no function

 private:
  const syntax::python::File& file_;
  syntax::python::TokenRange function_;  // empty: the file
};

// Is one of the names in the scope?
bool mentions(const syntax::python::File& file, const Scope& scope,
              std::span<const syntax::Name> names);

// Is `word` part of a name or a string there, in any case?
bool has_word(const syntax::python::File& file, syntax::python::TokenRange where,
              std::string_view lower_case_word);

inline bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Is `word`, in lower case, part of the text in any case?
bool holds(std::string_view text, std::string_view lower_case_word);

// Is the file never loaded on AMD: its path names NVIDIA's libraries or another maker, or it is the
// "cuda" among a program's platforms and never speaks of ROCm?
bool is_for_others(const PythonCheck& check);
// A program of its own that is run by hand: by its path.
bool is_tool(const PythonCheck& check);

// Does the statement stand in the header of a function: a default value, an annotation?
bool in_function_header(const syntax::python::File& file, syntax::python::StatementIndex statement);

// The function around a statement, with its header; of a header its own function; else the
// statement.
syntax::python::TokenRange function_around(const syntax::python::File& file,
                                           syntax::python::StatementIndex statement);

// Does the place run because somebody asked for ROCm, and for nothing narrower: `a if is_rocm()
// else b`, `if _is_hip: …`? Not so with `is_fp8_fnuz()` or `on_gfx942()`.
bool is_for_all_of_rocm(const syntax::python::File& file, syntax::python::TokenIndex token);

// Does the scope choose between OCP's fp8 and fnuz: by a name that says so, by fp8_dtype()?
bool chooses_fp8_format(const syntax::python::File& file, const Scope& scope);

// Is the format OCP's by definition there: MX and NVFP4 are made of its types? By the statement's
// own words, those of the conditions around it, the function's name, the path.
bool is_ocp_by_definition(const PythonCheck& check, syntax::python::StatementIndex statement);

// The name of the function around a statement, or of the function whose header it is; empty outside
// of all.
std::string_view function_name(const syntax::python::File& file,
                               syntax::python::StatementIndex statement);

// Names by which code asks for the platform.
std::span<const syntax::Name> platform_questions();

}  // namespace hipwright::lint
