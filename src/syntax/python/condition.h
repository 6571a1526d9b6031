// SPDX-License-Identifier: MIT
// The value of a condition on ROCm, and what it implies about the platform.
#pragma once

#include <unordered_map>
#include <vector>

#include "syntax/python/scopes.h"

namespace hipwright::syntax::python {

struct Value {
  Truth truth = Truth::kMaybe;
  Truth is_none = Truth::kMaybe;
  // Is code that runs because this is true (or false) intended for ROCm?
  // `torch.cuda.is_available()` is true on ROCm, but is no such intent.
  bool meant_if_true = false;
  bool meant_if_false = false;
  bool is_known_part = false;  // a known fact took part
};

class ConditionReader {
 public:
  explicit ConditionReader(const File& file);

  Value read(TokenRange range) { return read(range, 0); }
  // Does anything in this statement depend on the platform, as far as is known?
  bool concerns(StatementIndex statement) const {
    return !concerned_.empty() && concerned_[statement];
  }
  bool concerns_any() const { return !concerned_.empty(); }

 private:
  void mark_from_facts();
  void mark(TokenIndex token);
  void mark_name(TokenIndex token);
  Value read(TokenRange range, int depth);
  Value ternary(TokenRange range, TokenIndex if_at, TokenIndex else_at, int depth);
  Value chain(TokenRange range, std::string_view word, int depth);
  Value comparison(TokenRange range, TokenIndex at, int depth);
  Value primary(TokenRange range, int depth);
  Value call(TokenRange callee, TokenIndex open, int depth);
  Value named(TokenIndex name, int depth);
  Value assigned(TokenIndex name, int depth);
  Value returned(TokenIndex name, int depth);
  bool is_given(TokenIndex name);
  bool is_followed(TokenIndex name) const;
  const NameScopes& scopes(TokenIndex name);
  TokenRange without_parentheses(TokenRange range) const;

  const File& file_;
  // Names that a fact flows into, by the first place of each, and the statements that hold them.
  std::vector<bool> followed_;
  std::vector<bool> concerned_;
  std::vector<TokenIndex> to_mark_;
  std::unordered_map<TokenIndex, NameScopes> scopes_;  // by the first place of the name
  // By the first place of a name and the scope that it belongs to. While one is being found it is
  // unknown, which ends cycles.
  using Values = std::unordered_map<std::uint64_t, Value>;
  Values variables_;
  Values attributes_;
  Values functions_;
};

}  // namespace hipwright::syntax::python
