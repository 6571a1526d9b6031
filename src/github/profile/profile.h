// SPDX-License-Identifier: MIT
// What a repository expects of a pull request, as data: profiles/*.toml, and the user's own files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/pattern.h"
#include "github/pull_request.h"

namespace hipwright::github {

// One of the labels is needed. `check` is the check that fails without it.
struct LabelRule {
  std::vector<std::string> any;  // patterns
  std::string check;
  std::string comment;  // asks a bot for the label; may be empty
};

// A comment that starts or repeats checks.
struct CiCommand {
  std::vector<std::string> checks;  // patterns
  std::string start, retry;         // may be empty
};

// A check that a command on the user's machine mends.
struct Repair {
  std::string check;  // pattern
  std::string command;
};

struct Profile {
  std::string repository;  // "vllm-project/vllm", "ROCm/*"
  std::string origin;      // the file; for messages

  std::string title;  // RE2, of the whole title; empty: anything
  std::string title_example;
  std::string rocm_title;  // what the title of a ROCm change begins with
  std::vector<std::string> template_sections;

  std::vector<std::string> required_checks;  // patterns, besides those that GitHub reports
  std::vector<std::string> hardware_checks;  // patterns: run on AMD GPUs
  std::vector<std::string> sign_off_checks;  // DCO, CLA
  std::string sign_off;                      // what to do about them
  bool needs_signed_commits = false;         // Signed-off-by: in every commit
  std::vector<CiCommand> ci;
  std::vector<Repair> repairs;

  std::vector<LabelRule> labels;  // required
  std::vector<std::string> rocm_labels;
  std::vector<std::string> rocm_paths;  // patterns of paths (project/glob.h)
  std::vector<std::string> test_paths;
  std::string test_command;

  std::string merge_comment;  // tells a bot to merge; empty: a maintainer merges
  std::string merged_label;   // on closed pull requests that a bot landed
  std::string codeowners;     // path; empty: none
  bool codeowners_gate = false;
  std::string merge_rules;             // path of rules as PyTorch's bot reads them
  std::vector<std::string> reviewers;  // to ask when nobody owns the files
  std::vector<std::string> cc;         // for the description
  std::vector<std::string> bots;

  unsigned ping_days = 7;
  std::string ping_review, ping_merge, ping_stale, ping_ci;  // templates, see drafts/ping.h

  bool has_bot(std::string_view login) const;  // those, and names that end with [bot]
  bool is_rocm_path(std::string_view path) const;
};

// "[ROCm] …", "HIP: …", "… on gfx942": a title about AMD's GPUs.
bool names_amd(std::string_view title);

// Sets what the text says in `profile`; the rest stays. Errors name `origin` and the line.
Status read_profile(std::string_view text, const std::string& origin, Profile& profile);

class Profiles {
 public:
  // The shipped ones, then the files *.toml of a directory, which need not exist. A file for a
  // repository that is known changes only what it says.
  static Result<Profiles> load(const std::filesystem::path& directory);

  // The one with this name, else the one whose pattern matches it, else the default.
  const Profile& of(const Repository& repository) const;
  const std::vector<Profile>& all() const { return profiles_; }

 private:
  Status add(std::string_view text, const std::string& origin);
  std::vector<Profile> profiles_;
  Profile default_;
};

}  // namespace hipwright::github
