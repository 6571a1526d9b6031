// SPDX-License-Identifier: MIT
// The value of a Python condition if PyTorch is not ROCm's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/python/flow.h"

namespace hipwright::port {

// The module with the definition of is_rocm in a ported tree.
constexpr std::string_view kSupportModule = "hip_support";
// The first line of generated files, which are not ported again.
constexpr std::string_view kMadeByPort = "# Made by hipwright port";

class PythonFacts {
 public:
  // `amd_names`: names of the project that are false for NVIDIA.
  PythonFacts(const syntax::python::File& file, const std::vector<std::string>& amd_names);

  // For one operand: `is_rocm`, `is_hip()`, `torch.version.hip is not None`. kMaybe: unknown.
  syntax::Truth operand(syntax::python::TokenRange range) const;
  // For any condition: operands with and, or, not and brackets.
  syntax::Truth condition(syntax::python::TokenRange range) const;
  // Does the statement only define a ROCm flag: `is_rocm = torch.version.hip is not None`, `from
  // .hip_support import is_rocm`? It does not affect NVIDIA.
  bool is_definition(syntax::python::StatementIndex statement) const;

 private:
  bool is_false(const syntax::python::Binding& binding) const;
  bool is_amd_name(std::string_view name) const;
  bool is_version(syntax::python::TokenRange range) const;
  bool imports_support(syntax::python::StatementIndex statement) const;
  syntax::Truth condition(syntax::python::TokenRange range, int depth) const;

  const syntax::python::File& file_;
  std::vector<std::string> names_;
  std::vector<std::string> doubtful_;  // bound in this file to values that may be true for NVIDIA
};

}  // namespace hipwright::port
