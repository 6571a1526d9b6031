// SPDX-License-Identifier: MIT
// From the log of a failed job to its cause: what happened, whose fault it is, what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"

namespace hipwright::ci {

enum class Fault { kRunner, kCode, kSetup };
std::string_view to_string(Fault fault);

// A cause and the words by which logs tell it. Of several in one log the one with the larger weight
// is the root: a full disk also makes linkers fail.
struct Cause {
  std::string_view id;     // "disk-full"
  std::string_view title;  // "The disk is full"
  Fault fault;
  int weight;
  std::string_view pattern;  // RE2, without case
  std::string_view explanation;
  std::string_view fix;
};
std::span<const Cause> causes();

struct LogLine {
  std::uint32_t number = 0;
  std::string text;  // without timestamps, colours and ##[…] marks
};

struct Explanation {
  const Cause* cause = nullptr;
  LogLine line;                            // that shows it
  std::vector<const Cause*> also;          // further causes in the log, by weight
  std::optional<std::uint32_t> failed_at;  // the line where the job's failure is reported
};

// Nothing when no known cause is in the log.
std::optional<Explanation> explain_log(std::string_view log);

std::string explanation_text(const Explanation& explanation, const std::string& path);
Json explanation_json(const Explanation& explanation);

}  // namespace hipwright::ci
