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
  std::string name, id;
  const Action* uses = nullptr;  // otherwise `run`
  std::string condition;
  Pairs env, with;
  std::string run;
  std::string comment;  // on the line of `run:`: for auditors
};

struct NewJob {
  std::string id, name;
  std::vector<std::string> needs;
  std::string condition;
  std::string runs_on;  // as written: "ubuntu-24.04", "[self-hosted, Linux, ROCm]"
  unsigned timeout_minutes = 30;
  std::string environment;
  Pairs permissions;      // beyond reading the repository
  std::string gfx;        // the matrix's values of `gfx`, as an expression; empty: no matrix
  std::string directory;  // of the scripts; empty: the repository
  Pairs outputs, env;
  std::vector<NewStep> steps;
};

struct NewWorkflow {
  std::string name;
  std::string head;     // comment lines and triggers, before `permissions`
  bool cancels = true;  // a run of a pull request that a newer one replaces
  Pairs env;
  std::vector<NewJob> jobs;
};

// The text before `jobs:`, and the text of a job without a final blank line.
std::string head_text(const NewWorkflow& workflow);
std::string job_text(const NewJob& job);

}  // namespace hipwright::ci
