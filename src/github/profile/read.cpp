// SPDX-License-Identifier: MIT
#include "github/profile/profile.h"
#include "github/profile/toml_fields.h"

namespace hipwright::github {

namespace {

std::vector<Field> fields_of(Profile& to, const TomlFields& reader) {
  return {
      {"repository", &to.repository},
      {"title", &to.title},
      {"title-example", &to.title_example},
      {"rocm-title", &to.rocm_title},
      {"template-sections", &to.template_sections},
      {"required-checks", &to.required_checks},
      {"hardware-checks", &to.hardware_checks},
      {"sign-off-checks", &to.sign_off_checks},
      {"sign-off", &to.sign_off},
      {"signed-commits", &to.needs_signed_commits},
      {"ci",
       reader.list(
           to.ci,
           [](CiCommand& each) -> std::vector<Field> {
             return {{"checks", &each.checks}, {"start", &each.start}, {"retry", &each.retry}};
           })},
      {"repairs", reader.list(to.repairs,
                              [](Repair& each) -> std::vector<Field> {
                                return {{"check", &each.check}, {"command", &each.command}};
                              })},
      {"labels",
       reader.list(
           to.labels,
           [](LabelRule& each) -> std::vector<Field> {
             return {{"any", &each.any}, {"check", &each.check}, {"comment", &each.comment}};
           })},
      {"rocm-labels", &to.rocm_labels},
      {"rocm-paths", &to.rocm_paths},
      {"test-paths", &to.test_paths},
      {"test-command", &to.test_command},
      {"merge-comment", &to.merge_comment},
      {"merged-label", &to.merged_label},
      {"codeowners", &to.codeowners},
      {"codeowners-gate", &to.codeowners_gate},
      {"merge-rules", &to.merge_rules},
      {"reviewers", &to.reviewers},
      {"cc", &to.cc},
      {"bots", &to.bots},
      {"ping-days", &to.ping_days},
      {"ping-review", &to.ping_review},
      {"ping-merge", &to.ping_merge},
      {"ping-stale", &to.ping_stale},
      {"ping-ci", &to.ping_ci},
  };
}

}  // namespace

Status read_profile(std::string_view text, const std::string& origin, Profile& profile) {
  const TomlFields reader("invalid profile", origin);
  HW_CHECK(reader.read_text(text, fields_of(profile, reader)));
  profile.origin = origin;
  if (profile.repository.empty())
    return fail("invalid profile", origin, "it names no repository",
                R"(Write repository = "OWNER/NAME")");
  if (!Pattern::is_well_formed(profile.title))
    return fail("invalid profile", origin, "`title` is not a regular expression",
                "RE2's syntax: https://github.com/google/re2/wiki/Syntax");
  return {};
}

}  // namespace hipwright::github
