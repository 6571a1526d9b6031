// SPDX-License-Identifier: MIT
// Diagnostic: what was found, where, why it matters, and how to fix it. The common form in which
// lint, port and verify report to users.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/source.h"
#include "base/terminal.h"
#include "base/text_edit.h"

namespace hipwright {

enum class Severity { kNote, kWarning, kError };
enum class Confidence { kLow, kMedium, kHigh };

std::string_view to_string(Severity severity);
std::string_view to_string(Confidence confidence);
Colour colour_of(Severity severity);  // on a terminal

struct Fix {
  std::string description;
  // Safe: changes no result that was right, on any platform. Unsafe: needs review.
  bool safe = false;
  std::vector<TextEdit> edits;
};

struct Diagnostic {
  std::string code;  // stable, for example "HW101"; empty for plain tool messages
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kHigh;
  std::string path;
  Span span;
  Position position;
  std::string message;
  std::string why;         // may be empty
  std::vector<Fix> fixes;  // best first
};

// "path:line:column: warning: message [CODE]", with the source line and a caret when `text` has it.
std::string render(const Diagnostic& diagnostic, std::string_view text, bool colour);

nlohmann::ordered_json json_of(const Diagnostic& diagnostic);

}  // namespace hipwright
