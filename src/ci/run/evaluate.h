// SPDX-License-Identifier: MIT
// Evaluates expressions of GitHub Actions over contexts given as JSON.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::ci {

// How the job stands, for success(), failure(), cancelled() and always().
enum class JobState { kSuccess, kFailure };

struct Contexts {
  Json values = Json::object();  // github, env, matrix, steps, needs, vars, runner, secrets, inputs
  JobState state = JobState::kSuccess;
};

// The expression between ${{ and }}. hashFiles() is a digest of its pattern only.
Result<Json> evaluate(std::string_view expression, const Contexts& contexts);

// A condition: true where it is empty, and && success() where it names no status function.
Result<bool> holds(std::string_view condition, const Contexts& contexts);

// A text with each ${{ … }} replaced.
Result<std::string> interpolate(std::string_view text, const Contexts& contexts);

bool is_true(const Json& value);
std::string as_text(const Json& value);

}  // namespace hipwright::ci
