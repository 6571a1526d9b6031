// SPDX-License-Identifier: MIT
// Output of a lint report, for people and programs.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "lint/engine.h"

namespace hipwright::lint {

enum class Format { kText, kJson, kSarif, kGithub, kMarkdown };
Result<Format> parse_format(std::string_view word);

struct OutputOptions {
  bool colour = false;
  bool statistics = false;  // added to the output if the format has a place for them
};

std::string output(const Report& report, Format format, const OutputOptions& options);

// One per format.
std::string text_output(const Report& report, bool colour);
std::string json_output(const Report& report, bool statistics);
std::string sarif_output(const Report& report);
std::string github_output(const Report& report);
std::string markdown_output(const Report& report);

// Findings per rule, files, bytes and time.
std::string statistics_text(const Report& report, bool colour);
// "3 findings in 2 of 5 files; --fix changes 1"
std::string summary(const Report& report);

// All rules, as a table and as JSON.
std::string rules_text(bool colour);
std::string rules_json();
// A rule's page with its code, name, severity and targets at the top, as Markdown.
std::string explanation(const Rule& rule);

std::string_view to_string(Relevance relevance);  // "wave64 targets"

}  // namespace hipwright::lint
