// SPDX-License-Identifier: MIT
#include "base/pattern.h"

#include <regex>

namespace hipwright {

struct Pattern::Compiled {
  std::regex expression;
};

namespace {

std::vector<std::string> groups(const std::cmatch& match) {
  std::vector<std::string> texts;
  texts.reserve(match.size());
  for (const auto& group : match) texts.push_back(group.str());
  return texts;
}

}  // namespace

Pattern::Pattern(const char* expression)
    : compiled_(std::make_unique<Compiled>(Compiled{std::regex(expression)})) {}

Pattern::~Pattern() = default;

std::vector<std::string> Pattern::match(std::string_view text) const {
  std::cmatch match;
  if (text.size() > kLongest) return {};
  if (!std::regex_match(text.begin(), text.end(), match, compiled_->expression)) return {};
  return groups(match);
}

std::vector<std::string> Pattern::find(std::string_view text) const {
  std::cmatch match;
  if (text.size() > kLongest) return {};
  if (!std::regex_search(text.begin(), text.end(), match, compiled_->expression)) return {};
  return groups(match);
}

}  // namespace hipwright
