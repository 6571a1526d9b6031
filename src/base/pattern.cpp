// SPDX-License-Identifier: MIT
#include "base/pattern.h"

#include <re2/re2.h>

#include "base/error.h"

namespace hipwright {

struct Pattern::Compiled {
  RE2 expression;

  std::vector<std::string> groups(std::string_view text, RE2::Anchor anchor) const {
    const int count = expression.NumberOfCapturingGroups() + 1;
    std::vector<re2::StringPiece> parts(static_cast<std::size_t>(count));
    if (!expression.Match({text.data(), text.size()}, 0, text.size(), anchor, parts.data(), count))
      return {};
    std::vector<std::string> texts;
    texts.reserve(parts.size());
    for (const re2::StringPiece& part : parts)
      texts.emplace_back(part.data() == nullptr ? "" : part.data(), part.size());
    return texts;
  }
};

bool Pattern::is_well_formed(const std::string& expression) {
  RE2::Options options(RE2::Latin1);
  options.set_log_errors(false);
  return RE2(expression, options).ok();
}

Pattern::Pattern(const char* expression) : compiled_(new Compiled{{expression, RE2::Latin1}}) {
  HW_ASSERT(compiled_->expression.ok());
}

Pattern::~Pattern() = default;

std::vector<std::string> Pattern::match(std::string_view text) const {
  return compiled_->groups(text, RE2::ANCHOR_BOTH);
}

std::vector<std::string> Pattern::find(std::string_view text) const {
  return compiled_->groups(text, RE2::UNANCHORED);
}

}  // namespace hipwright
