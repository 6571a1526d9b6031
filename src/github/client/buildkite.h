// SPDX-License-Identifier: MIT
// Logs of Buildkite, which vLLM's checks run on. Its API gives them only to who has a token.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "github/http/http.h"

namespace hipwright::github {

struct BuildkiteJob {
  std::string organization, pipeline, build, job;
};

// Of "https://buildkite.com/ORG/PIPELINE/builds/NUMBER#JOB"; nothing for other addresses.
std::optional<BuildkiteJob> buildkite_job_of(std::string_view url);

// With the token of BUILDKITE_API_TOKEN, from BUILDKITE_API_URL or https://api.buildkite.com. An
// error never repeats the token.
Result<std::string> fetch_buildkite_log(const BuildkiteJob& job, const Transport& transport,
                                        std::chrono::milliseconds timeout);

}  // namespace hipwright::github
