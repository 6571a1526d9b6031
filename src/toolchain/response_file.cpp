// SPDX-License-Identifier: MIT
#include "toolchain/response_file.h"

#include "base/file.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

std::vector<std::string> response_file_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool started = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      started = true;
    } else if (quote != '\0') {
      if (c == quote)
        quote = '\0';
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      started = true;
    } else if (!blank) {
      word += c;
      started = true;
    } else if (started) {
      words.push_back(std::exchange(word, {}));
      started = false;
    }
  }
  if (started) words.push_back(word);
  return words;
}

Result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> expanded;
  for (const std::string& word : words) {
    std::error_code error;
    if (word.size() < 2 || word[0] != '@' || !fs::is_regular_file(word.substr(1), error)) {
      expanded.push_back(word);
      continue;
    }
    HW_TRY(const std::string text, read_file(word.substr(1)));
    for (std::string& inner : response_file_words(text)) expanded.push_back(std::move(inner));
  }
  return expanded;
}

}  // namespace hipwright::toolchain
