// SPDX-License-Identifier: MIT
// Paths that a Python build file composes: os.path.join(here, "csrc"), Path(here) / "*.cu",
// f"{here}/csrc/a.cu".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "syntax/python/file.h"

namespace hipwright::project {

struct PathExpression {
  std::string text;          // from the folder of the build file; a pattern if is_glob
  bool is_known = true;      // otherwise only the end of the path is
  bool is_glob = false;      // glob.glob(…), Path(…).rglob(…)
  bool is_composed = false;  // by a call, or of several parts
};

class PathReader {
 public:
  // `name`: of the build file, the value of __file__.
  PathReader(const syntax::python::File& file, std::string_view name);

  // The whole path that this string is a part of.
  PathExpression around(syntax::python::TokenIndex string);

 private:
  using TokenIndex = syntax::python::TokenIndex;
  using TokenRange = syntax::python::TokenRange;

  TokenRange operand_before(TokenIndex end) const;
  TokenRange operand_at(TokenIndex begin) const;
  TokenRange joined(TokenRange operand) const;
  PathExpression value(TokenRange expression, int depth);
  PathExpression operand_value(TokenRange operand, int depth);
  PathExpression string_value(TokenIndex string, int depth);
  PathExpression variable(std::string_view name, int depth);
  PathExpression call(TokenIndex open, TokenRange callee, int depth);
  PathExpression attribute(PathExpression of, std::string_view name) const;

  const syntax::python::File& file_;
  std::string_view name_;
  std::map<std::string_view, TokenRange> assigned_;  // the first value of a variable
  int variables_left_ = 0;
};

}  // namespace hipwright::project
