// SPDX-License-Identifier: MIT
// Expressions of GitHub Actions: ${{ github.ref == 'refs/heads/main' && !cancelled() }}.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "syntax/problem.h"

namespace hipwright::syntax::workflow {

// A context or one of its values: "env.PATH", "github.event.pull_request.title". An index with a
// literal is a name, others and filters are "*".
struct Reference {
  std::string path;
  Span span;  // in the expression's text
  std::string_view context() const { return std::string_view(path).substr(0, path.find('.')); }
};

struct Call {
  std::string function;  // as written
  Span span;             // its name
};

struct Expression {
  std::vector<Reference> references;
  std::vector<Call> calls;
  std::vector<Problem> problems;  // at most one
};

// `text`: what is between ${{ and }}.
Expression parse_expression(std::string_view text);

// The number at the front of a text that begins with a digit, a sign or a dot: 1, -.5, 1e3, 0xff,
// 0o17. It is as long as characters of names go on; without a value, they are no number.
struct Number {
  std::size_t length = 0;
  std::optional<double> value;
};
Number number_at(std::string_view text);

// Functions and contexts compare without case.
bool same_name(std::string_view a, std::string_view b);
bool is_context(std::string_view name);

}  // namespace hipwright::syntax::workflow
