// SPDX-License-Identifier: MIT
// SARIF 2.1.0, as code scanning services read it: one run of the tool as a value, and its JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace hipwright {

struct SarifRule {
  std::string id, name, summary;
  std::string page;  // Markdown
  std::vector<std::string> tags;
  std::optional<Severity> level;  // of its results; empty: they differ
};

// Columns count code points (base/line_text.h), as the run declares.
struct SarifRegion {
  Position begin, end;
};

struct SarifReplacement {
  SarifRegion region;
  std::string text;
};
struct SarifFix {
  std::string description;
  bool safe = true;  // whether it keeps the meaning of code that was right
  std::vector<SarifReplacement> replacements;  // in the file of the result
};

struct SarifResult {
  std::string rule;  // its id
  Severity level = Severity::kWarning;
  Confidence confidence = Confidence::kHigh;
  std::string message;
  std::string path;  // relative to the root of the sources, or absolute
  SarifRegion region;
  std::optional<std::string> line;  // the whole line that it begins in
  std::string fingerprint;          // empty: none
  std::vector<SarifFix> fixes;
};

// What the tool says about its own work: "binary: not read".
struct SarifNotification {
  std::string path, message;
};

struct SarifRun {
  std::vector<SarifRule> rules;
  std::vector<SarifResult> results;
  std::vector<SarifNotification> notifications;
};

std::string sarif_text(const SarifRun& run);

}  // namespace hipwright
