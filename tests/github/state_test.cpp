// SPDX-License-Identifier: MIT
#include "github/state/state.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace hipwright::github {
namespace {

const std::string kHead = "aaaa", kOld = "bbbb";

Check check(std::string name, Outcome outcome, bool is_required) {
  return {.name = std::move(name), .outcome = outcome, .is_required = is_required};
}

// Everything that GitHub may say, at random; about one in ten is ready.
class AnyPullRequest {
 public:
  explicit AnyPullRequest(unsigned seed) : random_(seed) {}

  PullRequest make() {
    PullRequest pr;
    pr.id = {{"a", "b"}, 1};
    pr.author = "author";
    pr.base = "main";
    pr.head_commit = kHead;
    pr.is_draft = one_in(12);
    pr.mergeable = one_in(10) ? Mergeable::kNo : one_in(10) ? Mergeable::kUnknown : Mergeable::kYes;
    pr.merge_state =
        pick({"CLEAN", "CLEAN", "CLEAN", "UNSTABLE", "BLOCKED", "BEHIND", "UNKNOWN", "DIRTY"});
    pr.decision =
        pick({"APPROVED", "APPROVED", "APPROVED", "", "REVIEW_REQUIRED", "CHANGES_REQUESTED"});
    pr.files = {{pick({"csrc/rocm/a.cu", "docs/a.md", "docs/a.md"}), 1, 1}};
    if (!one_in(5)) pr.labels.push_back("topic: x");
    const unsigned checks = below(5);
    for (unsigned i = 0; i < checks; ++i)
      pr.checks.push_back(check("check " + std::to_string(i), outcome(), one_in(2)));
    if (!one_in(6)) pr.checks.push_back(check("needed", outcome(), one_in(2)));
    for (unsigned i = below(3); i > 0; --i) {
      Review review{.author = "r" + std::to_string(i), .association = pick({"MEMBER", "NONE"})};
      review.state = one_in(6) ? ReviewState::kChangesRequested : ReviewState::kApproved;
      review.commit = one_in(3) ? kOld : kHead;
      pr.reviews.push_back(review);
    }
    for (unsigned i = below(2); i > 0; --i)
      pr.threads.push_back({.is_resolved = !one_in(3), .is_outdated = one_in(2)});
    return pr;
  }

  bool one_in(unsigned count) { return below(count) == 0; }

 private:
  unsigned below(unsigned count) { return std::uniform_int_distribution(0U, count - 1)(random_); }
  std::string pick(std::vector<std::string> of) {
    return of[below(static_cast<unsigned>(of.size()))];
  }
  Outcome outcome() {
    return one_in(6) ? std::vector{Outcome::kFail, Outcome::kCancelled, Outcome::kPending}[below(3)]
           : one_in(6) ? Outcome::kSkipped
                       : Outcome::kPass;
  }
  std::mt19937 random_;
};

TEST(State, ReadyIsNeverSaidOfWhatLacksSomething) {
  Profile profile;
  profile.required_checks = {"needed"};
  profile.rocm_paths = {"csrc/rocm/**"};
  profile.hardware_checks = {"check 1"};
  unsigned ready = 0;
  for (unsigned seed = 0; seed < 20'000; ++seed) {
    AnyPullRequest any(seed);
    const PullRequest pr = any.make();
    Setting setting{.profile = &profile};
    if (any.one_in(3)) setting.requirements.checks = {"check 2"};
    if (any.one_in(3)) setting.requirements.approvals = 2;
    const Assessment a = assess(pr, setting);
    if (a.state != State::kReady) {
      EXPECT_FALSE(a.obstacles.empty());
      EXPECT_FALSE(a.action.empty());
      continue;
    }
    ++ready;
    SCOPED_TRACE(seed);
    EXPECT_EQ(pr.mergeable, Mergeable::kYes);
    EXPECT_FALSE(pr.is_draft);
    for (const Check& each : pr.checks) {
      const bool required = each.is_required || each.name == "needed" ||
                            std::ranges::count(setting.requirements.checks, each.name) > 0;
      if (required) {
        EXPECT_TRUE(each.outcome == Outcome::kPass || each.outcome == Outcome::kSkipped)
            << each.name;
      }
    }
    const auto has = [&](std::string_view name) {
      return std::ranges::count(pr.checks, name, &Check::name) > 0;
    };
    EXPECT_TRUE(has("needed"));
    for (const std::string& name : setting.requirements.checks) EXPECT_TRUE(has(name)) << name;
    EXPECT_EQ(std::ranges::count(pr.threads, false, &Thread::is_resolved), 0);
    EXPECT_TRUE(std::ranges::any_of(pr.reviews, [](const Review& review) {
      return review.state == ReviewState::kApproved && review.commit == kHead;
    }));
    EXPECT_EQ(std::ranges::count(pr.reviews, ReviewState::kChangesRequested, &Review::state), 0);
    EXPECT_NE(pr.decision, "REVIEW_REQUIRED");
    EXPECT_NE(pr.decision, "CHANGES_REQUESTED");
    if (pr.files[0].path.starts_with("csrc/rocm")) {
      EXPECT_TRUE(std::ranges::any_of(pr.checks, [](const Check& each) {
        return each.name == "check 1" && each.outcome != Outcome::kPending &&
               each.outcome != Outcome::kSkipped;
      }));
    }
  }
  EXPECT_GT(ready, 200U);
}

TEST(State, AnApprovalOfAStrangerIsNone) {
  Profile profile;
  PullRequest pr{.id = {{"a", "b"}, 1},
                 .base = "main",
                 .head_commit = kHead,
                 .mergeable = Mergeable::kYes,
                 .merge_state = "CLEAN"};
  pr.reviews = {{.author = "stranger",
                 .association = "NONE",
                 .state = ReviewState::kApproved,
                 .commit = kHead}};
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kReviewNeeded);
  // GitHub counts only those who may write: one of the approvals is theirs.
  pr.decision = "APPROVED";
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kReady);
  // A known maintainer's approval is the one that counts, and it is old.
  pr.reviews.push_back({.author = "maintainer",
                        .association = "MEMBER",
                        .state = ReviewState::kApproved,
                        .commit = kOld});
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kStaleApproval);
}

// A rule that nobody of its own approved lets nothing land, so its list of checks is no way around
// the list of the rule that is approved.
TEST(State, TheChecksOfTheApprovedMergeRuleAreRequired) {
  Profile profile;
  PullRequest pr{.id = {{"a", "b"}, 1},
                 .base = "main",
                 .head_commit = kHead,
                 .mergeable = Mergeable::kYes,
                 .merge_state = "CLEAN",
                 .decision = "APPROVED"};
  pr.files = {{"rocm/a.cu", 1, 1}};
  pr.reviews = {{.author = "owner",
                 .association = "MEMBER",
                 .state = ReviewState::kApproved,
                 .commit = kHead}};
  pr.checks = {check("Lint / a", Outcome::kPass, false), check("rocm", Outcome::kFail, false)};
  Setting setting{.profile = &profile};
  setting.merge_rules = {{.name = "ROCm",
                          .patterns = {"rocm/**"},
                          .approved_by = {"owner"},
                          .mandatory_checks = {"Lint", "rocm"}},
                         {.name = "all",
                          .patterns = {"*"},
                          .approved_by = {"somebody else"},
                          .mandatory_checks = {"Lint"}}};
  EXPECT_EQ(assess(pr, setting).state, State::kChecksFailed);
  pr.checks[1].outcome = Outcome::kPass;
  EXPECT_EQ(assess(pr, setting).state, State::kReady);
}

PullRequest ready_one() {
  PullRequest pr{.id = {{"a", "b"}, 1},
                 .author = "author",
                 .base = "main",
                 .head_commit = kHead,
                 .mergeable = Mergeable::kYes,
                 .merge_state = "CLEAN",
                 .decision = "APPROVED"};
  pr.files = {{"a.cu", 1, 1}};
  pr.reviews = {{.author = "owner",
                 .association = "MEMBER",
                 .state = ReviewState::kApproved,
                 .commit = kHead}};
  return pr;
}

Review approval(std::string author, std::string commit) {
  return {.author = std::move(author),
          .association = "MEMBER",
          .state = ReviewState::kApproved,
          .commit = std::move(commit)};
}

TEST(State, EitherWordOfGitHubForConflictsIsEnough) {
  const Profile profile;
  PullRequest pr = ready_one();
  ASSERT_EQ(assess(pr, {.profile = &profile}).state, State::kReady);
  pr.merge_state = "DIRTY";
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kConflicts);
  pr.merge_state = "CLEAN";
  pr.mergeable = Mergeable::kNo;
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kConflicts);
}

TEST(State, OldApprovalsMatterOnlyIfNewOnesAreTooFew) {
  const Profile profile;
  PullRequest pr = ready_one();
  pr.reviews.push_back(approval("other", kOld));
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kReady);
  const Assessment two = assess(pr, {.profile = &profile, .requirements = {.approvals = 2}});
  EXPECT_EQ(two.state, State::kStaleApproval);
  EXPECT_EQ(two.action, "ask @other to look at the new commits");
  // GitHub's decision settles how many are needed.
  pr.reviews.pop_back();
  EXPECT_EQ(assess(pr, {.profile = &profile, .requirements = {.approvals = 2}}).state,
            State::kReady);
  pr.decision.clear();
  EXPECT_EQ(assess(pr, {.profile = &profile, .requirements = {.approvals = 2}}).state,
            State::kReviewNeeded);
}

TEST(State, AnOwnerMustApproveTheNewestCommit) {
  Profile profile;
  profile.codeowners_gate = true;
  Setting setting{.profile = &profile, .owners = CodeOwners::parse("* @boss\n")};
  PullRequest pr = ready_one();
  pr.decision.clear();
  EXPECT_EQ(assess(pr, setting).state, State::kReviewNeeded);
  pr.reviews.push_back(approval("boss", kOld));
  EXPECT_EQ(assess(pr, setting).state, State::kReviewNeeded);
  pr.reviews.back().commit = kHead;
  EXPECT_EQ(assess(pr, setting).state, State::kReady);
  // Who is in a team, only GitHub knows.
  pr.reviews.pop_back();
  setting.owners = CodeOwners::parse("* @a/team\n");
  EXPECT_EQ(assess(pr, setting).state, State::kReady);
}

TEST(State, NobodyIsAskedToApproveTheirOwn) {
  const Profile profile;
  Setting setting{.profile = &profile};
  setting.merge_rules = {{.name = "all", .patterns = {"*"}, .approved_by = {"author", "boss"}}};
  const Assessment a = assess(ready_one(), setting);
  EXPECT_EQ(a.state, State::kReviewNeeded);
  EXPECT_EQ(a.action, "ask @boss for a review");
}

TEST(State, ABlockedBranchDoesNotStopAMergeBot) {
  Profile profile;
  PullRequest pr = ready_one();
  pr.merge_state = "BLOCKED";
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kBlocked);
  profile.merge_comment = "@bot merge";
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kReady);
}

TEST(State, AFailedCheckOfLabelsIsMendedByALabelOnlyIfItLacks) {
  Profile profile;
  profile.labels = {{.any = {"topic: *"}, .check = "labels"}};
  PullRequest pr = ready_one();
  pr.checks = {check("labels", Outcome::kFail, true)};
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kLabelMissing);
  pr.labels = {"topic: x"};
  EXPECT_EQ(assess(pr, {.profile = &profile}).state, State::kChecksFailed);
}

TEST(State, DocumentsNeedNoHardware) {
  Profile profile;
  profile.hardware_checks = {"gpu"};
  PullRequest pr = ready_one();
  pr.title = "[ROCm] words";
  for (const char* path : {"docs/a.txt", "a.md", "a.rst"}) {
    pr.files = {{path, 1, 1}};
    EXPECT_EQ(assess(pr, {.profile = &profile}).hardware, Hardware::kNotNeeded) << path;
    pr.files.push_back({"a.cu", 1, 1});
    EXPECT_EQ(assess(pr, {.profile = &profile}).hardware, Hardware::kNotRun) << path;
  }
  pr.checks = {check("gpu", Outcome::kSkipped, false)};
  EXPECT_EQ(assess(pr, {.profile = &profile}).hardware, Hardware::kNotRun);
}

TEST(State, AMissingCheckCountsOnce) {
  Profile profile;
  profile.required_checks = {"build"};
  const Setting setting{.profile = &profile, .requirements = {.checks = {"build"}}};
  const Assessment a = assess(ready_one(), setting);
  EXPECT_EQ(a.state, State::kChecksMissing);
  EXPECT_EQ(a.missing_checks, std::vector<std::string>{"build"});
}

TEST(State, TheNextActionForAMissingSignatureIsNeverEmpty) {
  Profile profile;
  profile.sign_off_checks = {"DCO"};
  PullRequest pr{.id = {{"a", "b"}, 1}, .base = "main", .head_commit = kHead};
  pr.checks = {check("DCO", Outcome::kFail, false)};
  const Assessment a = assess(pr, {.profile = &profile});
  EXPECT_EQ(a.state, State::kSignOff);
  EXPECT_FALSE(a.action.empty());
}

TEST(State, OfSeveralRunsOfACheckTheNewestCounts) {
  Check old = check("build", Outcome::kFail, true), fresh = check("build", Outcome::kPass, false);
  old.started = 1;
  fresh.started = 2;
  const auto all = newest_of_each({fresh, old});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].outcome, Outcome::kPass);
  EXPECT_TRUE(all[0].is_required);
}

}  // namespace
}  // namespace hipwright::github
