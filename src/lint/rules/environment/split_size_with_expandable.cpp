// SPDX-License-Identifier: MIT
// The allocator is configured with both a split limit and expandable segments.
//
// ## What it finds
//
// A value of `PYTORCH_CUDA_ALLOC_CONF`, `PYTORCH_HIP_ALLOC_CONF` or `PYTORCH_ALLOC_CONF` with
// both `max_split_size_mb` and `expandable_segments:True`, in Python, shell, Dockerfiles and YAML.
//
// ## Why it matters
//
// Expandable segments grow instead of being split; combined with a split limit, reserved memory can
// grow without bound. On ROCm expandable segments are recent: older PyTorch releases ignore them
// with a warning.
//
// ## Example
//
// ```python
// os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True,max_split_size_mb:512"
// ```
//
// ## Use instead
//
// ```python
// os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "max_split_size_mb:512"
// ```
//
// ## When it is not a bug
//
// - Only one of the two is set, or expandable segments are set to False.
#include <algorithm>
#include <string>

#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

constexpr std::string_view kVariable = "ALLOC_CONF";

// The line from `at` on, with the lines that Python's parentheses or a shell's backslash join to
// it.
std::string_view setting_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int lines = 0; lines < 4 && end < text.size(); ++lines) {
    const std::size_t begin = end;
    end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line = line.substr(0, line.find(" #"));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    const bool goes_on = line.ends_with("(") || line.ends_with("\\") ||
                         (lines > 0 && (line.ends_with("\"") || line.ends_with("'")));
    if (!goes_on) break;
    if (end < text.size()) ++end;
  }
  return text.substr(at, end - at);
}

// "# PYTORCH_CUDA_ALLOC_CONF=… must not be used"
bool is_in_comment(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
  const std::size_t first = text.find_first_not_of(" \t", line);
  return first < at && text[first] == '#';
}

// log.info("PYTORCH_ALLOC_CONF='…'"), echo "…": a message.
bool is_message(std::string_view text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;
  const std::size_t first = text.find_first_not_of(" \t", line);
  const std::string_view words = text.substr(first, at - first);
  for (const std::string_view begin : {"log", "print", "echo", "warn", "raise"})
    if (words.starts_with(begin)) return true;
  return false;
}

bool has_both(std::string_view line) {
  return line.find("max_split_size_mb") != line.npos &&
         line.find("expandable_segments:True") != line.npos;
}

void find(TextCheck& check) {
  const std::string_view text = check.text;
  for (std::size_t at = text.find(kVariable); at != text.npos;
       at = text.find(kVariable, at + kVariable.size())) {
    if (!is_in_comment(text, at) && !is_message(text, at) && has_both(setting_at(text, at)))
      check.report({at, at + kVariable.size()}, Confidence::kMedium,
                   "max_split_size_mb and expandable_segments together let reserved memory grow "
                   "without bound; keep only one of them");
  }
}

}  // namespace

Rule split_size_with_expandable() {
  return {.code = "HW701",
          .name = "split-size-with-expandable",
          .summary = "conflicting allocator settings",
          .text = find,
          .text_files = {"*.py", "*.sh", "*.bash", "Dockerfile*", "*.dockerfile", "*.yaml", "*.yml",
                         "*.env", "*.toml"}};
}

}  // namespace hipwright::lint::rules
