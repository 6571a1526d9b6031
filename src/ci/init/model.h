// SPDX-License-Identifier: MIT
// A workflow as a value, and its text. Everything that GitHub reads is written by one function, so
// that quoting and indentation are right once.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hipwright::ci {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// A third-party action, pinned: the tag is a comment.
struct Action {
  const char* name;
  const char* commit;
  const char* tag;
};

struct NewStep {
  std::string name;
  const Action* uses = nullptr;  // otherwise `run`
  std::string condition;
  std::string shell;
  Pairs env, with;
  std::string run;
};

struct NewJob {
  std::string id, name;
  std::vector<std::string> needs;
  std::string condition;
  std::string runs_on;  // as written: "ubuntu-24.04", "[self-hosted, Linux, ROCm]"
  unsigned timeout_minutes = 30;
  Pairs permissions;                       // beyond reading the repository
  std::vector<std::string> matrix_values;  // of `gfx`; empty: no matrix
  Pairs env;
  std::vector<NewStep> steps;
};

struct NewWorkflow {
  std::string name;
  std::string head;  // comment lines and triggers, before `permissions`
  std::vector<NewJob> jobs;
};

// The text before `jobs:`, and the text of a job without a final blank line.
std::string head_text(const NewWorkflow& workflow);
std::string job_text(const NewJob& job);

}  // namespace hipwright::ci
