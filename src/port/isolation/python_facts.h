// SPDX-License-Identifier: MIT
// What a Python condition is where PyTorch is not ROCm's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/python/flow.h"

namespace hipwright::port {

// The module that holds the one definition of is_rocm in a ported tree.
constexpr std::string_view kSupportModule = "hip_support";
// How the files that the porter makes begin: nobody ports them again.
constexpr std::string_view kMadeByPort = "# Made by hipwright port";

class PythonFacts {
 public:
  // `amd_names`: names of the project that are false for NVIDIA.
  PythonFacts(const syntax::python::File& file, const std::vector<std::string>& amd_names);

  // Of one operand: `is_rocm`, `is_hip()`, `torch.version.hip is not None`. kMaybe: not known.
  syntax::Truth operand(syntax::python::TokenRange range) const;
  // Of any condition: operands with and, or, not and brackets around them.
  syntax::Truth condition(syntax::python::TokenRange range) const;
  // Does the statement do nothing but tell what ROCm is: `is_rocm = torch.version.hip is not None`,
  // `from .hip_support import is_rocm`? Then NVIDIA is not concerned.
  bool is_definition(syntax::python::StatementIndex statement) const;

 private:
  bool is_false(const syntax::python::Binding& binding) const;
  bool is_amd_name(std::string_view name) const;
  bool is_version(syntax::python::TokenRange range) const;
  bool imports_support(syntax::python::StatementIndex statement) const;
  syntax::Truth condition(syntax::python::TokenRange range, int depth) const;

  const syntax::python::File& file_;
  std::vector<std::string> names_;
  std::vector<std::string> doubtful_;  // bound in this file to what may be true for NVIDIA
};

}  // namespace hipwright::port
