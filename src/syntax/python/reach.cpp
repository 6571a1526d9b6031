// SPDX-License-Identifier: MIT
#include "syntax/python/state.h"

namespace hipwright::syntax::python {

Truth File::runs_on_rocm(StatementIndex) const {
  return Truth::kMaybe;
}

Truth File::token_runs_on_rocm(TokenIndex) const {
  return Truth::kMaybe;
}

bool File::guarded_by_try(StatementIndex, std::string_view) const {
  return false;
}

Truth condition_on_rocm(const File&, TokenRange) {
  return Truth::kMaybe;
}

}  // namespace hipwright::syntax::python
